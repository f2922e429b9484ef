import AuditAnalysis
import SyncBytes

/// A set of numbers that mostly follow each other.
///
/// - Complexity: O(log *r*) for a number in order and O(*r*) for one that is not, with *r* runs; memory grows with the runs.
struct NumberSet: Hashable, Sendable {
    private(set) var runs: [ClosedRange<UInt64>] = []

    /// How many numbers there are.
    var count: UInt64 { runs.reduce(0) { $0 + UInt64($1.count) } }

    /// Adds a number; false where it was there.
    mutating func insert(_ number: UInt64) -> Bool {
        if let last = runs.last, number > last.upperBound {
            if number - 1 == last.upperBound {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
            return true
        }
        let index = position(of: number)
        if index < runs.count, runs[index].contains(number) { return false }
        // Between the run before and the run after, either of which it may join.
        let joinsBefore = index > 0 && runs[index - 1].upperBound == number - 1
        let joinsAfter = index < runs.count && runs[index].lowerBound == number + 1
        switch (joinsBefore, joinsAfter) {
        case (true, true):
            runs[index - 1] = runs[index - 1].lowerBound...runs[index].upperBound
            runs.remove(at: index)
        case (true, false): runs[index - 1] = runs[index - 1].lowerBound...number
        case (false, true): runs[index] = number...runs[index].upperBound
        case (false, false): runs.insert(number...number, at: index)
        }
        return true
    }

    func contains(_ number: UInt64) -> Bool {
        let index = position(of: number)
        return index < runs.count && runs[index].contains(number)
    }

    var minimum: UInt64? { runs.first?.lowerBound }
    var maximum: UInt64? { runs.last?.upperBound }

    /// The runs of numbers missing between the first and the last.
    var gaps: [ClosedRange<UInt64>] { zip(runs, runs.dropFirst()).map { ($0.upperBound + 1)...($1.lowerBound - 1) } }

    /// The index of the first run that does not end before a number.
    private func position(of number: UInt64) -> Int {
        runs.partitioningIndex { $0.upperBound >= number }
    }
}
