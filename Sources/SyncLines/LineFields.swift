package import SyncModel

/// Takes the keys of a line's object one by one, with errors that name the key, the value and the remedy.
package struct LineFields {
    /// The object.
    package let fields: FieldMap
    /// Where the object is in the line, as a prefix of its keys in messages: empty, or such as `winner.`.
    private let path: String
    /// What is taken besides the format itself.
    private let reading: LineReading

    /// Looks into an object.
    package init(_ fields: FieldMap, path: String = "", reading: LineReading = LineReading()) {
        self.fields = fields
        self.path = path
        self.reading = reading
    }

    private func quoted(_ key: String) -> String { (path + key).quoted }

    /// The value of a key that must be there.
    package func required(_ key: String) throws(LineError) -> FieldValue {
        guard let value = fields[FieldName(key)] else { throw LineError("the key \(quoted(key)) is missing") }
        return value
    }

    /// The value of a key that may be absent or null.
    package func optional(_ key: String) -> FieldValue? {
        fields[FieldName(key)].flatMap { $0 == .null ? nil : $0 }
    }

    /// A text that must be there.
    package func string(_ key: String) throws(LineError) -> String {
        try string(key, try required(key))
    }

    /// A text that must be there and not be empty.
    package func name(_ key: String) throws(LineError) -> String {
        let text = try string(key, orInteger: true)
        if text.isEmpty { throw LineError("\(quoted(key)) is empty; it must name something") }
        return text
    }

    /// The record that the line names; ``LineBuffer/record(_:)`` writes it.
    package func record() throws(LineError) -> RecordKey {
        RecordKey(type: RecordType(try name(.recordType)), id: RecordID(try string(LineKey.recordID.name, orInteger: true)))
    }

    /// A text that must be there, or where that is allowed a whole number by its digits.
    private func string(_ key: String, orInteger: Bool) throws(LineError) -> String {
        let value = try required(key)
        guard case .number(let number) = value, let integer = number.integer, orInteger else { return try string(key, value) }
        guard reading.takesIntegerNames else {
            throw LineError(
                "\(quoted(key)) must be a text, not \(value.described): 'syncaudit audit --integer-ids' takes whole numbers by their digits"
            )
        }
        return String(integer)
    }

    /// A text that may be absent or null.
    package func optionalString(_ key: String) throws(LineError) -> String? {
        guard let value = optional(key) else { return nil }
        return try string(key, value)
    }

    private func string(_ key: String, _ value: FieldValue) throws(LineError) -> String {
        guard let text = value.string else { throw LineError("\(quoted(key)) must be a text, not \(value.described)") }
        return text
    }

    /// A whole number in a range that must be there.
    package func integer(_ key: String, in range: ClosedRange<Int64> = 0 ... .max) throws(LineError) -> Int64 {
        try integer(key, try required(key), in: range)
    }

    /// A whole number in a range that may be absent or null.
    package func optionalInteger(_ key: String, in range: ClosedRange<Int64> = 0 ... .max) throws(LineError) -> Int64? {
        guard let value = optional(key) else { return nil }
        return try integer(key, value, in: range)
    }

    private func integer(_ key: String, _ value: FieldValue, in range: ClosedRange<Int64>) throws(LineError) -> Int64 {
        guard case .number = value else { throw LineError("\(quoted(key)) must be a whole number, not \(value.described)") }
        guard let number = value.integer, range.contains(number) else {
            throw LineError(
                "\(quoted(key)) is \(value.described), out of range: a whole number from \(range.lowerBound) to \(range.upperBound) is expected"
            )
        }
        return number
    }

    /// A Boolean that must be there.
    package func bool(_ key: String) throws(LineError) -> Bool {
        guard case .bool(let flag) = try required(key) else {
            throw LineError("\(quoted(key)) must be true or false, not \(try required(key).described)")
        }
        return flag
    }

    /// A time that must be there, in milliseconds since 1970.
    package func date(_ key: String) throws(LineError) -> Int64 {
        try reading.times.milliseconds(try required(key), named: quoted(key))
    }

    /// A time that may be absent or null, in milliseconds since 1970.
    package func optionalDate(_ key: String) throws(LineError) -> Int64? {
        guard let value = optional(key) else { return nil }
        return try reading.times.milliseconds(value, named: quoted(key))
    }

    /// One of a list of words that must be there.
    package func choice<Choice: RawRepresentable & CaseIterable>(_ key: String) throws(LineError) -> Choice
    where Choice.RawValue == String {
        let text = try string(key)
        guard let choice = Choice(rawValue: text) else {
            throw LineError(
                "\(quoted(key)) is \(text.quoted); one of \(Choice.allCases.map(\.rawValue).joined(separator: ", ")) is expected")
        }
        return choice
    }

    /// An object that must be there.
    package func object(_ key: String) throws(LineError) -> LineFields {
        let value = try required(key)
        guard let object = value.object else { throw LineError("\(quoted(key)) must be an object, not \(value.described)") }
        return LineFields(object, path: path + key + ".", reading: reading)
    }

    /// A version vector that may be absent or null.
    package func versionVector(_ key: String) throws(LineError) -> VersionVector? {
        guard optional(key) != nil else { return nil }
        let object = try object(key)
        var pairs: [(device: DeviceID, sequence: UInt64)] = []
        pairs.reserveCapacity(object.fields.count)
        for entry in object.fields {
            pairs.append((DeviceID(entry.name.rawValue), UInt64(try object.integer(entry.name.rawValue, entry.value, in: 0 ... .max))))
        }
        // Nil only where a device occurs twice, which no object's keys do.
        return VersionVector(unordered: pairs)
    }
}

