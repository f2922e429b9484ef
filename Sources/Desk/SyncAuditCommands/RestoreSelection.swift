import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel
import SyncSystem

/// Which losses are given back, where not one alone is.
struct RestoreSelection {
    /// One write that discarded edits of one record.
    private struct Overwrite: Hashable {
        let key: RecordKey
        let winner: Dot

        init(of conflict: Conflict) { (key, winner) = (conflict.key, conflict.winner.dot) }
    }

    /// The beginning of the one loss that is named.
    let prefix: ConflictIDPrefix?
    /// Whether all that was lost with the one that is named is meant.
    private let isOverwrite: Bool
    private let onlyProven: Bool
    private let users: Set<DeviceID>
    private let filter: ReportFilter
    private var overwrite: Overwrite?

    /// The options that name losses by what they have in common.
    private static let bulkOptions = ["all", "all-proven", "user"] + FilterOptions.ofLosses.map(\.name)

    /// What a command line selects; nil where it names one loss, to be given back as a write.
    init?(_ arguments: ParsedArguments, now: Int64) throws {
        let bulk = Self.bulkOptions.first { arguments.isSet($0) }
        isOverwrite = arguments.isSet("overwrite")
        if isOverwrite, let bulk {
            throw UsageError(
                "--overwrite goes by the conflict that an id names, and --\(bulk) has none: give one of the two", verb: arguments.verb.name)
        }
        guard bulk != nil || isOverwrite || arguments.isSet("as") else {
            for option in ["into", "key"] where arguments.isSet(option) {
                throw UsageError("--\(option) is for SQL: give --as postgresql, sqlite or mysql too", verb: arguments.verb.name)
            }
            return nil
        }
        if bulk == nil, arguments.operands.isEmpty {
            throw UsageError(
                "what is to be given back is missing: name a conflict by its id, or give --all, --all-proven, --user, --record or --since",
                verb: arguments.verb.name)
        }
        if let bulk, let first = arguments.operands.first, ConflictIDPrefix(first) != nil, (try? FileStatus(path: first)) == nil {
            throw UsageError(
                "--\(bulk) names losses without an id, and \(first.quoted) is one and no file: leave one of the two out",
                verb: arguments.verb.name)
        }
        prefix = bulk == nil ? try ConflictIDPrefix(naming: arguments.operands[0], verb: arguments.verb.name) : nil
        onlyProven = arguments.isSet("all-proven")
        users = Set(arguments.texts("user").map { DeviceID($0) })
        filter = try arguments.lossFilter(now: now)
    }

    /// Looks for the one loss that is named, and selects what was lost with it, by the same write to the same record; does nothing where
    /// that is not asked for.
    ///
    /// - Parameter read: Shows all conflicts to who looks for it.
    mutating func findOverwrite(
        _ arguments: ParsedArguments, _ context: CommandContext, _ read: (inout ConflictFinder) throws -> Void
    ) throws {
        guard isOverwrite, let prefix else { return }
        var finder = ConflictFinder(prefix: prefix)
        try read(&finder)
        overwrite = Overwrite(of: try finder.only(verb: arguments.verb.name, context).conflict)
    }

    /// Whether a conflict lost an edit that is to be given back.
    func contains(_ conflict: Conflict) -> Bool {
        guard conflict.losesEdit else { return false }
        if isOverwrite { return overwrite == Overwrite(of: conflict) }
        guard prefix?.matches(conflict.id) ?? true, !onlyProven || conflict.isProven, filter.matches(conflict) else { return false }
        return users.isEmpty || users.contains(writer: conflict.loser.dot.device)
    }
}
