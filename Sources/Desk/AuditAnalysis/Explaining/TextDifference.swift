package import SyncModel

/// What is left of two texts once their common beginning and end are taken off.
///
/// - Complexity: O(*n*) in the characters.
struct TextDifference: Hashable {
    let prefix: String
    let mine: String
    let theirs: String
    let suffix: String

    /// Compares by Unicode scalars, so that two spellings of one character differ, as they do everywhere in this package.
    init(_ mine: String, _ theirs: String) {
        let (left, right) = (Array(mine.unicodeScalars), Array(theirs.unicodeScalars))
        let shared = min(left.count, right.count)
        var start = 0
        while start < shared, left[start] == right[start] { start += 1 }
        var end = 0
        while end < shared - start, left[left.count - 1 - end] == right[right.count - 1 - end] { end += 1 }
        func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String { String(String.UnicodeScalarView(scalars)) }
        prefix = text(left[..<start])
        self.mine = text(left[start..<(left.count - end)])
        self.theirs = text(right[start..<(right.count - end)])
        suffix = text(left[(left.count - end)...])
    }
}

extension FieldValue {
    /// The characters of text in this value that another does not have: of two texts what is left without their common beginning and end,
    /// of lists and objects the strings that do not occur in the other.
    package func charactersMissing(in other: FieldValue?) -> Int {
        if case .string(let mine) = self {
            guard case .string(let theirs)? = other else { return mine.count }
            return TextDifference(mine, theirs).mine.count
        }
        var kept: [ExactKey: Int] = [:]
        other?.forEachText { kept[ExactKey($0), default: 0] += 1 }
        var missing = 0
        forEachText { text in
            if let count = kept[ExactKey(text)], count > 0 { kept[ExactKey(text)] = count - 1 } else { missing += text.count }
        }
        return missing
    }

    private func forEachText(_ body: (String) -> Void) {
        switch self {
        case .string(let text): body(text)
        case .array(let elements): for element in elements { element.forEachText(body) }
        case .object(let fields): for field in fields { field.value.forEachText(body) }
        case .null, .bool, .number: break
        }
    }
}

/// Text that is told apart by its bytes, as everywhere in this package.
private typealias ExactKey = FieldName
