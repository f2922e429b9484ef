import SyncBytes
import SyncLines
import SyncModel

/// How the times of one column are written.
enum ColumnTimes: Hashable {
    /// Dates and times, with a zone or without; without, so many minutes ahead of UTC.
    case written(minutesAhead: Int)
    /// Numbers: how many of a second's part since 1970.
    case since1970(perSecond: Int64)
    /// Numbers: seconds since 2001-01-01.
    case apple

    /// The form that a person has stated for numbers or for what has no zone; nil where it says neither.
    init?(_ form: TimestampForm) {
        switch form {
        case .rfc3339, .zoned: return nil
        case .epoch(.seconds): self = .since1970(perSecond: 1)
        case .epoch(.milliseconds): self = .since1970(perSecond: 1000)
        case .appleReferenceDate: self = .apple
        case .local(let minutes): self = .written(minutesAhead: minutes)
        }
    }

    /// The years in which numbers are times: 2004 to 2060.
    private static let recent: ClosedRange<Int64> = 1_072_915_200_000...2_840_140_800_000

    /// The years in which numbers are times for somebody who says what they count: 1970 to 2100, so that another form may fit better.
    private static let stated: ClosedRange<Int64> = 0...4_102_444_800_000

    /// The form in which all values are times; nil where there is none.
    ///
    /// - Parameter stated: What a person has said of times.
    init?(_ values: [FieldValue], stated: TimestampForm?) {
        let values = values.filter { !Self.isNoTime($0) }
        guard !values.isEmpty else { return nil }
        let statedTimes = stated.flatMap(ColumnTimes.init)
        var forms: [ColumnTimes] = [.written(minutesAhead: 0)]
        if case .written? = statedTimes { forms = [] }
        if let statedTimes { forms.insert(statedTimes, at: 0) }
        forms += [1, 1000, 1_000_000, 1_000_000_000].map { ColumnTimes.since1970(perSecond: $0) }
        forms.append(.apple)
        for form in forms {
            let isStated = form == statedTimes
            let fits = values.allSatisfy { value in
                guard let time = form.milliseconds(value) else { return false }
                if case .written = form { return true }
                return isStated ? Self.stated.contains(time) : Self.recent.contains(time)
            }
            if fits {
                self = form
                return
            }
        }
        return nil
    }

    /// Whether a value is what databases write for no time.
    static func isNoTime(_ value: FieldValue) -> Bool {
        guard let text = value.string, let first = text.utf8.first else { return false }
        if first.isDigit { return first == UInt8(ascii: "0") && text.hasPrefix("0000-00-00") }
        return ["infinity", "-infinity", "null", "NULL", "None"].contains(text)
    }

    /// Milliseconds since 1970; nil where the value is no time of this form.
    func milliseconds(_ value: FieldValue) -> Int64? {
        switch self {
        case .written(let minutes):
            guard case .string(let text) = value, (8...48).contains(text.utf8.count), let first = text.utf8.first, first.isDigit,
                !text.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") })
            else { return nil }
            return try? TimestampForm.local(minutesAhead: minutes).milliseconds(value, named: "")
        case .since1970(let perSecond):
            if let number = value.wholeNumber { return milliseconds(number, perSecond) }
            return value.decimalNumber.map { Self.clamped($0 * 1000 / Double(perSecond)) }
        case .apple: return value.decimalNumber.map { Self.clamped($0 * 1000 + Double(TimestampForm.appleEpoch)) }
        }
    }

    /// Milliseconds of a number of which so many are a second.
    func milliseconds(_ number: Int64, _ perSecond: Int64) -> Int64 {
        let (quotient, overflows) = number.multipliedReportingOverflow(by: 1000)
        return overflows ? number.dividedFlooring(by: max(perSecond / 1000, 1)) : quotient.dividedFlooring(by: perSecond)
    }

    private static func clamped(_ number: Double) -> Int64 { number.isFinite ? Int64(min(max(number.rounded(), -9.2e18), 9.2e18)) : 0 }

    /// Whether it is a number.
    var isNumber: Bool { if case .written = self { false } else { true } }

    /// How the times are written, for a person.
    var sentence: String {
        switch self {
        case .written(0): "written"
        case .written(let minutes): "written, without a zone \(minutes) min ahead of UTC"
        case .since1970(1): "in seconds"
        case .since1970(1000): "in milliseconds"
        case .since1970(1_000_000): "in microseconds"
        case .since1970: "in nanoseconds"
        case .apple: "in seconds since 2001"
        }
    }
}

extension FieldValue {
    /// The whole number that the value is, or that its digits spell.
    var wholeNumber: Int64? {
        switch self {
        case .number(let number): number.integer
        case .string(let text): text.utf8.count <= 20 && text.utf8.first != UInt8(ascii: "+") ? Int64(text) : nil
        default: nil
        }
    }

    /// The number that the value is, or that its digits spell.
    var decimalNumber: Double? {
        switch self {
        case .number(let number): return number.double
        case .string(let text):
            guard text.utf8.count <= 40, text.utf8.contains(where: \.isDigit),
                text.utf8.allSatisfy({ $0.isDigit || "+-.eE".utf8.contains($0) })
            else { return nil }
            return Double(text).flatMap { $0.isFinite ? $0 : nil }
        default: return nil
        }
    }
}
