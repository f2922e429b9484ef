package import ConflictAudit
package import SyncModel

/// Names of types, fields and policies, and counts, as they are written on a command line.
package enum NameText {
    /// A field of a type, or a type as a whole, and what is said of it.
    package struct Assignment: Hashable, Sendable {
        /// The type.
        package let type: RecordType
        /// The field, nil where the type as a whole is meant.
        package let field: FieldName?
        /// What is said of it.
        package let value: String
    }

    /// Understands `TYPE.FIELD`. The first dot ends the type: a field may contain dots, a type may not.
    package static func field(_ text: String) throws(ValueError) -> ConflictStatistics.FieldKey {
        guard let (type, field) = split(text, at: UInt8(ascii: ".")) else {
            throw ValueError("\(text.quoted) does not name a field; write TYPE.FIELD, such as Note.title")
        }
        return .init(type: RecordType(type), field: FieldName(field))
    }

    /// Understands `TYPE.FIELD=VALUE`. The first equals sign ends the field.
    package static func fieldAssignment(_ text: String) throws(ValueError) -> (field: ConflictStatistics.FieldKey, value: String) {
        guard let (name, value) = split(text, at: UInt8(ascii: "=")) else {
            throw ValueError("\(text.quoted) assigns nothing to a field; write TYPE.FIELD=VALUE")
        }
        return (try field(name), value)
    }

    /// Understands `TYPE.FIELD=VALUE` and `TYPE=VALUE`. The first equals sign ends the name.
    package static func assignment(_ text: String) throws(ValueError) -> Assignment {
        guard let (name, value) = split(text, at: UInt8(ascii: "=")) else {
            throw ValueError("\(text.quoted) assigns nothing; write TYPE.FIELD=VALUE or TYPE=VALUE")
        }
        guard name.utf8.contains(UInt8(ascii: ".")) else { return Assignment(type: RecordType(name), field: nil, value: value) }
        let key = try field(name)
        return Assignment(type: key.type, field: key.field, value: value)
    }

    /// The names of the policies that need nothing but their name.
    package static let policies = [
        "last-writer-wins", "record-last-writer-wins", "first-writer-wins", "maximum", "minimum", "counter", "set", "manual",
    ]

    /// Accepts the name of a policy, or `prefer-devices:` and devices with commas between them.
    ///
    /// - Returns: The text itself.
    package static func policy(_ text: String) throws(ValueError) -> String {
        let prefix = "prefer-devices:"
        if policies.contains(text) { return text }
        let devices = text.utf8.dropFirst(prefix.utf8.count).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        if text.utf8.starts(with: prefix.utf8), devices.allSatisfy({ !$0.isEmpty }), !devices.isEmpty, text.utf8.count > prefix.utf8.count {
            return text
        }
        let names = (policies + [prefix + "A,B"]).joined(separator: ", ")
        throw ValueError("\(text.quoted) is not a policy; it is one of \(names)")
    }

    /// Understands a whole number from 1 up.
    package static func count(_ text: String) throws(ValueError) -> Int {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }), text.utf8.contains(where: { $0 != 48 }) else {
            throw ValueError("\(text.quoted) is not a count; write a whole number from 1 up")
        }
        guard let count = Int(text) else { throw ValueError("\(text.quoted) is too large a count; write at most \(Int.max)") }
        return count
    }

    /// The texts before and after the first of a byte, nil where it is missing or one of them is empty.
    private static func split(_ text: String, at separator: UInt8) -> (String, String)? {
        guard let index = text.utf8.firstIndex(of: separator), index > text.startIndex else { return nil }
        let rest = text[text.utf8.index(after: index)...]
        return rest.isEmpty ? nil : (String(text[..<index]), String(rest))
    }
}
