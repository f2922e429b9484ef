import SyncBytes
import SyncModel

/// Findings for what hosts code: a tool, its rules, and what it found in which file.
///
/// Strings may hold anything; each format escapes them for what displays it.
struct CodeHostReport {
    /// How grave a finding is.
    enum Level: String {
        case error
        case warning
        case note
    }

    /// What is looked for.
    struct Rule {
        let id: String
        let title: String
        let description: String
        let level: Level
    }

    /// What was found.
    struct Finding {
        /// The identifier of its rule.
        let rule: String
        let level: Level
        let message: String
        /// The file; nil where it is in none.
        var path: String?
        var line: Int?
        var column: Int?
        /// What it is known by, whichever line it is in.
        let identity: String
    }

    let tool: String
    let version: String
    let rules: [Rule]
    let findings: [Finding]
}

extension String {
    /// The path without `./` before it, as code hosts name the files of a repository.
    var withoutCurrentFolder: String {
        var path = self[...]
        while path.hasPrefix("./") { path = path.dropFirst(2).drop { $0 == "/" } }
        return String(path)
    }
}
