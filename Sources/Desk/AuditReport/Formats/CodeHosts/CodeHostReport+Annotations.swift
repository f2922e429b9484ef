import SyncBytes

extension CodeHostReport {
    /// Workflow commands, which GitHub shows beside the lines of a pull request, and in the summary of a run.
    ///
    /// Source: GitHub, Workflow commands.
    var github: String {
        findings.reduce(into: "") { text, finding in
            let command = finding.level == .note ? "notice" : finding.level.rawValue
            var properties: [String] = []
            if let path = finding.path {
                properties.append("file=\(path.withoutCurrentFolder.escapedForWorkflow(isProperty: true))")
                if let line = finding.line { properties.append("line=\(line)") }
                if let column = finding.column { properties.append("col=\(column)") }
            }
            properties.append("title=\(finding.rule.escapedForWorkflow(isProperty: true))")
            text += "::\(command) \(properties.joined(separator: ","))::\(finding.message.escapedForWorkflow(isProperty: false))\n"
        }
    }
}

extension String {
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
