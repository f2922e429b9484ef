import SyncBytes
package import SyncModel

/// Numbers for what saved rows name, so that what comes again in a million rows is kept and looked at once.
///
/// ```swift
/// var numbers = SavedRowNumbers()
/// let row = numbers.number(saved)
/// print(numbers.records[row.record])  // Note/1
/// ```
///
/// - Complexity: O(1) expected for each name and value, and what hashing it takes. A value; its owner guards it.
package struct SavedRowNumbers: Sendable {
    /// The number of no value, of null, and of an empty text: up to the last they are those of empty fields.
    package static let none: Int32 = 0
    package static let null: Int32 = 1
    package static let lastEmpty: Int32 = 2

    /// The fields of one type of records.
    package struct Fields: Sendable {
        package let type: RecordType
        /// By their numbers.
        package fileprivate(set) var names: [FieldName] = []
        private var numbers: [FieldName: Int] = [:]
        /// The names in the last row, and the number of each.
        private var rowNames: [FieldName] = []
        private(set) var rowNumbers: [Int] = []

        fileprivate init(type: RecordType) { self.type = type }

        /// The number of a field, a new one where it is new.
        package mutating func number(of name: FieldName) -> Int {
            if let number = numbers[name] { return number }
            numbers[name] = names.count
            names.append(name)
            return names.count - 1
        }

        /// Numbers the fields of a row, as most rows of a type have the same.
        mutating func number(_ names: [FieldName]) {
            if rowNames.isSame(as: names) { return }
            rowNames = names
            rowNumbers = names.map { number(of: $0) }
        }
    }

    /// By their numbers.
    package private(set) var records: [RecordKey] = []
    package private(set) var authors: [DeviceID] = []
    package private(set) var types: [Fields] = []
    private var recordNumbers: [RecordKey: Int] = [:]
    private var authorNumbers: [DeviceID: Int] = [:]
    private var typeNumbers: [RecordType: Int] = [:]

    /// The texts of values and of the names of versions.
    private var texts = TextNumbers()
    /// The number of the value that each text is, 0 where that is not known.
    private var valueOfText: [Int32] = []
    /// The values that are no texts.
    private var others: [FieldValue] = [.null]
    private var otherNumbers: [FieldValue: Int32] = [.null: Self.null]
    /// For each value the number of its text, or of the others -1 for the first, -2 for the second and so on.
    private var slots: [Int32] = [0, -1]

    /// No numbers yet.
    package init() {
        let empty = value(of: .string(""))
        precondition(empty == Self.lastEmpty, "the empty text is the second value")
    }

    // MARK: Names

    /// How many fields of a type of records there are.
    package func fieldCount(ofType type: Int) -> Int { types[type].names.count }

    /// The number of a type of records, a new one where it is new.
    package mutating func number(of type: RecordType) -> Int {
        if let number = typeNumbers[type] { return number }
        typeNumbers[type] = types.count
        types.append(Fields(type: type))
        return types.count - 1
    }

    /// The number of a record, a new one where it is new.
    package mutating func number(of key: RecordKey) -> Int {
        if let number = recordNumbers[key] { return number }
        recordNumbers[key] = records.count
        records.append(key)
        return records.count - 1
    }

    /// The number of a record; nil where it has none.
    package func known(_ key: RecordKey) -> Int? { recordNumbers[key] }

    /// The number of an author, a new one where it is new.
    package mutating func number(of author: DeviceID) -> Int {
        if let number = authorNumbers[author] { return number }
        authorNumbers[author] = authors.count
        authors.append(author)
        return authors.count - 1
    }

    /// The number of a field of a type of records, a new one where it is new.
    package mutating func number(of field: FieldName, type: Int) -> Int { types[type].number(of: field) }

    /// The number of a text, a new one where it is new.
    package mutating func number(of text: Span<UInt8>) -> Int { texts.number(of: text) }

    /// The number of a text, a new one where it is new.
    package mutating func number(of text: String) -> Int { texts.number(of: text) }

    /// The number of a text; nil where it has not come yet.
    package func known(_ text: Span<UInt8>) -> Int? { texts.known(text) }

    /// The text with a number.
    package func text(_ number: Int) -> String { texts.text(number) }

    // MARK: Values

    /// The number of a value, a new one where it is new.
    package mutating func value(of value: FieldValue) -> Int32 {
        if case .string(let text) = value { return self.value(ofText: texts.number(of: text)) { _ in nil } }
        if case .null = value { return Self.null }
        if let number = otherNumbers[value] { return number }
        let number = Int32(clamping: slots.count)
        others.append(value)
        otherNumbers[value] = number
        slots.append(Int32(clamping: -others.count))
        return number
    }

    /// The number of the value that a text is.
    ///
    /// - Parameters:
    ///   - text: The number of the text.
    ///   - meaning: Says, once, which value the bytes of a text are; nil for the text itself.
    @inline(__always) package mutating func value(ofText text: Int, _ meaning: (Span<UInt8>) -> FieldValue?) -> Int32 {
        if text < valueOfText.count, valueOfText[text] != Self.none { return valueOfText[text] }
        return newValue(ofText: text, meaning)
    }

    @inline(never) private mutating func newValue(ofText text: Int, _ meaning: (Span<UInt8>) -> FieldValue?) -> Int32 {
        if valueOfText.count <= text { valueOfText += repeatElement(Self.none, count: text + 1 - valueOfText.count) }
        var number = Int32(clamping: slots.count)
        if let value = texts.withBytes(text, meaning) {
            number = self.value(of: value)
        } else {
            slots.append(Int32(clamping: text))
        }
        valueOfText[text] = number
        return number
    }

    /// The value with a number.
    package func value(_ number: Int32) -> FieldValue {
        let slot = Int(slots[Int(number)])
        return slot < 0 ? others[-slot - 1] : .string(texts.text(slot))
    }

    /// How many bytes two values that are texts have in common at their beginning and, of the rest, at their end, and how many the shorter
    /// one has; nil where one is no text.
    package func commonEnds(_ one: Int32, _ other: Int32) -> (kept: Int, shorter: Int)? {
        let (one, other) = (Int(slots[Int(one)]), Int(slots[Int(other)]))
        return one < 0 || other < 0 ? nil : texts.commonEnds(one, other)
    }

    // MARK: Rows

    /// The numbers of a row.
    package mutating func number(_ row: SavedRow) -> NumberedRow {
        let type = number(of: row.key.type)
        var numbered = NumberedRow(record: number(of: row.key), type: type, isDelete: row.isDelete)
        (numbered.made, numbered.received, numbered.until, numbered.order) = (row.made, row.received, row.until, row.order)
        numbered.author = row.author.map { number(of: $0) }
        numbered.version = row.version.map { number(of: $0) }
        numbered.base = row.base.map { number(of: $0) }
        if !row.isDelete { numbered.fields = values(of: row.fields, type) }
        numbered.before = row.before.map { values(of: $0, type) }
        return numbered
    }

    private mutating func values(of map: FieldMap, _ type: Int) -> [Int32] {
        types[type].number(map.sortedNames)
        let fields = types[type].rowNumbers
        var numbers = [Int32](repeating: Self.none, count: (fields.max() ?? -1) + 1)
        var position = 0
        map.forEachField { _, value in
            numbers[fields[position]] = self.value(of: value)
            position += 1
        }
        return numbers
    }

    /// The row with these numbers.
    package func row(_ numbered: NumberedRow) -> SavedRow {
        var row = SavedRow(key: records[numbered.record], isDelete: numbered.isDelete, fields: map(numbered.fields, type: numbered.type))
        (row.made, row.received, row.until, row.order) = (numbered.made, numbered.received, numbered.until, numbered.order)
        row.author = numbered.author.map { authors[$0] }
        row.version = numbered.version.map(text)
        row.base = numbered.base.map(text)
        row.before = numbered.before.map { map($0, type: numbered.type) }
        return row
    }

    /// The fields with these values.
    ///
    /// - Parameter values: By the fields' numbers.
    package func map(_ values: [Int32], type: Int) -> FieldMap {
        let named = zip(types[type].names, values).filter { $1 != Self.none }.sorted { $0.0 < $1.0 }
        return FieldMap(sortedNames: named.map(\.0), values: named.map { value($0.1) })
    }
}
