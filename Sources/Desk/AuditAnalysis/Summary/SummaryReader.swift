import ConflictAudit
import SyncBytes
package import SyncModel

/// One object of a summary in JSON, and its path, so that an error can say so.
package struct SummaryReader {
    let fields: FieldMap
    /// The keys from the summary to this object; empty for the summary itself.
    let path: String
    /// What the object is part of, for sentences.
    let whole: String

    /// - Parameter whole: What the object is part of, for sentences.
    package init(fields: FieldMap, path: String, of whole: String = "summary") {
        (self.fields, self.path, self.whole) = (fields, path, whole)
    }

    /// What is wrong with the value of a key.
    package func failure(_ key: String, _ problem: String) -> AuditAnalysisError {
        AuditAnalysisError(.unreadableSummary, "not a readable \(whole): \(path.isEmpty ? "" : path + ".")\(key) \(problem)")
    }

    /// The value of a key that has to be there.
    package func value(_ key: String) throws(AuditAnalysisError) -> FieldValue {
        guard let value = fields[FieldName(key)] else { throw failure(key, "is missing") }
        return value
    }

    /// Whether a key is there.
    package func has(_ key: String) -> Bool { fields[FieldName(key)] != nil }

    /// A count: a whole number, neither negative nor so large that counting on could overflow.
    package func count(_ key: String) throws(AuditAnalysisError) -> Int {
        try count(value(key), key)
    }

    func count(_ value: FieldValue, _ key: String) throws(AuditAnalysisError) -> Int {
        guard let count = value.integer.flatMap(Int.init(exactly:)), (0...Int.largestCount).contains(count) else {
            throw failure(key, "is \(Self.quoted(value)), not a whole number from 0 to \(Int.largestCount)")
        }
        return count
    }

    /// A length of time in milliseconds.
    func length(_ key: String) throws(AuditAnalysisError) -> Int64 {
        let value = try value(key)
        guard let length = value.integer, length >= 0 else {
            throw failure(key, "is \(Self.quoted(value)), not a length of time in milliseconds")
        }
        return length
    }

    /// A string.
    package func text(_ key: String) throws(AuditAnalysisError) -> String {
        let value = try value(key)
        guard let text = value.string else { throw failure(key, "is \(Self.quoted(value)), not a text") }
        return text
    }

    /// A Boolean.
    package func bool(_ key: String) throws(AuditAnalysisError) -> Bool {
        let value = try value(key)
        guard case .bool(let flag) = value else { throw failure(key, "is \(Self.quoted(value)), not true or false") }
        return flag
    }

    func date(_ key: String) throws(AuditAnalysisError) -> Int64? {
        guard has(key) else { return nil }
        let text = try text(key)
        guard let date = RFC3339.milliseconds(text) else { throw failure(key, "is \(Self.quoted(.string(text))), not an RFC 3339 date") }
        return date
    }

    /// An object.
    package func object(_ key: String) throws(AuditAnalysisError) -> SummaryReader {
        let value = try value(key)
        guard let object = value.object else { throw failure(key, "is \(Self.quoted(value)), not an object") }
        return SummaryReader(fields: object, path: path.isEmpty ? key : "\(path).\(key)", of: whole)
    }

    /// A list.
    package func list(_ key: String) throws(AuditAnalysisError) -> [FieldValue] {
        let value = try value(key)
        guard let list = value.array else { throw failure(key, "is \(Self.quoted(value)), not a list") }
        return list
    }

    /// The objects of a list.
    func rows(_ key: String) throws(AuditAnalysisError) -> [SummaryReader] {
        var rows: [SummaryReader] = []
        for (index, value) in try list(key).enumerated() {
            guard let object = value.object else { throw failure("\(key)[\(index)]", "is \(Self.quoted(value)), not an object") }
            rows.append(SummaryReader(fields: object, path: "\(path.isEmpty ? "" : path + ".")\(key)[\(index)]", of: whole))
        }
        return rows
    }

    /// Texts of a list; none where the key is missing.
    package func texts(_ key: String) throws(AuditAnalysisError) -> [String] {
        var texts: [String] = []
        guard has(key) else { return [] }
        for (index, value) in try list(key).enumerated() {
            guard let text = value.string else { throw failure("\(key)[\(index)]", "is \(Self.quoted(value)), not a text") }
            texts.append(text)
        }
        return texts
    }

    /// Names of a list, each one of a fixed set.
    func names<Name: RawRepresentable<String> & Hashable>(_ key: String, as type: Name.Type) throws(AuditAnalysisError) -> Set<Name> {
        var names: Set<Name> = []
        for text in try texts(key) {
            guard let name = Name(rawValue: text) else { throw failure(key, "holds the unknown name \(Self.quoted(.string(text)))") }
            names.insert(name)
        }
        return names
    }

    /// Counts by name, without those that are 0.
    func counts(_ key: String, words: [String]) throws(AuditAnalysisError) -> [String: Int] {
        var counts: [String: Int] = [:]
        let object = try object(key)
        for field in object.fields {
            let word = field.name.rawValue
            guard words.contains(word) else { throw failure(key, "holds the unknown name \(Self.quoted(.string(word)))") }
            let count = try object.count(field.value, word)
            if count > 0 { counts[word] = count }
        }
        return counts
    }

    /// The value as JSON, cut to a length that fits into a sentence; nothing in it acts on a terminal.
    private static func quoted(_ value: FieldValue) -> String {
        switch value {
        case .array: return "a list"
        case .object: return "an object"
        default:
            let text = JSONText.string(value)
            return text.utf8.count <= 60 ? text : "\(text.prefix(40))…"
        }
    }
}
