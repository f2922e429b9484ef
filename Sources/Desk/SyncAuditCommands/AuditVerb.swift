/// `syncaudit audit`: writes in, conflict lines out.
enum AuditVerb {
    static let definition = VerbDefinition(
        name: "audit",
        summary: "Merges a trace of writes and writes a line for every conflict in it.",
        discussion: [
            """
            A trace holds one JSON object per line, each a write with its device, time, record, field and value. \
            Without FILES it is read from standard input.
            """,
            """
            A table that remembers what was saved is read as it is: CSV, TSV, JSON or JSON Lines, plain or compressed, from files or standard input, or \
            a database of SQLite. An edit is lost where a save took it away whose author had not seen it: by the version that the row tells, which is \
            proof, else by what \
            the row repeats of older versions, and by both clocks. What each column was taken for is told on standard error, with the --map that says otherwise.
            """,
            """
            With --rows, --policy or another option about merging, rows are taken as writes that somebody has yet to merge.
            """,
            """
            A merge line, the versions that met in a conflict handler, is read as a trace of its own.
            """,
            """
            What cannot be true is told on standard error: one device and number for two writes, and writes that say to have seen each other.
            """,
        ],
        operands: "[FILES…|-]",
        options: [
            .window, .tolerance,
            .value("policy", "NAME", .policy, help: "Which of several concurrent writes is shown: last-writer-wins unless given."),
            .policyFor,
            .deletes,
            .value(
                "outside-window", "RULE", .choice(["log", "count"]),
                help: "Whether proven conflicts outside the window are written or only counted: log unless given."),
            .unique, .reference,
            .wholeRecords, .wholeRecordsOf, .bookkeeping,
            .value(
                "name", "TYPE=FIELD", .displayField, isRepeatable: true,
                help: """
                    The field by whose value people know the records of a type, or as TYPE.FIELD, or as FIELD of every type: the line of a conflict tells it \
                    beside the identity, unless --privacy keeps the field's values back.
                    """),
            .times, .integerIDs,
            .value(
                "state", "FILE", .path,
                help: "Also writes the merged records to a file, one line each; what \"merge\" lines end in is not among them."),
            .flag(
                "edited",
                help: """
                    With --state, adds to each record and each of its fields who wrote what is shown, and when: device, n, ts and counter of the write.
                    """),
            .value(
                "privacy", "RULE",
                .assignment(AssignmentForm(allowsEverything: true, value: .choice(["full", "omitted"]))), isRepeatable: true,
                help: """
                    Whether values are written: full or omitted for all fields, TYPE.FIELD=full or TYPE.FIELD=omitted for one, FIELD=full or FIELD=omitted for \
                    that of every type. A field that the trace does not hold is an error, and then nothing is written.
                    """),
            .flag(
                "joined",
                help: """
                    Takes FILES as the logs of several devices' observers of one sync engine: the numbers that the server gave their writes prove what no \
                    log can prove alone. Shown is what the server took last, unless --policy says otherwise. Says too whether an export replaces the fields \
                    that were edited or the whole record, where the logs show it.
                    """),
            .value(
                "memory", "SIZE", .size,
                help: """
                    About how much memory to use, such as 500M or 2G, before writes to further records are kept in temporary files and audited at the end: a \
                    quarter of the machine's unless given. What comes out is the same; what is found after that comes out at the end.
                    """),
            .flag(
                "grouped",
                help: """
                    Holds one record at a time: all writes to a record must come one after the other. One that comes back within a million records is an \
                    error. The records of --state are in the order of the trace.
                    """),
            .value(
                "minimal-trace", "ID",
                help: """
                    Writes no conflicts but the fewest lines of the trace that still give one, by its id or the id's beginning: to show to others, as in a \
                    report of a wrong verdict. Letters stand for the values, as many and equal for equal ones; the names of records, fields and devices stay, \
                    and so do numbers and times of writes. Everything is read twice.
                    """),
            .flag("keep-values", help: "With --minimal-trace, writes the values as they are."),
            .flag(
                "in-line-order",
                help: """
                    Takes the writes in the order of the lines and writes each conflict as it is found, as for a trace that goes on. \
                    Otherwise a trace in which \
                    a write comes before one that its writer had seen is read again, in causal order, and all conflicts come out at the end.
                    """),
            .flag("statistics", help: "Ends the output with a line of statistics."),
            .flag("lenient", help: "Passes over lines that cannot be understood, and counts them."),
            .config,
            .output,
        ] + OptionDefinition.rows,
        examples: [
            .init("syncaudit audit writes.jsonl > conflicts.jsonl", "Finds the conflicts in one trace."),
            .init(
                "syncaudit audit --policy-for Note.tags=set --statistics logs/",
                "Merges the tags of notes as sets, in all traces of a directory taken together."),
            .init("syncaudit audit -o losses.jsonl --table note_history app.db", "What saves took away, from a table of versions."),
            .init(
                "syncaudit audit updates.csv | syncaudit report -f html -o losses.html",
                "From a table of updates to a page of what was lost."),
            .init(
                "syncaudit audit --sqlite a.db --query 'SELECT * FROM updates' --times seconds",
                "The same of a database whose times are seconds since 1970."),
            .init("syncaudit audit --joined phone.jsonl tablet.jsonl", "What the logs of two observed devices prove together."),
            .init(
                "syncaudit audit --minimal-trace 6024df08 writes.jsonl > small.jsonl",
                "The fewest writes that still give the conflict 6024df08…, with letters instead of values."),
            .init("syncaudit audit --privacy omitted - < writes.jsonl | syncaudit report", "Sums up without any value leaving the trace."),
        ])
}
