import SyncBytes

/// Finds what was probably meant by a mistyped word.
package enum EditDistance {
    /// The number of characters to insert, remove, replace or swap with their neighbour to turn one text into the other; none is touched
    /// twice.
    ///
    /// Source: optimal string alignment, the restricted form of F. J. Damerau, *A technique for computer detection and correction of
    /// spelling errors*, 1964.
    ///
    /// - Complexity: O(*n*·*m*) in the number of characters.
    package static func between(_ left: String, _ right: String) -> Int {
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
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }

    /// The word that was probably meant: the only one that begins so, or the closest within a third of its length.
    package static func suggestion(for word: String, among words: [String]) -> String? {
        // Longer than any word by far is no slip of the finger, and not worth its square in time.
        guard !word.isEmpty, word.utf8.count <= 40 else { return nil }
        let beginning = words.filter { $0.hasPrefix(word) }
        if word.count >= 2, beginning.count == 1 { return beginning[0] }
        let closest = words.map { (word: $0, distance: between(word, $0)) }.min { $0.distance < $1.distance }
        guard let closest, closest.distance <= max(1, closest.word.count / 3) else { return nil }
        return closest.word
    }

    /// The name that differs least from one that is not there; of equals the first in order.
    static func nearest(to name: String, among names: some Sequence<String>) -> String? {
        // A name that long was never typed, and would take its square in time.
        guard name.utf8.count <= 200 else { return nil }
        let candidates = names.filter { $0.utf8.count <= 200 }.ordered { $0.utf8Precedes($1) }
        return candidates.map { ($0, between(name, $0)) }.min { $0.1 < $1.1 }?.0
    }

    /// The end of a sentence that names the word that was probably meant, or nothing.
    package static func didYouMean(_ word: String, among words: [String], prefix: String = "") -> String {
        suggestion(for: word, among: words).map { "; did you mean \(prefix)\($0)?" } ?? ""
    }
}
