import CommandWorld
import Testing

/// Audits of more writes than pass between two looks at the memory in use.
@Suite struct AuditMemoryHistories {
    @Test func whatDoesNotFitIntoMemoryComesOutTheSame() throws {
        try MemoryCheck(records: 900, writes: 12_000).whatDoesNotFit()
    }

    @Test func recordsOneAfterTheOtherNeedTheMemoryOfOne() throws {
        try MemoryCheck(records: 900, writes: 12_000).oneAfterTheOther()
    }
}
