/// Writes numbers the way a person reads them, in English.
package enum HumanNumber {
    /// A count with commas between thousands: `7,103`.
    package static func count(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var result = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { result.append(",") }
            result.append(digit)
        }
        return result
    }

    /// A count and its noun: `1 edit`, `63 edits`.
    package static func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
        "\(count(number)) \(number == 1 ? singular : plural ?? singular + "s")"
    }

    /// A share with one decimal: `12.5 %`.
    ///
    /// What is not quite nothing or not quite all never reads so.
    package static func percent(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "–" }
        if part <= 0 { return "0 %" }
        if part >= whole { return "100 %" }
        let tenths = min(999, max(1, Int(Double(part) / Double(whole) * 1000 + 0.5)))
        return decimal(tenths: tenths) + " %"
    }

    /// A length of time in its two largest units: `350 ms`, `19.5 s`, `4 min 10 s`, `3 h 12 min`, `12 d 4 h`, `2 y 40 d`.
    package static func duration(milliseconds: Int64) -> String {
        guard milliseconds >= 0 else { return "-" + duration(milliseconds: milliseconds == .min ? .max : -milliseconds) }
        if milliseconds < 1000 { return "\(milliseconds) ms" }
        if milliseconds < 60_000 {
            let tenths = milliseconds / 100
            return tenths % 10 == 0 ? "\(tenths / 10) s" : decimal(tenths: Int(clamping: tenths)) + " s"
        }
        let units: [(Int64, String)] = [(31_536_000, "y"), (86_400, "d"), (3600, "h"), (60, "min"), (1, "s")]
        let seconds = milliseconds / 1000
        for (index, (size, name)) in units.enumerated() where seconds >= size {
            let large = "\(count(Int(clamping: seconds / size))) \(name)"
            guard index + 1 < units.count else { return large }
            let (smaller, smallerName) = units[index + 1]
            let rest = seconds % size / smaller
            return rest == 0 ? large : "\(large) \(rest) \(smallerName)"
        }
        return "0 s"
    }

    /// A number of bytes in the largest binary unit: `512 B`, `1.5 KiB`, `300.1 MiB`.
    package static func bytes(_ number: Int) -> String {
        guard number >= 1024 else { return "\(number) B" }
        var value = Double(number) / 1024
        for unit in ["KiB", "MiB", "GiB", "TiB"] {
            let tenths = Int(value * 10 + 0.5)
            // Asked of the rounded figure, or the last bytes before a mebibyte would be 1024.0 KiB.
            if tenths < 10_240 { return decimal(tenths: tenths) + " " + unit }
            value /= 1024
        }
        return decimal(tenths: Int(value * 10 + 0.5)) + " PiB"
    }

    private static func decimal(tenths: Int) -> String { "\(tenths / 10).\(tenths % 10)" }
}
