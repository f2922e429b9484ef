import Foundation
import SyncAuditCommands
import Testing

/// The languages, zones and formats of a page for a user.
@Suite struct UserPageLanguageTests {
    private let maker: UserPageMaker

    init() throws { maker = try UserPageMaker() }

    private static let trace =
        Trace.put("iPad", at: 36_000, #"{"isPaid":true,"price":1.5}"#) + Trace.put("iPhone", at: 36_060, #"{"isPaid":false,"price":2.5}"#)

    private func page(_ arguments: String..., format: String = "html") throws -> String {
        try maker.page(Self.trace, arguments, format: format)
    }

    @Test func germanAndFrenchComeAlong() throws {
        let german = try page("--language", "de")
        #expect(german.contains("<html lang=\"de\">"))
        let words = UserPageMaker.words(german)
        #expect(words.contains("Am 16. Januar 2026 wurden beim Synchronisieren 2 Änderungen ersetzt"))
        #expect(words.contains("Vorher auf iPad, 16. Januar 2026, 00:00 Uhr 1,5"))
        #expect(words.contains("Jetzt auf iPhone, 16. Januar 2026, 00:01 Uhr nein"))
        let french = UserPageMaker.words(try page("--language", "fr", "--since", "2026-01-01"))
        #expect(french.contains("La synchronisation a remplacé 2 modifications depuis le 1er janvier 2026"))
        #expect(french.contains("Avant sur iPad, 16 janvier 2026 à 00:00 oui"))
    }

    @Test func aTranslatorsFileExtendsALanguageAndNamesTypesAndFields() throws {
        let file = try maker.directory.path(
            """
            {"extends": "de", "language": "de-AT", "direction": "rtl", "months": ["Jänner","Februar","März","April","Mai","Juni","Juli",
            "August","September","Oktober","November","Dezember"], "names": {"Note": "Rechnung", "Note.isPaid": "Bezahlt", "price": "Preis <b>"},
            "words": {"value.yes": "schon <i>", "headline.replaced": "{days}: {count}"}}
            """, as: "mine.json")
        let page = try page("--language", file)
        #expect(page.contains("<html lang=\"de-AT\" dir=\"rtl\">"))
        #expect(page.contains("schon &lt;i&gt;") && page.contains("Preis &lt;b&gt; (Rechnung)"))
        let words = UserPageMaker.words(page)
        #expect(words.contains("Am 16. Jänner 2026: 2"))
        #expect(words.contains("Bezahlt (Rechnung)"))
    }

    @Test(arguments: [
        ("{", "line 1: this cannot be read as JSON"),
        (#"{"extends":"en","words":{"side.nowadays":"x"}}"#, #""words.side.nowadays": no page has a sentence of this name"#),
        (#"{"extends":"en","words":{"side.before":"{count}"}}"#, #""words.side.before": the placeholder {count} is not known here"#),
        (#"{"language":"eo"}"#, #""plurals": it is missing"#),
    ])
    func whatIsWrongInAFileIsNamed(_ text: String, _ sentence: String) throws {
        let file = try maker.directory.path(text, as: "mine.json")
        let story = try Story(maker.directory, trace: Self.trace)
        let world = TestWorld()
        let arguments = ["report", "--format", "html", "--for", "user", "--language", file, story.log]
        #expect(world.run(arguments) == .badData)
        #expect(world.errorText.contains(file + ": " + sentence), "\(world.errorText)")
    }

    @Test func timesAndDaysAreThoseOfTheZone() throws {
        let words = UserPageMaker.words(try page("--zone", "Asia/Kolkata"))
        #expect(words.contains("Sync replaced 2 changes on 16 January 2026"))
        #expect(words.contains("16 January 2026, 05:30") && words.contains("in the time zone Asia/Kolkata"))
        // Both were made at midnight in universal time, so that it was the day before in New York.
        let newYork = UserPageMaker.words(try page("--zone", "America/New_York"))
        #expect(newYork.contains("on 15 January 2026") && newYork.contains("15 January 2026, 19:00"))
        #expect(UserPageMaker.words(try page("--zone", "America/New_York", "--since", "2026-01-16")).contains("Sync replaced nothing"))
        #expect(UserPageMaker.words(try page("--zone", "+05:30", "--until", "2026-01-16")).contains("16 January 2026, 05:30"))
        #expect(UserPageMaker.words(try page()).contains("in universal time (UTC)"))
    }

    @Test(arguments: [
        (["--language", "xx"], #"--language: "xx" does not come along, as en, de, fr do; a file of your own ends in .json"#),
        (["--zone", "Berlin"], #"--zone: "Berlin" is no zone that this machine knows"#),
        (["--zone", "../../etc/passwd"], "is no zone that this machine knows"),
    ])
    func whatIsNotKnownIsRefused(_ arguments: [String], _ sentence: String) throws {
        let world = TestWorld()
        #expect(world.run(["report", "--format", "html", "--for", "user"] + arguments + ["x"]) == .usage)
        #expect(world.errorText.contains(sentence), "\(world.errorText)")
    }

    @Test(arguments: [["--user", "a"], ["--show-others"], ["--language", "de"], ["--zone", "UTC"]])
    func whatIsAboutAPageForAUserIsOfNoUseElsewhere(_ arguments: [String]) {
        let world = TestWorld()
        #expect(world.run(["report", "--format", "html"] + arguments + ["x"]) == .usage)
        #expect(world.errorText.contains("\(arguments[0]) is about a page for a user: add --for user"))
        let table = TestWorld()
        #expect(table.run(["report", "--for", "user"] + arguments + ["x"]) == .usage)
        #expect(table.errorText.contains("--for is about the reader of a page: use --format html or markdown with --for user"))
    }

    @Test func markdownSaysTheSame() throws {
        let text = try page("--title", "Your *notes*", format: "markdown")
        #expect(text.hasPrefix("# Your \\*notes\\*\n\nSync replaced 2 changes on 16 January 2026\n"))
        #expect(text.contains("\n## Is paid of a note\n\n- **Before** (on iPad, 16 January 2026, 00:00): yes\n- **Now** (on iPhone, "))
        let lines = try maker.page(
            Trace.put("a", at: 0, #"{"body":"- one\n\n    # two\n"}"#) + Trace.put("b", at: 9, #"{"body":"|"}"#), format: "markdown")
        #expect(lines.contains(": \\- one\\\n  \\\n  \\# two\n- **Now**"))
    }
}
