package import ConflictAudit

extension ConflictStatistics {
    /// What suspected conflicts are suspected from, counted where it differs: times of receipt tell more than clocks alone.
    package var suspicionSources: String {
        switch (byBasis[.arrival] ?? 0, byBasis[.window] ?? 0) {
        case (0, _): "by clocks alone"
        case (_, 0): "by receipt"
        case (let arrival, let window): "\(HumanNumber.count(arrival)) by receipt, \(HumanNumber.count(window)) by clocks"
        }
    }
}
