import SyncBytes
import SyncModel

/// The lists of names that records have grown to, so that records with the same fields share one.
///
/// A matter of memory and speed alone, and bounded: where there are too many, a record has a list of its own. A value type; its owner
/// guards it.
package struct NameLists: Sendable {
    /// What a list becomes with a name more.
    private struct Growth {
        // Kept, so that no other list gets its address.
        let before: [FieldName]
        let name: FieldName
        let after: [FieldName]
        let index: Int
    }

    private var growths: [Growth] = []
    private var index = HashIndex()
    /// Whether lists are shared at all.
    private let isUsed: Bool
    private var lists: Set<[FieldName]> = []
    private let hashKey = HashKey()

    private static let maximumCount = 4096

    /// Longer lists are hardly those of several records.
    private static let maximumLength = 64

    /// Lists for many records to share.
    package init() { self.init(isUsed: true) }

    private init(isUsed: Bool) { self.isUsed = isUsed }

    /// Nothing is shared.
    static let none = NameLists(isUsed: false)

    /// Inserts a name into a list in order that does not hold it.
    ///
    /// - Returns: The index of the name.
    mutating func insert(_ name: FieldName, into names: inout [FieldName]) -> Int {
        guard isUsed, names.count < Self.maximumLength else { return names.insertInOrder(name) }
        let hash = name.quickHash(hashKey, after: UInt64(names.address))
        if let known = index.find(hash, where: { growths.span[$0].name == name && growths.span[$0].before.isIdentical(to: names) }) {
            names = growths.span[known].after
            return growths.span[known].index
        }
        guard growths.count < Self.maximumCount else { return names.insertInOrder(name) }
        let before = names
        names.reserveCapacity(before.count + 1)
        let position = names.insertInOrder(name)
        names = lists.insert(names).memberAfterInsert
        growths.append(Growth(before: before, name: name, after: names, index: position))
        index.insert(growths.count - 1, hash: hash)
        return position
    }
}

extension [FieldName] {
    fileprivate mutating func insertInOrder(_ name: FieldName) -> Int {
        let index = position(of: name)
        insert(name, at: index)
        return index
    }
}
