package import ConflictAudit

extension ConflictStatistics {
    /// What suspected conflicts are suspected from, counted where it differs: times of receipt and what rows repeat tell more than clocks
    /// alone.
    package var suspicionSources: String {
        let counts = [
            (byBasis[.arrival] ?? 0, "by receipt"), (byBasis[.content] ?? 0, "by what rows repeat"), (byBasis[.window] ?? 0, "by clocks"),
        ].filter { $0.0 > 0 }
        guard counts.count > 1 else { return counts.first.map { $0.1 == "by clocks" ? "by clocks alone" : $0.1 } ?? "by clocks alone" }
        return counts.map { "\(HumanNumber.count($0.0)) \($0.1)" }.joined(separator: ", ")
    }
}
