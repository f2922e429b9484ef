/// Some of the writes to a record, by their indices: a bit for each.
struct WriteSet: Sendable {
    /// Those of the first 64 writes, which few records have more of.
    private var first: UInt64 = 0
    private var others: [UInt64] = []

    var isEmpty: Bool { first == 0 && others.isEmpty }

    func contains(_ index: Int) -> Bool {
        let (word, bit) = (index / 64, UInt64(1) << (index % 64))
        if word == 0 { return first & bit != 0 }
        return word <= others.count && others[word - 1] & bit != 0
    }

    mutating func insert(_ index: Int) {
        let (word, bit) = (index / 64, UInt64(1) << (index % 64))
        if word == 0 { return first |= bit }
        if word > others.count { others += repeatElement(0, count: word - others.count) }
        others[word - 1] |= bit
    }
}
