package import AuditAnalysis

/// What logs say of scenarios.
package struct VerifyAnswer: Answer {
    private let verdicts: [ScenarioVerdict]

    /// The answer to some scenarios.
    package init(_ verdicts: [ScenarioVerdict]) { self.verdicts = verdicts }

    package var document: Document {
        [
            "scenarios": Rows(verdicts) {
                ["name": $0.scenario.rawValue, "outcome": $0.outcome.rawValue, "evidence": $0.evidence]
            }
        ]
    }

    package func page(_ layout: PageLayout) -> Page { page }

    /// The verdict on all scenarios, then a line for each, what failed first, and under it the evidence, or what to do.
    package var page: Page {
        var page = Page()
        let outcomes = Set(verdicts.map(\.outcome))
        page.headline(headline, outcomes.contains(.failed) ? .bad : outcomes == [.passed] ? .good : .warning)
        page.lineBreak()
        for outcome in [ScenarioVerdict.Outcome.failed, .passed, .notSeen] {
            for verdict in verdicts where verdict.outcome == outcome {
                page.add(Self.page(of: verdict, isReasonTold: commonReason != nil))
            }
        }
        return page
    }

    /// One scenario.
    ///
    /// - Parameter isReasonTold: Whether it was said already why it was not seen.
    package static func page(of verdict: ScenarioVerdict, isReasonTold: Bool = false) -> Page {
        var page = Page()
        let word: Page.Span =
            switch verdict.outcome {
            case .passed: ("passed  ", .good)
            case .failed: ("failed  ", .bad)
            case .notSeen: ("not seen", .warning)
            }
        page.line(word, ("  ", .plain), (verdict.scenario.rawValue, .strong))
        if !isReasonTold { for sentence in verdict.evidence { page.line("          " + sentence) } }
        if verdict.outcome == .notSeen { page.paragraph("to do: " + verdict.scenario.steps, indentation: 10) }
        return page
    }

    /// The verdict on all of them.
    private var headline: String {
        func count(_ outcome: ScenarioVerdict.Outcome) -> Int { verdicts.count { $0.outcome == outcome } }
        if let reason = commonReason { return "Nothing can be judged yet: \(reason)" }
        let (failed, passed, notSeen) = (count(.failed), count(.passed), count(.notSeen))
        let all = HumanNumber.count(verdicts.count, "scenario")
        if passed == verdicts.count { return verdicts.count == 1 ? "The scenario passed" : "All \(all) passed" }
        let parts =
            [(failed, "failed"), (passed, "passed")].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
            + (notSeen > 0 ? ["\(notSeen) \(notSeen == 1 ? "was" : "were") not seen"] : [])
        return "Of \(all) \(parts.joined(separator: ", "))"
    }

    /// Why none of the scenarios was seen, where that is the same for all.
    private var commonReason: String? {
        guard let first = verdicts.first, first.outcome == .notSeen, verdicts.allSatisfy({ $0.evidence == first.evidence }) else {
            return nil
        }
        return first.evidence.count == 1 ? first.evidence[0] : nil
    }
}
