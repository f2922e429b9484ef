package import SyncModel

extension TaggedWrite {
    /// Whether this write's author had merged another write to the same register: the other *happened before* this one.
    ///
    /// By the version vector where the write carries one, by the device's own numbering, and otherwise inferred from the clocks: the
    /// later of two writes has seen the earlier unless they are of different devices and at most `proximity` milliseconds apart.
    package func hasSeen(_ other: TaggedWrite, proximity: Int64) -> Bool {
        if dot.device == other.dot.device {
            return isNumbered && other.isNumbered ? other.dot.sequence < dot.sequence : other.precedes(self)
        }
        if let seen { return seen.covers(other.dot) }
        return other.precedes(self) && timestamp.milliseconds.distance(after: other.timestamp.milliseconds) > proximity
    }
}

extension Int64 {
    /// How far this moment lies after another, or the longest time there is where the difference does not fit.
    package func distance(after other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (self > other ? .max : .min) : difference
    }
}
