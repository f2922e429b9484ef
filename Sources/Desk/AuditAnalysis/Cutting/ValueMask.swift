import AuditLog
import SyncBytes
import SyncMerge
import SyncModel

/// Other values instead of those of some lines: letters instead of strings, of the same length, and other digits instead of numbers.
///
/// What is equal stays equal, and what differs stays different. Null, true and false stay, and so do the shapes of arrays, objects,
/// counters and sets.
struct ValueMask: Sendable {
    /// Whether the order of values is kept, as policies that go by value need it.
    enum Order: Sendable {
        case kept
        case any
    }

    private let substitutes: [FieldValue: FieldValue]

    /// A mask for some values; nil where there are not as many others in the order asked for.
    ///
    /// - Parameter names: Strings that stay as they are.
    init?(_ values: [FieldMap], keeping names: [String], order: Order) {
        var parts = Parts()
        for map in values { for element in map { parts.insert(element.value) } }
        let kept = Set(names.map(FieldValue.string))
        guard var substitutes = Letters.substitutes(for: parts.strings.subtracting(kept), avoiding: parts.strings.union(kept), order) else {
            return nil
        }
        for name in kept { substitutes[name] = name }
        substitutes.merge(Digits.substitutes(for: parts.numbers)) { string, _ in string }
        self.substitutes = substitutes
    }

    /// Fields by their names with other values.
    func masked(_ fields: FieldMap) -> FieldMap {
        FieldMap(sortedNames: fields.sortedNames, values: fields.map { masked($0.value) })
    }

    private func masked(_ value: FieldValue) -> FieldValue {
        switch value {
        case .null, .bool: return value
        case .string, .number: return substitutes[value] ?? value
        case .array(let elements): return .array(elements.map(masked))
        case .object(let fields):
            switch ValueForm(value) {
            case .named: return .object(masked(fields))
            case .truncated(let cut):
                guard case .string(let start) = masked(.string(cut.start)) else { return value }
                return ["$truncated": .number(JSONNumber(cut.bytes)), "start": .string(start)]
            case .plain:
                var result = FieldMap()
                for element in fields {
                    let name = masked(.string(element.name.rawValue)).string ?? element.name.rawValue
                    result[FieldName(name)] = masked(element.value)
                }
                return .object(result)
            }
        }
    }
}

/// What an object in a value is, by its names.
private enum ValueForm {
    /// A counter, a set, an asset or the mark of a value that was left out, whose names say so.
    case named
    /// The mark of a value that was cut.
    case truncated(TruncatedValue)
    /// An object of the app, whose names are data.
    case plain

    init(_ value: FieldValue) {
        if value.isChange || AssetWrite(value) != nil || ValuePrivacy.isOmitted(value) {
            self = .named
        } else if let cut = TruncatedValue(value) {
            self = .truncated(cut)
        } else {
            self = .plain
        }
    }
}

/// The strings and the numbers in values.
private struct Parts {
    var strings: Set<FieldValue> = []
    var numbers: Set<FieldValue> = []

    mutating func insert(_ value: FieldValue) {
        switch value {
        case .null, .bool: break
        case .string: strings.insert(value)
        case .number: numbers.insert(value)
        case .array(let elements): for element in elements { insert(element) }
        case .object(let fields):
            switch ValueForm(value) {
            case .named: for element in fields { insert(element.value) }
            case .truncated(let cut): insert(.string(cut.start))
            case .plain:
                for element in fields {
                    strings.insert(.string(element.name.rawValue))
                    insert(element.value)
                }
            }
        }
    }
}

/// Letters instead of strings.
private enum Letters {
    /// A string of as many letters for each string, each another, and none of those to avoid.
    static func substitutes(
        for strings: Set<FieldValue>, avoiding taken: Set<FieldValue>, _ order: ValueMask.Order
    ) -> [FieldValue: FieldValue]? {
        // Each sequence goes on from the string before; without order there is one for each length.
        var last: [Int: [UInt32]] = [:]
        var substitutes: [FieldValue: FieldValue] = [:]
        for value in strings.sorted() {
            let length = value.string?.count ?? 0
            if length == 0 {
                substitutes[value] = value
                continue
            }
            let (sequence, alphabet) = order == .kept ? (0, Alphabet.ordered) : (length, .large)
            var letters = last[sequence]
            repeat {
                letters = alphabet.next(length, after: letters)
                guard let letters else { return nil }
                substitutes[value] = .string(alphabet.string(letters))
            } while substitutes[value].map(taken.contains) ?? false
            last[sequence] = letters
        }
        return substitutes
    }
}

/// Letters by number.
private enum Alphabet: UInt32 {
    /// Those of English, in the order of their bytes.
    case ordered = 26
    /// Those and capitals, and behind them as many of Chinese as a value may need.
    case large = 20_052

    /// The first string of a length, or the one that follows on another.
    func next(_ length: Int, after last: [UInt32]?) -> [UInt32]? {
        guard let last else { return Array(repeating: 0, count: length) }
        if length > last.count { return last + Array(repeating: 0, count: length - last.count) }
        var letters = Array(last.prefix(length))
        guard let index = letters.lastIndex(where: { $0 + 1 < rawValue }) else { return nil }
        letters[index] += 1
        for later in letters.indices[(index + 1)...] { letters[later] = 0 }
        return letters
    }

    func string(_ letters: [UInt32]) -> String {
        var result = String.UnicodeScalarView()
        for letter in letters {
            let scalar: UInt32 =
                switch letter {
                case ..<26: 0x61 + letter
                case ..<52: 0x41 + letter - 26
                default: 0x4e00 + letter - 52
                }
            result.append(Unicode.Scalar(scalar) ?? "x")
        }
        return String(result)
    }
}
