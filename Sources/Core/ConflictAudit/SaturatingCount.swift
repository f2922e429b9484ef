extension Int {
    /// The largest count that merging gives: a quarter of what fits, so that no sum of a few counts and no further single step can
    /// overflow.
    package static let largestCount = Int.max / 4

    /// The sum of two counts, ``largestCount`` where it would be more: counts read from a file may be anything, and a report never traps.
    ///
    /// For counts of 0 or more the operation is commutative and associative, so that merging in any order gives the same.
    package func addingCount(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? Int.largestCount : Swift.min(sum, Int.largestCount)
    }
}
