import Foundation

/// The mutants of a run: a seeded sample, spread over the files by how many each of them has.
struct Selection {
    /// Every mutant that there is, by target.
    let found: [(target: Target, mutants: [Mutant])]

    private let options: Options
    private let equivalents: Equivalents

    init(_ options: Options, equivalents: Equivalents) throws {
        (self.options, self.equivalents) = (options, equivalents)
        let package = options.package
        found = try Target.all.map { target in
            let names = try FileManager.default.subpathsOfDirectory(atPath: "\(package)/\(target.folder)").sorted()
            let files = names.map { "\(target.folder)/\($0)" }.filter { file in
                file.hasSuffix(".swift")
            }
            return (
                target,
                try files.flatMap { file in
                    MutantFinder.mutants(of: file, source: try String(contentsOfFile: "\(package)/\(file)", encoding: .utf8))
                }
            )
        }
        let known = Set(found.flatMap(\.mutants).map(\.identity))
        if let stale = equivalents.reasons.keys.first(where: { !known.contains($0) }) {
            throw Failure(
                "equivalent.jsonl names a mutant that there is not: \(stale.file): \(stale.line), \(stale.mutation); write it as the source is now"
            )
        }
    }

    private func isWanted(_ file: String) -> Bool { options.only.isEmpty || options.only.contains { file.contains($0) } }

    /// Chooses a number of mutants, of each target in proportion to its mutants, and of each of its files likewise.
    ///
    /// A file's mutants are drawn by its own sequence, so that a change to one file leaves the choice in the others alone. Those said to change
    /// nothing are left out, or are the only ones.
    func chosen(except dropped: Set<Mutant.Identity>) -> [(target: Target, mutant: Mutant)] {
        let total = found.reduce(0) { $0 + $1.mutants.count }
        guard total > 0 else { return [] }
        if options.isOfEquivalents {
            return found.flatMap { target, mutants in
                mutants.filter { equivalents.reasons[$0.identity] != nil && isWanted($0.file) }.map { (target, $0) }
            }
        }
        let dropped = dropped.union(equivalents.reasons.keys)
        return found.flatMap { target, mutants in
            let byFile = Dictionary(grouping: mutants, by: \.file).sorted { $0.key < $1.key }
            let wanted = byFile.filter { file, _ in isWanted(file) }
            return wanted.flatMap { file, mutants -> [(Target, Mutant)] in
                let share = max(1, Int((Double(options.count * mutants.count) / Double(total)).rounded()))
                var random = SplitMix64(seed: file.utf8.reduce(options.seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 })
                var ranges: Set<Range<Int>> = []
                // One expression has one mutant at most.
                let drawn = mutants.shuffled(using: &random).filter { !dropped.contains($0.identity) && ranges.insert($0.range).inserted }
                return drawn.prefix(share).sorted { $0.range.lowerBound < $1.range.lowerBound }.map { (target, $0) }
            }
        }
    }
}

/// Steele, Lea and Flood's generator (2014).
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
