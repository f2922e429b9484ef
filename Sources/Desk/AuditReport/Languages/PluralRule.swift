/// When a language uses one form of its plural, as the Unicode Common Locale Data Repository writes rules.
///
/// ```
/// n % 10 = 2..4 and n % 100 != 12..14
/// ```
///
/// Only whole numbers are counted here, so that `n` and `i` are the number, and the operands that are about digits after a decimal sign
/// are 0.
///
/// Source: Unicode Technical Standard 35, part 3, *Language Plural Rules*.
struct PluralRule: Hashable, Sendable {
    private struct Relation: Hashable, Sendable {
        var isOfNumber = true
        var modulus: Int?
        var isNegated = false
        var ranges: [ClosedRange<Int>] = []

        func holds(_ number: Int) -> Bool {
            let operand = isOfNumber ? number : 0
            let value = modulus.map { operand % $0 } ?? operand
            return ranges.contains { $0.contains(value) } != isNegated
        }
    }

    /// What must hold together, of several one.
    private var alternatives: [[Relation]] = []

    /// The categories that a language may tell apart, beside `other`, which is for all numbers that no rule is for.
    static let categories = ["zero", "one", "two", "few", "many"]

    /// Parses a rule; nil where it is none.
    init?(_ text: String) {
        // Samples, which may follow a rule, are no part of it.
        let rule = text.prefix { $0 != "@" }
        for alternative in rule.split(separator: " or ", omittingEmptySubsequences: false) as [Substring] {
            var relations: [Relation] = []
            for part in alternative.split(separator: " and ", omittingEmptySubsequences: false) as [Substring] {
                guard let relation = Self.relation(part) else { return nil }
                relations.append(relation)
            }
            alternatives.append(relations)
        }
    }

    /// Whether the form is that of a number, 0 or more.
    func holds(_ number: Int) -> Bool { alternatives.contains { $0.allSatisfy { $0.holds(number) } } }

    private static func relation(_ text: Substring) -> Relation? {
        let sides = text.split(separator: "=", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        var relation = Relation()
        var left = String(sides[0].filter { $0 != " " })
        if left.last == "!" {
            relation.isNegated = true
            left.removeLast()
        }
        let parts = left.split(separator: "%", omittingEmptySubsequences: false)
        guard let operand = parts.first, operand.count == 1, "nivwftce".contains(operand), parts.count <= 2 else { return nil }
        relation.isOfNumber = operand == "n" || operand == "i"
        if parts.count == 2 {
            guard let modulus = number(parts[1]), modulus > 0 else { return nil }
            relation.modulus = modulus
        }
        let right = String(sides[1].filter { $0 != " " })
        for part in right.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: ".", omittingEmptySubsequences: false)
            guard let first = ends.first.flatMap(number), let last = ends.last.flatMap(number), first <= last,
                ends.count == 1 || ends.count == 3 && ends[1].isEmpty
            else { return nil }
            relation.ranges.append(first...last)
        }
        return relation
    }

    private static func number(_ digits: Substring) -> Int? { digits.utf8.allSatisfy { (48...57).contains($0) } ? Int(digits) : nil }
}
