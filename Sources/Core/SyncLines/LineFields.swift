package import SyncBytes
package import SyncModel

/// Takes the keys of a line's object one by one, with errors that name the key, the value and the remedy.
///
/// A value is made of the line's bytes where it is asked for.
package struct LineFields {
    private let outline: JSONOutline
    /// The index of the object.
    private let object: Int
    /// Where the object is in the line, as a prefix of its keys in messages: empty, or such as `winner.`.
    private let path: String
    /// What is taken besides the format itself.
    private let reading: LineReading

    /// Looks into the object that a line is.
    ///
    /// - Precondition: The whole of the outline is an object.
    package init(_ outline: JSONOutline, reading: LineReading = LineReading()) {
        self.init(outline, 0, path: "", reading: reading)
    }

    /// Looks into a line; nil where it is no object.
    package init?(parsing line: Span<UInt8>, reading: LineReading = LineReading()) {
        var outline = JSONOutline()
        guard (try? outline.parse(line)) != nil, outline.kind(at: 0) == .object else { return nil }
        self.init(outline, reading: reading)
    }

    private init(_ outline: JSONOutline, _ object: Int, path: String, reading: LineReading) {
        precondition(outline.kind(at: object) == .object, "an object")
        self.outline = outline
        self.object = object
        self.path = path
        self.reading = reading
    }

    /// The object.
    package var fields: FieldMap { outline.value(at: object).object ?? FieldMap() }

    private func quoted(_ key: StaticString) -> String { (path + key.description).quoted }

    private func described(_ index: Int) -> String { outline.value(at: index).described }

    /// Where the value is of a key that must be there.
    private func required(_ key: StaticString) throws(LineError) -> Int {
        guard let index = outline.value(of: key, in: object) else { throw LineError("the key \(quoted(key)) is missing") }
        return index
    }

    /// Where the value is of a key that may be absent or null.
    private func present(_ key: StaticString) -> Int? {
        guard let index = outline.value(of: key, in: object), outline.kind(at: index) != .null else { return nil }
        return index
    }

    /// Whether a key is there and is not null.
    package func has(_ key: StaticString) -> Bool { present(key) != nil }

    /// The value of a key that may be absent or null.
    package func optional(_ key: StaticString) -> FieldValue? { present(key).map(outline.value(at:)) }

    /// A text that must be there.
    @usableFromInline package func string(_ key: StaticString) throws(LineError) -> String {
        try string(key, try required(key))
    }

    /// A text that must be there and not be empty.
    package func name(_ key: StaticString) throws(LineError) -> String {
        let text = try string(orInteger: key)
        if text.isEmpty { throw LineError("\(quoted(key)) is empty; it must name something") }
        return text
    }

    /// The record that the line names; ``LineBuffer/record(_:)`` writes it.
    package func record() throws(LineError) -> RecordKey {
        RecordKey(type: RecordType(try name(.recordType)), id: RecordID(try string(orInteger: LineKey.recordID.text)))
    }

    /// A text that must be there, or where that is allowed a whole number by its digits.
    private func string(orInteger key: StaticString) throws(LineError) -> String {
        let index = try required(key)
        guard let integer = outline.integer(at: index) else { return try string(key, index) }
        guard reading.takesIntegerNames else {
            throw LineError(
                "\(quoted(key)) must be a text, not \(described(index)): 'syncaudit audit --integer-ids' takes whole numbers by their digits"
            )
        }
        return String(integer)
    }

    /// A text that may be absent or null.
    package func optionalString(_ key: StaticString) throws(LineError) -> String? {
        guard let index = present(key) else { return nil }
        return try string(key, index)
    }

    private func string(_ key: StaticString, _ index: Int) throws(LineError) -> String {
        guard outline.kind(at: index) == .string else { throw LineError("\(quoted(key)) must be a text, not \(described(index))") }
        return outline.string(at: index)
    }

    /// A whole number in a range that must be there.
    package func integer(_ key: StaticString, in range: ClosedRange<Int64> = 0 ... .max) throws(LineError) -> Int64 {
        try integer(key, try required(key), in: range)
    }

    /// A whole number in a range that may be absent or null.
    package func optionalInteger(_ key: StaticString, in range: ClosedRange<Int64> = 0 ... .max) throws(LineError) -> Int64? {
        guard let index = present(key) else { return nil }
        return try integer(key, index, in: range)
    }

    private func integer(_ key: StaticString, _ index: Int, in range: ClosedRange<Int64>) throws(LineError) -> Int64 {
        if let number = outline.integer(at: index), range.contains(number) { return number }
        throw problem(withNumber: outline.value(at: index), key.description, range)
    }

    private func problem(withNumber value: FieldValue, _ key: String, _ range: ClosedRange<Int64>) -> LineError {
        let name = (path + key).quoted
        guard case .number = value else { return LineError("\(name) must be a whole number, not \(value.described)") }
        return LineError(
            "\(name) is \(value.described), out of range: a whole number from \(range.lowerBound) to \(range.upperBound) is expected")
    }

    /// The whole numbers from 0 on that are the object's values, by their keys in order.
    package func integers() throws(LineError) -> [(name: FieldName, number: Int64)] {
        var numbers: [(name: FieldName, number: Int64)] = []
        for field in fields { numbers.append((field.name, try integer(field))) }
        return numbers
    }

    /// The value of one of the keys that ``fields`` has, which must be a whole number from 0 on.
    package func integer(_ field: FieldMap.Element) throws(LineError) -> Int64 {
        guard let number = field.value.integer, number >= 0 else {
            throw problem(withNumber: field.value, field.name.rawValue, 0 ... .max)
        }
        return number
    }

    /// The pairs of whole numbers that an array holds; nil where it holds anything else, none where the value is no array.
    package func pairs(_ key: StaticString) throws(LineError) -> [(first: Int64, second: Int64)]? {
        let list = try required(key)
        guard outline.kind(at: list) == .array else { return [] }
        var pairs: [(first: Int64, second: Int64)] = []
        var areAllPairs = true
        outline.forEachPart(of: list) { part in
            guard outline.kind(at: part) == .array else { return areAllPairs = false }
            var (numbers, count) = ((first: Int64(0), second: Int64(0)), 0)
            outline.forEachPart(of: part) { part in
                guard let number = outline.integer(at: part) else { return areAllPairs = false }
                if count == 0 { numbers.first = number } else { numbers.second = number }
                count += 1
            }
            areAllPairs = areAllPairs && count == 2
            pairs.append(numbers)
        }
        return areAllPairs ? pairs : nil
    }

    /// Calls a body with the objects that an array holds, which may be absent or null.
    package func forEachObject(_ key: StaticString, _ body: (LineFields) throws(LineError) -> Void) throws(LineError) {
        guard let list = present(key) else { return }
        guard outline.kind(at: list) == .array else {
            throw LineError("\(key.description.quoted) must be a list, not \(described(list))")
        }
        try outline.forEachPart(of: list) { part throws(LineError) in
            guard outline.kind(at: part) == .object else {
                throw LineError("\(key.description.quoted) must hold objects, not \(described(part))")
            }
            try body(LineFields(outline, part, path: key.description + ".", reading: LineReading()))
        }
    }

    /// A Boolean that must be there.
    package func bool(_ key: StaticString) throws(LineError) -> Bool {
        let index = try required(key)
        switch outline.kind(at: index) {
        case .true: return true
        case .false: return false
        default: throw LineError("\(quoted(key)) must be true or false, not \(described(index))")
        }
    }

    /// A time that must be there, in milliseconds since 1970.
    package func date(_ key: StaticString) throws(LineError) -> Int64 { try date(key, try required(key)) }

    /// A time that may be absent or null, in milliseconds since 1970.
    package func optionalDate(_ key: StaticString) throws(LineError) -> Int64? {
        guard let index = present(key) else { return nil }
        return try date(key, index)
    }

    private func date(_ key: StaticString, _ index: Int) throws(LineError) -> Int64 {
        if let time = outline.time(at: index) { return time }
        return try reading.times.milliseconds(outline.value(at: index), named: quoted(key))
    }

    /// One of a list of words that must be there.
    @inlinable package func choice<Choice: RawRepresentable & CaseIterable>(_ key: StaticString) throws(LineError) -> Choice
    where Choice.RawValue == String {
        let text = try string(key)
        guard let choice = Choice(rawValue: text) else { throw problem(withWord: text, key, Choice.allCases.map(\.rawValue)) }
        return choice
    }

    @usableFromInline package func problem(withWord word: String, _ key: StaticString, _ words: [String]) -> LineError {
        LineError("\(quoted(key)) is \(word.quoted); one of \(words.joined(separator: ", ")) is expected")
    }

    /// An object that must be there.
    package func object(_ key: StaticString) throws(LineError) -> LineFields {
        let index = try required(key)
        guard outline.kind(at: index) == .object else { throw LineError("\(quoted(key)) must be an object, not \(described(index))") }
        return LineFields(outline, index, path: path + key.description + ".", reading: reading)
    }

    /// A version vector that may be absent or null.
    package func versionVector(_ key: StaticString) throws(LineError) -> VersionVector? {
        guard has(key) else { return nil }
        let pairs = try object(key).integers().map { (device: DeviceID($0.name.rawValue), sequence: UInt64($0.number)) }
        // Nil only where a device occurs twice, which no object's keys do.
        return VersionVector(unordered: pairs)
    }
}

