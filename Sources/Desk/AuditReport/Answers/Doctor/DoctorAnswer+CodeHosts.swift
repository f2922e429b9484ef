import AuditAnalysis
import ProjectDoctor
import SyncBytes
import SyncLines
import SyncModel

/// What code hosts show beside the lines of a project.
extension DoctorAnswer {
    /// SARIF 2.1.0.
    package func sarif(version: String) -> Document { report(version: version).sarif }

    /// Workflow commands, which GitHub shows beside the lines of a pull request.
    package var github: String { report(version: "").github }

    /// A report of code quality for GitLab.
    package var codeQuality: [UInt8] { report(version: "").codeQuality }

    private func report(version: String) -> CodeHostReport {
        CodeHostReport(
            tool: "syncaudit doctor", version: version,
            rules: Rule.all.map { rule in
                CodeHostReport.Rule(id: rule.id, title: rule.title, description: rule.consequence, level: rule.severity.level)
            },
            findings: diagnosis.findings.map { finding in
                CodeHostReport.Finding(
                    rule: finding.rule, level: finding.severity.level, message: "\(finding.message). Fix: \(finding.fix)",
                    path: finding.location.path, line: finding.location.line, column: finding.location.column,
                    identity: FNV1a.digits(of: finding.rule, finding.location.path, finding.message))
            })
    }

    /// A page for a pull request or a wiki.
    package var markdown: String {
        var text = "# \(name.escaped(for: .markdown))\n\n"
        let counts = Rule.Severity.allCases.map { HumanNumber.count(diagnosis.count($0), $0.rawValue, $0 == .advice ? "advice" : nil) }
            .joined(separator: ", ")
        text += counts + ".\n"
        var rule = ""
        for finding in diagnosis.findings {
            if finding.rule != rule, let known = Rule.all.first(where: { $0.id == finding.rule }) {
                rule = finding.rule
                text +=
                    "\n## \(finding.severity.rawValue): \(known.title.escaped(for: .markdown))\n\n\(known.consequence.escaped(for: .markdown)).\n\n"
            }
            let location = "\(finding.location.path):\(finding.location.line):\(finding.location.column)"
            text +=
                "- \(location.escaped(for: .markdown)): \(finding.message.escaped(for: .markdown)). "
                + "Fix: \(finding.fix.escaped(for: .markdown)).\n"
        }
        if !diagnosis.checklist.isEmpty {
            text += "\n## Setup\n\n"
            for item in diagnosis.checklist {
                text +=
                    "- [\(item.state == .yes ? "x" : " ")] \(item.title.escaped(for: .markdown)): \(item.detail.escaped(for: .markdown))\n"
            }
        }
        return text
    }
}

extension Rule.Severity {
    fileprivate var level: CodeHostReport.Level {
        switch self {
        case .error: .error
        case .warning: .warning
        case .advice: .note
        }
    }
}
