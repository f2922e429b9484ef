import AuditLog
import ConflictAudit
import SyncBytes
import SyncSimulation
import Testing

/// The table of what lines find, by what they say of what writers had seen, is what one simulated history gives that is told in every form.
package struct EvidenceTable {
    /// What was found in the lines of one form.
    private struct Findings: Equatable {
        var lines = 0
        var proven = 0
        var suspected = 0
        /// Of those found, the pairs of writes neither of which had seen the other.
        var concurrent = 0
        /// Of what `seen` proves, what was found.
        var hit = 0
        var lost = 0

        init(_ history: SimulatedHistory, _ form: EvidenceForm) throws {
            var decoder = LineDecoder()
            var auditor = TraceAuditor(auditRules: form.rules)
            var pairs: [ConflictPair] = []
            for line in ToldHistory(history).lines(form) {
                lines += 1
                guard case .line(let read) = try decoder.decode(line.bytes.span) else { continue }
                switch (read.event.content, line.meeting) {
                case (.write(let write), nil): pairs += auditor.observe(write).map(ConflictPair.init)
                case (.merge(let merge), let meeting?):
                    pairs += auditor.observe(merge).map { conflict in
                        ConflictPair(conflict, writes: meeting.writes(of: conflict.field))
                    }
                default: Issue.record("\(form) is told by another line")
                }
            }
            let statistics = auditor.statistics
            for (basis, count) in statistics.byBasis { if basis.isProof { proven += count } else { suspected += count } }
            concurrent = pairs.count { history.isConcurrent($0.writes) }
            hit = history.happened.intersection(pairs).count
            lost = statistics.dataLost
            #expect(pairs.count == proven + suspected)
            #expect(suspected > 0 || concurrent == proven, "proven by \(form), and one had seen the other")
        }

        var cells: String {
            let right = suspected == 0 ? "–" : String(concurrent)
            return [String(lines), String(proven), String(suspected), right, String(hit), String(lost)].joined(separator: " | ")
        }
    }

    /// A row of the table, for one form or several that find the same.
    private struct Row {
        let name: String
        let forms: [EvidenceForm]

        init(_ name: String, _ forms: EvidenceForm...) { (self.name, self.forms) = (name, forms) }
    }

    /// The rows of forms that are soon told.
    private static let plainRows = [Row("`received`", .received), Row("`ts` alone", .timestamps)]

    private static let otherRows = [
        Row("`seen`; or `cursor` and `hubSequence`; or `rev` and `parents`", .seen, .cursor, .parents),
        Row("`seen`, of forms saved whole, with `--whole-records`", .comparedForms), Row("`seen`, of forms saved whole", .wholeForms),
        Row("`merge` with `ancestor`", .mergesWithAncestor), Row("`merge` without `ancestor`", .merges),
    ]

    private let history: SimulatedHistory
    private let page: String

    /// Simulates the history.
    package init() async throws {
        history = try await SimulatedHistory(seed: 2) { configuration in
            configuration.steps = 900
            configuration.partitions = 0.2
            configuration.loss = 0
            configuration.duplicates = 0
            configuration.crashes = 0
        }
        page = try Repository.prose("Sources/Desk/syncaudit/syncaudit.docc/AuditYourWrites.md")
    }

    /// Expects the numbers of the history, and the rows of forms that are soon told.
    package func checkPlainForms() throws {
        try expectShown(
            Self.plainRows.map(measured) + [
                "the same \(history.writes.count) edits, in which \(history.happened.count) conflicts happened",
                "has half of the edits within \(SimulatedHistory.medianDelay([history])).", "| of the \(history.happened.count) |",
                "*of the \(history.happened.count)*",
            ])
    }

    /// Expects the rows of all other forms.
    package func checkOtherForms() throws {
        let handler = try Findings(history, .mergesWithAncestor)
        try expectShown(
            Self.otherRows.map(measured) + ["\(handler.proven - handler.hit) of its \(handler.proven) conflicts"])
    }

    private func measured(_ row: Row) throws -> String {
        let findings = try row.forms.map { try Findings(history, $0) }
        #expect(findings.allSatisfy { $0 == findings[0] })
        return "| \(row.name) | \(findings[0].cells) | "
    }

    private func expectShown(_ sentences: [String]) throws {
        for measured in sentences {
            let isShown = page.contains(measured)
            #expect(isShown, "measured: \(measured)")
        }
    }
}
