import SyncBytes
package import SyncModel

/// Names and values of a log in the length and the form in which a line for a person can hold them.
package enum EventText {
    /// The columns that a name may take: of a device, a record, a status.
    private static let nameWidth = 40
    /// The columns that a name may take where lines are broken.
    private static let labelWidth = 160
    /// The columns that a value may take.
    private static let valueWidth = 60
    /// The columns that a message may take.
    private static let sentenceWidth = 120
    /// The columns that many messages may take where they are one line.
    private static let sentencesWidth = 16_000

    /// A name.
    package static func name(_ text: String) -> String { short(text, nameWidth) }

    /// A name that may be as long as a paragraph, where there is room for one.
    package static func label(_ text: String) -> String { short(text, labelWidth) }

    /// A message of some system.
    package static func sentence(_ text: String) -> String { short(text, sentenceWidth) }

    /// A message of some system that holds more than one, such as the errors of many records.
    package static func sentences(_ text: String) -> String { short(text, sentencesWidth) }

    /// A value as JSON.
    package static func value(_ value: FieldValue) -> String { short(JSONText.string(value), valueWidth) }

    /// Fields and their values as JSON, without the braces.
    package static func fields(_ fields: FieldMap) -> String {
        fields.isEmpty ? "no fields" : short(String(JSONText.string(.object(fields)).dropFirst().dropLast()), valueWidth)
    }

    /// A record or a field of it: `Card/42.phone`, or `Card "Miller".phone` where people have a name for it.
    package static func register(_ key: RecordKey, _ field: FieldName?, _ names: RecordNames = .none) -> String {
        let type = name(key.type.rawValue)
        let record = names[key].map { "\(type) \(name(JSONText.string(.string($0))))" } ?? "\(type)/\(name(key.id.rawValue))"
        return field.map { "\(record).\(name($0.rawValue))" } ?? record
    }

    private static func short(_ text: String, _ width: Int) -> String {
        // Cut by scalars first: a single character may consist of a megabyte of accents that take no column.
        let scalars = text.unicodeScalars.prefix(width * 4)
        let isCut = scalars.endIndex < text.unicodeScalars.endIndex
        let escaped = (String(String.UnicodeScalarView(scalars)) + (isCut ? "…" : "")).escaped(for: .terminal)
        return TerminalText.truncated(escaped, to: width)
    }
}
