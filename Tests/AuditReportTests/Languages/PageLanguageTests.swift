import Foundation
import SyncBytes
import SyncModel
import Testing

@testable import AuditReport

@Suite struct PageLanguageTests {
    private static let texts: [StaticString] = [PageLanguage.english, PageLanguage.german, PageLanguage.french]

    @Test(arguments: PageLanguage.known) func whatComesAlongCanBeRead(_ tag: String) throws {
        let text = try #require(zip(PageLanguage.known, Self.texts).first { $0.0 == tag }).1
        let language = try PageLanguage(Array(text.description.utf8))
        #expect(language.tag == tag && PageLanguage.known(tag)?.tag == tag)
        #expect(Set(language.months).count == 12)
        for word in PageWord.allCases {
            let values = Dictionary(uniqueKeysWithValues: word.placeholders.map { ($0, "<\($0)>") })
            for count in [0, 1, 2, 1_234_567] {
                let said = language.text(word, count: count, values)
                #expect(!said.isEmpty && !said.contains("{") && said != word.rawValue, "\(word)")
                for value in values.values { #expect(said.contains(value), "\(word)") }
            }
        }
    }

    /// A translator begins with what the documentation shows of English.
    @Test func theDocumentationShowsAllOfEnglish() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..").standardized
        let page = try String(
            contentsOf: root.appendingPathComponent("Sources/Desk/syncaudit/syncaudit.docc/TellAUser.md"), encoding: .utf8)
        #expect(page.contains("```json\n\(PageLanguage.english.description)\n```"))
    }

    @Test func pluralsAndNumbersAreThoseOfTheLanguage() throws {
        func said(_ tag: String, _ count: Int) throws -> String {
            try #require(PageLanguage.known(tag)).text(.replaced, count: count, ["days": "…"])
        }
        #expect(try said("en", 1) == "Sync replaced 1 change …" && said("en", 0) == "Sync replaced 0 changes …")
        #expect(try said("de", 1) == "… wurde beim Synchronisieren 1 Änderung ersetzt")
        #expect(try said("de", 1234) == "… wurden beim Synchronisieren 1.234 Änderungen ersetzt")
        #expect(try said("fr", 0) == "La synchronisation a remplacé 0 modification …")
        #expect(try said("fr", 1234) == "La synchronisation a remplacé 1\u{202f}234 modifications …")
        let french = try #require(PageLanguage.known("fr"))
        #expect(french.date(RFC3339.day(year: 2026, month: 3, dayOfMonth: 1)) == "1er mars 2026")
        #expect(french.date(RFC3339.day(year: 2026, month: 8, dayOfMonth: 21)) == "21 août 2026")
    }

    @Test func aLanguageWithMorePluralsHasThemAll() throws {
        let russian = try language(
            #"""
            {"extends": "en", "language": "ru", "plurals": {"one": "v = 0 and i % 10 = 1 and i % 100 != 11",
             "few": "v = 0 and i % 10 = 2..4 and i % 100 != 12..14", "many": "v = 0 and i % 10 = 0 or v = 0 and i % 10 = 5..9 or v = 0 and i % 100 = 11..14"},
             "words": {
               "headline.replaced": {"one": "{count} правка {days}", "few": "{count} правки {days}", "many": "{count} правок {days}", "other": "{count} правки {days}"},
               "headline.replacedMore": "{count} {days}", "headline.suspected": "{count} {days}", "headline.suspectedMore": "{count} {days}",
               "earlier.replaced": "{count} {date}", "earlier.suspected": "{count} {date}"}}
            """#)
        func said(_ count: Int) -> String { russian.text(.replaced, count: count, ["days": "сегодня"]) }
        #expect(said(21) == "21 правка сегодня" && said(3) == "3 правки сегодня" && said(12) == "12 правок сегодня")
    }

    private func language(_ text: String) throws(PageLanguageProblem) -> PageLanguage { try PageLanguage(Array(text.utf8)) }

    @Test(arguments: [
        ("[]", "it holds no object"),
        (#"{"extends":"xx"}"#, #""extends": name a language that comes along: en, de, fr"#),
        (#"{"extends":"en","word":{}}"#, #""word": that means nothing here; known are language, "#),
        (#"{"extends":"en","language":"<b>"}"#, #""language": it is no name of a language"#),
        (#"{"extends":"en","direction":"up"}"#, #""direction": write ltr, or rtl"#),
        (#"{"extends":"en","plurals":{"some":"n = 1"}}"#, #""plurals.some": no form of a plural is called so"#),
        (#"{"extends":"en","plurals":{"one":"n is 1"}}"#, #""plurals.one": "n is 1" is no rule"#),
        (#"{"extends":"en","plurals":{"one":"n = 1","few":"n = 2"}}"#, #"the form "few" is missing; English says"#),
        (#"{"extends":"en","numbers":{"decimals":","}}"#, #""numbers.decimals": that means nothing here"#),
        (#"{"extends":"en","months":["one"]}"#, #""months": list the 12 of them"#),
        (#"{"extends":"en","names":{"Card":1}}"#, #""names.Card": it is no string"#),
        (
            #"{"extends":"en","words":{"headline.replaced":{"few":"x"}}}"#,
            #""words.headline.replaced.few": the language has no such form; it has one, other"#
        ),
        (#"{"extends":"en","words":{"headline.replaced":{"one":"{days}"}}}"#, #""words.headline.replaced": the form "other" is missing"#),
        (#"{"extends":"en","words":{"headline.replaced":"{days}"}}"#, #""words.headline.replaced": the placeholder {count} is missing"#),
        (#"{"extends":"en","words":{"side.now":{"one":"x","other":"y"}}}"#, #""words.side.now": it is no string"#),
        (#"{"extends":"en","words":{"date":"{day} {month} {year"}}"#, #""words.date": a brace is alone"#),
        (
            #"{"extends":"en","words":{"date":"{day} {moon} {year}"}}"#,
            "the placeholder {moon} is not known here; known are {day}, {month}, {year}"
        ),
    ])
    func whatIsWrongIsNamed(_ text: String, _ sentence: String) {
        let problem = #expect(throws: PageLanguageProblem.self) { try language(text) }
        #expect(problem?.sentence.contains(sentence) == true, "\(problem?.sentence ?? "")")
    }

    @Test(arguments: PageWord.allCases) func aSentenceThatIsMissingIsNamedWithWhatEnglishSays(_ word: PageWord) throws {
        let english = try #require(try JSONParser.parse(PageLanguage.english.description).object)
        let words = try #require(english["words"]?.object)
        let rest = words.filter { $0.name.rawValue != word.rawValue }
        let file = english.map { $0.name == "words" ? FieldMap.Element(name: $0.name, value: .object(try! FieldMap(unordered: rest))) : $0 }
        let text = JSONText.string(.object(try FieldMap(unordered: file)))
        let problem = #expect(throws: PageLanguageProblem.self) { try language(text) }
        #expect(problem?.sentence.hasPrefix(#""words.\#(word.rawValue)": it is missing: English says "#) == true)
    }
}
