import SyncBytes
import SyncSystem

/// Tells by its first lines whether an input is Apple's log, and in which form.
///
/// A log of the audit's own begins with a brace and is known by its first line, so that nothing of it is held back.
package struct AppleLogDetector {
    /// What is known of an input.
    enum Verdict: Hashable {
        /// It is no log of Apple's, or one that need not be converted.
        case other
        /// It is Apple's log.
        case log(AppleLogConverter.Form)
        /// More of it has to be seen.
        case open
    }

    /// How much of an input is looked at, in bytes: apps print before Core Data does.
    static let longestHead = 64 << 10

    /// Where the first line begins that has not been judged.
    private var start = 0

    /// Judges the beginning of an input.
    ///
    /// - Parameters:
    ///   - head: The first bytes, those included that were judged before.
    ///   - isWhole: Whether there are no more.
    mutating func judge(_ head: [UInt8], isWhole: Bool) -> Verdict {
        let isWhole = isWhole || head.count >= Self.longestHead
        if start == 0, head.span.hasByteOrderMark { start = 3 }
        while start < head.count {
            let end = head[start...].firstIndex(of: 0x0a)
            let line = head[start..<(end ?? head.count)].drop { $0 <= 0x20 }
            switch line.first {
            case UInt8(ascii: "{"):
                // Records of JSON have keys before the message; what is no such record is not held back for them.
                guard Self.mayBeRecord(line) else { return .other }
                if line.contains("\"eventMessage\"") { return .log(.json) }
                if end != nil || isWhole { return .other }
                return .open
            case UInt8(ascii: "["):
                let inner = head[(line.startIndex + 1)...].drop { $0 <= 0x20 }
                if inner.first == UInt8(ascii: "{"), inner.contains("\"eventMessage\"") { return .log(.array) }
                if inner.first.map({ $0 == UInt8(ascii: "{") }) ?? true { return isWhole ? .other : .open }
            default: break
            }
            guard let end = end ?? (isWhole ? head.count : nil) else { return .open }
            if Self.isOfLog(head[start..<end]) { return .log(.text) }
            start = end + 1
        }
        return isWhole ? .other : .open
    }

    /// Whether an input begins as Apple's log does.
    package static func recognizes(_ head: Span<UInt8>) -> Bool {
        var detector = AppleLogDetector()
        return detector.judge(head.indices.map { head[$0] }, isWhole: true) != .other
    }

    /// What the file at a path is; ``Verdict/other`` also where it cannot be read, or only from front to back.
    static func verdict(ofFileAt path: String) -> Verdict {
        guard let file = try? ReadableFile(path: path), file.isRegular, let head = try? file.read(at: 0, count: longestHead) else {
            return .other
        }
        var detector = AppleLogDetector()
        return detector.judge(head, isWhole: true)
    }

    /// Whether an object may be a record of Apple's log by its first key, where that has come.
    private static func mayBeRecord(_ line: ArraySlice<UInt8>) -> Bool {
        guard let (_, after) = line.split(at: UInt8(ascii: "\"")), let (key, _) = after.split(at: UInt8(ascii: "\"")) else {
            return line.count < 64
        }
        return !["v", "ts", "event", "seq", "source", "summary", "MESSAGE", "log"].contains { key.elementsEqual($0.utf8) }
    }

    private static func isOfLog(_ line: ArraySlice<UInt8>) -> Bool {
        if line.dropping("Timestamp ") != nil {
            return line.contains("Thread ") || line.contains("(process)[PID]") || line.contains("Ty Process")
        }
        if line.prefix(64).contains("CoreData+CloudKit: -[") || line.dropping("CoreData: ") != nil { return true }
        return AppleLogLine.metadata(line) != nil || AppleLogLine(line) != nil
    }
}
