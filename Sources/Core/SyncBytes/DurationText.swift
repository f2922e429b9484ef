/// Why a value cannot be understood.
package struct ValueProblem: Error, Hashable {
    /// A sentence without its full stop, to come after the name of what has the value.
    package let sentence: String

    /// States why.
    package init(_ sentence: String) {
        self.sentence = sentence
    }
}

/// Lengths of time as a person writes them.
package enum DurationText {
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("w", 604_800_000), ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
    ]

    /// A length of time in milliseconds: whole numbers with units from the largest to the smallest, such as `1h30m`, or a number of
    /// seconds.
    package static func milliseconds(_ text: String) throws(ValueProblem) -> Int64 {
        if text.hasPrefix("-") { throw ValueProblem("\(text.quoted) is negative; a length of time is 0 or more") }
        let malformed = ValueProblem("\(text.quoted) is not a length of time; write it like 250ms, 60s, 5m, 1h30m, 2d or 1w")
        let tooLong = ValueProblem("\(text.quoted) is too long; the longest time is \(Int64.max)ms")
        guard !text.isEmpty else { throw malformed }
        var total: Int64 = 0
        var rest = text.utf8[...]
        var allowed = units[...]
        while !rest.isEmpty {
            let digits = rest.prefix(while: \.isDigit)
            rest = rest.dropFirst(digits.count)
            let word = rest.prefix { !$0.isDigit }
            rest = rest.dropFirst(word.count)
            guard !digits.isEmpty else { throw malformed }
            let scale: Int64
            if word.isEmpty {
                // Seconds only where nothing else is given: in 1h30 the 30 may be meant as minutes.
                guard digits.count == text.utf8.count else { throw malformed }
                scale = 1000
            } else {
                guard let unit = allowed.firstIndex(where: { $0.name.utf8.elementsEqual(word) }) else { throw malformed }
                scale = units[unit].milliseconds
                allowed = units[(unit + 1)...]
            }
            guard let number = Int64(String(decoding: digits, as: UTF8.self)) else { throw tooLong }
            let (part, isPartTooLong) = number.multipliedReportingOverflow(by: scale)
            let (sum, isSumTooLong) = total.addingReportingOverflow(part)
            if isPartTooLong || isSumTooLong { throw tooLong }
            total = sum
        }
        return total
    }

    /// The shortest text of a length of time, exactly, such as `1h30m`.
    ///
    /// - Parameter milliseconds: The length; 0 or more.
    package static func text(milliseconds: Int64) -> String {
        var rest = milliseconds
        var text = ""
        for unit in units where rest >= unit.milliseconds {
            text += "\(rest / unit.milliseconds)\(unit.name)"
            rest %= unit.milliseconds
        }
        return text.isEmpty ? "0s" : text
    }
}

extension UInt8 {
    /// Whether it is a decimal digit of ASCII.
    package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
