import SyncModel

/// The lists of names that records have grown to, so that records with the same fields share one.
///
/// A matter of memory and speed alone, and bounded: where there are too many, a record has a list of its own. A value type; its owner guards it.
package struct NameLists: Sendable {
    /// What a list becomes with a name more.
    private struct Growth {
        // Kept, so that no other list comes to lie where it lies.
        let before: [FieldName]
        let name: FieldName
        let after: [FieldName]
        let index: Int

        func isOf(_ list: [FieldName], _ other: FieldName) -> Bool {
            before.isShared(with: list) && name.rawValue.hasSameBytes(as: other.rawValue)
        }
    }

    private var growths: [Growth] = []
    /// For each place the index of a growth plus 1, 0 where there is none; a growth stands at the first place that was free from its hash on.
    private var places: [UInt16]
    private var lists: Set<[FieldName]> = []
    private let hashKey = HashKey()

    private static let maximumCount = 4096

    /// Longer lists are hardly those of several records.
    private static let maximumLength = 64

    /// Lists for many records to share.
    package init() {
        places = Array(repeating: 0, count: 2 * Self.maximumCount)
    }

    private init(places: [UInt16]) {
        self.places = places
    }

    /// Nothing is shared.
    static let none = NameLists(places: [])

    /// Inserts a name into a list in order that does not hold it.
    ///
    /// - Returns: Where it stands.
    mutating func insert(_ name: FieldName, into names: inout [FieldName]) -> Int {
        guard !places.isEmpty, names.count < Self.maximumLength else { return names.insertInOrder(name) }
        var place = Int(truncatingIfNeeded: name.quickHash(hashKey, after: UInt64(names.address))) & (places.count - 1)
        while places[place] != 0 {
            let growth = Int(places[place]) - 1
            if growths.span[growth].isOf(names, name) {
                names = growths.span[growth].after
                return growths.span[growth].index
            }
            place = (place + 1) & (places.count - 1)
        }
        guard growths.count < Self.maximumCount else { return names.insertInOrder(name) }
        let before = names
        names.reserveCapacity(before.count + 1)
        let index = names.insertInOrder(name)
        names = lists.insert(names).memberAfterInsert
        growths.append(Growth(before: before, name: name, after: names, index: index))
        places[place] = UInt16(growths.count)
        return index
    }
}

extension [FieldName] {
    fileprivate mutating func insertInOrder(_ name: FieldName) -> Int {
        let index = position(of: name)
        insert(name, at: index)
        return index
    }
}
