import AuditAnalysis
import SyncBytes
import SyncModel

/// The language of a page for a user: its sentences, its plural, and how it writes dates and numbers.
///
/// All of it comes from a file, those languages that come along from files that are part of the program; see ``init(_:base:)``.
package struct PageLanguage: Sendable {
    /// Its name as in BCP 47: `en`.
    package let tag: String
    /// Whether it is written from right to left.
    let isRightToLeft: Bool
    /// When each form of the plural is used, in the order of ``PluralRule/categories``.
    let plurals: [(category: String, rule: PluralRule)]
    /// What is between the whole and the rest of a number, and between thousands.
    let numbers: (decimal: String, thousands: String)
    /// The months, 12 of them.
    let months: [String]
    /// What people call types, and fields as `FIELD` or `TYPE.FIELD`.
    let names: [String: String]
    let sentences: [PageWord: Sentence]

    /// A sentence, in one form or in several.
    struct Sentence: Hashable, Sendable {
        /// Its forms by name; the only one of a sentence without forms is `other`.
        let forms: [String: [Part]]

        /// A part of a sentence.
        enum Part: Hashable, Sendable {
            case words(String)
            case placeholder(String)
        }
    }

    /// The name of the form that every sentence has.
    static let otherForm = "other"
    /// The name of the form before a vowel.
    static let vowelForm = "vowel"

    /// A sentence without forms.
    func text(_ word: PageWord, _ values: [String: String] = [:]) -> String { text(word, form: Self.otherForm, values) }

    /// A sentence about a number, which it may name as `{count}`.
    func text(_ word: PageWord, count: Int, _ values: [String: String] = [:]) -> String {
        let form = plurals.first { $0.rule.holds(count) }?.category ?? Self.otherForm
        return text(word, form: form, values.merging(["count": self.count(count)]) { value, _ in value })
    }

    /// A sentence that names a type.
    func text(_ word: PageWord, type: String, _ values: [String: String] = [:]) -> String {
        let isVowel = type.first.map { "aeiouAEIOU".contains($0) } ?? false
        return text(word, form: isVowel ? Self.vowelForm : Self.otherForm, values.merging(["type": type]) { $1 })
    }

    private func text(_ word: PageWord, form: String, _ values: [String: String]) -> String {
        // A file that lacks a sentence is refused.
        guard let forms = sentences[word]?.forms, let parts = forms[form] ?? forms[Self.otherForm] else { return word.rawValue }
        return parts.reduce(into: "") { text, part in
            switch part {
            case .words(let words): text += words
            case .placeholder(let name): text += values[name] ?? ""
            }
        }
    }

    /// A count, with what the language puts between thousands.
    func count(_ number: Int) -> String { HumanNumber.count(number).replacing(",", with: numbers.thousands) }

    /// A number as a value, in as many digits as it has.
    func value(_ number: JSONNumber) -> String { JSONText.string(.number(number)).replacing(".", with: numbers.decimal) }

    /// A day: `14 March 2026`.
    func date(_ day: Int) -> String {
        let (year, month, dayOfMonth) = RFC3339.civil(day: day)
        return text(.date, count: dayOfMonth, ["day": String(dayOfMonth), "month": months[month - 1], "year": String(year)])
    }

    /// A day and a time, to the minute.
    ///
    /// - Parameter milliseconds: Milliseconds since 1970 that a clock there shows.
    func time(_ milliseconds: Int64) -> String {
        let (day, time) = RFC3339.split(milliseconds)
        func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        let clock = text(.time, ["hour": digits(time / 3_600_000), "minute": digits(time / 60_000 % 60)])
        return text(.dateAndTime, ["date": date(day), "time": clock])
    }

    /// What people call a type.
    func name(of type: RecordType) -> String { names[type.rawValue] ?? words(type.rawValue) }

    /// What people call a field.
    func name(of field: FieldName, in type: RecordType) -> String {
        names["\(type.rawValue).\(field.rawValue)"] ?? names[field.rawValue] ?? words(field.rawValue)
    }

    /// A name from a program as words: `fullName` becomes `full name`.
    func words(_ name: String) -> String {
        var words = ""
        var isAfterLower = false
        for character in EventText.name(name) {
            if character == "_" || character == "." || character == "-" {
                words += " "
                isAfterLower = false
            } else {
                if isAfterLower, character.isUppercase { words += " " }
                words += character.lowercased()
                isAfterLower = character.isLowercase || character.isNumber
            }
        }
        return words.isEmpty ? text(.item) : words
    }
}
