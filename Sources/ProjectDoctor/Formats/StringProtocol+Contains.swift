extension StringProtocol {
    /// Whether the bytes of a text occur in this one.
    ///
    /// The standard library compares characters, which takes many times as long, and paths are looked at often.
    ///
    /// - Complexity: O(*n* · *m*) in the lengths of both.
    func contains(_ text: String) -> Bool {
        guard let first = text.utf8.first else { return true }
        var rest = utf8[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: text.utf8) { return true }
            rest.removeFirst()
        }
        return false
    }
}
