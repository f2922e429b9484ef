import ConflictAudit
import SyncMerge
import SyncModel

/// A device's version of a record and the server's, where each has edits that the other lacks: what a conflict handler is called with.
///
/// It knows three states and no history: what the device shows, what the server shows, and what the edits make that both have. It is not called where one
/// side is as the last version that both had.
struct VersionMeeting {
    private static let rules = SimulatedHistory.rules

    let key: RecordKey
    let milliseconds: Int64
    let device: DeviceID
    private let ancestor: RecordState
    private let client: RecordState
    private let server: RecordState

    /// - Parameters:
    ///   - writes: Those to the record, in the hub's order.
    ///   - isOnDevice: Whether the device has a write then.
    ///   - isOnServer: Whether the server has it.
    /// - Returns: Nil where the handler is not called.
    private init?(
        of key: RecordKey, at milliseconds: Int64, by device: DeviceID, _ writes: [TaggedWrite], isOnDevice: (TaggedWrite) -> Bool,
        isOnServer: (TaggedWrite) -> Bool
    ) {
        self.key = key
        self.milliseconds = milliseconds
        self.device = device
        let (mine, theirs) = (writes.filter(isOnDevice), writes.filter(isOnServer))
        let common = mine.filter(isOnServer)
        func state(_ writes: [TaggedWrite]) -> RecordState {
            var state = RecordState(key: key)
            for write in writes { _ = state.merge(write, rules: Self.rules) }
            return state
        }
        (ancestor, client, server) = (state(common), state(mine), state(theirs))
        func isAsAncestor(_ side: RecordState, _ writes: [TaggedWrite]) -> Bool {
            // A record that was deleted is not one that never was.
            common.isEmpty ? writes.isEmpty : side.shown(rules: Self.rules) == ancestor.shown(rules: Self.rules)
        }
        if isAsAncestor(client, mine) || isAsAncestor(server, theirs) { return nil }
    }

    /// What the handler writes down.
    func merge(withAncestor: Bool) -> RecordedMerge {
        RecordedMerge(
            key: key, at: WallTime(millisecondsSince1970: milliseconds), by: device,
            ancestor: withAncestor ? RecordedMerge.Version(fields: ancestor.shown(rules: Self.rules)) : nil,
            client: Self.version(client), server: Self.version(server))
    }

    /// A version is of the time and the device of its latest edit.
    private static func version(_ state: RecordState) -> RecordedMerge.Version {
        let edit = state.edits(rules: rules)?.latest
        let last = state.winner(of: nil, rules: rules)
        return RecordedMerge.Version(
            fields: state.shown(rules: rules), at: (edit?.timestamp ?? last?.timestamp)?.wallTime,
            device: edit?.device ?? last?.dot.device)
    }

    /// The writes that made what the two sides show of a field, or the deletes where that is nil; no handler knows them.
    func writes(of field: FieldName?) -> Set<Dot> {
        Set(
            [client, server].compactMap { state in
                if let field, let write = state.winner(of: field, rules: Self.rules) { return write.dot }
                return state.winner(of: nil, rules: Self.rules).flatMap { $0.isDelete ? $0.dot : nil }
            })
    }
}

extension VersionMeeting {
    /// The meetings of a history, in the order of time.
    ///
    /// A handler is called on a device when it fetches a record that it has edited and not yet sent, and on the server when it takes an edited record that it
    /// has in a newer version than the device.
    static func all(in history: SimulatedHistory, _ positions: [DeviceID: DevicePositions]) -> [VersionMeeting] {
        let records = Dictionary(grouping: history.writes, by: \.key)
        let meetings = fetched(history, records, positions) + sent(history, records, positions)
        return meetings.sorted { ($0.milliseconds, $0.key, $0.device) < ($1.milliseconds, $1.key, $1.device) }
    }

    private static func fetched(
        _ history: SimulatedHistory, _ records: [RecordKey: [TaggedWrite]], _ positions: [DeviceID: DevicePositions]
    ) -> [VersionMeeting] {
        var meetings: [VersionMeeting?] = []
        for (device, positions) in positions {
            for fetch in positions.fetches {
                let fetched = history.writes.filter { $0.dot.device != device && fetch.start < $0.position && $0.position <= fetch.end }
                meetings += Set(fetched.map(\.key)).map { key in
                    VersionMeeting(of: key, at: fetch.milliseconds, by: device, records[key] ?? []) {
                        $0.dot.device == device ? $0.dot.sequence <= fetch.made : $0.position <= fetch.start
                    } isOnServer: {
                        $0.position <= fetch.end || $0.dot.device == device && $0.received <= fetch.milliseconds
                    }
                }
            }
        }
        return meetings.compactMap(\.self)
    }

    private static func sent(
        _ history: SimulatedHistory, _ records: [RecordKey: [TaggedWrite]], _ positions: [DeviceID: DevicePositions]
    ) -> [VersionMeeting] {
        var meetings: [VersionMeeting?] = []
        var writes = history.writes[...]
        while let first = writes.first {
            let batch = writes.prefix { $0.dot.device == first.dot.device && $0.received == first.received }
            writes = writes.dropFirst(batch.count)
            let cursor = positions[first.dot.device]?.cursorOfExport(receivedAt: first.received) ?? 0
            let sent = first.dot.sequence + UInt64(batch.count)
            meetings += Set(batch.map(\.key)).map { key in
                VersionMeeting(of: key, at: first.received, by: first.dot.device, records[key] ?? []) {
                    $0.dot.device == first.dot.device ? $0.dot.sequence < sent : $0.position <= cursor
                } isOnServer: {
                    $0.position < first.position
                }
            }
        }
        return meetings.compactMap(\.self)
    }
}

extension TaggedWrite {
    /// The write's number in the hub's order.
    fileprivate var position: UInt64 { hubSequence ?? .max }

    /// When the hub took it, in milliseconds since 1970.
    fileprivate var received: Int64 { receipt?.milliseconds ?? .max }
}
