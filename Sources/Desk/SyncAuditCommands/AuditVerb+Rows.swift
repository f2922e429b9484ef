import AuditAnalysis
import AuditLog
import SyncBytes
import SyncLines
import SyncMerge
import SyncModel
import TraceImport

/// The options of the verbs that read rows as writes.
extension OptionDefinition {
    /// Of verbs that read tables of saved rows: where in an input they are, and which column is what.
    static let tables: [OptionDefinition] = [
        .value("query", "SQL", help: "The SELECT that gives the rows of a database."),
        .value("table", "NAME", help: "The table of a database: the one that looks most like a history unless given."),
        .value(
            "keeps", "RULE", .choice(SavedRowsAudit.Keeping.allCases.map(\.rawValue)),
            help: """
                Of saved rows, what the server keeps of a save that does not know another's edit of another field: whole, the row as it came, or merged, the \
                edited fields alone. What the rows tell unless given.
                """),
        .value(
            "map", "KEY=COLUMN,…", isRepeatable: true,
            help: """
                Of rows, which column is what, or as KEY=:VALUE what is so in all rows. Keys: \(RowKey.allCases.map(\.rawValue).joined(separator: ", ")). \
                device=:file takes the file's name up to its first dot, as of exports by device. What is not mapped is guessed by the columns' names. With field and value, each row is a change of one field.
                """),
        .value(
            "fields", "COLUMN,…", isRepeatable: true, help: "Of rows, the columns that are fields: all that are nothing else unless given."),
        .value(
            "empty", "RULE", .choice(RowReading.EmptyValue.allCases.map(\.rawValue)),
            help: """
                What an empty cell or NULL of a field means: null, the field is empty; or absent, nothing is said of it, which is meant unless given where \
                rows are taken as writes.
                """),
        .value(
            "separator", "NAME", .separator,
            help: "What separates the values of CSV, by its name or itself: what the header tells unless given."
        ),
    ]

    static let rows: [OptionDefinition] =
        [
            .flag(
                "csv",
                help: """
                    Takes FILES, or standard input, as tables, whatever they begin with. Which column was taken as what is told on standard error.
                    """),
            .value("sqlite", "DB", .path, help: "Reads the rows of a database of SQLite instead of FILES; it is only read."),
        ] + tables + [
            .value(
                "rows", "RULE", .choice(RowReading.Shape.allCases.map(\.rawValue)),
                help: """
                    Takes rows as writes that somebody has yet to merge: as snapshots, the whole record as its device saw it then, of which only what neither \
                    that device nor another had shown is an edit; or as changes, in which all values are edits. Snapshots, too, with an option about merging.
                    """),
            .value(
                "trace-out", "FILE", .path,
                help:
                    "Also writes the rows to a file, as the trace that is audited, with all values: for 'lost', 'show', 'replay', 'restore' and 'init'."
            ),
        ]

    static let times = value(
        "times", "FORM", .timestampForm,
        help: """
            What timestamps are: iso; numbers of seconds or milliseconds since 1970, or apple, seconds since 2001; or without a zone, utc or an offset \
            such as +02:00. What has a zone is understood in any case.
            """)

    static let integerIDs = flag(
        "integer-ids", help: "Takes whole numbers as recordID and device of a trace, by their digits, so that 7 and \"7\" are one record.")
}

/// What separates the values of CSV.
enum Separator: UInt8, CaseIterable {
    case comma = 0x2c
    case semicolon = 0x3b
    case tab = 0x09
    case pipe = 0x7c

    /// What a name or the character itself means; nil where it is neither.
    init?(_ text: String) {
        guard let separator = Self.allCases.first(where: { text == $0.name || text.utf8.elementsEqual([$0.rawValue]) }) else { return nil }
        self = separator
    }

    var name: String {
        switch self {
        case .comma: "comma"
        case .semicolon: "semicolon"
        case .tab: "tab"
        case .pipe: "pipe"
        }
    }
}

