package import AuditLog
package import ConflictAudit
import SyncBytes
package import SyncModel

/// Looks through logs for the conflicts whose name begins in some way.
///
/// - Complexity: memory is bounded by ``limit`` conflicts, however long the logs are. A value type; its owner guards it.
package struct ConflictFinder: EventObserver, Sendable {
    /// The most conflicts that are kept.
    package static let limit = 20

    /// The beginning looked for.
    package let prefix: ConflictIDPrefix
    /// What was found, in order of name.
    package var conflicts: [LoggedConflict] { found.values.ordered { $0.conflict.id < $1.conflict.id } }
    /// Whether there are more than are kept.
    package private(set) var hasMore = false
    /// Lines of conflicts seen, of whatever name.
    package private(set) var conflictLines = 0
    /// Lines of writes seen.
    package private(set) var writeLines = 0

    private var found: [ConflictID: LoggedConflict] = [:]

    /// Looks for names that begin in some way.
    package init(prefix: ConflictIDPrefix) {
        self.prefix = prefix
    }

    package static var choosesLines: Bool { true }

    /// Chooses the lines of conflicts that are looked for.
    package mutating func chooses(_ line: ScannedLine, _ names: ScannedNames) -> Bool {
        switch line.content {
        case .conflict where prefix.matches(ConflictID(rawValue: line.id)): return true
        case .conflict: conflictLines += 1
        case .write: writeLines += 1
        default: break
        }
        return false
    }

    /// Looks at a line.
    package mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) {
        switch line.event.content {
        case .write: writeLines += 1
        case .conflict(let conflict): add(conflict, from: line.source)
        default: break
        }
    }

    /// Looks at a conflict.
    package mutating func add(_ conflict: Conflict, from source: DeviceID?) {
        conflictLines += 1
        guard prefix.matches(conflict.id) else { return }
        if found[conflict.id] == nil, found.count == Self.limit {
            hasMore = true
        } else if found[conflict.id]?.add(conflict, from: source) == nil {
            found[conflict.id] = LoggedConflict(conflict, from: source)
        }
    }
}

/// One conflict as several lines tell of it: the logs of several devices, or the finding and the later decision.
package struct LoggedConflict: Hashable, Sendable {
    /// The conflict with everything that any line says of it.
    package private(set) var conflict: Conflict
    /// The logs that name each side the winner; nil for a line that does not name its source.
    ///
    /// More than one key means that the devices disagree.
    package private(set) var winners: [Dot: Set<DeviceID?>]

    /// What one line says.
    package init(_ conflict: Conflict, from source: DeviceID?) {
        self.conflict = conflict
        winners = [conflict.winner.dot: [source]]
    }

    /// Whether logs name different winners.
    package var isDivergent: Bool { winners.count > 1 }

    /// Adds what another line says of the same conflict.
    package mutating func add(_ other: Conflict, from source: DeviceID?) {
        // A hostile log may name any number of winners for one conflict.
        if winners[other.winner.dot] != nil || winners.count < 2 { winners[other.winner.dot, default: []].insert(source) }
        guard other.winner.dot == conflict.winner.dot, other.loser.dot == conflict.loser.dot else { return }
        var merged = other.resolution.isFinal || !conflict.resolution.isFinal && other.resolution == .manualPending ? other : conflict
        // One log may leave out what another holds.
        merged.winner.value = merged.winner.value ?? conflict.winner.value ?? other.winner.value
        merged.loser.value = merged.loser.value ?? conflict.loser.value ?? other.loser.value
        merged.ancestor = merged.ancestor ?? conflict.ancestor ?? other.ancestor
        merged.result = merged.result ?? conflict.result ?? other.result
        // Who calls it harmless knows more: a replica that does not remember what was shown calls nothing so.
        if other.severity == .benign { merged.severity = .benign }
        conflict = merged
    }
}

extension Conflict.Resolution {
    /// Whether somebody has decided.
    package var isFinal: Bool { self == .manualResolved || self == .restored }
}
