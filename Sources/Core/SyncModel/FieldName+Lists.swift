public import SyncBytes

extension [FieldName] {
    /// The index of a name among names in order, or the index at which it would be inserted.
    ///
    /// - Complexity: O(log *n*).
    package func position(of name: FieldName) -> Int {
        let names = span
        var (low, high) = (0, names.count)
        while low < high {
            let middle = low + (high - low) / 2
            if names[middle].bytes.order(to: name.bytes) < 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The index among names in order of a name of another list, nil where this list lacks it.
    ///
    /// - Complexity: as of ``find(_:)``.
    package func find(_ other: [FieldName], at otherIndex: Int) -> Int? {
        let others = other.span
        return find(others[otherIndex])
    }

    /// The index of a name among names in order, nil where they lack it.
    ///
    /// - Complexity: O(*n*) for a few, O(log *n*) for many.
    @inline(__always) func find(_ name: FieldName) -> Int? {
        let names = span
        // A few are sooner looked at one after the other than halved: no branch depends on how two names compare.
        if names.count <= 24 {
            for index in names.indices where names[index] == name { return index }
            return nil
        }
        let index = position(of: name)
        return index < names.count && names[index] == name ? index : nil
    }

    /// Whether both are one list, kept once.
    @inlinable package func isIdentical(to other: [FieldName]) -> Bool { address == other.address && count == other.count }

    /// Whether both lists hold the same names in the same order.
    package func isSame(as other: [FieldName]) -> Bool {
        let (mine, theirs) = (span, other.span)
        guard mine.count == theirs.count else { return false }
        if mine.isIdentical(to: theirs) { return true }
        for index in mine.indices where mine[index] != theirs[index] { return false }
        return true
    }
}
