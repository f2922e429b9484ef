/// Which names in a directory look like earlier files of a log: `log.jsonl.1`, `log.1.jsonl`, `log.jsonl-20260115`, `log-20260115T140000Z-42.jsonl`,
/// `log.jsonl.old`.
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

    /// Whether an earlier file of the log may have a name.
    func matches(_ other: String) -> Bool {
        if other.hasPrefix(name), Self.isAddition(other.utf8.dropFirst(name.utf8.count)) { return true }
        guard !stem.isEmpty, !suffix.isEmpty, other.hasPrefix(stem), other.hasSuffix(suffix) else { return false }
        return Self.isAddition(other.utf8.dropFirst(stem.utf8.count).dropLast(suffix.utf8.count))
    }

    private static func isAddition(_ text: Substring.UTF8View) -> Bool {
        guard let separator = text.first, ".-_".utf8.contains(separator) else { return false }
        let rest = text.dropFirst()
        if rest.elementsEqual("old".utf8) { return true }
        let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        return rest.contains(where: isDigit) && rest.allSatisfy { isDigit($0) || ".-_:+TZ".utf8.contains($0) }
    }
}
