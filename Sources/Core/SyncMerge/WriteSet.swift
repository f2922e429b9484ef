/// Some of the writes to a record, by their indices.
struct WriteSet: Sendable {
    /// A bit for each of the first writes, which few records have more of.
    private var first: UInt64 = 0
    private var others: Set<Int> = []

    var isEmpty: Bool { first == 0 && others.isEmpty }

    func contains(_ index: Int) -> Bool { index < first.bitWidth ? first & 1 << index != 0 : others.contains(index) }

    mutating func insert(_ index: Int) {
        if index < first.bitWidth { first |= 1 << index } else { others.insert(index) }
    }
}
