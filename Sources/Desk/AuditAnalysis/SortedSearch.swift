extension Array {
    /// The index of the first element for which a condition holds that holds for all elements after it as well; the count where there is
    /// none.
    ///
    /// - Complexity: O(log *n*).
    package func firstIndexInOrder(where condition: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
