/// The first line of a record of Apple's log as a tool prints it for people.
///
/// Without a style `log show` prints columns; `syslog` and `compact` are two other of its styles. Xcode's older console, `idevicesyslog`,
/// `pymobiledevice3` and what is copied out of the Console app begin each record with a time and the process too. Sources: the manual page
/// `log(1)`, and logs that developers have published.
struct AppleLogLine {
    /// The timestamp as `log show --style ndjson` writes it, `2026-01-15 14:00:00.069609+0100`; nil where the line tells no year or no
    /// offset from UTC.
    private(set) var timestamp: String?
    /// The time as it is in the line.
    private(set) var time: String
    /// The subsystem; nil where the line tells none.
    private(set) var subsystem: String?
    /// The category; nil where the line tells none.
    private(set) var category: String?
    /// The message, as far as the line has it.
    private(set) var message: ArraySlice<UInt8>

    /// How many bytes may come before a message: paths of processes and names of senders are shorter.
    private static let longestHead = 512

    /// Parses a line; nil where it begins no record.
    ///
    /// - Complexity: O(1): no more is looked at than may come before a message.
    init?(_ line: ArraySlice<UInt8>) {
        if let (level, _) = line.prefix(9).split(at: 0x09) {
            guard let record = Self.copied(level, line[(level.endIndex + 1)...]) else { return nil }
            self = record
            return
        }
        guard let (timestamp, time, rest) = Self.date(line) else { return nil }
        let head = rest.droppingSpaces
        guard let message = head.dropping("0x") == nil ? Self.afterProcess(head) : Self.afterColumns(head) else { return nil }
        self.init(timestamp: timestamp, time: time, message: message)
    }

    private init(timestamp: String?, time: ArraySlice<UInt8>, message: ArraySlice<UInt8>) {
        self.timestamp = timestamp
        self.time = time.string
        var message = message.droppingSpaces
        if let level = Self.bracketed(message, "<", ">"), level.rest.first == UInt8(ascii: ":") {
            message = level.rest.dropFirst().droppingSpaces
        }
        if let sender = Self.bracketed(message, "(", ")"), sender.rest.first == 0x20 { message = sender.rest.droppingSpaces }
        while let (name, rest) = Self.bracketed(message, "[", "]"), rest.first.map({ $0 == 0x20 || $0 == UInt8(ascii: "[") }) ?? true {
            if let (before, after) = name.split(at: UInt8(ascii: ":")) {
                (subsystem, category) = (before.string, after.string)
            } else if name.contains(UInt8(ascii: ".")) {
                subsystem = name.string
            } else {
                category = name.string
            }
            message = rest.droppingSpaces
        }
        self.message = message
    }

    // MARK: Before the message

    /// What follows the columns that `log show` prints without a style: thread, type, activity, process, time to live, name.
    private static func afterColumns(_ head: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = head.prefix(longestHead)
        for isNumber in [false, false, false, true, true] {
            let column = rest.prefix { $0 != 0x20 }
            guard !column.isEmpty, !isNumber || column.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            rest = rest[column.endIndex...].droppingSpaces
        }
        return rest.end(of: ": ").map { head[$0...] }
    }

    /// What follows a process and its number, `Notes[812]:`, `Notes[812:1c2b]`, `Notes(CoreData)[812] <Notice>:`.
    private static func afterProcess(_ head: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let near = head.prefix(longestHead)
        guard let open = near.firstIndex(of: UInt8(ascii: "[")), let close = near[open...].firstIndex(of: UInt8(ascii: "]")),
            open > near.startIndex,
            near[(open + 1)..<close].first.map({ (0x30...0x39).contains($0) }) ?? false,
            near[(open + 1)..<close].allSatisfy({
                (0x30...0x39).contains($0) || $0 == UInt8(ascii: ":") || (0x61...0x66).contains($0 | 0x20)
            })
        else { return nil }
        let rest = head[(close + 1)...]
        if rest.first == UInt8(ascii: ":") { return rest.dropFirst() }
        return rest.first == 0x20 ? rest : nil
    }

    /// A record as the Console app copies it: type, time, process and message with tabs between them.
    private static func copied(_ level: ArraySlice<UInt8>, _ rest: ArraySlice<UInt8>) -> AppleLogLine? {
        guard ["default", "error", "fault", "info", "debug"].contains(where: { level.elementsEqual($0.utf8) }),
            let (time, after) = rest.prefix(longestHead).split(at: 0x09), clock(time) != nil,
            let (_, message) = after.split(at: 0x09)
        else { return nil }
        return AppleLogLine(timestamp: nil, time: time, message: rest[message.startIndex...])
    }

