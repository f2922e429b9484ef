public import SyncModel

/// What an app's model offers to prove conflicts with; chosen for each record type.
///
/// ```swift
/// configuration.levels["Card"] = .fieldStamps(["title": "titleStamp"])
/// ```
///
/// Whatever the level, an arrival that replaces a write of this device whose export had not begun is proven to conflict with it.
public enum ObservationLevel: Hashable, Sendable {
    /// Nothing is added to the model: only what had not been exported yet is proven.
    case unstamped
    /// One optional string attribute of the record holds a ``RecordStamp``.
    ///
    /// Proof needs that an arrival names every field of its record, and that no device sends out another device's stamp: the engine must
    /// send changed fields only.
    case recordStamp(FieldName)
    /// Each audited field has an optional string attribute beside it that holds a ``FieldStamp``, by the field's name. Fields without one
    /// are unstamped.
    case fieldStamps([FieldName: FieldName])

    /// The attributes that hold stamps instead of content.
    var stampFields: Set<FieldName> {
        switch self {
        case .unstamped: []
        case .recordStamp(let field): [field]
        case .fieldStamps(let fields): Set(fields.values)
        }
    }

    /// The stamps among some fields, each read once.
    func stamps(in fields: FieldMap) -> Stamps {
        switch self {
        case .unstamped: return Stamps(entries: [:], dots: [])
        case .recordStamp(let attribute):
            guard let stamp = fields[attribute]?.string.flatMap({ RecordStamp($0) }) else { return Stamps(entries: [:], dots: []) }
            return Stamps(entries: stamp.entries, dots: [stamp.dot] + stamp.entries.values.map(\.dot))
        case .fieldStamps(let attributes):
            var entries: [FieldName: FieldStamp] = [:]
            for (name, attribute) in attributes { entries[name] = fields[attribute]?.string.flatMap { FieldStamp($0) } }
            return Stamps(entries: entries, dots: entries.values.map(\.dot))
        }
    }

    /// What the stamps among some fields say.
    struct Stamps {
        /// What is said of each field.
        let entries: [FieldName: FieldStamp]
        /// The versions that they name.
        let dots: [Dot]
    }
}
