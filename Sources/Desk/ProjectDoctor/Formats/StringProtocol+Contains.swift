extension StringProtocol {
    /// Whether the bytes of a text occur in this one.
    ///
    /// The standard library compares characters, which takes many times as long, and paths are looked at often.
    ///
    /// - Complexity: O(*n* · *m*) in the lengths of both.
    func contains(_ text: String) -> Bool { utf8.firstRange(ofBytes: text.utf8) != nil }
}

extension Collection<UInt8> {
    /// Where some bytes occur first.
    ///
    /// The standard library's search makes types while it runs where it knows these only then, which takes a hundred times as long.
    ///
    /// - Complexity: O(*n* · *m*) in the lengths of both.
    func firstRange(ofBytes wanted: some Collection<UInt8>) -> Range<Index>? {
        guard let first = wanted.first else { return startIndex..<startIndex }
        var rest = self[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: wanted) { return start..<index(start, offsetBy: wanted.count) }
            rest = rest.dropFirst()
        }
        return nil
    }
}