    private static func bracketed(
        _ text: ArraySlice<UInt8>, _ open: Unicode.Scalar, _ close: Unicode.Scalar
    ) -> (content: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
        let near = text.prefix(longestHead)
        guard near.first == UInt8(ascii: open), let end = near.firstIndex(of: UInt8(ascii: close)) else { return nil }
        return (near[(near.startIndex + 1)..<end], text[(end + 1)...])
    }

    // MARK: Times

    /// The time that a line begins with, as a timestamp where it is a whole one, as it is, and what follows it.
    private static func date(_ line: ArraySlice<UInt8>) -> (timestamp: String?, time: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
        let near = line.prefix(longestHead)
        guard let day = matching(near, "0000-00-00") ?? matching(near, "Aaa 00") ?? matching(near, "Aaa  0"),
            let first = day.first, first == 0x20 || first == UInt8(ascii: "T"), let rest = clock(day.dropFirst())
        else { return nil }
        let time = near[..<rest.startIndex]
        guard near.first.map({ (0x30...0x39).contains($0) }) ?? false else { return (nil, time, line[rest.startIndex...]) }
        if let offset = rest.dropping("Z") { return (whole(time, "+0000"), near[..<offset.startIndex], line[offset.startIndex...]) }
        for (form, isPlain): (StaticString, Bool) in [("+00:00", false), ("+0000", true)] {
            guard let sign = rest.first, "+-".utf8.contains(sign), let end = matching(rest.dropFirst(), form, from: 1) else { continue }
            let digits = rest[..<end.startIndex].string
            return (whole(time, isPlain ? digits : digits.replacing(":", with: "")), near[..<end.startIndex], line[end.startIndex...])
        }
        return (nil, time, line[rest.startIndex...])
    }

    /// The timestamp that a date and a time are with an offset from UTC.
    private static func whole(_ time: ArraySlice<UInt8>, _ offset: String) -> String { time.string.replacing("T", with: " ") + offset }

    /// What follows a time of day with or without a fraction.
    private static func clock(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let rest = matching(text, "00:00:00") else { return nil }
        guard let fraction = rest.dropping(".") else { return rest }
        let digits = fraction.prefix { (0x30...0x39).contains($0) }.prefix(9)
        return digits.isEmpty ? rest : fraction[digits.endIndex...]
    }

    /// What follows a form, in which 0 is any digit and A and a are any letters; nil where the bytes begin otherwise.
    private static func matching(_ text: ArraySlice<UInt8>, _ form: StaticString, from skipped: Int = 0) -> ArraySlice<UInt8>? {
        let length = form.utf8CodeUnitCount - skipped
        guard text.count >= length else { return nil }
        for offset in 0..<length {
            let (byte, wanted) = unsafe (text[text.startIndex + offset], form.utf8Start[offset + skipped])
            switch wanted {
            case UInt8(ascii: "0"): guard (0x30...0x39).contains(byte) else { return nil }
            case UInt8(ascii: "A"): guard (0x41...0x5a).contains(byte) else { return nil }
            case UInt8(ascii: "a"): guard (0x61...0x7a).contains(byte) else { return nil }
            default: guard byte == wanted else { return nil }
            }
        }
        return text[(text.startIndex + length)...]
    }

    // MARK: The line behind a message

    /// What Xcode prints behind a message where its console shows metadata: `Type: Error | Timestamp: … | Library: … | Subsystem: … | …`.
    static func metadata(_ line: ArraySlice<UInt8>) -> (timestamp: String?, time: String, subsystem: String?, category: String?)? {
        guard line.dropping("Type: ") != nil, let start = line.prefix(64).end(of: "| Timestamp: "),
            let (timestamp, time, rest) = date(line[start...])
        else { return nil }
        func value(_ phrase: StaticString) -> String? {
            rest.prefix(longestHead).end(of: phrase).map { rest[$0...].prefix { $0 != UInt8(ascii: "|") }.trimmed.string }
        }
        return (timestamp, time.string, value("| Subsystem: "), value("| Category: "))
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without the spaces around them.
    fileprivate var trimmed: ArraySlice<UInt8> {
        let rest = droppingSpaces
        return rest.lastIndex { $0 != 0x20 }.map { rest[...$0] } ?? []
    }
}
