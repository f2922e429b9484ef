package import AuditAnalysis
import SyncLines

/// Writes what logs say of scenarios.
package enum ScenarioRenderer {
    /// For a person: a line for each scenario, and under it the evidence, or what to do.
    package static func text(_ verdicts: [ScenarioVerdict], style: TerminalStyle) -> String {
        verdicts.map { text($0, style: style) }.joined() + "\n" + total(verdicts) + "\n"
    }

    /// One scenario.
    package static func text(_ verdict: ScenarioVerdict, style: TerminalStyle) -> String {
        let word =
            switch verdict.outcome {
            case .passed: style.green("passed  ")
            case .failed: style.red("failed  ")
            case .notSeen: style.yellow("not seen")
            }
        let lines = verdict.evidence + (verdict.outcome == .notSeen ? ["to do: " + verdict.scenario.steps] : [])
        // Whole, so that a location can be clicked or cut out.
        return "\(word)  \(style.bold(verdict.scenario.rawValue))\n" + lines.map { "          \($0)\n" }.joined()
    }

    /// How many of the scenarios passed.
    package static func total(_ verdicts: [ScenarioVerdict]) -> String {
        func count(_ outcome: ScenarioVerdict.Outcome) -> Int { verdicts.count { $0.outcome == outcome } }
        return "\(count(.passed)) passed, \(count(.failed)) failed, \(count(.notSeen)) not seen"
    }

    /// For other programs, one JSON object on one line: `scenarios`, a list of `{name, outcome, evidence}`, where the outcome is `passed`, `failed` or
    /// `not_seen` and the evidence is a list of sentences.
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
