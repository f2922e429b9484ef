import SyncBytes
import SyncModel

/// Why the file of a language cannot be used.
package struct PageLanguageProblem: Error, Hashable {
    /// A sentence without its full stop, to come after the file's name.
    package let sentence: String

    init(_ sentence: String) { self.sentence = sentence }

    init(at key: String, _ problem: String) { sentence = "\(key.quoted): \(problem)" }
}

extension PageLanguage {
    /// The languages that come along, English first.
    package static let known = ["en", "de", "fr"]

    /// A language that comes along; nil for any other name.
    package static func known(_ tag: String) -> PageLanguage? {
        let text: StaticString? =
            switch tag {
            case "en": english
            case "de": german
            case "fr": french
            default: nil
            }
        // A test reads each.
        return text.flatMap { try? PageLanguage(Array($0.description.utf8)) }
    }

    /// Reads the file of a language.
    ///
    /// - Throws: ``PageLanguageProblem`` where it is no JSON, lacks a key, has one that means nothing, or a sentence of it says something
    ///   that is not known here or leaves out what it should say.
    package init(_ bytes: [UInt8]) throws(PageLanguageProblem) {
        let value: FieldValue
        do throws(JSONError) {
            value = try JSONParser.parse(bytes.span)
        } catch {
            let line = bytes.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
            throw PageLanguageProblem("line \(line): this cannot be read as JSON: \(error.problem)")
        }
        guard let file = value.object else {
            throw PageLanguageProblem("it holds no object; a language is one, like {\"extends\": \"en\"}")
        }
        let keys = ["language", "extends", "direction", "plurals", "numbers", "months", "names", "words"]
        for name in file.names where !keys.contains(name.rawValue) {
            throw PageLanguageProblem(at: name.rawValue, "that means nothing here; known are \(keys.joined(separator: ", "))")
        }
        var base: PageLanguage?
        if let extended = file["extends"] {
            base = extended.string.flatMap(PageLanguage.known)
            if base == nil {
                throw PageLanguageProblem(at: "extends", "name a language that comes along: \(Self.known.joined(separator: ", "))")
            }
        }
        tag = try Self.tag(file["language"], base)
        switch (file["direction"]?.string, file["direction"] == nil) {
        case (_, true): isRightToLeft = base?.isRightToLeft ?? false
        case ("ltr", _): isRightToLeft = false
        case ("rtl", _): isRightToLeft = true
        default: throw PageLanguageProblem(at: "direction", "write ltr, or rtl for a language that is written from right to left")
        }
        plurals = try Self.plurals(file["plurals"], base)
        numbers = try Self.numbers(file["numbers"], base)
        months = try Self.months(file["months"], base)
        names = try Self.texts(file["names"], at: "names").merging(base?.names ?? [:]) { own, _ in own }
        sentences = try Self.sentences(file["words"], base, plurals.map(\.category))
    }

    private static func missing(_ key: String, _ remedy: String) -> PageLanguageProblem {
        PageLanguageProblem(at: key, "it is missing: \(remedy), or add \"extends\": \"en\" to take what is missing from English")
    }

    private static func tag(_ value: FieldValue?, _ base: PageLanguage?) throws(PageLanguageProblem) -> String {
        guard let value else {
            if let base { return base.tag }
            throw missing("language", "name it, as in \"language\": \"pt-BR\"")
        }
        let isTag = { (text: String) in
            (2...35).contains(text.utf8.count)
                && text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || Unicode.Scalar($0).properties.isAlphabetic || $0.isDigit }
        }
        guard let tag = value.string, isTag(tag), tag.utf8.allSatisfy({ $0 < 128 }) else {
            throw PageLanguageProblem(at: "language", "it is no name of a language; one looks like pt or pt-BR")
        }
        return tag
    }

    private static func plurals(
        _ value: FieldValue?, _ base: PageLanguage?
    ) throws(PageLanguageProblem) -> [(category: String, rule: PluralRule)] {
        guard let value else {
            if let base { return base.plurals }
            throw missing("plurals", "write \"plurals\": {\"one\": \"n = 1\"}, or {} for a language without a plural")
        }
        let rules = try texts(value, at: "plurals")
        for category in rules.keys.sorted() where !PluralRule.categories.contains(category) {
            throw PageLanguageProblem(
                at: "plurals.\(category)",
                "no form of a plural is called so; known are \(PluralRule.categories.joined(separator: ", ")), and other, which has no rule"
            )
        }
        var plurals: [(category: String, rule: PluralRule)] = []
        for category in PluralRule.categories {
            guard let text = rules[category] else { continue }
            guard let rule = PluralRule(text) else {
                throw PageLanguageProblem(
                    at: "plurals.\(category)",
                    "\(text.quoted) is no rule; one looks like n = 1, or n % 10 = 2..4 and n % 100 != 12..14, as CLDR writes it")
            }
            plurals.append((category, rule))
        }
        return plurals
    }

    private static func numbers(
        _ value: FieldValue?, _ base: PageLanguage?
    ) throws(PageLanguageProblem) -> (decimal: String, thousands: String) {
        let numbers = try texts(value, at: "numbers")
        for key in numbers.keys.sorted() where key != "decimal" && key != "thousands" {
            throw PageLanguageProblem(at: "numbers.\(key)", "that means nothing here; known are decimal, thousands")
        }
        guard let decimal = numbers["decimal"] ?? base?.numbers.decimal, let thousands = numbers["thousands"] ?? base?.numbers.thousands
        else {
            throw missing("numbers", "write \"numbers\": {\"decimal\": \".\", \"thousands\": \",\"}")
        }
        return (decimal, thousands)
    }

    private static func months(_ value: FieldValue?, _ base: PageLanguage?) throws(PageLanguageProblem) -> [String] {
        guard let value else {
            if let base { return base.months }
            throw missing("months", "list the 12 of them")
        }
        let months = value.array?.compactMap(\.string) ?? []
        guard months.count == 12, value.array?.count == 12 else {
            throw PageLanguageProblem(at: "months", "list the 12 of them, as strings")
        }
        return months
    }

    private static func texts(_ value: FieldValue?, at key: String) throws(PageLanguageProblem) -> [String: String] {
        guard let value else { return [:] }
        guard let object = value.object else { throw PageLanguageProblem(at: key, "it is no object of strings") }
        var texts: [String: String] = [:]
        for element in object {
            guard let text = element.value.string else {
                throw PageLanguageProblem(at: "\(key).\(element.name.rawValue)", "it is no string")
            }
            texts[element.name.rawValue] = text
        }
        return texts
    }
}

