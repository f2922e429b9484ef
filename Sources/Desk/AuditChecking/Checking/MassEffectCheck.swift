import AuditAnalysis
import AuditLog
import ConflictAudit
import SyncBytes
import SyncModel

/// Names the devices that delete or overwrite much of what there is within one sync.
///
/// - Complexity: that of ``MassEffects``; until then memory grows with the successful exports that sent something new.
struct MassEffectCheck: Sendable {
    private let limit: MassEffects.Limit
    /// By device, the highest number of its own writes that its log had told of, and what that was at each export.
    private var logged: [DeviceID: (highest: UInt64, exports: [UInt64])] = [:]

    init(limit: MassEffects.Limit) {
        self.limit = limit
    }

    mutating func observe(_ write: TaggedWrite, source: DeviceID?) {
        guard let source, write.isNumbered, write.isOfDevice(source) else { return }
        logged[source, default: (0, [])].highest = max(logged[source]?.highest ?? 0, write.number)
    }

    mutating func observe(_ activity: SyncActivity, source: DeviceID?) {
        // What another store of the device sends is not what its first one has written.
        guard let source, activity.device == nil, activity.phase == .export, activity.state == .succeeded, let device = logged[source],
            device.exports.last ?? 0 < device.highest
        else { return }
        logged[source]?.exports.append(device.highest)
    }

    func finish(_ history: RecordedHistory, _ findings: inout FindingList) {
        let companions = history.logs.compactMap { log, content in
            log.source.flatMap { source in source == .auditOfTrace ? nil : [source] + content.numbers.keys }
        }
        // What is told of in two ways says nothing.
        let indices = history.writes.indices.filter { !history.isAmbiguous(history.writes[$0].dot) }.map(Int32.init)
        let exports = logged.mapValues(\.exports).filter { !$0.value.isEmpty }
        let effects = MassEffects(history.writes, companions: companions, limit: limit).find(indices, exports: exports)
        if effects.isEmpty { return }
        let locations = history.locations(of: Set(effects.map(\.first)))
        // The worst first, since only some are shown.
        for effect in effects.ordered(by: { ($0.unseen, $0.affected, $1.first) > ($1.unseen, $1.affected, $0.first) }) {
            findings.add(
                .massEffect, of: "\(effect.device.rawValue) at \(RFC3339.string(milliseconds: effect.times.lowerBound))",
                at: locations[effect.first] ?? .unknown, effect.sentence)
        }
    }
}

extension MassEffects.Effect {
    /// What the device did, and what it had seen, without the full stop.
    var sentence: String {
        let done = [(deleted, "deleted"), (overwritten, "overwrote")].filter { $0.0 > 0 }.map { "\($0.1) \(HumanNumber.count($0.0))" }
        let name = EventText.name(device.rawValue)
        let (start, end) = (Self.date(times.lowerBound), Self.date(times.upperBound))
        return "\(name) \(done.joined(separator: " and ")) of the \(HumanNumber.count(records, "record")) there were in one sync, "
            + "\(start == end ? start : "\(start) to \(end)") UTC; \(evidence)"
    }

    private var evidence: String {
        var parts: [String] = []
        if unseen > 0 {
            // A person who empties a list has seen it.
            let isBlind = isOfEmptyStore ? ", as of a store that was empty or put back" : ""
            parts.append(
                "the writes prove that it had not seen what it replaced in "
                    + "\(unseen == affected ? "any of them" : "\(HumanNumber.count(unseen)) of them")\(isBlind)")
        }
        if unknown > 0 {
            parts.append(
                "whether it had seen what it replaced is not known of "
                    + (unknown == affected ? "any of them" : "\(HumanNumber.count(unknown)) of them")
            )
        }
        return parts.isEmpty ? "it had seen all that it replaced" : parts.joined(separator: ", and ")
    }

    private static func date(_ milliseconds: Int64) -> String {
        String(RFC3339.string(milliseconds: milliseconds).prefix(19)).replacing("T", with: " ")
    }
}