extension ParsedArguments {
    /// Whether rows are read, and no lines.
    var readsRows: Bool { readsCSV || isSet("sqlite") }

    /// Whether an option says that the rows are those of CSV: nothing else has separators.
    var readsCSV: Bool { isSet("csv") || isSet("separator") }

    /// What separates the values of CSV; nil where the header tells.
    var separator: UInt8? { text("separator").flatMap(Separator.init)?.rawValue }

    /// What a trace of lines may hold besides the format.
    func lineReading() -> LineReading {
        LineReading(times: text("times").flatMap(TimestampForm.init(optionName:)) ?? .rfc3339, takesIntegerNames: isSet("integer-ids"))
    }

    /// Makes sure that the unit which a person says times count is not another than that of a trace of lines.
    ///
    /// Looks at the first lines of each input, all of which can be read afterwards.
    func checkTimes(_ inputs: [CommandInput], _ context: CommandContext) throws {
        let form = lineReading().times
        for input in inputs {
            guard var stated = StatedTimes(form, now: context.now()), let start = try? context.start(of: input) else { continue }
            for (index, line) in start.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated() {
                guard let value = try? JSONParser.parse(line.span).object?["ts"] else { continue }
                stated.observe(value, line: index + 1)
            }
            if let (line, sentence) = stated.problem(named: "ts".quoted, isFoundWithout: false) {
                throw CommandError(.badData, "\(input.name):\(line): \(sentence)")
            }
            if let (line, sentence) = stated.mixture(named: "ts".quoted) { context.note("\(input.name):\(line): \(sentence)") }
        }
    }

    /// Makes sure that the options about rows are given where there are rows, and no others.
    func checkRowOptions() throws(UsageError) {
        func refuse(_ option: String, _ sentence: String) throws(UsageError) {
            if isSet(option) { throw UsageError("--\(option) \(sentence)", verb: verb.name) }
        }
        if isSet("csv") { try refuse("sqlite", "and --csv are two inputs: give one of them") }
        if isSet("sqlite") { try refuse("separator", "is for CSV, and --sqlite names a database: leave it out") }
        if !isSet("sqlite") { try refuse("query", "is for a database: name it with --sqlite") }
        if readsRows {
            try refuse("integer-ids", "is for traces; rows may have whole numbers anyway: leave it out")
            _ = try rowReading(MergeRules())
            return
        }
        for option in ["map", "fields", "rows", "empty", "trace-out"] {
            try refuse(option, "is for rows: give --csv, or --sqlite with --query")
        }
    }

    /// Makes sure that the trace goes to a file of its own, and that nobody expects values to be kept from it.
    func checkTraceOutput() throws(UsageError) {
        guard let path = text("trace-out") else { return }
        if path == "-" { throw UsageError("--trace-out: conflicts go to standard output; name a file for the trace", verb: verb.name) }
        if isSet("privacy") {
            throw UsageError("--trace-out writes all values, which --privacy is to keep back: leave one of them out", verb: verb.name)
        }
    }

    /// Which columns are what, as options say it.
    func rowMapping() throws(UsageError) -> RowMapping {
        var mapping = RowMapping()
        do throws(RowMapping.Problem) {
            for list in texts("map") { try mapping.map(list) }
        } catch {
            throw UsageError("--map: \(error.sentence)", verb: verb.name)
        }
        do throws(RowMapping.Problem) {
            for list in texts("fields") { try mapping.nameFields(list) }
        } catch {
            throw UsageError("--fields: \(error.sentence)", verb: verb.name)
        }
        return mapping
    }

