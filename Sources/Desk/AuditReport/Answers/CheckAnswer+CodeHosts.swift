import AuditAnalysis
import SyncBytes

/// What code hosts show of a check.
extension CheckAnswer {
    /// SARIF 2.1.0.
    package func sarif(version: String, first: String?) -> [UInt8] { report(version: version, first: first).sarif.json }

    /// Workflow commands, which GitHub shows in the summary of a run.
    package var github: String { report(version: "", first: nil).github }

    /// A report of code quality for GitLab.
    package func codeQuality(first: String?) -> [UInt8] { report(version: "", first: first).codeQuality }

    /// What lets the check fail is an error, all else a warning.
    ///
    /// - Parameter first: The file of what is in none, where a host demands one.
    private func report(version: String, first: String?) -> CodeHostReport {
        let rules = CheckFinding.Kind.allCases.map { kind in
            CodeHostReport.Rule(
                id: kind.rawValue, title: kind.title, description: kind.explanation, level: kind.isWarning ? .warning : .error)
        }
        // A limit of findings is told by them, where there are any.
        let limits = gate.exceeded.filter { limit in !limit.kinds.contains { totals[$0] ?? 0 > 0 } }
        var findings = limits.map { limit in
            CodeHostReport.Finding(
                rule: limit.name, level: .error, message: limit.sentence(), path: first, line: first.map { _ in 1 },
                identity: FNV1a.digits(of: limit.name))
        }
        // Of two findings of one identity each is known by its number, so that a host shows both.
        var numbers: [CheckFinding.Identity: Int] = [:]
        for (index, finding) in self.findings.enumerated() {
            let number = numbers[finding.identity, default: 0]
            numbers[finding.identity] = number + 1
            findings.append(
                CodeHostReport.Finding(
                    rule: finding.kind.rawValue, level: gate.fails(finding.kind) ? .error : .warning, message: finding.statement,
                    path: finding.location?.file ?? first, line: finding.location?.line ?? first.map { _ in 1 },
                    identity: number == 0 ? finding.identity.hash : FNV1a.digits(of: "\(finding.identity.hash) \(number)")))
            guard index + 1 == self.findings.count || self.findings[index + 1].kind != finding.kind else { continue }
            let more = (totals[finding.kind] ?? 0) - self.findings.count(where: { $0.kind == finding.kind })
            if more > 0 {
                findings.append(
                    CodeHostReport.Finding(
                        rule: finding.kind.rawValue, level: gate.fails(finding.kind) ? .error : .warning,
                        message: "and \(HumanNumber.count(more)) more of \(finding.kind.rawValue)", path: first, line: first.map { _ in 1 },
                        identity: FNV1a.digits(of: "more of \(finding.kind.rawValue)")))
            }
        }
        return CodeHostReport(
            tool: "syncaudit check", version: version,
            rules: rules + Self.rules(of: limits),
            findings: findings)
    }

    /// A rule for each measure that is no kind of finding.
    private static func rules(of limits: [GateOutcome.Limit]) -> [CodeHostReport.Rule] {
        var known = Set(CheckFinding.Kind.allCases.map(\.rawValue))
        return limits.filter { known.insert($0.name).inserted }.map { limit in
            CodeHostReport.Rule(id: limit.name, title: limit.name, description: "A limit of --fail-on: \(limit.text).", level: .error)
        }
    }
}
