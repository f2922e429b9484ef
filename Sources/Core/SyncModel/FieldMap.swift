import SyncBytes

/// Fields and their values, ordered by name, each name once: the content of a put, and a JSON object.
///
/// - Complexity: a look-up is O(log *n*). Copies share storage. A map read from a trace keeps its values as they were written and parses
///   one each time it is asked for.
///
/// ```swift
/// var fields: FieldMap = ["name": "John", "visits": 2]
/// fields["visits"] = 3
/// for field in fields { print(field.name, field.value) }
/// ```
public struct FieldMap: Hashable, Sendable, RandomAccessCollection {
    /// One field and its value: what a loop over a map gives, in the order of the names.
    ///
    /// Not a pair with `key` and `value`, as of a dictionary: in this package a key names a record.
    public struct Element: Hashable, Sendable {
        /// The field.
        public let name: FieldName
        /// The field's value.
        public var value: FieldValue

        /// Pairs a field with a value.
        public init(name: FieldName, value: FieldValue) {
            self.name = name
            self.value = value
        }
    }

    /// In order, each once.
    package private(set) var sortedNames: [FieldName]
    /// One for each name.
    private(set) var values: Values

    enum Values: Sendable {
        case parsed([FieldValue])
        case texts(ValueTexts)

        subscript(index: Int) -> FieldValue {
            switch self {
            case .parsed(let values): values[index]
            case .texts(let texts): texts.value(at: index)
            }
        }
    }

    /// No fields.
    public init() {
        sortedNames = []
        values = .parsed([])
    }

    /// A map of elements in any order; the error names a field that occurs twice.
    package init(unordered: [Element]) throws(DuplicateName) {
        var elements = unordered
        if !elements.indices.dropFirst().allSatisfy({ elements[$0 - 1].name < elements[$0].name }) {
            elements.sort { $0.name < $1.name }
            for index in elements.indices.dropFirst() where elements[index - 1].name == elements[index].name {
                throw DuplicateName(name: elements[index].name)
            }
        }
        sortedNames = elements.map(\.name)
        values = .parsed(elements.map(\.value))
    }

    /// A map of names, each once and in order, and their values.
    ///
    /// - Precondition: There are as many values as names.
    package init(sortedNames: [FieldName], values: [FieldValue]) {
        precondition(sortedNames.count == values.count, "each name has a value")
        self.sortedNames = sortedNames
        self.values = .parsed(values)
    }

    /// A map of names, each once and in order, and the JSON of their values.
    package init(sortedNames: [FieldName], texts: ValueTexts) {
        self.sortedNames = sortedNames
        values = .texts(texts)
    }

    /// An error: a field occurred twice.
    package struct DuplicateName: Error {
        package let name: FieldName
    }

    /// The index of the first field.
    public var startIndex: Int { 0 }

    /// The index after the last field.
    public var endIndex: Int { sortedNames.count }

    /// The field at an index, in order of name.
    public subscript(position: Int) -> Element { Element(name: sortedNames[position], value: values[position]) }

    /// The value at an index, in order of name.
    package subscript(valueAt index: Int) -> FieldValue { values[index] }

    /// The value of a field as the map holds it, nil where the map does not name it.
    package func written(_ name: FieldName) -> WrittenValue? {
        guard let index = sortedNames.find(name) else { return nil }
        return written(at: index)
    }

    /// Whether the map names a field.
    func holds(_ field: FieldName) -> Bool { sortedNames.find(field) != nil }

    /// Whether two maps hold equal values of a field; nil where one of them does not name it.
    func holdsSame(as other: FieldMap, _ field: FieldName) -> Bool? { sortedNames.find(field).flatMap { holdsSame(at: $0, as: other) } }

    /// Whether another map holds a value equal to that at an index; nil where it does not name the field.
    func holdsSame(at index: Int, as other: FieldMap) -> Bool? {
        let isAlike = sortedNames.isIdentical(to: other.sortedNames)
        guard let otherIndex = isAlike ? index : other.sortedNames.find(sortedNames, at: index) else { return nil }
        if case .texts(let mine) = values, case .texts(let theirs) = other.values,
            let areEqual = mine.holdsSame(at: index, as: theirs, at: otherIndex)
        {
            return areEqual
        }
        return values[index] == other.values[otherIndex]
    }

    /// The value at an index as the map holds it.
    @inline(__always) package func written(at index: Int) -> WrittenValue {
        switch values {
        case .parsed(let values): WrittenValue(values.span[index])
        case .texts(let texts): WrittenValue(texts, at: index)
        }
    }

    /// The JSON of the values; nil where they are parsed.
    package var texts: ValueTexts? {
        if case .texts(let texts) = values { texts } else { nil }
    }

    /// Calls a body with every field in order, without the copy of each value that an index makes.
    package func forEachField(_ body: (FieldName, FieldValue) -> Void) {
        switch values {
        case .parsed(let values):
            let (names, values) = (sortedNames.span, values.span)
            for index in names.indices { body(names[index], values[index]) }
        case .texts(let texts): for index in indices { body(sortedNames[index], texts.value(at: index)) }
        }
    }