    /// How rows are read.
    private func rowReading(_ rules: MergeRules) throws(UsageError) -> RowReading {
        var reading = RowReading()
        reading.mapping = try rowMapping()
        if let shape = try choice("rows", as: RowReading.Shape.self) { reading.shape = shape }
        if let empty = try choice("empty", as: RowReading.EmptyValue.self) { reading.empty = empty }
        if let times = text("times").flatMap(TimestampForm.init(optionName:)) { reading.times = times }
        // Whoever reads the trace later may ask what records kept whole would lose.
        reading.carriesRest = isSet("trace-out") || rules.standard.isRecord || rules.types.values.contains { $0.isRecord }
        reading.isLenient = isSet("lenient")
        return reading
    }

    /// The rows of one input.
    func rowTrace(_ input: CommandInput, rules: MergeRules, onRead: ReadingObserver?, _ context: CommandContext) throws -> RowTrace {
        var reading = try rowReading(rules)
        reading.now = context.now()
        do {
            switch input {
            case .file(let path) where isSet("sqlite"): return try RowTrace(sqlite: path, query: text("query"), reading)
            case .file(let path): return try RowTrace(csv: path, separator: separator, reading, onRead: onRead)
            case .standardInput:
                return try RowTrace(csv: context.standardInput, name: input.name, separator: separator, reading, onRead: onRead)
            }
        } catch let error as TraceImportError {
            throw CommandError(error)
        }
    }

    /// The inputs, of lines or of rows.
    ///
    /// - Parameter insists: Whether options about rows need an option that says that there are rows.
    func inputsOrRows(_ context: CommandContext, insists: Bool = true) throws -> [CommandInput] {
        if insists { try checkRowOptions() }
        if let database = text("sqlite") {
            guard operands.isEmpty else { throw UsageError("--sqlite names the input: leave \(operands[0].quoted) out", verb: verb.name) }
            return [.file(database)]
        }
        if readsCSV, let folder = operands.first(where: Operands.isDirectory) {
            throw UsageError("\(folder.quoted) is a directory: name the files of CSV themselves, as in '\(folder)/*.csv'", verb: verb.name)
        }
        return try inputs(context)
    }
}

extension RowTrace.Counts {
    /// Says what is to be known of rows that were read.
    ///
    /// - Parameter takesLastArrival: Whether what arrived last was taken to win.
    func note(_ trace: RowTrace, takesLastArrival: Bool, _ context: CommandContext) {
        if skipped > 0, let firstProblem {
            context.note("\(HumanNumber.count(skipped, "row")) passed over that could not be understood, the first at \(firstProblem)")
        }
        if trace.areSnapshots, rows > 0 {
            context.note(
                "each row was taken as the whole record as its device saw it, so that only what had not been shown is an edit; with --rows changes "
                    + "every value is one" + (repeats > 0 ? ". \(HumanNumber.count(repeats, "row")) showed nothing new" : ""))
        }
        if backwards > 0, let firstBackwards {
            context.note(
                "\(HumanNumber.count(backwards, "row")) earlier than the row of the same device before (first at \(firstBackwards)); rows are to come in the "
                    + "order in which they were written: sort them")
        }
        if tooEarly > 0 {
            context.note(
                "\(HumanNumber.count(tooEarly, "row")) received before \(tooEarly == 1 ? "it was" : "they were") written, by the times in "
                    + "\(tooEarly == 1 ? "it" : "them"): clocks of devices are ahead of the server's, or a column is taken for what it is not"
            )
        }
        if reversed > 0 {
            context.note(
                "\(HumanNumber.count(reversed, "row")) arrived in the reverse of the order of the timestamps, compared with the row of the record before"
                    + (takesLastArrival ? "" : ": here the later timestamp wins, and with --policy last-arrival-wins what arrived last"))
        }
        if let otherRecordColumns {
            let others = otherRecordColumns.prefix(3).map { "--map recordID=\($0)" }.joined(separator: " or ")
            context.note(
                "the column taken for the record counts upwards, so that no two rows are of one record; if it numbers the rows, say which column names the "
                    + "record, as with \(others.isEmpty ? "--map recordID=COLUMN" : others)")
        }
    }
}
