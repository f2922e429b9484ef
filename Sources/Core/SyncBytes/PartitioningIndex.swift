extension RandomAccessCollection where Index == Int {
    /// The index of the first element of the second part, or the end: the elements are in two parts, and all of the first come before those
    /// of the second.
    ///
    /// - Parameter belongsInSecondPartition: Which part an element belongs to.
    /// - Complexity: O(log *n*).
    @inline(__always) package func partitioningIndex(where belongsInSecondPartition: (Element) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if belongsInSecondPartition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
