package import ConflictAudit
package import SyncMerge
package import SyncModel

/// What a record shows now, by the merge of all writes that logs hold, or by the last row of a table.
package struct RecordNow: Sendable {
    /// What a field, or a record, shows.
    package struct Shown: Hashable, Sendable {
        /// The value, of a record the fields that were in conflict; nil where the record is not there.
        package let value: FieldValue?
        /// Who wrote it; nil where that is not told.
        package let device: DeviceID?
        /// When, in milliseconds since 1970; nil where that is not told.
        package let milliseconds: Int64?
    }

    private enum Source {
        case writes([TaggedWrite], RecordState, MergeRules)
        case rows(SavedState)
    }

    private let source: Source

    /// What the merge of writes to one record shows.
    ///
    /// - Parameters:
    ///   - key: The record.
    ///   - writes: All writes to it that are known, in any order, any number of times.
    ///   - rules: The rules by which the replicas merge.
    /// - Returns: Nil where there is no write.
    /// - Complexity: that of `RecordState/merge(_:rules:)` for each write.
    package init?(of key: RecordKey, writes: [TaggedWrite], rules: MergeRules) {
        if writes.isEmpty { return nil }
        var state = RecordState(key: key)
        for write in writes { _ = state.merge(write, rules: rules) }
        source = .writes(writes, state, rules)
    }

    /// What a table shows after the record's last row.
    package init(_ state: SavedState) { source = .rows(state) }

    /// What is shown where two writes conflicted; nil where that is not known.
    ///
    /// It is not known where the log does not hold the write that won, so that others may be missing too; where an app's own rule decides,
    /// of which a log tells the name alone; and of conflicts between records.
    package func shown(where conflict: Conflict) -> Shown? {
        if conflict.related != nil { return nil }
        switch source {
        case .writes(let writes, let state, let rules):
            guard writes.contains(where: { $0.dot == conflict.winner.dot }) else { return nil }
            return shown(where: conflict, writes, state, rules)
        case .rows(let state):
            if state.isRemoved { return Shown(value: nil, device: state.row.author, milliseconds: state.row.milliseconds) }
            if let field = conflict.field {
                let row = state.rows[field]
                return Shown(value: state.fields[field] ?? .null, device: row?.author, milliseconds: row?.milliseconds)
            }
            return Shown(
                value: .object(state.fields.filtered(to: conflict.fieldNames)), device: state.row.author,
                milliseconds: state.row.milliseconds)
        }
    }

    private func shown(where conflict: Conflict, _ writes: [TaggedWrite], _ state: RecordState, _ rules: MergeRules) -> Shown? {
        func shown(_ value: FieldValue?, by write: TaggedWrite?) -> Shown {
            Shown(value: value, device: write?.dot.device, milliseconds: write?.timestamp.milliseconds)
        }
        let (field, winner) = (conflict.field, state.winner(of: conflict.field, rules: rules))
        if case .custom = rules.policy(for: conflict.key.type, field: field), state.maximalWrites(of: field, rules: rules).count > 1 {
            return nil
        }
        guard state.isShown(rules: rules) else {
            let deletes = writes.filter(\.isDelete)
            return shown(nil, by: winner.flatMap { $0.isDelete ? $0 : nil } ?? deletes.max { $0.precedes($1) })
        }
        guard let field else {
            return shown(.object((state.shown(rules: rules) ?? FieldMap()).filtered(to: conflict.fieldNames)), by: winner)
        }
        let value = state.shown(field, rules: rules) ?? .null
        return shown(value, by: Self.writer(of: value, to: field, writes, state, rules))
    }

    /// The write that a field shows; of a record that is kept as a whole it may show through from an earlier one than the winner.
    private static func writer(
        of value: FieldValue, to field: FieldName, _ writes: [TaggedWrite], _ state: RecordState, _ rules: MergeRules
    ) -> TaggedWrite? {
        state.winner(of: field, rules: rules).flatMap { $0.value(of: field) == value ? $0 : nil }
            ?? writes.filter { $0.value(of: field) == value }.max { $0.precedes($1) }
    }

    /// Whether one of some devices wrote what is shown, each field of a record.
    ///
    /// - Complexity: O(*n*) for *n* writes, for each field.
    package func isShown(_ shown: Shown, where conflict: Conflict, asWrittenBy devices: Set<DeviceID>) -> Bool {
        guard let value = shown.value else { return true }
        if let field = conflict.field { return isWritten(value, to: field, by: devices) }
        return value.object?.allSatisfy { isWritten($0.value, to: $0.name, by: devices) } ?? false
    }

    private func isWritten(_ value: FieldValue, to field: FieldName, by devices: Set<DeviceID>) -> Bool {
        switch source {
        case .writes(let writes, let state, let rules):
            // A sum or a set is of all who wrote to it.
            if rules.policy(for: state.key.type, field: field).addsUp {
                writes.allSatisfy { $0.value(of: field) == nil || devices.contains(writer: $0.dot.device) }
            } else {
                Self.writer(of: value, to: field, writes, state, rules).map { devices.contains(writer: $0.dot.device) } ?? false
            }
        case .rows(let state): state.rows[field]?.author.map(devices.contains(writer:)) ?? false
        }
    }

    /// What people call the record: the most telling field that it shows, or where it was deleted has shown last.
    ///
    /// - Parameters:
    ///   - fields: The fields that may hold a name, the most telling first.
    ///   - devices: Who must have written it; nil for anyone. Where another did, there is no name.
    /// - Complexity: O(*n*) for *n* writes, for each field.
    package func name(in fields: [FieldName], writtenBy devices: Set<DeviceID>?) -> String? {
        for field in fields {
            guard let value = lastShown(field), let name = RecordName(field: field, value: value) else { continue }
            return devices.map { isWritten(value, to: field, by: $0) } ?? true ? name.text : nil
        }
        return nil
    }

    private func lastShown(_ field: FieldName) -> FieldValue? {
        switch source {
        case .rows(let state): state.fields[field]
        case .writes(let writes, let state, let rules):
            state.isShown(rules: rules)
                ? state.shown(field, rules: rules)
                : writes.filter { $0.value(of: field) != nil && !$0.isDelete }.max { $0.precedes($1) }?.value(of: field)
        }
    }
}

extension Conflict {
    /// The fields that the values of either side name, where they are those of a whole record.
    fileprivate var fieldNames: Set<FieldName> { Set([winner, loser].flatMap { $0.value?.object?.sortedNames ?? [] }) }
}

extension FieldMap {
    fileprivate func filtered(to names: Set<FieldName>) -> FieldMap {
        let shown = sortedNames.filter(names.contains)
        return FieldMap(sortedNames: shown, values: shown.compactMap { self[$0] })
    }
}
