import SyncBytes
import SyncMerge
import SyncModel

/// A string of a table without types, read as the kind of value that it is compared with.
struct ShownValue {
    /// The value; nil where the string means a field that is not there.
    let value: FieldValue?

    private static let nulls: Set<String> = ["", "NULL", "null", "\\N"]
    private static let truths = ["true": true, "t": true, "1": true, "false": false, "f": false, "0": false]

    /// Reads a string.
    ///
    /// Nothing, `NULL` and `\N` are a field that is not there, unless the other value is that very string. Booleans may be written `true`,
    /// `t` or `1`, numbers in any way that JSON allows; of numbers with a fraction the nearest `Double` counts. Lists and objects are JSON.
    init(_ text: String, like other: FieldValue?) {
        if other == .string(text) {
            value = other
        } else if Self.nulls.contains(text) {
            value = nil
        } else {
            value = Self.read(text, like: other)
        }
    }

    private static func read(_ text: String, like other: FieldValue?) -> FieldValue {
        switch other {
        case nil, .null, .string: break
        case .bool: if let truth = truths[text.lowercased()] { return .bool(truth) }
        case .number(let wanted):
            guard case .number(let number)? = try? JSONParser.parse(text) else { break }
            let isRounded = number.integer == nil && wanted.integer == nil && number.double == wanted.double
            return .number(isRounded ? wanted : number)
        case .array, .object: if let parsed = try? JSONParser.parse(text) { return parsed }
        }
        return .string(text)
    }

    /// Whether two shown values say the same: a string that holds a JSON object or array says what that does, where one of them is a sum,
    /// none is 0, and where one is a set, order and form do not matter.
    ///
    /// - Parameter policies: The policies under which they are shown, nil where the record is one register.
    static func areSame(_ one: FieldValue?, _ other: FieldValue?, _ policies: [MergePolicy?]) -> Bool {
        if one == other { return true }
        if let mine = one.flatMap(held), mine == other.flatMap(held) { return true }
        for case let policy? in policies {
            switch policy {
            case .counter: if one ?? 0 == other ?? 0 { return true }
            case .set: if elements(one) == elements(other) { return true }
            default: break
            }
        }
        return false
    }

    /// An object or array, or the one that a string holds.
    private static func held(_ value: FieldValue) -> FieldValue? {
        switch value {
        case .array, .object: value
        case .string(let text):
            if let first = text.utf8.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
                try? JSONParser.parse(text)
            } else {
                nil
            }
        default: nil
        }
    }

    private static func elements(_ value: FieldValue?) -> Set<FieldValue> {
        guard let value else { return [] }
        return Set(value.array ?? [value])
    }
}
