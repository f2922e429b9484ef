/// The ordered tables that a store keeps beside the records: what is looked up by name and read in order.
///
/// The raw value is written to disk and never changes its meaning.
///
/// ```swift
/// let rows = try store.read { reader in
///     try reader.rows(in: .seen, startingWith: [], after: nil, limit: 100)
/// }
/// ```
public enum StoreIndex: Int, Hashable, Sendable, CaseIterable {
    /// For each device, the highest number of its writes merged.
    case seen = 1
    /// For each deleted record that every device has seen deleted, what is left of it.
    case traces = 2
    /// The replica's settings, by name: what it keeps of itself and few transactions change.
    case settings = 3
    /// The device's own writes whose timestamps lay ahead of the hub's clock at receipt, as ranges of numbers.
    case ahead = 4
    /// The records that keep writes which can be forgotten once they are settled.
    case unsettled = 5
    /// The conflicts found by processes without a sink, until one with a sink passes them on.
    case unheard = 6
    /// For each own write that carries running totals and that the hub does not have, the totals before it.
    case unsentTotals = 7
    /// The findings about own writes that the hub does not have.
    case unsentFindings = 8
    /// The records that show each value of the fields declared unique.
    case unique = 9
    /// The writes that removed elements from sets and of which the records keep nothing any more.
    case removals = 10
    /// The edits that were lost and that the app can restore or dismiss.
    case lostEdits = 11
    /// The records by the values of the fields that are declared for queries.
    case fields = 12
}

/// A row of a store's index.
///
/// ```swift
/// let row = StoreRow(key: [1], content: [2])
/// try store.write(.process) { writer in try writer.setRow(row, in: .seen) }
/// ```
public struct StoreRow: Hashable, Sendable {
    /// The row's name; rows are in order of its bytes.
    public let key: [UInt8]

    /// The row's content.
    public let content: [UInt8]

    /// A row to be kept.
    public init(key: [UInt8], content: [UInt8]) {
        self.key = key
        self.content = content
    }
}

extension UInt64 {
    /// The number as bytes that are in the order of the numbers.
    var orderedBytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * $0)) } }
}

extension [UInt8] {
    /// The first key behind all that begin with this one; nil where there is none.
    var successor: [UInt8]? {
        guard let index = lastIndex(where: { $0 < 255 }) else { return nil }
        return self[..<index] + [self[index] + 1]
    }
}

extension String {
    /// The string as bytes that are in the order of strings and of which none begins with those of another.
    var orderedBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count + 2)
        for byte in utf8 {
            bytes.append(byte)
            if byte == 0 { bytes.append(255) }
        }
        return bytes + [0, 0]
    }
}

/// Rows in order of their keys, in memory.
struct SortedRows {
    private var rows: [StoreRow] = []

    /// - Complexity: O(log *n*).
    func row(_ key: [UInt8]) -> StoreRow? {
        let index = position(of: key)
        return index < rows.count && rows[index].key == key ? rows[index] : nil
    }

    /// The rows that begin with a prefix, from a key on.
    func rows(startingWith prefix: [UInt8], after key: [UInt8]?, limit: Int) -> [StoreRow] {
        var found: [StoreRow] = []
        var index = position(of: key ?? prefix)
        while index < rows.count, found.count < limit, rows[index].key.starts(with: prefix) {
            if rows[index].key != key { found.append(rows[index]) }
            index += 1
        }
        return found
    }

    /// The rows that begin with a prefix, back from a key.
    func rows(startingWith prefix: [UInt8], before key: [UInt8]?, limit: Int) -> [StoreRow] {
        var found: [StoreRow] = []
        var index = (key ?? prefix.successor).map(position) ?? rows.count
        while index > 0, found.count < limit, rows[index - 1].key.starts(with: prefix) {
            index -= 1
            found.append(rows[index])
        }
        return found
    }

    /// Inserts a row, replaces it, or, where it is nil, removes it.
    ///
    /// - Complexity: O(*n*) in the number of rows behind it.
    mutating func set(_ row: StoreRow?, for key: [UInt8]) {
        let index = position(of: key)
        let isThere = index < rows.count && rows[index].key == key
        switch (row, isThere) {
        case (let row?, true): rows[index] = row
        case (let row?, false): rows.insert(row, at: index)
        case (nil, true): rows.remove(at: index)
        case (nil, false): break
        }
    }

    /// The index of the first row whose key is not before this one.
    private func position(of key: [UInt8]) -> Int {
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].key.lexicographicallyPrecedes(key) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
