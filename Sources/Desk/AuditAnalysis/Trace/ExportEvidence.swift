import ConflictAudit
import SyncBytes
import SyncModel

/// What the logs of several observers show of what an export replaces on the server: the fields that were edited, or the whole record.
///
/// Evidence is an edit that the server took, and after it an export of other fields of its record by a device that had not been shown the
/// edit. If the version that this export made shows the edit, only the fields that were sent replaced others; if it shows something else,
/// the record was replaced. What a device without a log did is not known, nor what one did before its observer came: it may have made a
/// second edit of the field between the two, or given it the same value long before. Records of very many writes say nothing.
package struct ExportEvidence: Hashable, Sendable {
    /// Edits that an export of other fields left as they were.
    package var outlived = 0
    /// Edits that went with an export of other fields.
    package var replaced = 0

    /// Evidence.
    package init(outlived: Int = 0, replaced: Int = 0) {
        (self.outlived, self.replaced) = (outlived, replaced)
    }
}

extension JoinedAudit {
    /// The most writes of a record that is looked at, each time that a later version shows or replaces an edit of it.
    private static var maximumWrites: Int { 256 }

    /// What the logs show of what an export replaces.
    ///
    /// - Complexity: O(*n*) in the number of lines.
    package var exportEvidence: ExportEvidence {
        let byRecord = Dictionary(grouping: writes.values, by: \.key)
        func isSmall(_ key: RecordKey) -> Bool {
            max(byRecord[key]?.count ?? 0, acknowledgements[key]?.count ?? 0) <= Self.maximumWrites
        }
        var evidence = ExportEvidence()
        var counted: Set<FieldWrite> = []
        for shown in stillShown.ordered(by: { $0.number < $1.number }) where isSmall(shown.key) {
            guard let edit = acknowledgements[shown.key]?[shown.dot],
                let export = export(shown.number, shown.key, not: shown.dot.device)?.taken,
                // Its writer's store had never held the edit, and so could not send it along.
                let arrived = export.recordArrived, arrived < edit.earliest
            else { continue }
            for field in shown.fields ?? [] where edit.fields?.contains(field) == true && export.fields?.contains(field) == false {
                guard counted.insert(FieldWrite(dot: shown.dot, field: field)).inserted else { continue }
                let isSameElsewhere = (byRecord[shown.key] ?? []).contains { mayHoldSame($0, as: writes[shown.dot], shown.dot, in: field) }
                if !isSameElsewhere { evidence.outlived += 1 }
            }
        }
        for conflict in replaced.values where isSmall(conflict.key) {
            let (key, loser) = (conflict.key, conflict.loser.dot)
            guard let field = conflict.field, let edit = acknowledgements[key]?[loser], edit.fields?.contains(field) == true,
                let (export, log) = export(thatMade: conflict.winner, of: key, not: loser.device), export.fields?.contains(field) == false,
                // Of a record that is older than the exporter's log, more may have been sent than the log tells; that it is not, only this
                // says.
                export.recordArrived != nil,
                edit.number < export.number,
                (acknowledgements[key] ?? [:]).allSatisfy({ other, taken in
                    other == loser || taken.fields?.contains(field) == false || taken.earliest >= export.number
                        || taken.number < edit.earliest
                }),
                !(byRecord[key] ?? []).contains(where: { mayExplain($0, conflict, by: log, field) })
            else { continue }
            evidence.replaced += 1
        }
        return evidence
    }

    private struct FieldWrite: Hashable {
        let dot: Dot
        let field: FieldName
    }

    /// Whether another write of a field may hold the same value as an edit, so that what looks unchanged may be from somebody else.
    private func mayHoldSame(_ other: TaggedWrite, as edit: TaggedWrite?, _ dot: Dot, in field: FieldName) -> Bool {
        guard other.dot != dot, let value = other.value(of: field) else { return false }
        guard let mine = edit?.value(of: field), !mine.isLeftOut, !value.isLeftOut else {
            // Of its own earlier values the device itself has made sure.
            return lives[other.dot.device]?.log != lives[dot.device]?.log
        }
        return mine == value
    }

    /// Whether a write may have made the value that a version shows instead of an edit.
    private func mayExplain(_ write: TaggedWrite, _ conflict: Conflict, by exporter: DeviceID?, _ field: FieldName) -> Bool {
        let taken = acknowledgements[write.key]?[write.dot]
        if write.isDelete { return taken == nil }
        guard let value = write.value(of: field) else { return false }
        let isAcknowledged = taken?.fields?.contains(field) == true
        if lives[write.dot.device]?.log == exporter {
            // What a device once waited to send it may send with other fields, whatever it has been shown since.
            if !isAcknowledged { return true }
        } else if isAcknowledged {
            return false
        }
        // What a log leaves out is no value to compare.
        guard let shown = conflict.winner.value, !shown.isLeftOut, !value.isLeftOut else { return true }
        return shown == value
    }

    /// What another device sent with the export that made a version of a record, and its log; nil where that was a delete, or is not known.
    private func export(_ number: UInt64, _ key: RecordKey, not writer: DeviceID) -> (taken: Taken, log: DeviceID?)? {
        var export: (taken: Taken, log: DeviceID?)?
        for (dot, taken) in acknowledgements[key] ?? [:] where taken.number == number {
            let log = lives[dot.device]?.log
            guard taken.fields != nil, log != lives[writer]?.log, export == nil || export?.log == log else { return nil }
            export = (export?.taken.joined(with: taken) ?? taken, log)
        }
        return export
    }

    /// The export that made a version of which an observer knows only the server's number, or the time where the server gives no other.
    private func export(thatMade version: Conflict.Side, of key: RecordKey, not writer: DeviceID) -> (taken: Taken, log: DeviceID?)? {
        for number in [version.dot.sequence, UInt64(clamping: version.timestamp.milliseconds)] {
            if let export = export(number, key, not: writer) { return export }
        }
        return nil
    }
}

extension FieldValue {
    /// Whether it stands for a value that the log leaves out.
    fileprivate var isLeftOut: Bool { object?.first?.name.rawValue.hasPrefix("$") ?? false }
}
