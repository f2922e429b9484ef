extension Int64 {
    /// The sum, or the number nearest to it that there is.
    package func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }

    /// The time from another timestamp to this one, or the longest time there is where the difference does not fit.
    package func distance(after other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (self > other ? .max : .min) : difference
    }
}