// Keys of audit lines.

extension LineFields {
    /// The value of a key, be it null, nil where the key is absent.
    package subscript(key: LineKey) -> FieldValue? { outline.value(of: key.text, in: object).map(outline.value(at:)) }

    /// Whether a key is there and is not null.
    package func has(_ key: LineKey) -> Bool { has(key.text) }

    /// The value of a key that may be absent or null.
    package func optional(_ key: LineKey) -> FieldValue? { optional(key.text) }

    /// A text that must be there.
    package func string(_ key: LineKey) throws(LineError) -> String { try string(key.text) }

    /// A text that must be there and not be empty.
    package func name(_ key: LineKey) throws(LineError) -> String { try name(key.text) }

    /// A text that may be absent or null.
    package func optionalString(_ key: LineKey) throws(LineError) -> String? { try optionalString(key.text) }

    /// A whole number in a range that must be there.
    package func integer(_ key: LineKey, in range: ClosedRange<Int64> = 0 ... .max) throws(LineError) -> Int64 {
        try integer(key.text, in: range)
    }

    /// A whole number in a range that may be absent or null.
    package func optionalInteger(_ key: LineKey, in range: ClosedRange<Int64> = 0 ... .max) throws(LineError) -> Int64? {
        try optionalInteger(key.text, in: range)
    }

    /// A time that must be there, in milliseconds since 1970.
    package func date(_ key: LineKey) throws(LineError) -> Int64 { try date(key.text) }

    /// A time that may be absent or null, in milliseconds since 1970.
    package func optionalDate(_ key: LineKey) throws(LineError) -> Int64? { try optionalDate(key.text) }

    /// One of a list of words that must be there.
    @inlinable package func choice<Choice: RawRepresentable & CaseIterable>(_ key: LineKey) throws(LineError) -> Choice
    where Choice.RawValue == String { try choice(key.text) }

    /// An object that must be there.
    package func object(_ key: LineKey) throws(LineError) -> LineFields { try object(key.text) }

    /// A version vector that may be absent or null.
    package func versionVector(_ key: LineKey) throws(LineError) -> VersionVector? { try versionVector(key.text) }
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
