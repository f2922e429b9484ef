/// Fields and their values, ordered by name, each name once: the content of a put, and a JSON object.
///
/// - Complexity: a look-up is O(log *n*). Copies share storage.
public struct FieldMap: Hashable, Sendable, RandomAccessCollection {
    /// One field and its value.
    public struct Element: Hashable, Sendable {
        /// The field.
        public let name: FieldName
        /// Its value.
        public var value: FieldValue

        /// Pairs a field with a value.
        public init(name: FieldName, value: FieldValue) {
            self.name = name
            self.value = value
        }
    }

    private var elements: [Element]

    /// No fields.
    public init() {
        elements = []
    }

    /// Takes elements in any order; on failure names a field that stands twice.
    package init(unordered: [Element]) throws(DuplicateName) {
        elements = unordered
        var isSorted = true
        for index in elements.indices.dropFirst() where !(elements[index - 1].name < elements[index].name) {
            isSorted = false
            break
        }
        if isSorted { return }
        elements.sort { $0.name < $1.name }
        for index in elements.indices.dropFirst() where elements[index - 1].name == elements[index].name {
            throw DuplicateName(name: elements[index].name)
        }
    }

    /// A field stood twice.
    package struct DuplicateName: Error {
        package let name: FieldName
    }

    /// The index of the first field.
    public var startIndex: Int { 0 }

    /// The index after the last field.
    public var endIndex: Int { elements.count }

    /// The field at an index, in order of name.
    public subscript(position: Int) -> Element { elements[position] }

    /// The names in order.
    public var names: some Sequence<FieldName> { elements.lazy.map(\.name) }

    /// The value of a field, nil where the map does not name it.
    ///
    /// Setting nil removes the field from the map.
    public subscript(name: FieldName) -> FieldValue? {
        get {
            let index = position(of: name)
            // Not `condition ? value : nil`: there nil would be read as the literal of a FieldValue, which is its null.
            guard index < elements.count, elements[index].name == name else { return nil }
            return elements[index].value
        }
        set {
            let index = position(of: name)
            let isPresent = index < elements.count && elements[index].name == name
            switch (isPresent, newValue) {
            case (true, let value?): elements[index].value = value
            case (true, nil): elements.remove(at: index)
            case (false, let value?): elements.insert(Element(name: name, value: value), at: index)
            case (false, nil): break
            }
        }
    }

    /// Whether both maps name at least one field in common.
    ///
    /// - Complexity: O(*n* + *m*).
    public func sharesField(with other: FieldMap) -> Bool {
        var left = 0
        var right = 0
        while left < elements.count, right < other.elements.count {
            if elements[left].name == other.elements[right].name { return true }
            if elements[left].name < other.elements[right].name { left += 1 } else { right += 1 }
        }
        return false
    }

    private func position(of name: FieldName) -> Int {
        var low = 0
        var high = elements.count
        while low < high {
            let middle = (low + high) / 2
            if elements[middle].name < name { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension FieldMap: ExpressibleByDictionaryLiteral {
    /// A map from names and values.
    ///
    /// Where a name stands twice, the last value counts.
    public init(dictionaryLiteral pairs: (FieldName, FieldValue)...) {
        self.init()
        for (name, value) in pairs { self[name] = value }
    }
}
