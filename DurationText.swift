import SyncModel

/// Lengths of time as they are written on a command line.
package enum DurationText {
    /// Understands a length of time such as `250ms`, `90s`, `5m`, `1h30m`, `2d` or `1w`; a number alone is seconds.
    ///
    /// - Returns: Milliseconds, 0 or more.
    package static func milliseconds(_ text: String) throws(ValueError) -> Int64 {
        let bytes = Array(text.utf8)
        if bytes.first == UInt8(ascii: "-") { throw ValueError("\(text.quoted) is negative; a duration is 0 or more") }
        var index = 0
        var total: Int64 = 0
        var lastUnit = -1
        while index < bytes.count {
            let digits = bytes[index...].prefix { (48...57).contains($0) }
            index += digits.count
            let letters = bytes[index...].prefix { (97...122).contains($0) }
            index += letters.count
            let isWholeText = digits.count == bytes.count
            guard !digits.isEmpty, let unit = isWholeText ? secondsUnit : units.firstIndex(where: { letters.elementsEqual($0.name.utf8) })
            else { throw ValueError("\(text.quoted) is not a duration; \(remedy)") }
            guard unit > lastUnit else {
                throw ValueError("\(text.quoted) is not a duration; write larger units before smaller ones, each once, such as 1h30m")
            }
            lastUnit = unit
            guard let part = length(digits, times: units[unit].milliseconds), case let (sum, false) = total.addingReportingOverflow(part) else {
                throw ValueError("\(text.quoted) is too long a duration; write at most \(Int64.max / 604_800_000)w")
            }
            total = sum
        }
        if bytes.isEmpty { throw ValueError("\(text.quoted) is not a duration; \(remedy)") }
        return total
    }

    private static let units: [(name: String, milliseconds: Int64)] = [
        ("w", 604_800_000), ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
    ]
    private static let secondsUnit = 4
    private static let remedy = "write whole numbers with units of ms, s, m, h, d or w, such as 90s or 1h30m"

    private static func length(_ digits: ArraySlice<UInt8>, times factor: Int64) -> Int64? {
        var value: Int64 = 0
        for digit in digits {
            guard case let (tens, false) = value.multipliedReportingOverflow(by: 10),
                case let (next, false) = tens.addingReportingOverflow(Int64(digit - 48))
            else { return nil }
            value = next
        }
        let (product, overflow) = value.multipliedReportingOverflow(by: factor)
        return overflow ? nil : product
    }
}
