import SyncBytes
package import SyncModel

/// A file that holds what an earlier run found, so that the next one tells only what is new: a baseline.
///
/// It is one JSON object whose list `findings` has a line for each finding, in order, so that a change to it can be read in a repository.
///
/// - Complexity: O(*n* log *n*) in the findings.
package struct FindingsFile {
    /// The values by which one finding is known, and how many of it there are.
    package struct Entry: Hashable, Sendable {
        /// One for each of the file's keys.
        package let values: [String]
        /// How many there are; nil where they are not counted.
        package let count: Int?

        /// An entry.
        package init(_ values: [String], count: Int? = nil) { (self.values, self.count) = (values, count) }
    }

    /// The most bytes that such a file may have.
    package static let maximumSize: Int64 = 64 << 20

    private static let list: FieldName = "findings"
    private static let count: FieldName = "count"

    private let keys: [String]
    private let entries: [Entry]
    private let others: [(key: String, strings: [String])]

    /// A file.
    ///
    /// - Parameters:
    ///   - keys: The names of each entry's values.
    ///   - others: Lists of strings beside the findings.
    package init(keys: [String], entries: [Entry], others: [(key: String, strings: [String])] = []) {
        (self.keys, self.entries, self.others) = (keys, entries, others)
    }

    /// The file's text.
    package var text: String {
        var text = "{\"findings\":["
        for (index, entry) in entries.ordered(by: { Self.precedes($0.values, $1.values) }).enumerated() {
            let members = zip(keys, entry.values).map { "\(Self.json($0)):\(Self.json($1))" }
            let count = entry.count.map { $0 > 1 ? [",\"count\":\($0)"] : [] } ?? []
            text += (index == 0 ? "\n" : ",\n") + "{" + members.joined(separator: ",") + count.joined() + "}"
        }
        text += "\n]"
        for (key, strings) in others {
            text += ",\n\(Self.json(key)):[\n" + strings.map(Self.json).joined(separator: ",\n") + "\n]"
        }
        return text + "}\n"
    }

    private static func precedes(_ left: [String], _ right: [String]) -> Bool {
        for (one, other) in zip(left, right) where one != other { return one.utf8Precedes(other) }
        return left.count < right.count
    }

    private static func json(_ string: String) -> String { JSONText.string(.string(string)) }

    /// The entries of a file's value; nil where it is no such file, or one of other keys.
    package static func entries(of value: FieldValue, keys: [String]) -> [Entry]? {
        guard case .object(let object) = value, case .array(let elements)? = object[list] else { return nil }
        var entries: [Entry] = []
        for element in elements {
            guard case .object(let finding) = element else { return nil }
            let values = keys.compactMap { finding[FieldName($0)]?.string }
            guard values.count == keys.count else { return nil }
            guard let number = finding[count] else {
                entries.append(Entry(values))
                continue
            }
            guard let count = number.integer, count > 0 else { return nil }
            entries.append(Entry(values, count: Int(clamping: count)))
        }
        return entries
    }

    /// A list of strings beside the findings; nil where it is something else, and empty where it is not there.
    package static func strings(_ key: String, of value: FieldValue) -> [String]? {
        guard case .object(let object) = value else { return nil }
        guard let list = object[FieldName(key)] else { return [] }
        guard case .array(let elements) = list else { return nil }
        let strings = elements.compactMap(\.string)
        return strings.count == elements.count ? strings : nil
    }
}
