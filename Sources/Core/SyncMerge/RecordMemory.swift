import SyncModel

/// What is remembered of the writes to a record besides its state, to say whose edits a put carries.
///
/// Who audits a history keeps all of it in the order of arrival, which is to be causal: then what is said of a conflict does not depend on
/// that order. A replica has but the write that was last displaced in each register, and what does not follow from that is not known.
package struct RecordMemory: Sendable {
    private let isWhole: Bool
    /// Whether the next write names writes as seen that have not come to any record, as far as the devices' latest tell.
    package var isNextOpen = false
    /// Whether a write has come after one whose writer had seen it.
    package private(set) var hasLateWrite = false
    /// The writes to the record in their order of arrival, where all are kept.
    private(set) var writes: [TaggedWrite] = []
    /// A bit for each of the first writes: whether its writer is known to have seen all that had come before.
    private(set) var dominating: UInt64 = 0
    /// Nothing or one, so that the memories of most records pay for a pointer.
    private var rarities: [Rarities] = []

    /// What few records have.
    private struct Rarities {
        /// The indices of writes that name others as seen that have not come.
        var open: Set<Int> = []
        /// What is kept of the registers that were asked about.
        var registers: [FieldName?: RegisterMemory.Register] = [:]
        var reverts: [Revert] = []
    }

    /// The memory of a replica.
    package static let ofReplica = RecordMemory(isWhole: false)

    /// A memory of a whole history, of which nothing has come yet.
    package init() { self.init(isWhole: true) }

    private init(isWhole: Bool) { self.isWhole = isWhole }

    /// Whether writes are looked at for what they undo.
    var findsReverts: Bool { isWhole }

    /// Keeps what the last write undid for ``takeReverts()``.
    mutating func append(_ revert: Revert) { changeRarities { $0.reverts.append(revert) } }

    /// What the last write undid; who merged it takes it.
    package mutating func takeReverts() -> [Revert] {
        if rarities.isEmpty || rarities[0].reverts.isEmpty { return [] }
        var reverts: [Revert] = []
        swap(&reverts, &rarities[0].reverts)
        return reverts
    }

    private mutating func changeRarities(_ change: (inout Rarities) -> Void) {
        if rarities.isEmpty { rarities = [Rarities()] }
        change(&rarities[0])
    }

    /// Takes the next write to the record.
    ///
    /// - Parameters:
    ///   - dominates: Whether its writer is known to have seen all that has come before.
    ///   - isCovered: Whether it, or one whose writer had seen it, has come before.
    mutating func append(_ write: TaggedWrite, dominates: Bool, isCovered: Bool) {
        guard isWhole else { return }
        if isCovered {
            if writes.suffix(1024).contains(where: { $0.hasSameDot(as: write) }) { return }
            hasLateWrite = true
        }
        if isNextOpen {
            let index = writes.count
            changeRarities { $0.open.insert(index) }
        }
        // A shift by more than there are bits leaves none.
        if dominates { dominating |= 1 << writes.count }
        // There are very many such lists, and twice the room would stay empty in most.
        if writes.count == writes.capacity { writes.reserveCapacity(writes.count + 2 + writes.count / 2) }
        writes.append(write)
        isNextOpen = false
    }

    /// Calls a body with what is remembered of a register: a field, or the whole record where the field is nil.
    ///
    /// - Parameter displaced: What a replica remembers.
    @inline(__always) mutating func ask<Answer>(
        about field: FieldName?, displaced: TaggedWrite?, _ body: (inout RegisterMemory) -> Answer
    ) -> Answer {
        guard isWhole else {
            var memory = RegisterMemory(displaced: displaced)
            return body(&memory)
        }
        // A key that is not there is not asked for: room would be made for it.
        let kept = rarities.isEmpty || rarities[0].registers.isEmpty ? nil : rarities[0].registers[field].take()
        var memory = RegisterMemory(self, open: rarities.first?.open ?? [], register: kept ?? RegisterMemory.Register())
        memory.observeWrites(to: field)
        let answer = body(&memory)
        let register = memory.takeRegister()
        if !register.isEmpty { changeRarities { $0.registers[field] = register } }
        return answer
    }
}
