import AuditLog
import ConflictAudit
import SyncLines
import SyncMerge
import SyncModel
import SyncSimulation

/// What the lines of a history say of what writers had seen, from best to worst.
enum EvidenceForm: CaseIterable {
    case seen
    case cursor
    case parents
    /// `seen`, and each put names all fields that its device showed; read by `--whole-records`.
    case comparedForms
    /// The same, read as if each field had been edited.
    case wholeForms
    case mergesWithAncestor
    case merges
    case received
    case timestamps

    /// The rules by which the lines are audited.
    var rules: AuditRules { AuditRules(wholeRecords: self == .comparedForms ? .all : .none) }
}

/// A history told as lines.
struct ToldHistory {
    /// A line, and for a `merge` line what its handler was called with.
    struct Line {
        let bytes: [UInt8]
        var meeting: VersionMeeting?
    }

    private let history: SimulatedHistory
    private let positions: [DeviceID: DevicePositions]
    private let records: [RecordKey: [TaggedWrite]]

    init(_ history: SimulatedHistory) {
        self.history = history
        positions = Dictionary(uniqueKeysWithValues: history.devices.map { ($0.id, DevicePositions($0)) })
        records = Dictionary(grouping: history.writes, by: \.key)
    }

    func lines(_ form: EvidenceForm) -> [Line] {
        switch form {
        case .seen: history.writes.map { Self.line($0, seen: $0.seen) }
        case .cursor: history.writes.map(lineWithCursor)
        case .parents: history.writes.map(lineWithParents)
        case .comparedForms, .wholeForms: history.writes.map { Self.line($0.with(operation: savedForm(of: $0)), seen: $0.seen) }
        case .mergesWithAncestor: meetings(withAncestor: true)
        case .merges: meetings(withAncestor: false)
        case .received: history.writes.map { Self.line($0, TaggedWrite.Receipt(milliseconds: $0.receipt?.milliseconds)) }
        case .timestamps: history.writes.map { Self.line($0) }
        }
    }

    private static func line(
        _ write: TaggedWrite, seen: VersionVector? = nil, cursor: UInt64? = nil, _ receipt: TaggedWrite.Receipt? = nil
    ) -> Line {
        let told = TaggedWrite(
            dot: write.dot, timestamp: write.timestamp, key: write.key, operation: write.operation, seen: seen, cursor: cursor,
            receipt: receipt)
        return Line(bytes: WriteLine.bare(told))
    }

    private func lineWithCursor(_ write: TaggedWrite) -> Line {
        let cursor = positions[write.dot.device]?.cursors[write.dot]
        return Self.line(write, cursor: cursor, TaggedWrite.Receipt(milliseconds: nil, hubSequence: write.hubSequence))
    }

    /// A write is a revision of the record, made from those that the device showed and no other of them was made from.
    private func lineWithParents(_ write: TaggedWrite) -> Line {
        func name(_ write: TaggedWrite) -> String { "\"\(write.dot.device.rawValue):\(write.dot.sequence)\"" }
        let past = past(of: write)
        let parents = past.filter { parent in !past.contains { history.hasSeen(parent.dot, by: $0.dot) } }
        let revision = ",\"rev\":\(name(write)),\"parents\":[\(parents.map(name).joined(separator: ","))]}"
        return Line(bytes: Self.line(write).bytes.dropLast() + Array(revision.utf8))
    }

    /// The write of an app that saves what its form shows, edited or not.
    private func savedForm(of write: TaggedWrite) -> TaggedWrite.Operation {
        guard let edited = write.fields else { return .delete }
        var state = RecordState(key: write.key)
        for write in past(of: write) { _ = state.merge(write, rules: SimulatedHistory.rules) }
        var fields = state.shown(rules: SimulatedHistory.rules) ?? FieldMap()
        for field in edited { fields[field.name] = field.value }
        return .put(fields)
    }

    /// The writes to the record that a write's device had.
    private func past(of write: TaggedWrite) -> [TaggedWrite] {
        (records[write.key] ?? []).filter { history.hasSeen($0.dot, by: write.dot) }
    }

    private func meetings(withAncestor: Bool) -> [Line] {
        VersionMeeting.all(in: history, positions).map { meeting in
            let event = AuditEvent(at: meeting.milliseconds, .merge(meeting.merge(withAncestor: withAncestor)))
            var bytes: [UInt8] = []
            LineEncoder.append(AuditLine(event: event), to: &bytes)
            return Line(bytes: bytes.dropLast(), meeting: meeting)
        }
    }
}
