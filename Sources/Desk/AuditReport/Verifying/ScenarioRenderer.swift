package import AuditAnalysis
import SyncBytes

/// Writes what logs say of scenarios.
package enum ScenarioRenderer {
    /// For a person: the verdict on all scenarios, then a line for each, what failed first, and under it the evidence, or what to do.
    package static func text(_ verdicts: [ScenarioVerdict], style: TerminalStyle, width: Int) -> String {
        var page = ReportPage(width: width, style: style)
        let outcomes = Set(verdicts.map(\.outcome))
        let paint = outcomes.contains(.failed) ? style.red : outcomes == [.passed] ? style.green : style.yellow
        page.paragraph(headline(verdicts)) { style.bold(paint($0)) }
        page.lineBreak()
        let order: [ScenarioVerdict.Outcome] = [.failed, .passed, .notSeen]
        let sorted = order.flatMap { outcome in verdicts.filter { $0.outcome == outcome } }
        let isTold = commonReason(verdicts) != nil
        return page.text + sorted.map { text($0, style: style, width: width, isReasonTold: isTold) }.joined()
    }

    /// One scenario.
    ///
    /// - Parameter isReasonTold: Whether it was said already why it was not seen.
    package static func text(
        _ verdict: ScenarioVerdict, style: TerminalStyle, width: Int, isReasonTold: Bool = false
    ) -> String {
        let word =
            switch verdict.outcome {
            case .passed: style.green("passed  ")
            case .failed: style.red("failed  ")
            case .notSeen: style.yellow("not seen")
            }
        // Whole, so that a location can be clicked or cut out.
        let evidence = isReasonTold ? "" : verdict.evidence.map { "          \($0)\n" }.joined()
        var steps = ReportPage(width: width, style: style)
        if verdict.outcome == .notSeen { steps.paragraph("to do: " + verdict.scenario.steps, indentation: 10) { $0 } }
        return "\(word)  \(style.bold(verdict.scenario.rawValue))\n" + evidence + steps.text
    }

    /// The verdict on all of them.
    private static func headline(_ verdicts: [ScenarioVerdict]) -> String {
        func count(_ outcome: ScenarioVerdict.Outcome) -> Int { verdicts.count { $0.outcome == outcome } }
        if let reason = commonReason(verdicts) { return "Nothing can be judged yet: \(reason)" }
        let (failed, passed, notSeen) = (count(.failed), count(.passed), count(.notSeen))
        let all = HumanNumber.count(verdicts.count, "scenario")
        if passed == verdicts.count { return verdicts.count == 1 ? "The scenario passed" : "All \(all) passed" }
        let parts =
            [(failed, "failed"), (passed, "passed")].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
            + (notSeen > 0 ? ["\(notSeen) \(notSeen == 1 ? "was" : "were") not seen"] : [])
        return "Of \(all) \(parts.joined(separator: ", "))"
    }

    /// Why none of the scenarios was seen, where that is the same for all.
    private static func commonReason(_ verdicts: [ScenarioVerdict]) -> String? {
        guard let first = verdicts.first, first.outcome == .notSeen, verdicts.allSatisfy({ $0.evidence == first.evidence }) else {
            return nil
        }
        return first.evidence.count == 1 ? first.evidence[0] : nil
    }

    /// For other programs, one JSON object on one line: `scenarios`, a list of `{name, outcome, evidence}`, where the outcome is `passed`,
    /// `failed` or `not_seen` and the evidence is a list of sentences.
    package static func json(_ verdicts: [ScenarioVerdict]) -> [UInt8] {
        var buffer = LineBuffer()
        buffer.object { object in
            object.list("scenarios", verdicts) { object, verdict in
                object.object { row in
                    row.field("name", verdict.scenario.rawValue)
                    row.field("outcome", verdict.outcome.rawValue)
                    row.list("evidence", verdict.evidence) { row, sentence in JSONText.append(sentence, to: &row) }
                }
            }
        }
        buffer.append(UInt8(ascii: "\n"))
        return buffer.array
    }
}
