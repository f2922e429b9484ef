import AuditAnalysis
import AuditReport
import SyncMerge

/// `syncaudit replay`: what other policies would have saved or lost.
enum ReplayVerb {
    /// What a comparison is written as.
    enum Format: String, Hashable, Sendable, CaseIterable {
        case table
        case json
    }

    /// The policies that a system is likely to have without anybody having chosen one.
    static let systemPolicies = [
        "last-writer-wins", "record-last-writer-wins", "last-arrival-wins", "record-last-arrival-wins", "first-writer-wins",
    ]

    static let definition = VerbDefinition(
        name: "replay",
        summary: "Decides a recorded trace again under other policies, and shows which edits each would keep or lose.",
        discussion: [
            """
            The trace is one that 'syncaudit audit' reads; without FILES it comes from standard input. Say with --recorded, --recorded-for and \
            --recorded-deletes by which rules the devices merged; unless told otherwise, the last writer wins and deletes win.
            """,
            """
            Under counter, a plain whole number is read as a step from the number that its writer had seen; under set, a plain list as the elements \
            that are new in it and those that are gone. That needs "seen"; what has none is taken as it stands, and so are texts, which under set \
            become a list of all concurrent ones. Of "merge" lines the conflicts are decided again; what a record shows in the end is that of the writes.
            """,
            """
            Saved are edits that lose as recorded and are kept by the policy, newly losing the other way round. Winners are conflicts that both find \
            and decide differently, values changed fields that show something else in the end.
            """,
            """
            With --outcome it answers another question: which policy does the system have that received these writes? Its final rows, as JSON Lines that look \
            like those of 'audit --state' or as CSV with a header, are compared with what each policy makes of the trace: \
            \(ReplayVerb.systemPolicies.joined(separator: ", ")), and those of --policy and --recorded. Rules for deletes are told apart by the \
            way. A record that is not in FILE was deleted; a type of which FILE has no row is not compared. In CSV all values are strings: nothing and \
            NULL count as no value, true, t and 1 as true. JSON is compared by value, also where text holds an object or a list.
            """,
            """
            Lost are edits that the rows do not show and that nobody replaced who had seen them. Where writes do not say what their writers had seen, \
            nothing can be proven: it is said, and losses are suspected only.
            """,
            """
            In a table of saved rows stands what was kept: there it says how many of the lost edits sending changed fields alone would have kept, and how many \
            a server that checks the base, and which saves it would have refused.
            """,
        ],
        operands: "[FILES…|-]",
        options: [
            .value(
                "policy", "[WHAT=]NAME", .assignment(AssignmentForm(allowsEverything: true, allowsType: true, value: .policy)),
                isRepeatable: true,
                help: """
                    A policy to compare: for everything, or as TYPE=NAME or TYPE.FIELD=NAME with all else as recorded. One of \
                    \(ValueParser.policies.joined(separator: ", ")). Unless one is given, those that need no names are compared.
                    """),
            .value(
                "deletes", "RULE", .choice(DeletePolicy.allCases.map(\.rawValue)), isRepeatable: true,
                help: "A rule for deletes and concurrent edits to compare, with all else as recorded."),
            .value(
                "record", "TYPE/ID", isRepeatable: true, help: "Only writes to this record, as Card/42: its type and its identity."),
            .value("recorded", "NAME", .policy, help: "The policy by which the devices merged: last-writer-wins unless given."),
            .value(
                "recorded-for", "TYPE.FIELD=NAME", .assignment(AssignmentForm(allowsType: true, value: .policy)), isRepeatable: true,
                help: "The recorded policy of one field, or as TYPE=NAME of a type."),
            .value(
                "recorded-deletes", "RULE", .choice(DeletePolicy.allCases.map(\.rawValue)),
                help: "What became of a delete and a concurrent edit: delete-wins unless given."),
            .value(
                "outcome", "FILE", .path, isRepeatable: true,
                help: "The final rows of the real system: which policy explains them, and what was lost."),
            .value(
                "type-column", "NAME",
                help: """
                    The column of a CSV outcome that holds the type; unless given, one called \(OutcomeReader.Columns.types.joined(separator: ", ")), if no \
                    field is called that. Without such a column the file's name is the type, as in Card.csv, or the only type there is.
                    """),
            .value(
                "id-column", "NAME",
                help: """
                    The column of a CSV outcome that names the record; unless given, one called \
                    \(OutcomeReader.Columns.identities.joined(separator: ", ")).
                    """),
            .wholeRecords, .wholeRecordsOf, .bookkeeping, .window, .tolerance,
            .value("format", "FORMAT", short: "f", .choice(Format.allCases.map(\.rawValue)), help: "What is written: table unless given."),
            .value("top", "N", short: "n", .positiveInteger, help: "The length of lists in the table: 10 unless given."),
            .value(
                "color", "WHEN", .choice(ColorChoice.allCases.map(\.rawValue)),
                help: "Whether to use colours: auto unless given, which means on a terminal where NO_COLOR is not set."),
            .flag("lenient", help: "Passes over lines that cannot be understood, and counts them."),
            .config,
            .output,
        ],
        examples: [
            .init("syncaudit replay writes.jsonl", "Compares every policy, and ends with a recommendation for each field."),
            .init(
                "syncaudit replay --policy Card.visits=counter --policy Card.tags=set logs/",
                "What each of two changes would have saved."),
            .init(
                "syncaudit replay --recorded record-last-writer-wins -f json writes.jsonl",
                "What any policy would have saved where records are kept or dropped as a whole."),
            .init("syncaudit replay note_versions.csv", "What would have kept the edits that a table of saved rows lost."),
            .init(
                "syncaudit replay --outcome Card.csv writes.jsonl",
                "Tells by which policy the server merged the writes that left these rows."),
        ])
}
