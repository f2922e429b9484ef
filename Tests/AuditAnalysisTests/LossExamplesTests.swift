import AuditLog
import AuditSamples
import ConflictAudit
import Foundation
import SyncModel
import Testing

@testable import AuditAnalysis

@Suite struct LossExamplesTests {
    private func loss(
        _ record: Int, gap: Int64, severity: Conflict.Severity = .lossy, basis: Conflict.Basis = .causal, winner: DeviceID = "phone"
    ) -> Conflict {
        conflict(
            RecordKey(type: "Note", id: RecordID("\(record)")), winner: winner, gap: gap, severity: severity, basis: basis)
    }

    private func examples(_ conflicts: [Conflict]) -> [Conflict] {
        var examples = LossExamples()
        for conflict in conflicts { examples.observe(conflict) }
        return examples.conflicts
    }

    @Test func provenThenDeletesThenThoseFurthestApart() {
        let (near, far, deleted) = (loss(1, gap: 10), loss(2, gap: 900), loss(3, gap: 1, severity: .destructive))
        let suspected = loss(4, gap: 99_999, severity: .destructive, basis: .window)
        #expect(examples([near, suspected, far]) == [far, near, suspected])
        #expect(examples([near, suspected, far, deleted]) == [deleted, far, near])
        #expect(examples([loss(5, gap: 7, severity: .merged), loss(6, gap: 7, severity: .benign)]) == [], "nothing is lost there")
    }

    @Test func aRecordIsShownOnce() {
        let (old, new, other) = (loss(1, gap: 10), loss(1, gap: 500, winner: "pad"), loss(2, gap: 20))
        #expect(examples([old, other, new]) == [new, other])
        #expect(examples([new, other, old]) == [new, other])
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func anyOrderAndAnyPartsGiveTheSame(seed: UInt64) {
        var random = RandomEvents(seed: seed)
        let conflicts = (0..<200).map { _ in random.conflict() }
        let whole = examples(conflicts)
        // Slowly: of each record the most telling, and of these the first three.
        #expect(whole.count == LossExamples.limit && Set(whole.map(\.key)).count == whole.count)
        let losses = conflicts.filter { $0.severity.isLoss }
        let hasProven = losses.contains { $0.isProven }
        #expect(whole.first?.isProven == hasProven)
        let areLosses = whole.allSatisfy { $0.severity.isLoss }
        #expect(areLosses)
        for _ in 0..<5 {
            let shuffled = conflicts.shuffled(using: &random.generator)
            #expect(examples(shuffled) == whole)
            var (left, right) = (LossExamples(), LossExamples())
            for conflict in shuffled.prefix(80) { left.observe(conflict) }
            for conflict in shuffled.dropFirst(80) { right.observe(conflict) }
            right.merge(left)
            #expect(right.conflicts == whole)
        }
    }

    private static let copies: [[Conflict.Basis]] = [[.window, .causal], [.causal, .window], [.window, .window, .causal]]

    /// Whichever copy is heavier.
    @Test(arguments: copies, [(1, 1 << 18), (3, 1)])
    func onlyTheCopyThatCountsIsShown(bases: [Conflict.Basis], reading: (threads: Int, blockSize: Int)) throws {
        for gaps in [[10, 20, 30], [30, 20, 10]] as [[Int64]] {
            let copies = zip(bases, gaps).map { loss(1, gap: $1, basis: $0) }
            #expect(Set(copies.map(\.id)).count == 1)
            var (once, first) = (Summary(), FirstCopies())
            for copy in copies { once.observe(AuditEvent(at: copy.milliseconds, .conflict(copy)), source: "phone", once: &first) }
            var reader = LogSummarizer(threads: reading.threads, blockSize: reading.blockSize)
            for copy in copies {
                // An unknown key, so that one of two lines is no ordinary one.
                for isOrdinary in [true, false] {
                    var bytes: [UInt8] = []
                    LineEncoder.append(AuditLine(event: AuditEvent(at: copy.milliseconds, .conflict(copy))), to: &bytes)
                    if !isOrdinary { bytes.replaceSubrange(0..<1, with: Array(#"{"also":{"a":[1]},"#.utf8)) }
                    let file = FileManager.default.temporaryDirectory.appending(path: "examples-\(UUID().uuidString).jsonl")
                    defer { try? FileManager.default.removeItem(at: file) }
                    try Data(bytes).write(to: file)
                    try reader.read(path: file.path)
                }
            }
            for summary in [once, reader.summary] {
                #expect(summary.examples.conflicts.map(\.isProven) == [copies[0].isProven])
                #expect(summary.examples.conflicts.map(\.gapMilliseconds) == [gaps[0]])
                #expect(summary.proven.total.losses == (copies[0].isProven ? 1 : 0) && summary.all.total.losses == 1)
            }
        }
    }
}
