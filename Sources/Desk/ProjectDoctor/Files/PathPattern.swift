/// A pattern of paths in which `*` is any characters of one part and `**` any number of parts.
struct PathPattern {
    private let parts: [Substring]

    /// Nil where the pattern has forms that are not understood: `?`, brackets and braces.
    init?(_ text: String) {
        guard !text.utf8.contains(where: { "?[]{}\\".utf8.contains($0) }), text.utf8.count <= 1024 else { return nil }
        parts = text.split(separator: "/").filter { $0 != "." }
    }

    /// Whether a path, or a folder that it is in, is what the pattern allows.
    ///
    /// - Complexity: O(*n* · *m*) in the parts.
    func matches(_ path: String) -> Bool {
        guard !parts.isEmpty else { return false }
        let names = path.split(separator: "/")
        // Which beginnings of the pattern allow the part of the path so far.
        var reached = [Bool](repeating: false, count: parts.count + 1)
        reached[0] = true
        skipStars(&reached)
        for name in names {
            var next = [Bool](repeating: false, count: parts.count + 1)
            for (index, part) in parts.enumerated() where reached[index] {
                if part == "**" {
                    next[index] = true
                } else if ProjectDoctor.matches(name, pattern: part) {
                    next[index + 1] = true
                }
            }
            skipStars(&next)
            reached = next
            if reached[parts.count] { return true }
        }
        return false
    }

    private func skipStars(_ reached: inout [Bool]) {
        for (index, part) in parts.enumerated() where reached[index] && part == "**" { reached[index + 1] = true }
    }
}
