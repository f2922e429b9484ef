import SyncModel

/// Other digits instead of numbers: as many before and behind the point, in the same order, with the same sign and exponent; 0 stays.
enum Digits {
    /// Another number for each number, each different.
    ///
    /// A number is its own substitute only where there are not enough others of as many digits.
    static func substitutes(for values: Set<FieldValue>) -> [FieldValue: FieldValue] {
        let numbers = values.compactMap { value in if case .number(let number) = value { number } else { nil } }.sorted()
        let scaled = numbers.filter { !Decimal($0).exponent.isEmpty }
        let plain = numbers.filter { Decimal($0).exponent.isEmpty }
        let (all, fixed) = (Set(numbers), Set(scaled))
        let result = chain(plain, avoiding: all) ?? chain(plain, avoiding: fixed)
        var substitutes = result ?? Dictionary(uniqueKeysWithValues: plain.map { ($0, $0) })
        var used = Set(substitutes.values)
        for number in scaled {
            let other = scaledSubstitute(for: number, avoiding: all.union(used))
            used.insert(other)
            substitutes[number] = other
        }
        return Dictionary(uniqueKeysWithValues: substitutes.map { (.number($0), .number($1)) })
    }

    /// For each number in order the smallest of its digits that is greater than that of the number before; nil where there is none.
    ///
    /// Without others to avoid there always is: one that is no greater than the number itself.
    private static func chain(_ numbers: [JSONNumber], avoiding taken: Set<JSONNumber>) -> [JSONNumber: JSONNumber]? {
        var substitutes: [JSONNumber: JSONNumber] = [:]
        func append(_ number: JSONNumber, _ last: inout Decimal?) -> Bool {
            let decimal = Decimal(number)
            if decimal.isZero {
                substitutes[number] = number
                return true
            }
            repeat {
                last = decimal.smallest(after: last)
            } while last.map { taken.contains($0.number) } ?? false
            substitutes[number] = last?.number
            return last != nil
        }
        var (below, above) = (Decimal?.none, Decimal?.none)
        // The magnitudes of both signs grow away from zero.
        for number in numbers.reversed() where number < JSONNumber(0) { if !append(number, &below) { return nil } }
        for number in numbers where !(number < JSONNumber(0)) { if !append(number, &above) { return nil } }
        return substitutes
    }

    private static func scaledSubstitute(for number: JSONNumber, avoiding taken: Set<JSONNumber>) -> JSONNumber {
        let decimal = Decimal(number)
        if decimal.isZero { return number }
        var next = decimal.smallest(after: nil)
        while let candidate = next, taken.contains(candidate.number) { next = decimal.smallest(after: candidate) }
        // A greater one may be beyond the range of a double.
        guard let next, !decimal.isMagnitudeSmaller(than: next) else { return number }
        return next.number
    }
}

/// The digits of a number as it is written.
private struct Decimal {
    private let isNegative: Bool
    /// The digits before the point, none for `0.5`.
    private var whole: [UInt8]
    private var fraction: [UInt8]
    /// `e` and what follows it.
    let exponent: Substring.UTF8View

    init(_ number: JSONNumber) {
        var rest = number.text.utf8[...]
        isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        func digits() -> [UInt8] {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest = rest.dropFirst(digits.count)
            return Array(digits)
        }
        whole = digits()
        if whole == [UInt8(ascii: "0")] { whole = [] }
        fraction = []
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = digits()
        }
        exponent = Substring(rest).utf8
    }

    var isZero: Bool { (whole + fraction).allSatisfy { $0 == UInt8(ascii: "0") } }

    var number: JSONNumber {
        var text = isNegative ? "-" : ""
        text += whole.isEmpty ? "0" : String(decoding: whole, as: UTF8.self)
        if !fraction.isEmpty { text += "." + String(decoding: fraction, as: UTF8.self) }
        return JSONNumber(validated: text + String(Substring(exponent)))
    }

    /// Whether the digits before the exponent are those of a smaller number.
    func isMagnitudeSmaller(than other: Decimal) -> Bool {
        if whole.count != other.whole.count { return whole.count < other.whole.count }
        return (whole + fraction).lexicographicallyPrecedes(other.whole + other.fraction)
    }

    /// The smallest of as many digits that is greater than another, or than 0; nil where there is none.
    func smallest(after last: Decimal?) -> Decimal? {
        var result = self
        let zeros = { [UInt8](repeating: UInt8(ascii: "0"), count: $0) }
        result.whole = whole.isEmpty ? [] : [UInt8(ascii: "1")] + zeros(whole.count - 1)
        result.fraction = zeros(fraction.count)
        if whole.isEmpty { result.fraction[fraction.count - 1] = UInt8(ascii: "1") }
        guard let last, last.whole.count >= whole.count else { return result }
        guard last.whole.count == whole.count else { return nil }
        // What lies behind the digits there are is cut off, and the last of them counted up.
        var digits = last.whole + last.fraction.prefix(fraction.count) + zeros(max(0, fraction.count - last.fraction.count))
        guard let index = digits.lastIndex(where: { $0 != UInt8(ascii: "9") }) else { return nil }
        digits[index] += 1
        for later in digits.indices[(index + 1)...] { digits[later] = UInt8(ascii: "0") }
        result.whole = Array(digits.prefix(whole.count))
        result.fraction = Array(digits.dropFirst(whole.count))
        return result
    }
}
