import AuditAnalysis
import ProjectDoctor
import SyncBytes
import SyncLines
import SyncModel

/// What code hosts show beside the lines of a project.
extension DoctorAnswer {
    /// SARIF 2.1.0.
    ///
    /// Source: OASIS Static Analysis Results Interchange Format.
    package func sarif(version: String) -> Document {
        let rules = Rule.all
        let indices = Dictionary(rules.enumerated().map { ($1.id, $0) }) { first, _ in first }
        let driver: Document = ["name": "syncaudit doctor", "version": version, "rules": Rows(rules, Self.descriptor)]
        let run: Document = [
            "tool": ["driver": driver] as Document, "columnKind": "unicodeCodePoints",
            "results": Rows(diagnosis.findings) { Self.result($0, indices[$0.rule] ?? 0) },
        ]
        return ["$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]]
    }

    private static func descriptor(_ rule: Rule) -> Document {
        [
            "id": rule.id, "shortDescription": text(rule.title), "fullDescription": text(rule.consequence),
            "defaultConfiguration": ["level": rule.severity.sarif] as Document,
        ]
    }

    private static func result(_ finding: Finding, _ index: Int) -> Document {
        let location = finding.location
        let physical: Document = [
            "artifactLocation": ["uri": location.path.percentEncodedPath] as Document,
            "region": ["startLine": location.line, "startColumn": location.column] as Document,
        ]
        return [
            "ruleId": finding.rule, "ruleIndex": index, "level": finding.severity.sarif,
            "message": text("\(finding.message). Fix: \(finding.fix)"), "locations": [["physicalLocation": physical] as Document],
        ]
    }

    private static func text(_ text: String) -> Document { ["text": text] }

    /// Workflow commands, which GitHub shows beside the lines of a pull request.
    package var github: String {
        diagnosis.findings.reduce(into: "") { text, finding in
            let command =
                switch finding.severity {
                case .error: "error"
                case .warning: "warning"
                case .advice: "notice"
                }
            let location = finding.location
            text += "::\(command) file=\(location.path.escapedForWorkflow(isProperty: true)),line=\(location.line),col=\(location.column),"
            text += "title=\(finding.rule)::\("\(finding.message). Fix: \(finding.fix)".escapedForWorkflow(isProperty: false))\n"
        }
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
    fileprivate var sarif: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .advice: "note"
        }
    }
}

extension String {
    /// The path as a relative reference of RFC 3986.
    fileprivate var percentEncodedPath: String {
        utf8.reduce(into: "") { text, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
    }

    /// Source: GitHub, Workflow commands.
    fileprivate func escapedForWorkflow(isProperty: Bool) -> String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "%": text += "%25"
            case "\r": text += "%0D"
            case "\n": text += "%0A"
            case ":" where isProperty: text += "%3A"
            case "," where isProperty: text += "%2C"
            default: text += String(Character(scalar)).escaped(for: .terminal)
            }
        }
    }
}
