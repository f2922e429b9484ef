import Foundation
import GitRepository
import SyncAuditCommands
import SyncBytes
import SyncLines
import SyncModel
import SyncOracle
import Testing

@Suite struct StoryVerbTests {
    private let directory: TemporaryDirectory
    private let world = TestWorld()

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func write(
        _ device: String, _ number: Int, at time: String, _ fields: String?, seen: String, source: String? = nil, record: String = "42"
    ) -> String {
        let source = source.map { #""source":"\#($0)","# } ?? ""
        let operation = fields.map { #""op":"put","fields":\#($0)"# } ?? #""op":"delete""#
        return #"{"v":1,"ts":"2026-01-15T\#(time)Z",\#(source)"event":"write","device":"\#(device)","n":\#(number),"recordType":"Card","#
            + #""recordID":"\#(record)",\#(operation),"seen":{\#(seen)}}"# + "\n"
    }

    private func told(_ source: String, at time: String) -> String {
        #"{"v":1,"ts":"2026-01-15T\#(time)Z","source":"\#(source)","event":"remote_change","changes":1,"refreshVersion":1}"# + "\n"
    }

    /// A fork and a merge, from the logs of two devices, each of which has the other's writes too.
    private func logs() throws -> (pad: String, phone: String) {
        let first = { write("Mac", 1, at: "14:00:00.000", #"{"phone":"0"}"#, seen: "", source: $0) }
        let pad = { write("Pad", 1, at: "14:01:00.000", #"{"phone":"1"}"#, seen: #""Mac":1"#, source: $0) }
        let phone = { write("Phone", 1, at: "14:01:19.000", #"{"phone":"2"}"#, seen: #""Mac":1"#, source: $0) }
        let last = { write("Phone", 2, at: "15:00:00.000", #"{"title":"x"}"#, seen: #""Mac":1,"Pad":1,"Phone":1"#, source: $0) }
        let padLog = [first("Pad"), told("Pad", at: "14:00:30.000"), pad("Pad"), phone("Pad"), told("Pad", at: "14:11:19.000")]
        let phoneLog = [
            first("Phone"), told("Phone", at: "14:00:10.000"), phone("Phone"), pad("Phone"), told("Phone", at: "14:31:00.000"),
            last("Phone"),
        ]
        return (
            try directory.path(padLog.joined(), as: "pad.jsonl"), try directory.path(phoneLog.joined(), as: "phone.jsonl")
        )
    }

    @Test func aForkAndAMerge() throws {
        let (pad, phone) = try logs()
        let trace = try directory.path(
            String(contentsOfFile: phone, encoding: .utf8).replacing(#""source":"Phone","#, with: ""), as: "trace.jsonl")
        let audited = TestWorld()
        #expect(audited.run("audit", "-o", directory.file("conflicts.jsonl"), trace) == .success)
        let conflicts = directory.file("conflicts.jsonl")
        let id = try TestWorld.id(in: conflicts)
        #expect(world.run("story", "Card/42", conflicts, pad, phone) == .success, Comment(rawValue: world.errorText))
        #expect(
            world.output.text == """
                Card "x" Card/42
                4 writes by 3 devices, in 2 devices' logs; 1 conflict, 1 edit lost

                ○   1 Mac 2026-01-15 14:00:00.000 "phone":"0"
                │       taken by all others, last by Pad after 30 s by its clock
                ├─╮
                │ ○ 2 Pad 2026-01-15 14:01:00.000 "phone":"1"
                │ │     taken by Phone after 30 min by its clock
                ● │ 3 Phone 2026-01-15 14:01:19.000 "phone":"2"
                │ │     had not seen 2
                │ │     lost: 2's phone "1", replaced by 3's "2", 19 s newer \(id)
                │ │     taken by Pad after 10 min by its clock
                ├─╯
                ●   4 Phone 2026-01-15 15:00:00.000 "title":"x"
                        in no other device's log

                Shown now:
                  phone "2"
                  title "x"
                Pad shows "phone":"2": it has not taken 4
                1 other device shows it.

                Get it back: syncaudit restore \(id) \(conflicts) \(pad) \(phone)

                """, "\(world.output.text)")
    }

    /// Logs of two devices in one file tell of no store that was put back, and a later name that writes to another record of none either.
    @Test func aLivingWriteIsNotGone() throws {
        let both = try directory.path(
            write("A", 1, at: "14:00:00.000", #"{"t":"a"}"#, seen: "", source: "A")
                + write("B", 1, at: "14:01:00.000", #"{"u":"b"}"#, seen: "", source: "B"), as: "both.jsonl")
        let told = try story("Card/42", both)
        #expect(told["gone"] == nil && told["now"] == .object(["t": "a", "u": "b"]), "\(told)")
        let renamed = try directory.path(
            write("A", 1, at: "14:00:00.000", #"{"t":"a"}"#, seen: "", source: "A")
                + write("A~1f3a9c02", 1, at: "14:01:00.000", #"{"u":"b"}"#, seen: "", source: "A", record: "99"), as: "renamed.jsonl")
        let other = try story("Card/42", renamed)
        #expect(other["gone"] == nil && other["now"] == .object(["t": "a"]), "\(other)")
        // The number is given again, so that the store did not have the first; the pad has seen it all the same.
        let reused =
            write("A", 2, at: "14:00:00.000", #"{"t":"a"}"#, seen: "", source: "A")
            + write("A", 1, at: "14:02:00.000", #"{"u":"b"}"#, seen: "", source: "A", record: "99")
        let gone = try story("Card/42", try directory.path(reused, as: "reused.jsonl"))
        #expect(gone["gone"]?.array?.count == 1 && gone["now"] == nil, "\(gone)")
        let pad = write("Pad", 1, at: "14:03:00.000", #"{"v":"c"}"#, seen: #""A":2"#, source: "Pad")
        let seen = try story("Card/42", try directory.path(reused, as: "reused.jsonl"), try directory.path(pad, as: "pad.jsonl"))
        #expect(seen["gone"] == nil && seen["now"] == .object(["t": "a", "v": "c"]), "\(seen)")
    }

    /// One save that took two fields is undone at once, and so says the page of either conflict.
    @Test func allThatOneSaveTookIsGivenBackTogether() throws {
        let trace = try directory.path(
            write("A", 1, at: "14:00:00.000", #"{"phone":"1","title":"x"}"#, seen: "")
                + write("B", 1, at: "14:00:09.000", #"{"phone":"2","title":"y"}"#, seen: ""), as: "trace.jsonl")
        let conflicts = directory.file("conflicts.jsonl")
        #expect(world.run("audit", "-o", conflicts, trace) == .success)
        #expect(world.run("story", "Card/42", conflicts, trace) == .success, "\(world.errorText)")
        let line = try #require(world.output.text.firstMatch(of: /Get all that it took back: syncaudit (restore --overwrite .*)\n/))
        let command = line.1
        #expect(world.run(command.split(separator: " ").map(String.init)) == .success, "\(world.errorText)")
        let given = world.output.text
        #expect(given.contains(#""fields":{"phone":"1"}"#) && given.contains(#""fields":{"title":"x"}"#), "\(given)")
        #expect(world.run("show", try TestWorld.id(in: conflicts), conflicts, trace) == .success)
        let shown = String(world.output.text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
        #expect(shown.contains("All that the write took away at once: syncaudit restore --overwrite"), "\(shown)")
    }

    @Test func asJSON() throws {
        let (pad, phone) = try logs()
        #expect(world.run("story", "-f", "json", "Card/42", pad, phone) == .success)
        let story = try #require(try JSONParser.parse(world.output.text).object)
        let writes = story["writes"]?.array?.compactMap(\.object) ?? []
        try #require(writes.count == 4)
        #expect(writes.map { $0["device"]?.string } == ["Mac", "Pad", "Phone", "Phone"])
        #expect(writes.map { $0["parents"]?.array?.compactMap(\.integer) } == [[], [0], [0], [2, 1]])
        #expect(writes.map { $0["unseen"]?.array?.compactMap(\.integer) } == [[], [], [1], []])
        #expect(writes.map { $0["isShown"] } == [.bool(false), .bool(false), .bool(true), .bool(true)])
        let logs = writes[2]["logs"]?.array?.compactMap(\.object) ?? []
        #expect(logs.map { $0["source"]?.string } == ["Pad", "Phone"])
        #expect(logs.map { $0["at"]?.string } == ["2026-01-15T14:11:19.000Z", "2026-01-15T14:01:19.000Z"])
        #expect(story["now"] == .object(["phone": .string("2"), "title": .string("x")]))
        let devices = story["devices"]?.array?.compactMap(\.object) ?? []
        #expect(devices.map { $0["missing"]?.array?.compactMap(\.integer) } == [[3], []])
    }

    @Test func oneFieldAlone() throws {
        let (pad, phone) = try logs()
        #expect(world.run("story", "--field", "title", "Card/42", pad, phone) == .success)
        #expect(world.output.text.contains("1 Phone 2026-01-15 15:00:00.000 title \"x\""), "\(world.output.text)")
        #expect(world.output.text.contains("Shown now:\n  title \"x\"\nPad shows nothing, the field is empty: it has not taken 1\n"))
        #expect(!world.output.text.contains("14:01:00"))
    }

    /// A clock that is a day ahead makes no write come before what its writer had seen.
    @Test func aWriteComesBehindWhatItHasSeenWhateverTheClocksSay() throws {
        let trace = [
            write("A", 1, at: "14:00:00.000", #"{"a":1}"#, seen: ""), write("B", 1, at: "09:00:00.000", #"{"a":2}"#, seen: #""A":1"#),
            write("C", 1, at: "08:00:00.000", nil, seen: #""A":1,"B":1"#),
        ]
        let path = try directory.path(trace.reversed().joined(), as: "trace.jsonl")
        #expect(world.run("story", "-f", "json", "Card/42", path) == .success)
        let story = try #require(try JSONParser.parse(world.output.text).object)
        let devices = story["writes"]?.array?.compactMap { $0.object?["device"]?.string }
        #expect(devices == ["A", "B", "C"] && story["now"] == .null)
    }

    @Test(arguments: ["Card", "/42", ""]) func aNameThatIsNone(_ name: String) {
        #expect(world.run("story", name, "-") == .usage)
        #expect(world.errorText.contains("such as Card/42"), "\(world.errorText)")
    }

    @Test func aRecordThatNoLineTellsOf() throws {
        let (pad, _) = try logs()
        #expect(world.run("story", "Card/43\u{1b}[31m", pad) == .noInput)
        #expect(world.errorText.contains("no line tells of Card/43") && !world.errorText.contains("\u{1b}"), "\(world.errorText)")
    }

    @Test func nothingHostileReachesTheTerminal() throws {
        let hostile = "\\u001b]0;x\\u0007\\u202e"
        let line = write("\(hostile)", 1, at: "14:00:00.000", #"{"\#(hostile)":"\#(hostile)"}"#, seen: "", source: hostile)
        let path = try directory.path(line, as: "log.jsonl")
        #expect(world.run("story", "Card/42", path) == .success)
        #expect(!world.output.text.contains { "\u{1b}\u{7}\u{202e}".contains($0) }, "\(world.output.text)")
    }

    /// Only the latest writes are told, and what is shown comes from all of them.
    @Test func aRecordThatIsWrittenAllDay() throws {
        var trace = write("B", 1, at: "00:00:00.000", #"{"title":"first"}"#, seen: "")
        for number in 1...5000 {
            let time = String(format: "%02d:%02d:%02d.000", 1 + number / 3600, number / 60 % 60, number % 60)
            trace += write("A", number, at: time, #"{"phone":"\#(number)"}"#, seen: #""B":1"#)
        }
        let path = try directory.path(trace, as: "trace.jsonl")
        #expect(world.run("story", "-f", "json", "Card/42", path) == .success)
        let story = try #require(try JSONParser.parse(world.output.text).object)
        #expect(story["writes"]?.array?.count == 2000 && story["omitted"]?.integer == 3001)
        #expect(story["now"] == .object(["phone": .string("5000"), "title": .string("first")]))
    }

    /// What every device of a fleet that has synced shows is what the story says, and what it says is lost is what the ledger says.
    @Test func simulatedDevicesShowWhatItSays() async throws {
        let simulated = await TestWorld.onThread([
            "simulate", "--seed", "11", "--devices", "4", "--steps", "120", "-o", directory.file("logs"),
        ])
        #expect(simulated.code == .success)
        let lost = await TestWorld.onThread(["lost", "-f", "json", directory.file("logs")])
        let losses = try JSONParser.parse(lost.output).object?["losses"]?.array?.compactMap(\.object) ?? []
        let byRecord = Dictionary(grouping: losses) { "\($0["recordType"]?.string ?? "")/\($0["recordID"]?.string ?? "")" }
        #expect(byRecord.count > 5)
        for (record, losses) in byRecord {
            let outcome = await TestWorld.onThread(["story", "-f", "json", record, directory.file("logs")])
            let story = try #require(try JSONParser.parse(outcome.output).object, "\(record): \(outcome.errors)")
            let told = story["losses"]?.array?.compactMap(\.object) ?? []
            #expect(Set(told.map { $0["conflict"]?.object?["id"] }) == Set(losses.map { $0["id"] }), "\(record)")
            let statuses = Dictionary(grouping: told) { $0["status"] }.mapValues(\.count)
            #expect(statuses == Dictionary(grouping: losses) { $0["status"] }.mapValues(\.count), "\(record)")
            for device in story["devices"]?.array?.compactMap(\.object) ?? [] {
                #expect(device["shown"] == story["now"] && device["missing"] == .array([]), "\(record) on \(device["source"] ?? .null)")
            }
        }
    }

    private func story(_ record: String, _ files: String...) throws -> FieldMap {
        let world = TestWorld()
        #expect(world.run(["story", "-f", "json", record] + files) == .success, "\(world.errorText)")
        return try #require(try JSONParser.parse(world.output.text).object)
    }

    private func conflict(_ record: String, policy: String) -> String {
        #"{"v":1,"ts":"2026-01-15T14:00:09.000Z","event":"conflict","id":"\#(String(repeating: "0", count: 15 - record.count))a\#(record)","kind":"update_update","severity":"merged","#
            + #""basis":"causal","recordType":"Card","recordID":"\#(record)","field":"visits","winner":{"device":"B","n":9,"#
            + #""ts":"2026-01-15T14:00:05.000Z","counter":0,"op":"put","value":2},"loser":{"device":"A","n":9,"#
            + #""ts":"2026-01-15T14:00:04.000Z","counter":0,"op":"put","value":1},"gapMs":1000,"withinWindow":true,"windowMs":300000,"#
            + #""policy":"\#(policy)","resolution":"merged","reason":"newer","auto":true,"clockSuspect":false}"# + "\n"
    }

    /// Nothing is called safe in a trace in which nobody has looked: what is told of the record is audited for the story.
    @Test func aTraceThatNobodyAudited() throws {
        let (_, phone) = try logs()
        let writes = try String(contentsOfFile: phone, encoding: .utf8).split(separator: "\n").filter { $0.contains(#""event":"write""#) }
        let trace = try directory.path(
            writes.joined(separator: "\n").replacing(#""source":"Phone","#, with: "") + "\n", as: "trace.jsonl")
        #expect(world.run("audit", "-o", directory.file("conflicts.jsonl"), trace) == .success)
        let id = try TestWorld.id(in: directory.file("conflicts.jsonl"))
        #expect(world.run("story", "Card/42", trace) == .success)
        #expect(world.output.text.contains("4 writes by 3 devices; 1 conflict, 1 edit lost\n"), "\(world.output.text)")
        #expect(world.output.text.contains("No line tells of conflicts: those over this record were found now, and"))
        #expect(world.output.text.contains("replaced by 3's \"2\", 19 s newer \(id)\n"), "\(world.output.text)")
        #expect(!world.output.text.contains("Get it back"))
        let told = try story("Card/42", trace)
        #expect(told["isUnaudited"] == .bool(false) && told["isAuditedHere"] == .bool(true))
        #expect(try story("Card/42", trace, directory.file("conflicts.jsonl"))["isAuditedHere"] == .bool(false))
        // A log of something else says nothing of this record.
        let other = try directory.path(conflict("7", policy: "counter"), as: "other.jsonl")
        #expect(try story("Card/42", trace, other)["losses"]?.array?.count == 1)
        // Of handlers' merges a trace says nothing.
        let merge =
            #"{"event":"merge","ts":"2026-01-15T14:05:00Z","device":"Mac","recordType":"Card","recordID":"42","ancestor":{"fields":{"v":0}},"#
            + #""client":{"fields":{"v":1}},"server":{"fields":{"v":2},"device":"iPad"},"result":{"fields":{"v":1}}}"# + "\n"
        #expect(try story("Card/42", trace, try directory.path(merge, as: "merge.jsonl"))["isUnaudited"] == .bool(true))
    }

    /// What the story finds is what the audit finds, in whatever order the clocks are.
    @Test func whatTheStoryFindsIsWhatAnAuditFinds() throws {
        let trace = sample("traces/business-cards.jsonl")
        let audit = TestWorld()
        #expect(audit.run("audit", trace) == .success)
        let conflicts = audit.output.text.split(separator: "\n").filter { $0.contains(#""event":"conflict""#) }
        for record in ["card-1", "card-2", "card-3", "card-7"] {
            let told = try story("Card/\(record)", trace)
            let found = [told["losses"], told["conflicts"]].flatMap { $0?.array ?? [] }.compactMap {
                $0.object?["conflict"]?.object?["id"]?.string
            }
            let expected = conflicts.filter { $0.contains(#""recordType":"Card","recordID":"\#(record)","#) }
            #expect(found.count == expected.count && found.allSatisfy { id in expected.contains { $0.contains(id) } }, "\(record)")
        }
    }

    /// The rows of a table in the server's order, what a save repeated, and what a save took away that had not seen it.
    @Test func aTablesRow() throws {
        let table = try directory.path(
            """
            id,note_id,title,body,saved_by,client_time,saved_at,version,base_version
            1,n1,Paint,Blue,lena,2026-10-05T08:16:05Z,2026-10-05T08:16:06Z,1,
            2,n1,Paint,Red,ines,2026-10-05T09:00:00Z,2026-10-05T09:00:01Z,2,1
            3,n2,Other,x,ines,2026-10-05T09:30:00Z,2026-10-05T09:30:01Z,1,
            4,n1,Paints,Blue,omar,2026-10-05T08:30:00Z,2026-10-05T10:00:01Z,3,1

            """, as: "note_versions.csv")
        #expect(world.run("story", "note/n1", table) == .success, "\(world.errorText)")
        #expect(
            world.output.text.hasPrefix(
                """
                note "Paint" note/n1
                3 writes by 3 devices; 1 conflict, 1 edit lost

                """), "\(world.output.text)")
        #expect(world.output.text.contains("2 ines 2026-10-05 09:00:00.000 \"body\":\"Red\", and 1 field as before\n"))
        #expect(world.output.text.contains("3 omar 2026-10-05 08:30:00.000 \"body\":\"Blue\",\"title\":\"Paints\"\n"))
        #expect(world.output.text.contains("had not seen 2\n") && world.output.text.contains("lost: 2's body \"Red\""))
        #expect(world.output.text.contains("Get it back: syncaudit restore "))
        let told = try story("note/n1", table)
        #expect(told["now"] == .object(["title": "Paints", "body": "Blue"]))
        #expect(told["writes"]?.array?.compactMap { $0.object?["parents"] } == [.array([]), .array([0]), .array([0])])
    }

    /// A row that comes after a delete is there again, and of an author who says nothing nobody knows what he had seen.
    @Test func aRowAfterADelete() throws {
        let table = try directory.path(
            """
            id,note_id,action,title,saved_by,saved_at,version,base_version
            1,n1,INSERT,Paint,ann,2026-10-05T08:15:00Z,1,
            2,n1,DELETE,Paint,bob,2026-10-05T09:18:00Z,2,1
            3,n1,INSERT,Paints,cem,2026-10-05T09:20:00Z,3,
            4,n2,INSERT,Other,ann,2026-10-05T09:30:00Z,1,
            5,n2,UPDATE,Others,ann,2026-10-05T09:31:00Z,2,1

            """, as: "note_versions.csv")
        let told = try story("note/n1", table)
        #expect(told["now"]?.object?["title"] == "Paints", "\(told)")
        let writes = told["writes"]?.array?.compactMap(\.object) ?? []
        #expect(writes.map { $0["op"]?.string } == ["put", "delete", "put"])
        #expect(writes.map { $0["parents"] } == [.array([]), .array([0]), .array([1])])
        #expect(writes.allSatisfy { $0["unseen"] == .array([]) } && writes.last?["isShown"] == .bool(true))
        #expect(
            world.run("story", "note/n1", table, try directory.create("other.csv", directory.content("note_versions.csv") ?? "")) == .usage)
        #expect(world.errorText.contains("is told of one table"), "\(world.errorText)")
    }

    /// A record of many rows costs by their number, and its page names no more losses than somebody reads.
    @Test(.timeLimit(.minutes(1))) func aRowThatIsSavedAllDay() throws {
        let rows = (1...6_000).map { number in
            let (hour, minute, second) = (number / 3600, number / 60 % 60, number % 60)
            let time = "2026-10-05T0\(hour):\(minute / 10)\(minute % 10):\(second / 10)\(second % 10)Z"
            // Every tenth save has seen nothing of the one before.
            let (author, base) = (number % 2 == 0 ? "ann" : "bob", number % 10 == 0 ? number - 2 : number - 1)
            return "\(number),n1,Title \(number),\(author),\(time),\(number),\(base)"
        }
        let table = try directory.path(
            "id,note_id,title,saved_by,saved_at,version,base_version\n" + rows.joined(separator: "\n") + "\n", as: "note_versions.csv")
        #expect(world.run("story", "note/n1", table) == .success, "\(world.errorText)")
        let text = world.output.text
        // Of 600 losses 200 are of the 2,000 writes that are shown, or of them and an earlier one.
        #expect(text.contains("600 edits lost") && text.contains("and 350 losses more of writes that are not shown"), "\(text.prefix(400))")
        let told = try story("note/n1", table)
        #expect(told["now"] == .object(["title": "Title 6000"]) && told["losses"]?.array?.count == 600)
    }

    @Test func aFileOfARepository() throws {
        let repository = try GitRepository()
        var stream = CommitStream()
        let root = stream.commit("Ada", at: 1000, on: [], put: ["cards.json": #"{"john":{"phone":"0"}}"#])
        let ada = stream.commit("Ada", at: 1010, on: [root], put: ["cards.json": #"{"john":{"phone":"1"}}"#], branch: "main")
        let bob = stream.commit("Bob", at: 1020, on: [root], put: ["cards.json": #"{"john":{"phone":"2"}}"#], branch: "side")
        _ = stream.commit("Ada", at: 1030, on: [ada, bob], put: ["cards.json": #"{"john":{"phone":"2"}}"#])
        try repository.fastImport(stream.text)
        let imported = TestWorld()
        #expect(imported.run("import", "git", repository.path) == .success)
        let line = try #require(try JSONParser.parse(String(imported.output.text.prefix { $0 != "\n" })).object)
        let record = "\(line["recordType"]?.string ?? "")/\(line["recordID"]?.string ?? "")"
        #expect(world.run("story", record, repository.path) == .success, "\(world.errorText)")
        #expect(world.output.text.contains("had not seen ") && world.output.text.contains("├─╯"), "\(world.output.text)")
        #expect(world.output.text.contains("conflict, ") && !world.output.text.contains("Get it back"), "\(world.output.text)")
        #expect(world.run("story", "File/none", repository.path) == .noInput)
        #expect(world.errorText.contains("no commit writes File/none"), "\(world.errorText)")
        // A folder of logs is one, whether or not it is a repository too.
        #expect(world.run("story", "Card/42", try repositoryWithALog()) == .success, "\(world.errorText)")
    }

    private func repositoryWithALog() throws -> String {
        try directory.create("both/.git/HEAD")
        try directory.create("both/log.jsonl", write("A", 1, at: "14:00:00.000", #"{"a":1}"#, seen: ""))
        return directory.file("both")
    }

    /// The rules may be named by the conflicts of another record alone, and options lie over what is told.
    @Test func whatIsShownGoesByTheRulesThatAnyLineOfTheTypeNames() throws {
        let writes = [
            write("A", 1, at: "14:00:00.000", #"{"visits":{"$counter":2}}"#, seen: ""),
            write("B", 1, at: "14:00:01.000", #"{"visits":{"$counter":3}}"#, seen: ""),
        ]
        let path = try directory.path(writes.joined() + conflict("7", policy: "counter"), as: "log.jsonl")
        let told = try story("Card/42", path)
        #expect(told["now"] == .object(["visits": 5]))
        #expect(told["writes"]?.array?.compactMap { $0.object?["isShown"] } == [.bool(true), .bool(true)])
        #expect(world.run("story", "--deletes", "edit-wins", "-f", "json", "Card/42", path) == .success)
        #expect(world.output.text.contains(#""now":{"visits":5}"#), "\(world.output.text)")
    }

    @Test func withoutAWriteWhatIsShownIsNotKnown() throws {
        let path = try directory.path(conflict("42", policy: "counter"), as: "log.jsonl")
        #expect(world.run("story", "Card/42", path) == .success)
        #expect(world.output.text.contains("What it shows is not known"), "\(world.output.text)")
        #expect(try story("Card/42", path)["now"] == nil)
    }

    /// Many devices that wrote without knowing of each other.
    @Test(.timeLimit(.minutes(2))) func aThousandWritesSideBySide() throws {
        let trace = (0..<1000).map {
            write("D\($0)", 1, at: String(format: "14:%02d:%02d.000", $0 / 60, $0 % 60), #"{"a":\#($0)}"#, seen: "")
        }
        let path = try directory.path(trace.joined(), as: "trace.jsonl")
        let writes = try story("Card/42", path)["writes"]?.array ?? []
        #expect(writes.count == 1000 && writes.allSatisfy { $0.object?["unseen"]?.array?.count ?? 99 <= 32 })
    }

    /// What a write says to have seen need not be all that this had seen.
    @Test func aWriteComesBehindAllThatItHasSeenThoughThatIsNotPassedOn() throws {
        let trace = [
            write("A", 1, at: "14:00:02.000", #"{"x":1}"#, seen: ""), write("B", 1, at: "14:00:03.000", #"{"x":2}"#, seen: #""A":1"#),
            write("C", 1, at: "14:00:01.000", #"{"x":3}"#, seen: #""B":1"#),
        ]
        let told = try story("Card/42", try directory.path(trace.joined(), as: "trace.jsonl"))
        #expect(told["writes"]?.array?.compactMap { $0.object?["device"]?.string } == ["A", "B", "C"])
    }

    @Test func aLogThatHasNoneOfItAndOneThatBeginsLate() throws {
        let (pad, phone) = try logs()
        let desk = try directory.path(
            write("Desk", 9, at: "14:00:00.000", #"{"a":1}"#, seen: "", source: "Desk", record: "7"), as: "desk.jsonl")
        let late = try directory.path(
            #"{"v":1,"ts":"2026-01-15T16:00:00.000Z","seq":500,"source":"Late","event":"log","rotated":true}"# + "\n"
                + write("Late", 1, at: "16:00:01.000", #"{"a":1}"#, seen: "", source: "Late", record: "7"), as: "late.jsonl")
        #expect(world.run("story", "Card/42", pad, phone, desk, late) == .success)
        #expect(world.output.text.contains("Desk has none of it\n"), "\(world.output.text)")
        #expect(world.output.text.contains("What Late shows is not known: its log does not begin with its first line.\n"))
        #expect(world.output.text.contains("taken by Phone after 30 min by its clock; not by Desk\n"))
    }

    @Test func twoLogsThatSayOtherwiseOfOneWrite() throws {
        let one = try directory.path(write("A", 1, at: "14:00:00.000", #"{"x":"1"}"#, seen: "", source: "A"), as: "one.jsonl")
        let two = try directory.path(write("A", 1, at: "14:00:00.000", #"{"x":"2"}"#, seen: "", source: "B"), as: "two.jsonl")
        let left = try directory.path(
            write("A", 1, at: "14:00:00.000", #"{"x":{"$omitted":"A:1"}}"#, seen: "", source: "B"), as: "left.jsonl")
        #expect(world.run("story", "Card/42", one, two) == .success)
        #expect(world.output.text.contains("another log has other values for this write"), "\(world.output.text)")
        let told = try story("Card/42", left, one)
        #expect(told["writes"]?.array?.first?.object?["fields"] == .object(["x": "1"]))
    }

    /// A writer's name after a backup is its device's all the same.
    @Test func aDeviceThatGoesOnUnderAnotherName() throws {
        let path = try directory.path(write("Pad~f1f49124", 1, at: "14:00:00.000", #"{"x":"1"}"#, seen: "", source: "Pad"), as: "log.jsonl")
        #expect(world.run("story", "Card/42", path) == .success)
        #expect(!world.output.text.contains("taken by"), "\(world.output.text)")
    }
}
