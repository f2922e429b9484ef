package import AuditAnalysis
package import AuditChecking
import AuditLog
import AuditReport
package import SyncBytes
import SyncMerge
package import SyncModel

/// Reads the values of options.
///
/// Pure functions, whose errors name the value and the remedy.
package enum ValueParser {
    /// Any text that is not empty.
    package static func text(_ text: String) throws(ValueProblem) -> String {
        if text.isEmpty { throw ValueProblem("the value is empty") }
        return text
    }

    /// One of some words.
    package static func choice(_ text: String, of words: [String]) throws(ValueProblem) -> String {
        guard words.contains(where: { $0.hasSameBytes(as: text) }) else {
            throw ValueProblem("\(text.quoted) is not one of \(words.joined(separator: ", "))")
        }
        return text
    }

    /// A whole number of 1 or more, in decimal digits alone.
    package static func positiveInteger(_ text: String) throws(ValueProblem) -> Int {
        let number = try integer(text, from: 1)
        if number == 0 { throw ValueProblem("0 is too small; the smallest number is 1") }
        return number
    }

    /// A whole number of 0 or more, in decimal digits alone.
    package static func wholeNumber(_ text: String) throws(ValueProblem) -> Int {
        try integer(text, from: 0)
    }

    private static func integer(_ text: String, from smallest: Int) throws(ValueProblem) -> Int {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else {
            throw ValueProblem("\(text.quoted) is not a whole number of \(smallest) or more")
        }
        guard let number = Int(text) else { throw ValueProblem("\(text.quoted) is too large; the largest number is \(Int.max)") }
        return number
    }

    /// A number from 0 to 1, such as 0, 0.25 or 1.
    package static func probability(_ text: String) throws(ValueProblem) -> Double {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }), let number = Double(text), number <= 1 else {
            throw ValueProblem("\(text.quoted) is not a probability; write a number from 0 to 1, like 0.05")
        }
        return number
    }

    /// A number of bytes of 1 or more, with K, M, G or T for powers of 1,024 behind it, or without a letter.
    package static func size(_ text: String) throws(ValueProblem) -> Int {
        let units: [Character: Int] = ["K": 10, "M": 20, "G": 30, "T": 40]
        let shift = text.last.flatMap { units[Character($0.uppercased())] }
        let digits = shift == nil ? text[...] : text.dropLast()
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else {
            throw ValueProblem("\(text.quoted) is not a size; write one like 500M or 2G")
        }
        guard let number = Int(digits), number > 0, number <= Int.max >> (shift ?? 0) else {
            throw ValueProblem("\(text.quoted) is out of range; the smallest size is 1 and the largest \(Int.max)")
        }
        return number << (shift ?? 0)
    }

    /// Conditions under which a check fails, such as `lossy,clock>2`.
    package static func limits(_ text: String) throws(ValueProblem) -> [CheckLimit] {
        var limits: [CheckLimit] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) { limits.append(try limit(String(part))) }
        return limits
    }

    private static func limit(_ text: String) throws(ValueProblem) -> CheckLimit {
        if let limit = CheckLimit(text) { return limit }
        let name = CheckLimit.name(in: text)
        guard !name.isEmpty else { throw ValueProblem("\(text.quoted) is no limit; write one like 'lossy>0'") }
        guard CheckLimit.names.contains(where: { $0.hasSameBytes(as: name) }) else {
            let meant = EditDistance.didYouMean(name, among: CheckLimit.names)
            throw ValueProblem(
                "there is no measure and no kind of finding \(name.quoted)"
                    + (meant.isEmpty ? "; 'syncaudit check --help' lists them" : meant))
        }
        throw ValueProblem(
            name == text
                ? "\(name) needs a number to compare it with, such as '\(name)>24'"
                : "\(text.quoted) is no limit; write one like '\(name)>0', with one of > >= < <= == != and a number")
    }

    /// A kind of finding.
    package static func findingKind(_ text: String) throws(ValueProblem) -> CheckFinding.Kind {
        let names = CheckFinding.Kind.allCases.map(\.rawValue)
        guard let kind = CheckFinding.Kind.allCases.first(where: { $0.rawValue.hasSameBytes(as: text) }) else {
            let meant = EditDistance.didYouMean(text, among: names)
            throw ValueProblem(
                "there is no kind of finding \(text.quoted)" + (meant.isEmpty ? "; there are \(names.joined(separator: ", "))" : meant))
        }
        return kind
    }

    /// Findings that are ignored, as a kind, an equals sign and a reason.
    package static func ignoredFindings(_ text: String) throws(ValueProblem) -> FindingFilter.Ignore {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let kind = try findingKind(parts[0])
        guard parts.count == 2, parts[1].contains(where: { !$0.isWhitespace }) else {
            throw ValueProblem(
                "\(text.quoted) lacks a reason; write one like '\(kind.rawValue)=why these may be ignored', or keep it with a last day in "
                    + AuditConfiguration.fileName)
        }
        return FindingFilter.Ignore(kind, reason: parts[1])
    }

    /// The names of the merge policies, as help shows them.
    package static let policies = MergeRules.Scope.named.compactMap(\.optionName) + [MergeRules.Scope.devicesPrefix + "A,B"]

    /// How timestamps are written: a word, or an offset from UTC.
    package static func timestampForm(_ text: String) throws(ValueProblem) -> TimestampForm {
        guard let form = TimestampForm(optionName: text) else {
            throw ValueProblem("\(text.quoted) is not one of \(TimestampForm.words.joined(separator: ", ")), or an offset such as +02:00")
        }
        return form
    }

    /// The name of a merge policy; after `prefer-devices:` there is at least one device, and none has an empty name.
    package static func policy(_ text: String) throws(ValueProblem) -> String {
        let prefix = MergeRules.Scope.devicesPrefix
        if text.hasPrefix(prefix) {
            let devices = text.dropFirst(prefix.count).split(separator: ",", omittingEmptySubsequences: false)
            if devices.contains("") {
                throw ValueProblem("\(text.quoted) names an empty device; write the devices like \(prefix)A,B")
            }
            return text
        }
        return try choice(text, of: policies)
    }
}
