import AuditLog
import ConflictAudit
import SyncModel
import SyncSimulation
import Testing

/// The table of what lines find, by what they say of what writers had seen, is what one simulated history gives that is told in every form.
@Suite struct EvidenceTableTests {
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
    private func row(_ name: String, _ forms: EvidenceForm..., in history: SimulatedHistory) throws -> String {
        let findings = try forms.map { try Findings(history, $0) }
        #expect(findings.allSatisfy { $0 == findings[0] })
        return "\n| \(name) | \(findings[0].cells) | "
    }

    @Test func theTableIsWhatIsMeasured() async throws {
        let history = try await SimulatedHistory(seed: 2) { configuration in
            configuration.steps = 900
            configuration.partitions = 0.2
            configuration.loss = 0
            configuration.duplicates = 0
            configuration.crashes = 0
        }
        let rows = [
            try row("`seen`; or `cursor` and `hubSequence`; or `rev` and `parents`", .seen, .cursor, .parents, in: history),
            try row("`seen`, of forms saved whole, with `--whole-records`", .comparedForms, in: history),
            try row("`seen`, of forms saved whole", .wholeForms, in: history),
            try row("`merge` with `ancestor`", .mergesWithAncestor, in: history),
            try row("`merge` without `ancestor`", .merges, in: history),
            try row("`received`", .received, in: history),
            try row("`ts` alone", .timestamps, in: history),
        ]
        let handler = try Findings(history, .mergesWithAncestor)
        let sentences = [
            "the same \(history.writes.count) edits, in which \(history.happened.count) conflicts happened",
            "has half of the edits within \(SimulatedHistory.medianDelay([history])).", "| of the \(history.happened.count) |",
            "*of the \(history.happened.count)*", "\(handler.proven - handler.hit) of its \(handler.proven) conflicts",
        ]
        let page = try Repository.prose("Sources/syncaudit/syncaudit.docc/AuditYourWrites.md")
        for measured in rows + sentences {
            let isShown = page.contains(measured)
            #expect(isShown, "measured: \(measured)")
        }
    }
}
