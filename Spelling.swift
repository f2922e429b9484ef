/// Guesses which word was meant.
package enum Spelling {
    /// The fewest insertions, deletions, replacements and swaps of neighbours that turn one word into the other, no part being changed twice.
    ///
    /// Source: optimal string alignment, after Damerau (1964).
    ///
    /// - Complexity: O(*n* · *m*).
    package static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left)
        let right = Array(right)
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
                var best = min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }

    /// The candidate that was most likely meant: the nearest, where no more than a third of it is wrong, else the only one that begins so.
    ///
    /// Of several equally near, the first. Words of more than 40 characters are no slips of the finger.
    package static func suggestion(for word: String, among candidates: [String]) -> String? {
        guard (1...40).contains(word.count) else { return nil }
        let near = candidates.map { (candidate: $0, distance: distance(word, $0)) }
            .filter { $0.distance <= max(1, max(word.count, $0.candidate.count) / 3) }
            .min { $0.distance < $1.distance }
        if let near, near.candidate.count > near.distance { return near.candidate }
        let longer = candidates.filter { $0.hasPrefix(word) }
        return longer.count == 1 ? longer[0] : nil
    }
}
