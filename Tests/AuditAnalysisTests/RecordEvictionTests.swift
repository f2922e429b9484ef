import AuditAnalysis
import AuditLog
import AuditSamples
import ConflictAudit
import Foundation
import SyncModel
import SyncOracle
import Testing

/// Where there are more records than are counted exactly, those with the most conflicts are still known, and how far their counts may be off.
@Suite struct RecordEvictionTests {
    private static let limit = 64

    /// Conflicts of many records, the first of them far more often than the last.
    private func conflicts(seed: UInt64) -> [Conflict] {
        var random = SplitMix64(seed: seed)
        return (0..<histories(2_000, of: 6_000)).map { number in
            let share = Double.random(in: 0.000_5..<1, using: &random)
            let record = Int(1 / (share * share))
            return conflict(
                RecordKey(type: "Note", id: RecordID("\(record)")), winner: DeviceID("\(number)"),
                severity: number % 3 == 0 ? .lossy : .benign,
                basis: number % 5 == 0 ? .window : .causal)
        }
    }

    private func summary(_ conflicts: [Conflict], threads: Int) throws -> Summary {
        var bytes: [UInt8] = []
        for (index, conflict) in conflicts.enumerated() {
            let event = AuditEvent(at: conflict.milliseconds, .conflict(conflict))
            LineEncoder.append(AuditLine(sequence: UInt64(index + 1), source: "phone", event: event), to: &bytes)
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "eviction-\(UUID().uuidString).jsonl")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var reader = LogSummarizer(
            filter: ReportFilter(), copies: FirstCopies(), isLenient: false, threads: threads, maximumLineLength: 10_000, blockSize: 20_000,
            recordLimit: Self.limit)
        try reader.read(path: file.path)
        return reader.summary
    }

    @Test(arguments: [1, 3], 1...UInt64(histories(1, of: 4))) func countsAreOffByNoMoreThanIsSaid(threads: Int, seed: UInt64) throws {
        let conflicts = conflicts(seed: seed)
        let exact = conflicts.reduce(into: [:]) { $0[$1.key, default: 0] += 1 }
        #expect(exact.count > 4 * Self.limit)
        let summary = try summary(conflicts, threads: threads)
        let found = summary.all.byRecord.mapValues(\.conflicts)
        #expect(summary.all.total.conflicts == conflicts.count)
        #expect(summary.recordsMissing > 0 && summary.recordsMissing <= 2 * conflicts.count / (Self.limit / 2))
        #expect(found.count <= Self.limit)
        for (key, count) in exact {
            let counted = found[key] ?? 0
            #expect(counted <= count && count <= counted + summary.recordsMissing, "\(key): \(counted) of \(count)")
        }
        // What is contested most is exact, since it was never forgotten.
        let first = RecordKey(type: "Note", id: "1")
        #expect(exact[first] == exact.values.max() && found[first] == exact[first])
        #expect(summary.proven.byRecord[first]?.conflicts == conflicts.count { $0.key == first && $0.isProven })
        // What was forgotten here stays unknown where it is put together with more.
        let read = try Summary(json: parse(JSONRenderer().render(summary)))
        // The values of the examples stay out of what is passed on.
        #expect(read.examples.conflicts.map(\.id) == summary.examples.conflicts.map(\.id) && !read.examples.conflicts.isEmpty)
        var counted = summary
        counted.examples = read.examples
        #expect(read == counted)
    }

    @Test func uptoTheLimitNothingIsForgotten() throws {
        let few = (0..<Self.limit).map { conflict(RecordKey(type: "Note", id: RecordID("\($0)"))) }
        let summary = try summary(few + few, threads: 1)
        #expect(summary.recordsMissing == 0 && summary.proven.byRecord.count == Self.limit)
        #expect(try self.summary(few, threads: 1).proven.byRecord.values.allSatisfy { $0.conflicts == 1 })
    }

    @Test func summariesPutTogetherForgetToo() {
        func counts(_ range: Range<Int>, times: Int) -> NamedCounts {
            var counts = NamedCounts()
            for number in range { counts.add(.init(conflicts: times), "Note", "\(number)") }
            return counts
        }
        var (proven, suspected) = (counts(0..<60, times: 2), counts(50..<120, times: 3))
        #expect(NamedCounts.evict(&proven, &suspected, limit: 120) == 0 && proven.count == 60)
        #expect(NamedCounts.evict(&proven, &suspected, limit: 100) == 3)
        // Those with both remain: 2 and 3.
        #expect(proven.count == 10 && suspected.count == 10 && suspected.total.conflicts == 30)
    }
}
