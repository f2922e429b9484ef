import SyncBytes

/// How far the clocks of a time zone are ahead of universal time, at any time, as a file of the tz database tells.
///
/// Source: RFC 9636, *The Time Zone Information Format (TZif)*.
package struct TimeZoneOffsets: Hashable, Sendable {
    /// What people call the zone, such as `Europe/Berlin`; nil for universal time.
    package let name: String?
    /// When the clocks were changed, in seconds since 1970, and what they are ahead since then.
    private var changes: [Change] = []
    /// What they were ahead before.
    private var first = 0
    /// How they are changed each year after the last of the changes.
    private var rule: TimeZoneRule?

    private struct Change: Hashable {
        let second: Int64
        let offset: Int
    }

    /// Universal time.
    package static let universal = TimeZoneOffsets(name: nil, offset: 0)

    /// A zone whose clocks are never changed.
    ///
    /// - Parameter offset: What they are ahead, in seconds.
    package init(name: String?, offset: Int) { (self.name, first) = (name, offset) }

    /// A zone as people write one that is no name: `UTC`, `Z`, or an offset such as `+02:00`; nil for anything else.
    package init?(writtenAs text: String) {
        if ["UTC", "Z", "GMT"].contains(text) {
            self = .universal
            return
        }
        let digits = Array(text.utf8.dropFirst())
        guard let sign = text.utf8.first, "+-".utf8.contains(sign), digits.count == 5, digits[2] == UInt8(ascii: ":"),
            let hours = Self.number(digits[0..<2]), let minutes = Self.number(digits[3...]), hours <= 26, minutes < 60
        else { return nil }
        let offset = (hours * 60 + minutes) * 60
        self.init(name: "UTC" + text, offset: sign == UInt8(ascii: "-") ? -offset : offset)
    }

    private static func number(_ digits: some Collection<UInt8>) -> Int? {
        digits.allSatisfy { (48...57).contains($0) } ? digits.reduce(0) { $0 * 10 + Int($1) - 48 } : nil
    }

    /// Reads a file; nil where it is none, or of the first version, which knows no year beyond 2037.
    package init?(name: String, file: [UInt8]) {
        self.name = name
        var bytes = file[...]
        guard let old = Header(&bytes), old.version >= 2 else { return nil }
        bytes = bytes.dropFirst(old.size(ofTime: 4))
        guard let header = Header(&bytes), bytes.count >= header.size(ofTime: 8), header.types > 0 else { return nil }
        let times = bytes.prefix(header.times * 8)
        bytes = bytes.dropFirst(header.times * 8)
        let indices = Array(bytes.prefix(header.times))
        bytes = bytes.dropFirst(header.times)
        let types = Array(bytes.prefix(header.types * 6))
        let footer = bytes.dropFirst(header.size(ofTime: 8) - header.times * 9)
        func offset(_ type: Int) -> Int { Int(Int32(truncatingIfNeeded: Self.number(bigEndian: types[(type * 6)..<(type * 6 + 4)]))) }
        guard indices.allSatisfy({ Int($0) < header.types }) else { return nil }
        first = offset(0)
        changes = indices.enumerated().map { index, type in
            let start = times.startIndex + index * 8
            return Change(second: Self.number(bigEndian: times[start..<(start + 8)]), offset: offset(Int(type)))
        }
        guard zip(changes, changes.dropFirst()).allSatisfy({ $0.second < $1.second }), footer.first == UInt8(ascii: "\n"),
            let end = footer.dropFirst().firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        let text = String(decoding: footer.dropFirst()[..<end], as: UTF8.self)
        if text.isEmpty { return }
        guard let rule = TimeZoneRule(text) else { return nil }
        self.rule = rule
    }

    private static func number(bigEndian bytes: some Collection<UInt8>) -> Int64 {
        Int64(bitPattern: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    private struct Header {
        let version: Int
        let times: Int
        let types: Int
        /// The others: indicators of universal and standard time, leap seconds, characters of names.
        private let counts: [Int]

        init?(_ bytes: inout ArraySlice<UInt8>) {
            guard bytes.count >= 44, bytes.starts(with: "TZif".utf8) else { return nil }
            version = Int(bytes[bytes.startIndex + 4]) - 48
            let numbers = (0..<6).map { index in
                let start = bytes.startIndex + 20 + index * 4
                return Int(clamping: TimeZoneOffsets.number(bigEndian: bytes[start..<(start + 4)]))
            }
            // More than any zone has, so that no product is too large.
            guard numbers.allSatisfy({ $0 <= 1 << 20 }) else { return nil }
            (times, types, counts) = (numbers[3], numbers[4], [numbers[0], numbers[1], numbers[2], numbers[5]])
            bytes = bytes.dropFirst(44)
        }

        func size(ofTime time: Int) -> Int { times * (time + 1) + types * 6 + counts[3] + counts[2] * (time + 4) + counts[1] + counts[0] }
    }

    /// What the clocks are ahead of universal time, in milliseconds.
    ///
    /// - Parameter milliseconds: Milliseconds since 1970.
    /// - Complexity: O(log *n*) for *n* changes.
    package func offset(at milliseconds: Int64) -> Int64 {
        let second = milliseconds.dividedFlooring(by: 1000)
        if let rule, changes.last.map({ second >= $0.second }) ?? true { return Int64(rule.offset(at: second)) * 1000 }
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].second <= second { low = middle + 1 } else { high = middle }
        }
        return Int64(low == 0 ? first : changes[low - 1].offset) * 1000
    }

    /// What the clocks show, as milliseconds since they showed the beginning of 1970.
    package func local(_ milliseconds: Int64) -> Int64 {
        let (local, isTooLarge) = milliseconds.addingReportingOverflow(offset(at: milliseconds))
        return isTooLarge ? milliseconds : local
    }

    /// The day in which a time lies, in days since 1970-01-01.
    package func day(of milliseconds: Int64) -> Int { RFC3339.split(local(milliseconds)).day }

    /// When a day begins, in milliseconds since 1970: at its midnight, or where the clocks are put forward over that, right then.
    package func start(ofDay day: Int) -> Int64 {
        let midnight = Int64(day) * Self.day
        let offsets = [offset(at: midnight - Self.day), offset(at: midnight + Self.day)]
        return offsets.map { midnight - $0 }.filter { local($0) == midnight }.min() ?? midnight - offsets[0]
    }

    private static let day: Int64 = 86_400_000
}
