import AuditAnalysis
import AuditLog
import AuditReport
import ConflictAudit
import SyncBytes
import SyncLayer
import SyncLines
import SyncMerge
import SyncModel
import SyncSystem

/// `syncaudit restore`: a lost value as a new write.
enum RestoreVerb {
    static let definition = VerbDefinition(
        name: "restore",
        summary: "Writes lost values again, as writes that have seen both sides and so win everywhere.",
        discussion: [
            """
            ID is the conflict's id or the beginning of it. Without FILES the log is read from standard input. The output is one write line for your \
            backend or your trace; what takes it is yours to say. With --app the write goes into the outbox of a replica's store instead, in one \
            transaction, and leaves with the app's next sync; the line says what was written.
            """,
            """
            What the logs do not hold, or hold cut, cannot be restored. Where the field was written again since, the write is refused, with what \
            is there now; --force makes it all the same. Name the trace or the devices' logs beside a log of conflicts, so that what was written \
            since is known.
            """,
            """
            With --overwrite all that was lost with ID is given back: what the same write took from the record. With --all, --all-proven, --user, \
            or options that say of which records, fields and days, there is no ID: all losses among FILES that they name are given back. \
            Standard error tells of those that are refused. With --as, from a table of saved rows, as statements of SQL or as requests, one for \
            each record, with what the table shows there now. Nothing of it is run.
            """,
        ],
        operands: "[ID] [FILES…|-]",
        options: [
            .flag("overwrite", help: "Gives back all that the write took from the record by which ID was lost."),
            .flag("all", help: "Gives all lost values back, suspected ones too."),
            .flag("all-proven", help: "Gives all values back whose loss is proven."),
            .value(
                "user", "NAME", .name(.devices), isRepeatable: true,
                help: "Gives back what this device, or author of rows, has lost."),
        ] + FilterOptions.ofLosses + [
            .value(
                "as", "FORM", .choice(Form.allCases.map(\.rawValue)),
                help: """
                    From a table of saved rows: statements of SQL for postgresql, sqlite or mysql, each of which changes only what the table \
                    showed at its end; or put or patch, a request of each record as a line of JSON, with "version" for If-Match.
                    """),
            .value(
                "into", "TABLE",
                help: "With SQL, the table that the values go back into: the one that the record's type names, unless given."),
            .value("key", "COLUMN", help: "With SQL, the column of a record's identity: id unless given."),
            .flag("force", help: "Restores although the field has moved on since, or was restored already."),
            .value("device", "NAME", help: "Who makes the write: unless given, a device of its own, named for the conflict."),
            .value(
                "app", "STORE", .path, help: "The SQLite file of a replica: the write becomes one of its device and waits in its outbox."),
            .value(
                "policy", "NAME", .policy, help: "Which of several concurrent writes is shown: what the conflict's line says unless given."),
            .policyFor,
            .deletes,
            .window, .tolerance, .name, .config,
            .flag("lenient", help: "Passes over lines that cannot be understood, and counts them."),
            .times,
        ] + OptionDefinition.tables,
        examples: [
            .init("syncaudit restore 3f2a logs/ >> writes.jsonl", "The value that the conflict 3f2a… discarded, at the end of a trace."),
            .init("syncaudit restore --app cards.sqlite 3f2a logs/", "The same into the outbox of an app, to leave with its next sync."),
            .init("syncaudit restore --overwrite 3f2a logs/", "All that the same save or delete took away."),
            .init(
                "syncaudit restore --since 2026-01-15 --until 2026-01-15 --user Mac logs/",
                "All that the Mac lost on that day, but for what has moved on since."),
            .init(
                "syncaudit restore --all-proven --as postgresql versions.csv > back.sql",
                "Statements that give all proven losses of a table back, to be read and run by you."),
        ])

    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        if let selection = try RestoreSelection(arguments, now: context.now()) { return try runMany(selection, arguments, context) }
        let rules = try rules(arguments)
        let device = arguments.text("device").map { DeviceID($0) }
        if device != nil, arguments.isSet("app") {
            throw UsageError("--device: with --app the write is that of the app's own device; leave it out", verb: arguments.verb.name)
        }
        var recordNames = try arguments.recordNames()
        var others = ObserverPair(
            NameSearch(try arguments.names(in: ["policy-for"], rules: try arguments.mergeRules()) + arguments.namesOfRecords()),
            LastNumber(of: device))
        let lookup = try ConflictLookup(arguments, rules: rules, context, names: &recordNames, &others)
        try check(lookup, force: arguments.isSet("force"))
        let conflict = lookup.logged.conflict
        if let path = arguments.text("app") {
            let write = try restore(conflict, inStoreAt: path, rules: rules, force: arguments.isSet("force"))
            try tell(write, context)
            context.note("write \(write.dot.sequence) of \(write.dot.device) waits in the outbox and leaves with the app's next sync")
        } else if let write = lookup.history.restoringWrite(by: device, after: others.second.number, now: context.now()) {
            try tell(write, context)
            let record = EventText.register(conflict.key, nil, recordNames)
            context.note("write \(write.dot.sequence) of \(write.dot.device) gives \(record) back what it lost, wherever it is taken")
        }
        if conflict.winner.operation == .delete, !lookup.history.siblings.isEmpty {
            let count = HumanNumber.count(lookup.history.siblings.count, "other field", "other fields")
            context.note("the same delete discarded \(count) of the record; with --overwrite they are given back too")
        }
        others.first.tell(context)
        lookup.counts.note(context)
    }

    /// The rules that options state; nil to go by what logs say.
    static func rules(_ arguments: ParsedArguments) throws -> MergeRules? {
        guard ["policy", "policy-for", "deletes", "window", "tolerance"].contains(where: { arguments.isSet($0) }) else { return nil }
        return try arguments.mergeRules().with(try arguments.intervals())
    }

    /// Out at once: nothing is said of a write that did not reach the reader.
    static func tell(_ write: TaggedWrite, _ context: CommandContext) throws {
        try context.output.write(WriteLine.bare(write) + [UInt8(ascii: "\n")])
        try context.output.flush()
    }

    private static func check(_ lookup: ConflictLookup, force: Bool) throws(CommandError) {
        do throws(RestoreRefusal) {
            try lookup.history.checkRestorable()
        } catch {
            if !error.canBeForced { throw CommandError(.badData, error.description) }
            if !force { throw CommandError(.limitExceeded, error.description) }
        }
    }

    private static func restore(_ conflict: Conflict, inStoreAt path: String, rules: MergeRules?, force: Bool) throws -> TaggedWrite {
        do throws(Errno) {
            // A store that is not there would be made.
            _ = try FileStatus(path: path)
        } catch {
            throw CommandError(.noInput, "\(path.escaped(for: .terminal)): cannot be opened: \(error.sentence)")
        }
        var configuration: ReplicaConfiguration?
        if let rules {
            configuration = ReplicaConfiguration()
            configuration?.mergeRules = rules
        }
        do {
            return try ReplicaVisitor(store: SQLiteStore(existing: path), configuration: configuration).restore(conflict, force: force)
        } catch let error as SyncLayerError {
            let remedy =
                switch error.code {
                case .rulesDiffer where rules != nil:
                    "; without --policy, --policy-for, --deletes, --window and --tolerance the store's own rules hold"
                case .superseded: "; --force replaces that too"
                default: ""
                }
            let code: ExitCode = [.storage, .diskFull, .busy, .readOnly, .cannotOpen].contains(error.code) ? .inputOutput : .limitExceeded
            // What the store says of its file names it.
            let name = error.description.contains(path) ? "" : path + ": "
            throw CommandError(code, (name + error.description).escaped(for: .terminal) + remedy)
        }
    }
}

/// The highest number of a device's writes that lines name, which a new write comes after.
struct LastNumber: EventObserver {
    private(set) var number: UInt64 = 0
    private let device: DeviceID?

    /// - Parameter device: The device; nil where nobody asks.
    init(of device: DeviceID?) { self.device = device }

    static var choosesLines: Bool { true }

    func chooses(_ line: ScannedLine, _ names: ScannedNames) -> Bool { device != nil }

    mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) {
        switch line.event.content {
        case .write(let write): record(write.dot, seen: write.seen)
        case .conflict(let conflict):
            record(conflict.winner.dot)
            record(conflict.loser.dot)
        case .checkpoint(let checkpoint): record(seen: checkpoint.seen)
        default: break
        }
    }

    private mutating func record(_ dot: Dot? = nil, seen: VersionVector? = nil) {
        guard let device else { return }
        if let dot, dot.device == device { number = max(number, dot.sequence) }
        if let seen { number = max(number, seen[device]) }
    }
}
