import AuditLog
import SyncModel
import SyncSystem

/// A table of JSON, which another thread reads ahead.
final class JSONTable: TableSource {
    private(set) var columns: [String] = []
    private(set) var countsRows = false
    private let blocks: BlocksAhead<JSONRows.Block>
    private var block = JSONRows.Block()
    /// How many rows of the block have been taken.
    private var position = 0

    /// The rows of an input.
    init(_ input: InputChunks) {
        let rows = Locked(JSONRows(input))
        blocks = BlocksAhead { rows.withLock { $0.nextBlock() } }
    }

    func next() throws(RowProblem) -> TableRow? {
        while position == block.rows.count {
            guard let next = blocks.next() else { return nil }
            (block, position, countsRows) = (next, 0, next.countsRows)
        }
        let (row, count) = block.rows[position]
        position += 1
        if count != columns.count { columns = Array(block.columns.prefix(count)) }
        return try row.get()
    }
}

/// The rows of JSON: objects with a key for each column, brought out of the envelopes that change feeds put around them.
struct JSONRows: Sendable {
    /// Rows that follow on one another.
    struct Block: Sendable {
        /// Each row, or what is wrong with it, and how many columns had come by then.
        var rows: [(row: Result<TableRow, RowProblem>, columns: Int)] = []
        /// The columns that had come by the last of them.
        var columns: [String] = []
        var countsRows = false
    }

    private var columns: [String] = []
    private var indices: [FieldName: Int] = [:]
    private var texts: JSONTexts
    /// Rows of a value that held several.
    private var waiting: [FieldMap] = []
    private var line = 0
    private var row = 0
    private var hasFailed = false

    /// The most columns that a table may have.
    private static let maximumColumns = 2000

    /// How many rows a block has at most, and how many bytes beside the last row.
    private static let blockRows = 256
    private static let blockBytes = 256 << 10

    /// The rows of an input.
    init(_ input: InputChunks) { texts = JSONTexts(input) }

    /// The next rows; nil at the end.
    mutating func nextBlock() -> Block? {
        var block = Block()
        let start = texts.bytesRead
        while block.rows.count < Self.blockRows, texts.bytesRead - start < Self.blockBytes, !hasFailed {
            do throws(RowProblem) {
                guard let row = try next() else { break }
                block.rows.append((.success(row), columns.count))
            } catch {
                hasFailed = error.isFatal
                block.rows.append((.failure(error), columns.count))
            }
        }
        (block.columns, block.countsRows) = (columns, texts.isArray)
        return block.rows.isEmpty ? nil : block
    }

    private mutating func next() throws(RowProblem) -> TableRow? {
        while waiting.isEmpty {
            row += 1
            guard let next = try texts.next() else { return nil }
            line = texts.isArray ? row : next.line
            switch next.value {
            case .object(let object): waiting = JSONEnvelopes.rows(of: object).reversed()
            case .array(let elements):
                // Rows in arrays on lines of their own.
                let objects = elements.compactMap(\.object)
                guard objects.count == elements.count else {
                    throw RowProblem(line: line, sentence: "the row is an array; each must be an object with a key for each column")
                }
                waiting = objects.flatMap(JSONEnvelopes.rows).reversed()
            default: throw RowProblem(line: line, sentence: "the row is no JSON object; each must be one, with a key for each column")
            }
        }
        let object = waiting.removeLast()
        var values = [FieldValue?](repeating: nil, count: columns.count)
        for field in object {
            if let index = indices[field.name] {
                values[index] = field.value
            } else {
                guard columns.count < Self.maximumColumns else {
                    throw RowProblem(
                        line: line, sentence: "the rows have more than \(Self.maximumColumns) different keys: these are no columns",
                        isFatal: true)
                }
                indices[field.name] = columns.count
                columns.append(field.name.rawValue)
                values.append(field.value)
            }
        }
        return TableRow(line: line, values: values)
    }
}

/// What change feeds put around rows and columns, by the names of keys.
enum JSONEnvelopes {
    /// Keys with a list of rows; what else the object has belongs to each of them.
    private static let lists: [FieldName] = ["change", "Records"]
    /// Keys with a list of rows where nothing is beside it but how many they are.
    private static let pages: (lists: [FieldName], beside: Set<FieldName>) = (
        ["rows", "records", "results", "value", "data", "documents", "items", "Items"],
        ["count", "total", "next", "previous", "has_more", "Count", "ScannedCount"]
    )
    /// Keys with the row itself, where the other keys say nothing of it.
    private static let wrappers: [(key: FieldName, beside: Set<FieldName>)] = [("payload", ["schema", "payload"])]
    /// Keys with names and values side by side, and the key for the object that they make.
    private static let pairs: [(parent: FieldName?, names: FieldName, values: FieldName, into: FieldName)] = [
        (nil, "columnnames", "columnvalues", "after"), ("oldkeys", "keynames", "keyvalues", "before"),
    ]
    /// Keys with a list of names and values, and the key for the object that they make.
    private static let named: [(list: FieldName, into: FieldName)] = [("columns", "after"), ("identity", "before")]

    /// The rows that an object holds: itself, unless it is an envelope.
    static func rows(of object: FieldMap) -> [FieldMap] {
        for wrapper in wrappers {
            if let inner = object[wrapper.key]?.object, object.names.allSatisfy(wrapper.beside.contains) { return rows(of: inner) }
        }
        for list in lists + (object.count <= 4 ? pages.lists : []) {
            guard let elements = object[list]?.array, !elements.isEmpty || lists.contains(list) else { continue }
            let rows = elements.compactMap(\.object)
            // What is beside a list of rows is about all of them: a few plain values.
            guard rows.count == elements.count, object.allSatisfy({ $0.name == list || $0.value.isPlain }), object.count <= 8,
                lists.contains(list) || object.names.allSatisfy({ $0 == list || pages.beside.contains($0) })
            else { continue }
            var rest = object
            rest[list] = nil
            return rows.map { opened($0).filled(from: rest) }
        }
        return [opened(object)]
    }

    private static func opened(_ row: FieldMap) -> FieldMap {
        var result = row
        for pair in pairs {
            let parent = pair.parent.map { row[$0]?.object } ?? row
            guard let names = parent?[pair.names]?.array, let values = parent?[pair.values]?.array, names.count == values.count else {
                continue
            }
            result[pair.parent ?? pair.names] = nil
            result[pair.values] = nil
            result["columntypes"] = nil
            result[pair.into] = object(zip(names, values).map { ($0, $1) })
        }
        for list in named {
            guard let elements = row[list.list]?.array, !elements.isEmpty else { continue }
            let columns = elements.compactMap(\.object)
            guard columns.count == elements.count, columns.allSatisfy({ $0["name"]?.string != nil && $0["value"] != nil }) else { continue }
            result[list.list] = nil
            result[list.into] = object(columns.map { ($0["name"] ?? .null, $0["value"] ?? .null) })
        }
        return result
    }

    private static func object(_ pairs: [(FieldValue, FieldValue)]) -> FieldValue {
        var map: [FieldName: FieldValue] = [:]
        for (name, value) in pairs { if let name = name.string { map[FieldName(name)] = value } }
        let elements = map.map { FieldMap.Element(name: $0.key, value: $0.value) }
        return .object((try? FieldMap(unordered: elements)) ?? FieldMap())
    }
}

extension FieldValue {
    /// Whether it is neither a list nor an object.
    var isPlain: Bool {
        switch self {
        case .array, .object: false
        default: true
        }
    }
}