// Keys of audit lines.

extension LineFields {
    /// The value of a key, be it null, nil where the key is absent.
    package subscript(key: LineKey) -> FieldValue? { fields[FieldName(key.name)] }

    /// The value of a key that may be absent or null.
    package func optional(_ key: LineKey) -> FieldValue? { optional(key.name) }

    /// A text that must be there.
    package func string(_ key: LineKey) throws(LineError) -> String { try string(key.name) }

    /// A text that must be there and not be empty.
    package func name(_ key: LineKey) throws(LineError) -> String { try name(key.name) }

    /// A text that may be absent or null.
    package func optionalString(_ key: LineKey) throws(LineError) -> String? { try optionalString(key.name) }

    /// A whole number in a range that must be there.
    package func integer(_ key: LineKey, in range: ClosedRange<Int64> = 0 ... .max) throws(LineError) -> Int64 {
        try integer(key.name, in: range)
    }

    /// A whole number in a range that may be absent or null.
    package func optionalInteger(_ key: LineKey, in range: ClosedRange<Int64> = 0 ... .max) throws(LineError) -> Int64? {
        try optionalInteger(key.name, in: range)
    }

    /// A time that must be there, in milliseconds since 1970.
    package func date(_ key: LineKey) throws(LineError) -> Int64 { try date(key.name) }

    /// A time that may be absent or null, in milliseconds since 1970.
    package func optionalDate(_ key: LineKey) throws(LineError) -> Int64? { try optionalDate(key.name) }

    /// One of a list of words that must be there.
    package func choice<Choice: RawRepresentable & CaseIterable>(_ key: LineKey) throws(LineError) -> Choice
    where Choice.RawValue == String { try choice(key.name) }

    /// An object that must be there.
    package func object(_ key: LineKey) throws(LineError) -> LineFields { try object(key.name) }

    /// A version vector that may be absent or null.
    package func versionVector(_ key: LineKey) throws(LineError) -> VersionVector? { try versionVector(key.name) }
}

/// Why a line is JSON but not what its event needs.
package struct LineError: Error, Hashable {
    /// A sentence without its full stop, to come after the file and the line number.
    package let problem: String

    /// States a problem.
    package init(_ problem: String) {
        self.problem = problem
    }
}

extension FieldValue {
    /// The value in a form fit for a message.
    package var described: String {
        switch self {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .number(let number): number.text.shortened
        case .string(let text): "the text \(text.quoted)"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
