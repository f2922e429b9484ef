public import ConflictAudit
import SyncBytes
public import SyncModel

/// Which values a log may hold.
///
/// Values are personal data: what is left out cannot be restored from the log.
///
/// ```swift
/// var configuration = AuditLogWriter.Configuration()
/// configuration.values = ValuePrivacy(.omitted, fields: [.init(type: "Card", field: "notes"): .full])
/// ```
public struct ValuePrivacy: Hashable, Sendable {
    /// The treatment of a value.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// It is logged.
        case full
        /// It is left out.
        case omitted
    }

    /// The rule for fields without a rule of their own.
    public var standard: Rule

    /// The rules of single fields.
    public var fields: [ConflictStatistics.FieldKey: Rule]

    /// The rules of fields of any type, where the field of the type has none of its own.
    package var fieldsOfAnyType: [FieldName: Rule] = [:]

    /// Rules.
    public init(_ standard: Rule, fields: [ConflictStatistics.FieldKey: Rule] = [:]) {
        self.standard = standard
        self.fields = fields
    }

    /// Everything is logged.
    public static let full = ValuePrivacy(.full)

    /// No value is logged.
    public static let omitted = ValuePrivacy(.omitted)

    /// Whether all values may be logged.
    package var hidesNothing: Bool { standard == .full && fields.isEmpty && fieldsOfAnyType.isEmpty }

    /// The conflict with the values left out that may not be logged.
    public func applied(to conflict: Conflict) -> Conflict {
        if hidesNothing { return conflict }
        var conflict = conflict
        func allowed(_ value: FieldValue?) -> FieldValue? {
            guard let value else { return nil }
            if let field = conflict.field { return allows(field, of: conflict.key.type) ? value : nil }
            guard let map = value.object else { return nil }
            let kept = filtered(map, of: conflict.key.type)
            return kept.isEmpty && !map.isEmpty ? nil : .object(kept)
        }
        conflict.winner.value = allowed(conflict.winner.value)
        conflict.loser.value = allowed(conflict.loser.value)
        conflict.ancestor = allowed(conflict.ancestor)
        conflict.result = allowed(conflict.result)
        if let name = conflict.name, !allows(name.field, of: conflict.key.type) { conflict.name = nil }
        return conflict
    }

    /// What is left of a conflict's value where no value may be logged: a record without fields has none to hide.
    static func omitting(_ value: WrittenValue?, field: FieldName?) -> WrittenValue? {
        guard field == nil, let map = value?.value.object, map.isEmpty else { return nil }
        return value
    }

    /// The write with the values replaced that may not be logged.
    ///
    /// The names stay, so that a reader still knows which fields were written. A value is replaced by `{"$omitted":"device:n"}` with the
    /// name of the write: equal only to itself, so that two values that were left out are never taken for the same.
    public func applied(to write: TaggedWrite) -> TaggedWrite {
        if hidesNothing { return write }
        let mark = FieldValue.object(FieldMap(sortedNames: Self.omittedNames, values: [.string(write.dot.description)]))
        return write.mapping { all in
            if fields.isEmpty, fieldsOfAnyType.isEmpty {
                return FieldMap(sortedNames: all.sortedNames, values: Array(repeating: mark, count: all.count))
            }
            var kept = all
            for field in all where !allows(field.name, of: write.key.type) { kept[field.name] = mark }
            return kept
        }
    }

    /// The merge with the values replaced that may not be logged.
    ///
    /// A value is replaced by `{"$omitted":"server"}` with the first of ancestor, server, client and result that has it: what is equal
    /// stays equal, so that the conflicts are the same. A removal stays one.
    public func applied(to merge: RecordedMerge) -> RecordedMerge {
        if hidesNothing { return merge }
        let versions: [(name: String, fields: FieldMap?)] = [
            ("ancestor", merge.ancestor?.fields), ("server", merge.server.fields), ("client", merge.client.fields),
            ("result", merge.result?.fields),
        ]
        return merge.mapping { fields in
            var kept = fields
            for field in fields where field.value != .null && !allows(field.name, of: merge.key.type) {
                let name = versions.first { $0.fields?[field.name] == field.value }?.name ?? ""
                kept[field.name] = .object(FieldMap(sortedNames: Self.omittedNames, values: [.string(name)]))
            }
            return kept
        }
    }

    /// Appends the fields of a write with a mark in place of each value, as ``applied(to:)-(TaggedWrite)`` makes them where no value may be
    /// logged.
    static func appendMarks(for fields: FieldMap, of dot: Dot, to buffer: inout LineBuffer) {
        buffer.beginObject()
        var mark: Range<Int>?
        for name in fields.sortedNames {
            buffer.key(named: name.bytes)
            if let mark {
                buffer.append(again: mark)
            } else {
                let start = buffer.count
                appendMark(of: dot, to: &buffer)
                mark = start..<buffer.count
            }
        }
        buffer.endObject()
    }

    private static func appendMark(of dot: Dot, to buffer: inout LineBuffer) {
        buffer.append(#"{"$omitted":"#)
        JSONText.append(dot.device.bytes, to: &buffer)
        // The number comes before the closing quote.
        buffer.truncate(to: buffer.count - 1)
        buffer.append(UInt8(ascii: ":"))
        buffer.append(decimal: dot.sequence)
        buffer.append(#""}"#)
    }

    private static let omittedNames: [FieldName] = ["$omitted"]

    /// Whether a value of a `write` line is the mark that ``applied(to:)-(TaggedWrite)`` puts in place of one.
    package static func isOmitted(_ value: FieldValue) -> Bool {
        guard case .object(let fields) = value, fields.count == 1, case .string? = fields["$omitted"] else { return false }
        return true
    }

    private func allows(_ field: FieldName, of type: RecordType) -> Bool {
        (fields[ConflictStatistics.FieldKey(type: type, field: field)] ?? fieldsOfAnyType[field] ?? standard) == .full
    }

    private func filtered(_ map: FieldMap, of type: RecordType) -> FieldMap {
        var kept = map
        for field in map.names where !allows(field, of: type) { kept[field] = nil }
        return kept
    }
}
