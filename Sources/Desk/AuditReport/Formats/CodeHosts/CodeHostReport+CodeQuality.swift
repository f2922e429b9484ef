import SyncBytes
import SyncLines

extension CodeHostReport {
    /// A report of code quality, which GitLab shows in a merge request.
    ///
    /// Source: GitLab, Code Quality, Code Quality report format. What is in no file is said of the repository's root, since a location is
    /// demanded.
    var codeQuality: [UInt8] {
        var buffer = LineBuffer()
        buffer.list(findings) { buffer, finding in
            let location: Document = [
                "path": (finding.path?.withoutCurrentFolder ?? ".").escaped(for: .terminal),
                "lines": ["begin": finding.line ?? 1] as Document,
            ]
            let document: Document = [
                "description": finding.message.escaped(for: .terminal), "check_name": finding.rule, "fingerprint": finding.identity,
                "severity": finding.level.severity, "location": location,
            ]
            document.append(to: &buffer)
        }
        buffer.append(UInt8(ascii: "\n"))
        return buffer.array
    }
}

extension CodeHostReport.Level {
    fileprivate var severity: String {
        switch self {
        case .error: "major"
        case .warning: "minor"
        case .note: "info"
        }
    }
}
