import SyncBytes
import SyncModel

/// The names of a log's files: `audit.jsonl` is written, `audit.lock` says by whom, and
/// `audit-20260115T140000123Z-00000000000000000042.jsonl` was rotated at that time with line 42 as its last.
///
/// Names of rotated files sort by time. The line number keeps them from ever being used again, and tells where to go on when the written
/// file is missing or empty.
struct LogFileNames: Sendable {
    /// Without a slash at its end.
    let directory: String
    let name: String

    var current: String { "\(directory)/\(name).jsonl" }
    var lock: String { "\(directory)/\(name).lock" }
    /// See ``TornLineRecord``; there only while a torn line is being repaired.
    var tornLine: String { "\(directory)/\(name).torn" }

    /// A rotated file.
    struct Rotated: Hashable, Comparable {
        let milliseconds: Int64
        let lastSequence: UInt64

        static func < (left: Rotated, right: Rotated) -> Bool {
            (left.milliseconds, left.lastSequence) < (right.milliseconds, right.lastSequence)
        }
    }

    func path(_ file: String) -> String { "\(directory)/\(file)" }

    func file(_ rotated: Rotated) -> String {
        let digits = String(rotated.lastSequence)
        let time = RFC3339.string(milliseconds: rotated.milliseconds).filter { $0 != "-" && $0 != ":" && $0 != "." }
        return "\(name)-\(time)-\(String(repeating: "0", count: 20 - digits.count))\(digits).jsonl"
    }

    /// The rotated file of this log that goes by a name; nil for every name that ``file(_:)`` does not give.
    func rotated(_ file: String) -> Rotated? {
        let parts = file.utf8.dropFirst(name.utf8.count + 1)
        guard parts.count == 19 + 1 + 20 + 6, let stamp = String(parts.prefix(19)), let digits = String(parts.dropFirst(20).prefix(20)),
            let sequence = UInt64(digits)
        else { return nil }
        let text = Array(stamp)
        guard text.count == 19 else { return nil }
        let date = "\(String(text[0..<4]))-\(String(text[4..<6]))-\(String(text[6..<8]))"
        let time = "\(String(text[9..<11])):\(String(text[11..<13])):\(String(text[13..<15])).\(String(text[15..<18]))"
        guard let milliseconds = RFC3339.milliseconds("\(date)T\(time)Z") else { return nil }
        let rotated = Rotated(milliseconds: milliseconds, lastSequence: sequence)
        return self.file(rotated) == file ? rotated : nil
    }
}
