/// A value as a write holds it: where a trace brought it, the JSON in which it was written, parsed only when somebody asks what it says.
package struct WrittenValue: Sendable {
    package enum Content: Sendable {
        case value(FieldValue)
        case text(ValueTexts, index: Int)
    }

    package let content: Content

    /// A value that is known.
    package init(_ value: FieldValue) {
        content = .value(value)
    }

    init(_ texts: ValueTexts, at index: Int) {
        content = .text(texts, index: index)
    }

    /// Whether it is an object; that needs no parsing.
    package var isObject: Bool {
        switch content {
        case .value(let value): value.object != nil
        case .text(let texts, let index): texts.withText(at: index) { $0.count > 0 && $0[0] == UInt8(ascii: "{") }
        }
    }

    /// What it says.
    package var value: FieldValue {
        switch content {
        case .value(let value): value
        case .text(let texts, let index): texts.value(at: index)
        }
    }
}

extension WrittenValue: Hashable {
    /// Whether both say the same.
    package static func == (left: WrittenValue, right: WrittenValue) -> Bool {
        if case .text(let mine, let index) = left.content, case .text(let theirs, let other) = right.content,
            let areEqual = mine.holdsSame(at: index, as: theirs, at: other)
        {
            return areEqual
        }
        return left.value == right.value
    }

    /// Feeds what it says into a hasher.
    package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
