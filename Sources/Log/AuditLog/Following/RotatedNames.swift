/// Which names in a directory look like earlier files of a log: `log.jsonl.1`, `log.1.jsonl`, `log.jsonl-20260115`,
/// `log-20260115T140000Z-42.jsonl`, `log.jsonl.old`.
///
/// Deliberately narrow: what a person derives from a log and puts beside it must never be taken for a part of it.
struct RotatedNames: Hashable {
    /// The directory, fit to have a name put behind it.
    let directory: String
    private let name: String
    private let stem: Substring
    private let suffix: Substring

    /// For the log at a path.
    init(path: String) {
        let slash = path.lastIndex(of: "/")
        directory = slash.map { String(path[...$0]) } ?? ""
        name = String(slash.map { path[path.index(after: $0)...] } ?? path[...])
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        stem = name[..<dot]
        suffix = name[dot...]
    }

    /// What the names of all its earlier files begin with.
    var beginning: Substring { stem.isEmpty || suffix.isEmpty ? name[...] : stem }

    /// Whether an earlier file of the log may have a name.
    func matches(_ other: String) -> Bool {
        if other.hasPrefix(name), Self.digits(inAddition: other.utf8.dropFirst(name.utf8.count)) != nil { return true }
        guard !stem.isEmpty, !suffix.isEmpty, other.hasPrefix(stem), other.hasSuffix(suffix) else { return false }
        let addition = other.utf8.dropFirst(stem.utf8.count).dropLast(suffix.utf8.count)
        // `device-2.jsonl` may well be the log of another device.
        return Self.digits(inAddition: addition).map { $0 >= 6 || addition.first == UInt8(ascii: ".") } ?? false
    }

    /// The number of digits in what a rotation may have added to a name; nil where it is something else.
    private static func digits(inAddition text: Substring.UTF8View) -> Int? {
        guard let separator = text.first, ".-_".utf8.contains(separator) else { return nil }
        let rest = text.dropFirst()
        if rest.elementsEqual("old".utf8) { return 0 }
        let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        let count = rest.count(where: isDigit)
        return count > 0 && rest.allSatisfy { isDigit($0) || ".-_:+TZ".utf8.contains($0) } ? count : nil
    }
}
