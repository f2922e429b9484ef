import Foundation
import SyncAuditCommands
import Testing

/// What a page for a user says is shown now, and whose values are on it.
@Suite struct UserPageNowTests {
    private let maker: UserPageMaker

    init() throws { maker = try UserPageMaker() }

    private func words(_ trace: String, _ arguments: [String] = [], policies: [String] = []) throws -> String {
        UserPageMaker.words(try maker.page(trace, arguments, policies: policies))
    }

    /// A card with a name, of which two devices changed the telephone.
    private static let card =
        Trace.put("Mac", at: 0, "4f2a", #"{"fullName":"Anna Miller"}"#, type: "BusinessCard")
        + Trace.put("iPad", at: 60, "4f2a", #"{"phone":"alpha"}"#, type: "BusinessCard", saw: #"{"Mac":1}"#)
        + Trace.put("iPhone", at: 120, "4f2a", #"{"phone":"beta"}"#, type: "BusinessCard", saw: #"{"Mac":1}"#)
    private static let all = #"{"Mac":1,"iPad":1,"iPhone":1}"#

    @Test func nowIsWhatLaterWritesMadeOfIt() throws {
        let words = try words(
            Self.card + Trace.put("iPad", 2, at: 240, "4f2a", #"{"phone":"gamma"}"#, type: "BusinessCard", saw: Self.all))
        #expect(words.contains("Before on iPad, 15 January 2026, 14:01 alpha"))
        #expect(words.contains("Then on iPhone, 15 January 2026, 14:02 beta"))
        #expect(words.contains("Now on iPad, 15 January 2026, 14:04 gamma"))
        #expect(words.contains("“Now” is what is known up to 15 January 2026, 14:04."))
    }

    @Test func whatIsThereAgainIsSaidToBe() throws {
        let back = Self.card + Trace.put("Mac", 2, at: 240, "4f2a", #"{"phone":"alpha"}"#, type: "BusinessCard", saw: Self.all)
        let restored = try words(back)
        #expect(restored.contains("Now on Mac, 15 January 2026, 14:04 alpha"))
        #expect(restored.contains("What was there before is there again."))
        let again =
            back + Trace.put("Mac", 3, at: 300, "4f2a", #"{"phone":"delta"}"#, type: "BusinessCard", saw: #"{"iPad":1,"iPhone":1}"#)
        let words = try words(again)
        #expect(words.contains("Now on Mac, 15 January 2026, 14:05 delta"))
        #expect(words.contains("was put back, and has been changed again since"))
    }

    @Test func aRecordThatWasDeletedSinceIsSaidToBe() throws {
        let words = try words(Self.card + Trace.delete("Mac", 2, at: 240, "4f2a", type: "BusinessCard", saw: Self.all))
        #expect(words.contains("Phone of Anna Miller"))
        #expect(words.contains("Then on iPhone, 15 January 2026, 14:02 beta"))
        #expect(words.contains("Now on Mac, 15 January 2026, 14:04 deleted"))
    }

    @Test func fieldsOfRecordsThatAreKeptWholeShowThrough() throws {
        // The winner of the second conflict did not write the telephone.
        let words = try words(
            Self.card + Trace.put("Mac", 2, at: 240, "4f2a", #"{"email":"e"}"#, type: "BusinessCard", saw: Self.all),
            policies: ["--policy", "record-last-writer-wins"])
        #expect(words.contains("Now on Mac, 15 January 2026, 14:04 phone: beta"), "\(words)")
    }

    @Test func withoutTheWritesNothingIsSaidOfNow() throws {
        let story = try Story(maker.directory, trace: Self.card)
        let world = TestWorld()
        #expect(world.run("report", "--format", "html", "--for", "user", story.log) == .success)
        let words = UserPageMaker.words(world.output.text)
        #expect(words.contains("After on iPhone, 15 January 2026, 14:02 beta"))
        #expect(!words.contains("Now"))
    }

    @Test func recordsAreCalledWhatTheyAreCalledNow() throws {
        let renamed = Self.card + Trace.put("Mac", 2, at: 30, "4f2a", #"{"fullName":"Anna Smith"}"#, type: "BusinessCard")
        #expect(try words(renamed).contains("Phone of Anna Smith"))
        // Later by its time, and replaced all the same.
        let late =
            Trace.put("Mac", at: 200, "4f2a", #"{"fullName":"Old name"}"#, type: "BusinessCard")
            + Trace.put("iPad", at: 60, "4f2a", #"{"phone":"alpha","fullName":"New name"}"#, type: "BusinessCard", saw: #"{"Mac":1}"#)
            + Trace.put("iPhone", at: 120, "4f2a", #"{"phone":"beta"}"#, type: "BusinessCard", saw: #"{"Mac":1}"#)
        #expect(try words(late).contains("Phone of New name"))
    }

    @Test func identitiesAreNeverOnThePage() throws {
        let identity = "0F8FAD5B-D9CB-469F-A165-70867728950E"
        let words = try words(
            Trace.put("Mac", at: 0, identity, #"{"name":"\#(identity)"}"#, type: "Event")
                + Trace.put("iPad", at: 60, identity, #"{"owner":"\#(identity)"}"#, type: "Event", saw: #"{"Mac":1}"#)
                + Trace.put(
                    "iPhone", at: 120, identity, #"{"owner":["\#(identity)","4111111111111111"]}"#, type: "Event", saw: #"{"Mac":1}"#))
        #expect(words.contains("Owner of an event"))
        #expect(words.contains("a link to something else, 4111111111111111"))
        #expect(!words.lowercased().contains(identity.prefix(8).lowercased()))
    }

    @Test func whatAnotherWroteIsNotOnThePageOfOnePerson() throws {
        let trace = Self.card + Trace.put("Mac", 2, at: 240, "4f2a", #"{"phone":"gamma"}"#, type: "BusinessCard", saw: Self.all)
        let own = try words(trace, ["--user", "iPad"])
        #expect(own.contains("Sync replaced 1 change"))
        #expect(own.contains("Before on iPad, 15 January 2026, 14:01 alpha"))
        #expect(own.contains("Now 15 January 2026, 14:04 changed by someone else"))
        #expect(own.contains("Phone of a business card"))
        #expect(own.contains("What other people wrote is not shown."))
        for others in ["beta", "gamma", "Mac", "iPhone", "Anna"] { #expect(!own.contains(others), "\(others)") }
        let shared = try words(trace, ["--user", "iPad", "--user", "Mac"])
        #expect(shared.contains("Phone of Anna Miller") && shared.contains("Now on Mac, 15 January 2026, 14:04 gamma"))
        #expect(!shared.contains("beta") && !shared.contains("iPhone"))
        let asked = try words(trace, ["--user", "iPad", "--show-others"])
        #expect(asked.contains("Then on iPhone, 15 January 2026, 14:02 beta") && asked.contains("Phone of Anna Miller"))
        // What another lost is none of this person's changes.
        #expect(try words(trace, ["--user", "iPhone"]).contains("Sync replaced nothing on 15 January 2026"))
    }

    @Test func fieldsThatAnotherWroteAreLeftOutOfWholeRecords() throws {
        let words = try words(
            Self.card + Trace.put("iPad", 2, at: 240, "4f2a", #"{"fullName":"Ann"}"#, type: "BusinessCard", saw: Self.all),
            ["--user", "iPad"], policies: ["--policy", "record-last-writer-wins"])
        #expect(words.contains("Before on iPad, 15 January 2026, 14:01 phone: alpha"))
        #expect(words.contains("changed by someone else") && !words.contains("beta"))
    }

    @Test func aUserThatNoLineNamesIsAnError() throws {
        let story = try Story(maker.directory, trace: Self.card)
        let world = TestWorld()
        #expect(world.run("report", "--format", "html", "--for", "user", "--user", "iPod", story.log, story.trace) == .noInput)
        #expect(world.errorText.contains(#"--user: no line names the device or author "iPod"; the most similar name is "iPad""#))
        #expect(world.output.text.isEmpty)
    }

    @Test func whoMakesThePageIsToldThatAllDevicesCountAsOnePersons() throws {
        let story = try Story(maker.directory, trace: Self.card)
        let world = TestWorld()
        #expect(world.run("report", "--format", "html", "--for", "user", story.log, story.trace) == .success)
        #expect(world.errorText.contains("all devices are taken for one person's: iPad, iPhone; --user names those whose page it is"))
    }

    @Test func aTableOfSeveralAuthorsNeedsToKnowWhosePageItIs() throws {
        let table = try maker.directory.path(
            """
            id,note_id,action,title,body,saved_by,saved_at,version,base_version
            1,n1,INSERT,Trip,plan,ines,2026-10-05T08:00:00Z,1,
            2,n1,UPDATE,Trip,plan of Lena,lena,2026-10-05T09:00:00Z,2,1
            3,n1,UPDATE,Trip,plan of Omar,omar,2026-10-05T09:10:00Z,3,1
            4,n1,UPDATE,Trip,plan of Ines,ines,2026-10-05T09:20:00Z,4,3

            """, as: "versions.csv")
        let refused = TestWorld()
        #expect(refused.run("report", "--format", "html", "--for", "user", table) == .usage)
        #expect(refused.errorText.contains("whose page this is must be said, since the rows are of several authors: lena, omar; --user"))
        #expect(refused.output.text.isEmpty)
        func words(_ arguments: String...) -> String {
            let world = TestWorld()
            #expect(world.run(["report", "--format", "html", "--for", "user"] + arguments + [table]) == .success, "\(world.errorText)")
            return UserPageMaker.words(world.output.text)
        }
        let own = words("--user", "lena")
        #expect(own.contains("Before by lena, 5 October 2026, 09:00 plan of Lena"))
        #expect(own.contains("Now 5 October 2026, 09:20 changed by someone else"))
        for others in ["Omar", "Ines", "omar", "ines", "Trip"] { #expect(!own.contains(others), "\(others)") }
        let all = words("--show-others")
        #expect(all.contains("Body of Trip"))
        #expect(all.contains("Then by omar, 5 October 2026, 09:10 plan of Omar"))
        #expect(all.contains("Now by ines, 5 October 2026, 09:20 plan of Ines"))
    }

    // MARK: Whose it is

    /// An object that holds what was lost and more is another's, and a whole record that shows it again holds another's fields too.
    @Test func whatAnotherAddedIsNotShownWithWhatIsThereAgain() throws {
        func put(_ device: String, _ number: Int = 1, at time: Int, _ fields: String, saw seen: String = "{}") -> String {
            Trace.put(device, number, at: time, "1", fields, type: "Card", saw: seen)
        }
        let start = put("lena", at: 0, #"{"a":{}}"#)
        let object =
            start + put("lena", 2, at: 60, #"{"a":{"street":"A"}}"#, saw: #"{"lena":1}"#)
            + put("omar", at: 90, #"{"a":{"street":"A","code":"secret"}}"#, saw: #"{"lena":1}"#)
        let words = try words(object, ["--user", "lena"])
        #expect(words.contains("changed by someone else") && !words.contains("secret") && !words.contains("again"), "\(words)")

        let record =
            put("lena", at: 0, #"{"email":"e"}"#) + put("lena", 2, at: 60, #"{"email":"mine"}"#, saw: #"{"lena":1}"#)
            + put("omar", at: 90, #"{"notes":"secret","email":"his"}"#, saw: #"{"lena":1}"#)
            + put("omar", 2, at: 120, #"{"email":"mine"}"#, saw: #"{"lena":2,"omar":1}"#)
        let whole = try self.words(record, ["--user", "lena"], policies: ["--policy", "record-last-writer-wins"])
        #expect(whole.contains("email: mine") && !whole.contains("secret"), "\(whole)")
        #expect(whole.contains("What was there before is there again."), "\(whole)")
    }

    /// An edit that was lost on two days is a change of the later day alone.
    @Test func earlierDaysCountWhatIsNotOnThePage() throws {
        let start = Trace.put("Mac", at: 0, #"{"a":"0","b":"0"}"#) + Trace.put("iPad", at: 10, #"{"a":"1","b":"1"}"#, saw: #"{"Mac":1}"#)
        let first = try Story(maker.directory, trace: start + Trace.put("iPhone", at: 20, #"{"a":"2","b":"2"}"#, saw: #"{"Mac":1}"#))
        let elsewhere = try TemporaryDirectory()
        let second = try Story(elsewhere, trace: start + Trace.put("Watch", at: 86_400, #"{"a":"3"}"#, saw: #"{"Mac":1}"#))
        func page(_ options: [String] = []) -> String {
            let world = TestWorld()
            #expect(world.run(["report", "--format", "html", "--for", "user"] + options + [first.log, second.log]) == .success)
            return UserPageMaker.words(world.output.text)
        }
        #expect(page().contains("Sync replaced 1 change on 16 January 2026"))
        #expect(page().contains("On earlier days sync replaced 1 change;"))
        #expect(page(["--since", "2026-01-01"]).contains("Sync replaced 2 changes since"))
    }

    @Test func aSummaryAndAPageWithoutRowsAreRefused() throws {
        let story = try Story(maker.directory, trace: Self.card)
        let summary = TestWorld()
        #expect(summary.run("report", "--format", "summary", story.log) == .success)
        let path = try maker.directory.path(summary.output.text, as: "summary.json")
        for (arguments, sentence) in [([path], "a summary holds no values"), (["--rows", "0", story.log], "--rows 0 leaves")] {
            let world = TestWorld()
            #expect(world.run(["report", "--format", "html", "--for", "user"] + arguments) == .usage)
            #expect(world.errorText.contains(sentence), Comment(rawValue: world.errorText))
        }
    }
}
