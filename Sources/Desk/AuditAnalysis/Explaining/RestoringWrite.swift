package import ConflictAudit
package import SyncModel

/// Why a lost value is not given back.
package struct RestoreRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence that names the conflict and the remedy, without its full stop.
    package let description: String
    /// Whether the value could be given back all the same, by somebody who insists.
    package let canBeForced: Bool

    package init(description: String, canBeForced: Bool) { (self.description, self.canBeForced) = (description, canBeForced) }

    /// What is said of an edit where of several that a field lost the last is given back.
    package static let ofEarlierEdit = "a later edit of the field was lost too, and only the last can be given back"

    /// Why the value that a conflict discarded is not given back.
    package init(_ conflict: Conflict, _ reason: String, canBeForced: Bool = false) {
        self.init(
            description: "\(conflict.id) over \(EventText.register(conflict.key, conflict.field)): \(reason)", canBeForced: canBeForced)
    }
}

extension RecordHistory {
    /// Makes sure that what the conflict discarded can be given back, and that nothing has happened since that this would undo.
    ///
    /// - Throws: `RestoreRefusal`.
    package func checkRestorable() throws(RestoreRefusal) {
        let name = "\(conflict.id) over \(EventText.register(conflict.key, conflict.field))"
        switch Recoverability(of: conflict) {
        case .available: break
        case .omitted:
            throw RestoreRefusal(
                description: "the value lost in \(name) was left out of this log; look for it in the log of \(Self.name(conflict.loser))",
                canBeForced: false)
        case .truncated:
            throw RestoreRefusal(
                description: "the value lost in \(name) was cut in this log, and what was cut off is not known; "
                    + "look for it in the log of \(Self.name(conflict.loser))", canBeForced: false)
        case .notApplicable:
            let problem = conflict.severity.isLoss ? "no single write to the record can bring back what was lost" : "nothing was lost"
            throw RestoreRefusal(description: "\(problem) in \(name)", canBeForced: false)
        }
        if let restoring {
            throw RestoreRefusal(
                description: "the value lost in \(name) was written again already, by write \(restoring.dot.sequence) of "
                    + "\(EventText.name(restoring.dot.device.rawValue)); --force writes it once more", canBeForced: true)
        }
        if let successor {
            let what = conflict.field == nil ? "record" : "field"
            let now = shownNow.map { ", \(EventText.value($0))," } ?? ""
            throw RestoreRefusal(
                description:
                    "the \(what) has moved on since \(name): write \(successor.sequence) of \(EventText.name(successor.device.rawValue))\(now) "
                    + "is shown now; --force replaces that too", canBeForced: true)
        }
    }

    private static func name(_ side: Conflict.Side) -> String { EventText.name(side.dot.device.rawValue) }

    /// The write that gives back what the conflict discarded: it has seen everything that the logs name, so that it wins wherever nothing
    /// else happened.
    ///
    /// - Parameters:
    ///   - device: Who writes; nil for a device of that write alone, so that restoring twice gives the same write.
    ///   - number: The number of the device's last write, as far as the logs tell.
    ///   - now: The wall clock, in milliseconds since 1970.
    /// - Returns: The write; nil where ``checkRestorable()`` would have thrown for want of a value.
    package func restoringWrite(by device: DeviceID? = nil, after number: UInt64 = 0, now: Int64) -> TaggedWrite? {
        guard let operation = conflict.restoringOperation else { return nil }
        let device = device ?? DeviceID(restoring: conflict.id)
        let last = max(number, merged[device])
        // A number at the end of its range stays there; such a log is no log of a device.
        let dot = Dot(device: device, sequence: last < UInt64(Int64.max) ? last + 1 : last)
        let wall = HybridTimestamp(milliseconds: now)
        return TaggedWrite(
            dot: dot, timestamp: wall > latest ? wall : latest.next, key: conflict.key, operation: operation, seen: merged)
    }
}