extension PageLanguage {
    private static func sentences(
        _ value: FieldValue?, _ base: PageLanguage?, _ categories: [String]
    ) throws(PageLanguageProblem) -> [PageWord: Sentence] {
        guard let words = value == nil ? FieldMap() : value?.object else { throw PageLanguageProblem(at: "words", "it is no object") }
        var sentences = base?.sentences ?? [:]
        for element in words {
            let key = element.name.rawValue
            guard let word = PageWord(rawValue: key) else {
                throw PageLanguageProblem(at: "words.\(key)", "no page has a sentence of this name; leave it out")
            }
            sentences[word] = try sentence(element.value, word, categories)
        }
        for word in PageWord.allCases {
            guard let sentence = sentences[word] else { throw missing("words.\(word.rawValue)", "English says \(english(word))") }
            // What is taken from a language with another plural.
            let missing = word.forms == .plural && sentence.forms.count > 1 ? categories.first { sentence.forms[$0] == nil } : nil
            if let missing {
                throw PageLanguageProblem(
                    at: "words.\(word.rawValue)", "the form \(missing.quoted) is missing; English says \(english(word))")
            }
        }
        return sentences
    }

    private static func english(_ word: PageWord) -> String {
        guard let english = try? JSONParser.parse(PageLanguage.english.description), let words = english.object?["words"]?.object,
            let sentence = words[FieldName(word.rawValue)]
        else { return "nothing" }
        return JSONText.string(sentence)
    }

    private static func sentence(_ value: FieldValue, _ word: PageWord, _ categories: [String]) throws(PageLanguageProblem) -> Sentence {
        let key = "words.\(word.rawValue)"
        if let text = value.string { return Sentence(forms: [otherForm: try parts(text, word, at: key, isWhole: true)]) }
        let known: [String] =
            switch word.forms {
            case .none: []
            case .plural: categories + [otherForm]
            case .vowel: [vowelForm, otherForm]
            }
        guard let object = value.object, !known.isEmpty else {
            throw PageLanguageProblem(at: key, known.isEmpty ? "it is no string" : "it is neither a string nor an object of forms")
        }
        var forms: [String: [Sentence.Part]] = [:]
        for element in object {
            let form = element.name.rawValue
            guard known.contains(form) else {
                throw PageLanguageProblem(
                    at: "\(key).\(form)", "the language has no such form; it has \(known.joined(separator: ", ")), by \"plurals\"")
            }
            guard let text = element.value.string else { throw PageLanguageProblem(at: "\(key).\(form)", "it is no string") }
            forms[form] = try parts(text, word, at: "\(key).\(form)", isWhole: form == otherForm)
        }
        if let form = known.first(where: { forms[$0] == nil }) {
            throw PageLanguageProblem(at: key, "the form \(form.quoted) is missing; write it, or one string for all forms")
        }
        return Sentence(forms: forms)
    }

    /// - Parameter isWhole: Whether everything must be said that there is to say; a form for one number need not name it.
    private static func parts(
        _ text: String, _ word: PageWord, at key: String, isWhole: Bool
    ) throws(PageLanguageProblem) -> [Sentence.Part] {
        let known = word.placeholders.map { "{\($0)}" }.joined(separator: ", ")
        var parts: [Sentence.Part] = []
        var rest = Substring(text)
        while let start = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[start] == "{", let end = rest[start...].firstIndex(of: "}") else {
                throw PageLanguageProblem(at: key, "a brace is alone; a placeholder is written {name}")
            }
            let name = String(rest[rest.index(after: start)..<end])
            guard word.placeholders.contains(name) else {
                throw PageLanguageProblem(
                    at: key,
                    "the placeholder {\(name)} is not known here; \(known.isEmpty ? "this sentence has none" : "known are \(known)")")
            }
            if start > rest.startIndex { parts.append(.words(String(rest[..<start]))) }
            parts.append(.placeholder(name))
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { parts.append(.words(String(rest))) }
        let optional: Set<String> = isWhole ? [] : ["count", "day"]
        if let missing = word.placeholders.first(where: { !optional.contains($0) && !parts.contains(.placeholder($0)) }) {
            throw PageLanguageProblem(at: key, "the placeholder {\(missing)} is missing; the sentence must say \(known)")
        }
        return parts
    }
}