    /// Whether a value fulfils a condition.
    package func containsValue(where isWanted: (FieldValue) -> Bool) -> Bool {
        guard case .parsed(let values) = values else { return indices.contains { isWanted(values[$0]) } }
        let span = values.span
        for index in span.indices where isWanted(span[index]) { return true }
        return false
    }

    /// The names in order.
    public var names: some RandomAccessCollection<FieldName> { sortedNames }

    /// The value of a field, nil where the map does not name it.
    ///
    /// Setting nil removes the field from the map.
    public subscript(name: FieldName) -> FieldValue? {
        get {
            // Not `map`: there nil would be read as the literal of a FieldValue, which is its null.
            guard let index = sortedNames.find(name) else { return nil }
            return values[index]
        }
        set {
            let index = position(of: name)
            let isPresent = index < sortedNames.count && sortedNames[index] == name
            if !isPresent, newValue == nil { return }
            var parsed = extractParsed()
            switch (isPresent, newValue) {
            case (true, let value?): parsed[index] = value
            case (true, nil):
                sortedNames.remove(at: index)
                parsed.remove(at: index)
            case (false, let value?):
                sortedNames.insert(name, at: index)
                parsed.insert(value, at: index)
            case (false, nil): break
            }
            values = .parsed(parsed)
        }
    }

    /// Whether both maps name at least one field in common.
    ///
    /// - Complexity: O(*n* + *m*).
    package func sharesField(with other: FieldMap) -> Bool {
        var left = 0
        var right = 0
        while left < sortedNames.count, right < other.sortedNames.count {
            if sortedNames[left] == other.sortedNames[right] { return true }
            if sortedNames[left] < other.sortedNames[right] { left += 1 } else { right += 1 }
        }
        return false
    }

    /// The map with the fields of another that it lacks.
    ///
    /// - Complexity: O(*n*) in the number of fields of both.
    package func filled(from other: FieldMap) -> FieldMap {
        var (names, values) = ([FieldName](), [FieldValue]())
        names.reserveCapacity(count + other.count)
        values.reserveCapacity(count + other.count)
        var (left, right) = (0, 0)
        while left < count || right < other.count {
            let isOther = left == count || right < other.count && other.sortedNames[right] < sortedNames[left]
            let next = isOther ? other[right] : self[left]
            if !isOther, right < other.count, other.sortedNames[right] == next.name { right += 1 }
            if isOther { right += 1 } else { left += 1 }
            names.append(next.name)
            values.append(next.value)
        }
        return FieldMap(sortedNames: names, values: values)
    }

    /// What a put must carry to make this of another map: the values that differ, and null for what is gone.
    ///
    /// - Complexity: O(*n*) in the fields of both.
    package func changes(from other: FieldMap) -> FieldMap {
        let gone = FieldMap(sortedNames: other.sortedNames, values: other.map { _ in .null })
        let all = filled(from: gone)
        let changed = all.indices.filter { all[valueAt: $0] != other[all.sortedNames[$0]] ?? .null }
        return FieldMap(sortedNames: changed.map { all.sortedNames[$0] }, values: changed.map { all[valueAt: $0] })
    }

    /// The map without the fields whose value is null.
    package var withoutNulls: FieldMap {
        guard containsValue(where: { $0 == .null }) else { return self }
        let kept = indices.filter { self[valueAt: $0] != .null }
        return FieldMap(sortedNames: kept.map { sortedNames[$0] }, values: kept.map { self[valueAt: $0] })
    }

    /// Moves the values out, so that they can be changed without a copy.
    private mutating func extractParsed() -> [FieldValue] {
        defer { values = .parsed([]) }
        switch values {
        case .parsed(let values): return values
        case .texts: return indices.map { values[$0] }
        }
    }

    private func position(of name: FieldName) -> Int {
        sortedNames.position(of: name)
    }

    /// Whether both maps name the same fields and give them equal values.
    public static func == (left: FieldMap, right: FieldMap) -> Bool {
        left.sortedNames == right.sortedNames && left.indices.allSatisfy { left.values[$0] == right.values[$0] }
    }

    /// Feeds names and values into a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(sortedNames)
        for index in indices { hasher.combine(values[index]) }
    }
}

extension FieldMap: ExpressibleByDictionaryLiteral {
    /// A map from names and values.
    ///
    /// Where a name occurs twice, the last value counts.
    public init(dictionaryLiteral pairs: (FieldName, FieldValue)...) {
        self.init()
        sortedNames.reserveCapacity(pairs.count)
        var sorted: [FieldValue] = []
        sorted.reserveCapacity(pairs.count)
        for (name, value) in pairs {
            let index = position(of: name)
            if index == sortedNames.count {
                sortedNames.append(name)
                sorted.append(value)
            } else if sortedNames[index] == name {
                sorted[index] = value
            } else {
                sortedNames.insert(name, at: index)
                sorted.insert(value, at: index)
            }
        }
        values = .parsed(sorted)
    }
}
