import ConflictAudit
import SyncModel

/// Where the cells of a table of plain columns go, and what their texts mean: worked out once for each different text.
struct PlainCells {
    /// What is remembered of texts, by their numbers.
    struct Memo {
        private var numbers: [Int32] = []

        /// A number that is not negative; nil where nothing is remembered.
        subscript(text: Int) -> Int? {
            get { text < numbers.count && numbers[text] > 0 ? Int(numbers[text]) - 1 : nil }
            set {
                if numbers.count <= text { numbers += repeatElement(0, count: text + 1 - numbers.count) }
                numbers[text] = newValue.map { Int32(clamping: $0 + 1) } ?? 0
            }
        }
    }

    /// What is remembered of one type of records: the numbers of the fields, how many there are at least, and the records by their names.
    struct OfType {
        var fields: [Int] = []
        var width = 0
        var records = Memo()
    }

    /// Where what a row tells by a key comes from, by the key's slot: of several the first that has a value in a row.
    ///
    /// A cell by its index, and what is so in all rows by that among ``constants`` with all bits turned round.
    let sources: [[Int]]
    let constants: [String]
    /// The numbers of the constants' texts, once they are looked up, and the type of records that a row names none of.
    var constantTexts: [Int?]
    var untyped: Int?
    /// The cells that nobody reads.
    let unread: [Int]
    var types: [OfType] = []
    /// The numbers of types, authors and names of versions, what operations' words are among all operations, and whether a flag is set.
    var typeNames = Memo()
    var authors = Memo()
    var versions = Memo()
    var operations = Memo()
    var flags = Memo()

    /// Nil where a row has to be opened to be read.
    init?(_ table: JudgedTable, _ sources: [[TableValue]], fields: [(name: FieldName, cell: Int)]) {
        guard table.shape.arePlain else { return nil }
        var used = Set(fields.map(\.cell))
        if let end = table.columns.end { used.insert(end.cell) }
        var (plain, constants): ([[Int]], [String]) = ([], [])
        for values in sources {
            plain.append([])
            for value in values {
                switch value {
                case .cell(let cell):
                    plain[plain.count - 1].append(cell)
                    used.insert(cell)
                case .constant(let text) where !text.isEmpty:
                    plain[plain.count - 1].append(~constants.count)
                    constants.append(text)
                default: return nil
                }
            }
        }
        (self.sources, self.constants) = (plain, constants)
        constantTexts = constants.map { _ in nil }
        unread = (0..<table.shape.columnCount).filter { !used.contains($0) }
    }
}
