import AuditLog
import ConflictAudit
import SyncBytes
import SyncLines
import SyncModel

/// A line of a trace that an audit takes: a write, a merge or a comparison of clocks, in a form that does not depend on the lines before.
struct TraceLine: Sendable {
    /// What the line says.
    let event: AuditEvent
    /// The line with its line break.
    let bytes: [UInt8]

    /// The line of a write.
    ///
    /// It has a number, also where the number was counted, and `seen` instead of `parents`: both would change where other lines are
    /// missing.
    init(_ write: TaggedWrite) {
        let write = write.isNumbered ? write : write.numbered
        event = AuditEvent(at: write.timestamp.milliseconds, .write(write))
        bytes = WriteLine.bare(write) + [UInt8(ascii: "\n")]
    }

    /// The line of something else than a write.
    init(_ event: AuditEvent) {
        self.event = event
        var buffer = LineBuffer()
        LineEncoder.append(event, sequence: nil, source: nil, to: &buffer)
        bytes = buffer.array
    }

    /// The write, nil where the line is none.
    var write: TaggedWrite? { if case .write(let write) = event.content { write } else { nil } }

    /// The values of the line, a map for each of its versions.
    var values: [FieldMap] {
        switch event.content {
        case .write(let write): [write.fields, write.carried].compactMap(\.self)
        case .merge(let merge): [merge.ancestor, merge.client, merge.server, merge.result].compactMap { $0?.fields }
        default: []
        }
    }

    /// The record, nil where the line is of none.
    var key: RecordKey? {
        switch event.content {
        case .write(let write): write.key
        case .merge(let merge): merge.key
        default: nil
        }
    }

    /// The line with other values; names, numbers and times stay.
    func mapping(_ change: (FieldMap) -> FieldMap) -> TraceLine {
        switch event.content {
        case .write(let write): TraceLine(write.mapping(change))
        case .merge(let merge): TraceLine(AuditEvent(at: event.milliseconds, .merge(merge.mapping(change))))
        default: self
        }
    }
}

extension TaggedWrite {
    /// The write as one that its device has numbered.
    fileprivate var numbered: TaggedWrite {
        TaggedWrite(
            dot: dot, timestamp: timestamp, key: key, operation: operation, seen: seen, cursor: cursor, receipt: receipt, order: order,
            app: app, carried: carried)
    }
}

extension RecordedMerge {
    fileprivate func mapping(_ change: (FieldMap) -> FieldMap) -> RecordedMerge {
        func changed(_ version: Version) -> Version {
            Version(fields: version.fields.map(change), at: version.time, device: version.device)
        }
        return RecordedMerge(
            key: key, at: time, by: device, ancestor: ancestor.map(changed), client: changed(client), server: changed(server),
            result: result.map(changed))
    }
}
