/// `syncaudit import`: other histories as traces.
enum ImportVerb {
    static let definition = VerbDefinition(
        name: "import",
        summary: "Turns the history of a git repository into a trace of writes with exact causality.",
        discussion: [
            """
            The author of a commit is the device, in as many lanes as it takes for the commits of each to follow one another; the author date is the \
            device's clock and the commit date the hub's. A file is a record of type File with the fields content, which holds the content's id, and \
            mode. In JSON and property list files the top-level entries are records of a type named like the file, and their keys are fields. \
            A .mailmap is not read: an author with two names is two devices.
            """,
            """
            A write has seen another where its commit is a descendant of the other's, so that conflicts are edits on different branches of history. \
            Of a text that git put together from both sides, the trace knows no more than that neither side's whole file was kept. \
            Without PATH the current directory is read. The history that counts is that of HEAD; a shallow clone is refused.
            """,
        ],
        operands: "git [PATH]",
        operandWords: ["git"],
        options: [
            .value(
                "path-filter", "PATHSPEC", isRepeatable: true,
                help: "Only files that git's own pattern matches, such as 'Sources' or '*.json'."),
            .output,
        ],
        examples: [
            .init("syncaudit import git . | syncaudit audit - | syncaudit report -", "The conflicts in the history of this clone."),
            .init(
                "syncaudit import git ~/app --path-filter '*.json' | syncaudit replay",
                "What other merge policies would have made of a project's data files."),
        ])
}
