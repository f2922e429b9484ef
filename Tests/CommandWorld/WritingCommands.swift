import Foundation

/// A command line of each sort of output.
package enum WritingCommands {
    /// What each verb that writes is asked for; `LOG`, `TRACE` and `ID` are those of a story, `TWICE` is a trace with findings.
    package static let all: [[String]] = [
        ["audit", "TRACE"], ["audit", "--statistics", "--privacy", "omitted", "TRACE"],
        ["report", "LOG"], ["report", "-f", "json", "LOG"], ["report", "-f", "csv", "LOG"], ["report", "-f", "markdown", "LOG"],
        ["report", "--all", "LOG"], ["report", "--all-copies", "LOG"], ["report", "--clock-what-if", "LOG"],
        ["tail", "LOG"], ["tail", "-f", "LOG"], ["tail", "--format", "json", "LOG"],
        ["story", "Card/42", "LOG", "TRACE"], ["story", "-f", "json", "Card/42", "LOG", "TRACE"],
        ["show", "ID", "LOG", "TRACE"], ["show", "-f", "json", "ID", "LOG", "TRACE"],
        ["lost", "LOG", "TRACE"], ["lost", "-f", "csv", "LOG"], ["lost", "-f", "json", "LOG"],
        ["restore", "ID", "LOG", "TRACE"],
        // With findings too, of which it says so otherwise.
        ["check", "LOG", "TRACE"], ["check", "TWICE"], ["check", "-f", "json", "TWICE"],
        ["check", "--fail-on", "lossy>0", "LOG"],
        ["verify", "LOG"], ["verify", "-f", "LOG"], ["verify", "--format", "json", "LOG"],
        ["doctor", "PROJECT"], ["doctor", "--all", "PROJECT"], ["doctor", "-f", "sarif", "PROJECT"],
        ["replay", "TRACE"], ["replay", "-f", "json", "TRACE"],
        ["init", "-o", "-", "TRACE"],
        ["export", "LOG"], ["export", "-f", "csv", "LOG"], ["export", "-f", "json", "LOG"],
        ["import", "git", "REPOSITORY"],
        ["completions", "bash"], ["completions", "zsh"], ["completions", "fish"], ["man"],
        ["--help"], ["--version"], ["help", "audit"],
    ]

    /// Where output goes to a directory, or to a terminal only, no pipe can be closed.
    private static let silent = ["simulate", "top", "browse"]

    /// The verbs, also those whose output goes elsewhere.
    package static let verbs = Set(all.map { $0[0] } + silent).filter { !$0.hasPrefix("-") && $0 != "help" }

    /// What stands for the names in them.
    package static func names(_ directory: TemporaryDirectory, repository: String) throws -> [String: String] {
        let story = try Story(directory)
        let project = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../SyncAuditCommandsTests/Golden/project")
        return [
            "PROJECT": project.standardizedFileURL.path, "TWICE": try directory.path(Story.writes + Story.writes, as: "twice.jsonl"),
            "LOG": story.log, "TRACE": story.trace, "ID": try TestWorld.id(in: story.log), "REPOSITORY": repository,
        ]
    }
}
