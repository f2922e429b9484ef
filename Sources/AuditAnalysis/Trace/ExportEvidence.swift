import ConflictAudit
import SyncModel

/// What the logs of several observers show of what an export replaces on the server: the fields that were edited, or the whole record.
///
/// Evidence is an edit that the server took, and after it an export of other fields of its record by a device that had not been shown the edit. If the
/// version that this export made shows the edit, only the fields that were sent replaced others; if it shows something else, the record was replaced.
/// What a device without a log did is not known: it may have made a second edit of the field between the two. Records of very many writes say nothing.
package struct ExportEvidence: Hashable, Sendable {
    /// Edits that an export of other fields left as they were.
    package var outlived = 0
    /// Edits that went with an export of other fields.
    package var replaced = 0
}

extension JoinedAudit {
    /// The most writes of a record that is looked at, each time that a later version shows or replaces an edit of it.
    private static var maximumWrites: Int { 256 }

    /// What the logs show of what an export replaces.
    ///
    /// - Complexity: O(*n*) in the number of lines.
    package var exportEvidence: ExportEvidence {
        var evidence = ExportEvidence()
        let counts = writes.values.reduce(into: [:]) { $0[$1.key, default: 0] += 1 }
        func isSmall(_ key: RecordKey) -> Bool {
            max(counts[key] ?? 0, acknowledgements[key]?.count ?? 0) <= Self.maximumWrites
        }
        for shown in stillShown where isSmall(shown.key) {
            guard let edit = acknowledgements[shown.key]?[shown.dot], let export = export(shown.number, shown.key, not: shown.dot.device),
                // Its writer's store had never held the edit, and so could not send it along.
                let arrived = export.recordArrived, arrived < edit.earliest
            else { continue }
            for field in shown.fields ?? [] where edit.fields?.contains(field) == true && !export.fields.contains(field) {
                let others = edits(of: field, in: shown.key, before: shown.number, besides: shown.dot)
                // What looks unchanged may be the same value from somebody else.
                let value = writes[shown.dot]?.value(of: field)
                if !others.contains(where: { writes[$0]?.value(of: field) == value }) { evidence.outlived += 1 }
            }
        }
        let byRecord = replaced.isEmpty ? [:] : Dictionary(grouping: writes.values, by: \.key)
        for conflict in replaced where isSmall(conflict.key) {
            let (key, loser, number) = (conflict.key, conflict.loser.dot, conflict.winner.dot.sequence)
            guard let field = conflict.field, let edit = acknowledgements[key]?[loser], edit.fields?.contains(field) == true,
                let export = export(number, key, not: loser.device), !export.fields.contains(field), edit.number < number,
                edits(of: field, in: key, before: number, besides: loser).allSatisfy({
                    (acknowledgements[key]?[$0]?.number ?? 0) < edit.earliest
                }),
                !(byRecord[key] ?? []).contains(where: { mayBe($0, conflict.winner.value, of: field) })
            else { continue }
            evidence.replaced += 1
        }
        return evidence
    }

    /// Whether a write of which it is not known that the server took it made the version that shows a value.
    private func mayBe(_ write: TaggedWrite, _ shown: FieldValue?, of field: FieldName) -> Bool {
        guard let value = write.value(of: field), acknowledgements[write.key]?[write.dot]?.fields?.contains(field) != true else {
            return false
        }
        // What a log leaves out is no value to compare.
        return shown == nil || shown == value || value.isLeftOut
    }

    /// What another device sent with the export that made a version of a record; nil where that was a delete, or is not known.
    private func export(_ number: UInt64, _ key: RecordKey, not writer: DeviceID) -> (fields: Set<FieldName>, recordArrived: UInt64?)? {
        var export: (fields: Set<FieldName>, recordArrived: UInt64?)?
        for (dot, taken) in acknowledgements[key] ?? [:] where taken.number == number {
            guard let fields = taken.fields, lives[dot.device]?.log != lives[writer]?.log else { return nil }
            export = (fields.union(export?.fields ?? []), taken.recordArrived)
        }
        return export
    }

    /// The other writes to a field of a record, and its deletes, that the server may have taken before a version.
    private func edits(of field: FieldName, in key: RecordKey, before number: UInt64, besides dot: Dot) -> [Dot] {
        (acknowledgements[key] ?? [:]).compactMap { other, taken in
            taken.earliest < number && other != dot && taken.fields?.contains(field) != false ? other : nil
        }
    }
}

extension FieldValue {
    /// Whether it stands for a value that the log leaves out.
    fileprivate var isLeftOut: Bool { object?.first?.name.rawValue.hasPrefix("$") ?? false }
}
