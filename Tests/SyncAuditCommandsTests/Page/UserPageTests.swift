import Foundation
import SyncAuditCommands
import Testing

/// `report --format html --for user`: what sync replaced, told to the person whose edits they were.
@Suite struct UserPageTests {
    private let maker: UserPageMaker

    init() throws { maker = try UserPageMaker() }

    private var directory: TemporaryDirectory { maker.directory }

    private func page(_ trace: String, _ arguments: [String] = []) throws -> String { try maker.page(trace, arguments) }

    private func words(_ page: String) -> String { UserPageMaker.words(page) }

    private static let day = 86_400

    @Test func whatWasThereBeforeAndAfterIsToldWithoutJargon() throws {
        let page = try page(
            Trace.put("Mac", at: 0, "4f2a", #"{"fullName":"Anna Miller"}"#, type: "BusinessCard")
                + Trace.put("Mac", 2, at: 5, "4f2a", #"{"email":"anna@example.org"}"#, type: "BusinessCard", saw: #"{"Mac":1}"#)
                + Trace.put("iPad", at: 60, "4f2a", #"{"mobilePhone":"+1-555-1234"}"#, type: "BusinessCard", saw: #"{"Mac":1}"#)
                + Trace.put("iPhone", at: 79, "4f2a", #"{"mobilePhone":"+1-555-9876"}"#, type: "BusinessCard", saw: #"{"Mac":1}"#))
        let words = words(page)
        #expect(words.contains("Sync replaced 1 change on 15 January 2026"))
        #expect(words.contains("Mobile phone of Anna Miller"))
        #expect(words.contains("Before on iPad, 15 January 2026, 14:01"))
        #expect(words.contains("Now on iPhone, 15 January 2026, 14:01"))
        #expect(words.contains("+1-555-1234") && words.contains("+1-555-9876"))
        for jargon in ["4f2a", "Writer", "lossy", "policy", "conflict", "update", "mobilePhone", "proven", "merge", "log"] {
            #expect(!words.contains(jargon), "\(jargon)")
        }
    }

    @Test(arguments: ["BusinessCard=nick", "BusinessCard.nick", "nick"]) func theOptionDecidesOnTheName(_ name: String) throws {
        let page = try page(
            Trace.put("Mac", at: 0, "4f2a", #"{"fullName":"Anna Miller","nick":"Annie"}"#, type: "BusinessCard")
                + Trace.put("iPad", at: 60, "4f2a", #"{"phone":"1"}"#, type: "BusinessCard", saw: #"{"Mac":1}"#)
                + Trace.put("iPhone", at: 79, "4f2a", #"{"phone":"2"}"#, type: "BusinessCard", saw: #"{"Mac":1}"#),
            ["--name", name])
        #expect(words(page).contains("Phone of Annie"))
    }

    @Test func linesOfAValueAreLinesOnThePage() throws {
        let page = try page(
            Trace.put("a", at: 0, #"{"body":"one\nt<b>wo\r\nthree\u0007\tfour"}"#) + Trace.put("b", at: 9, #"{"body":["x\ny",1]}"#))
        #expect(page.contains("one\nt&lt;b&gt;wo\nthree\\u{7} four<") && page.contains("x\ny, 1<"))
    }

    @Test func onlyTheDayOfTheNewestLineCountsUnlessDaysAreNamed() throws {
        let trace =
            Trace.clash() + Trace.put("a", 2, at: Self.day, "2", #"{"w":"old"}"#)
            + Trace.put("b", 2, at: Self.day + 9, "2", #"{"w":"new"}"#)
        let last = words(try page(trace))
        #expect(last.contains("Sync may have replaced") == false)
        #expect(last.contains("Sync replaced 1 change on 16 January 2026") && last.contains("old") && !last.contains(" V of a note"))
        #expect(last.contains("On earlier days sync replaced 1 change; ask for a page since 15 January 2026 to see all."))
        let both = words(try page(trace, ["--since", "2026-01-15"]))
        #expect(both.contains("Sync replaced 2 changes since 15 January 2026") && both.contains("V of a note"))
        #expect(!both.contains("earlier days"))
        let nothing = words(try page(trace + Trace.put("c", at: 5 * Self.day, "3", #"{"v":1}"#)))
        #expect(nothing.contains("Sync replaced nothing on 20 January 2026"))
    }

    @Test func whoeverMakesThePageIsToldHowToShowAll() throws {
        let story = try Story(directory, trace: Trace.clash() + Trace.put("c", at: 5 * Self.day, "3", #"{"v":1}"#))
        let world = TestWorld()
        #expect(world.run("report", "--format", "html", "--for", "user", story.log, story.trace) == .success)
        #expect(world.errorText == "syncaudit: 1 change of earlier days is not on the page: --since 2026-01-15 shows all\n")
    }

    @Test func whatIsOnlySuspectedIsSaidToBePossible() throws {
        let suspected = Trace.clash(saw: nil)
        let words = words(try page(suspected))
        #expect(words.contains("Sync may have replaced 1 change on 15 January 2026"))
        #expect(words.contains("Perhaps before on a, ") && words.contains("perhaps without knowing of each other"))
        #expect(!words.contains("Sync replaced"))
        let both = self.words(
            try page(
                suspected + Trace.put("a", 2, at: 90, "2", #"{"v":1}"#) + Trace.put("b", 2, at: 99, "2", #"{"v":2}"#)))
        #expect(both.contains("Sync replaced 1 change on 15 January 2026, and may have replaced 1 more"))
        let later = self.words(try page(suspected + Trace.put("c", at: 5 * Self.day, "3", #"{"v":1}"#, saw: nil)))
        #expect(later.contains("Sync is not known to have replaced anything on 20 January 2026"))
        #expect(later.contains("On earlier days sync may have replaced 1 change; "))
    }

    @Test func whatNobodyHasAuditedIsNotCalledUnchanged() throws {
        let world = TestWorld()
        #expect(world.run("report", "--format", "html", "--for", "user", try directory.path(Trace.clash())) == .success)
        let words = words(world.output.text)
        #expect(words.contains("Whether sync replaced anything on 15 January 2026 is not known"))
        #expect(!words.contains("No change of yours"))
    }

    @Test func deletesEmptyFieldsAndMachinesHaveWords() throws {
        let machine = "0F8FAD5B-D9CB-469F-A165-70867728950E"
        let words = words(
            try page(
                Trace.put("Mac", at: 0, "1", #"{"v":["a","b"]}"#)
                    + Trace.put(machine, at: 60, "1", #"{"v":["c",true,{"aKey":1}]}"#, saw: #"{"Mac":1}"#)
                    + Trace.delete("iPhone", at: 99, saw: #"{"Mac":1}"#)))
        #expect(words.contains("Before on a device") && words.contains("c, yes, a key: 1"))
        #expect(words.contains("deleted") && !words.contains("0F8FAD5B"))
    }
}
