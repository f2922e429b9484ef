/// `syncaudit import`: other histories as traces.
enum ImportVerb {
    /// What can be imported.
    enum Source: String, CaseIterable {
        case git
        case coredata
        case cloudkit
    }

    static let definition = VerbDefinition(
        name: "import",
        summary: "Reads other histories: a git repository, a Core Data or SwiftData store, records of CloudKit.",
        discussion: [
            """
            'import git' writes a trace with exact causality. \
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
            """
            'import coredata' writes a log of what one device's store remembers: each change by its transaction's author, what was imported as a write \
            of the device iCloud at the time it came, the setups, imports and exports of mirroring, and a suspected conflict where an import replaced a \
            property whose change here no export had sent. Copy the file with the -wal beside it; neither is written. There are no values in it, so that \
            nothing can be restored. A record is named as in CloudKit where the store knows that name, else by its key, as in p12.
            """,
            """
            A property is named by its column, in capitals and without the Z, and as #3 where the table does not tell: a relationship without a column, an \
            entity that inherits. Which bit is which column is documented nowhere; to be sure, make one known edit and look. That the store's private \
            tables tell when an export ran is taken on trust, so its conflicts are never called proven.
            """,
            """
            'import cloudkit' reads records as JSON in the form of CloudKit Web Services, answers to changes/zone among them, or of 'xcrun cktool', and \
            writes rows as 'audit --state' does, for 'replay --outcome'. \
            The CD_ before mirrored names is taken off. Of several files, each the records as one device or account shows them, it writes what is \
            different: one line for each field, with the value in each file, and one for each record that a file lacks.
            """,
        ],
        operands: "git [PATH] | coredata STORE | cloudkit FILES…",
        operandWords: Source.allCases.map(\.rawValue),
        options: [
            .value(
                "path-filter", "PATHSPEC", isRepeatable: true,
                help: "Of git, only files that its own pattern matches, such as 'Sources' or '*.json'."),
            .value("device", "NAME", help: "Of a store, the name of the device that it comes from: local unless given."),
            .flag("keep-prefixes", help: "Of CloudKit, keeps the CD_ before the names of types and fields."),
            .output,
        ],
        examples: [
            .init("syncaudit import git . | syncaudit audit - | syncaudit report -", "The conflicts in the history of this clone."),
            .init(
                "syncaudit import git ~/app --path-filter '*.json' | syncaudit replay",
                "What other merge policies would have made of a project's data files."),
            .init("syncaudit import coredata default.store | syncaudit tail", "What a device's store remembers, line by line."),
            .init(
                "syncaudit import cloudkit records.json > rows.jsonl",
                "Rows for 'replay --outcome', which tells the policy that CloudKit had for the writes of a trace."),
            .init("syncaudit import cloudkit iphone.json ipad.json", "Where two devices show different things."),
        ])
}
