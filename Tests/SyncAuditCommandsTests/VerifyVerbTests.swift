import AuditAnalysis
import AuditChecking
import AuditLog
import ConflictAudit
import ConflictAuditTesting
import Foundation
import SyncBytes
import SyncLayer
import SyncLayerTesting
import SyncModel
import Testing

@testable import SyncAuditCommands

/// `verify` over the logs of two replicas that a scene was played with.
@Suite struct VerifyVerbTests {
    /// A phone and a pad with a hub between them.
    private final class Stage {
        struct Device {
            let name: DeviceID
            let replica: Replica
            let engine: SyncEngine
            let sink: CollectingAuditSink
        }

        let clock = ManualClock()
        let (phone, pad): (Device, Device)

        init() throws {
            let clock = clock
            let hub = InMemoryHub(wallClock: clock.wallClock)
            func device(_ name: DeviceID) throws -> Device {
                let sink = CollectingAuditSink()
                var configuration = ReplicaConfiguration()
                configuration.sink = sink
                configuration.wallClock = clock.wallClock
                configuration.reportsWrites = true
                let replica = try Replica(device: name, store: InMemoryStore(), configuration: configuration)
                return Device(name: name, replica: replica, engine: SyncEngine(replica: replica, hub: hub), sink: sink)
            }
            (phone, pad) = (try device("phone"), try device("pad"))
        }

        func wait(_ seconds: Int) { clock.advance(by: .seconds(seconds)) }

        func edit(_ device: Device, _ id: Int, _ fields: FieldMap = ["on": true]) throws {
            wait(1)
            try device.replica.put(fields, to: RecordKey(type: "Toggle", id: RecordID("\(id)")))
        }

        func sync(_ devices: Device...) async throws {
            for device in devices {
                wait(1)
                _ = try await device.engine.sync()
            }
        }

        func network(_ device: Device, _ isOn: Bool) {
            device.sink.record(AuditEvent(at: clock.now, .network(status: isOn ? "connected" : "disconnected", interface: nil)))
        }

        /// Writes the logs, and runs the verb over them.
        func verify(_ directory: TemporaryDirectory, _ arguments: [String] = []) throws -> (code: ExitCode, outcomes: [String: String]) {
            var paths: [String] = []
            for device in [phone, pad] {
                var buffer = LineBuffer()
                for (index, event) in device.sink.events.enumerated() {
                    LineEncoder.append(event, sequence: UInt64(index + 1), source: device.name, to: &buffer)
                }
                paths.append(try directory.path(String(decoding: buffer.array, as: UTF8.self), as: "\(device.name).jsonl"))
            }
            let world = TestWorld()
            let code = world.run(["verify", "--format", "json"] + arguments + paths)
            #expect(world.errorText == "" || code == .limitExceeded, "\(world.errorText)")
            var outcomes: [String: String] = [:]
            for case .some(let row) in try world.only("scenarios")?.array?.map(\.object) ?? [] {
                outcomes[row["name"]?.string ?? ""] = row["outcome"]?.string
            }
            return (code, outcomes)
        }
    }

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func anEditThatArrivesInTimePasses() async throws {
        let stage = try Stage()
        try stage.edit(stage.phone, 1)
        try await stage.sync(stage.phone, stage.pad)
        let (code, outcomes) = try stage.verify(directory)
        #expect(code == .success)
        #expect(outcomes["single-edit"] == "passed")
        #expect(outcomes.values.count { $0 == "not_seen" } == 7)
    }

    @Test func whenTheAppShowedAnArrivalStandsBesideIt() async throws {
        for (versions, sentence) in [
            ([], nil), ([0], "its app has not shown it, by its log so far"), ([0, 1], "its app showed it 8 s after that"),
        ] as [([Int], String?)] {
            let stage = try Stage()
            try stage.edit(stage.phone, 1)
            try await stage.sync(stage.phone, stage.pad)
            for shown in versions {
                stage.wait(4)
                let report = RefreshReport(
                    trigger: .pulse, decision: .deferred, shownVersion: shown, refreshVersion: 1, reloads: 0, isInForeground: true,
                    pulseInterval: .seconds(4))
                stage.pad.sink.record(AuditEvent(at: stage.clock.now, .refresh(report)))
            }
            _ = try stage.verify(directory)
            let world = TestWorld()
            let paths = ["phone.jsonl", "pad.jsonl"].map { directory.file($0) }
            #expect(world.run(["verify", "--scenario", "single-edit"] + paths) == .success)
            let text = world.output.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(text.contains("its app") == (sentence != nil) && sentence.map(text.contains) != false, "\(text)")
        }
    }

    @Test func anEditThatArrivesLateFails() async throws {
        let stage = try Stage()
        try await stage.sync(stage.phone, stage.pad)
        try stage.edit(stage.phone, 1)
        try await stage.sync(stage.pad)
        stage.wait(90)
        try await stage.sync(stage.phone, stage.pad)
        #expect(try stage.verify(directory, ["--scenario", "single-edit"]) == (.limitExceeded, ["single-edit": "failed"]))
        #expect(try stage.verify(directory, ["--scenario", "single-edit", "--within", "2m"]) == (.success, ["single-edit": "passed"]))
    }

    @Test func aBatchFailsWhereOneEditIsMissing() async throws {
        for isWhole in [true, false] {
            let stage = try Stage()
            for number in 1...5 { try stage.edit(stage.phone, number) }
            try await stage.sync(stage.phone)
            if !isWhole { try stage.edit(stage.phone, 6) }
            try await stage.sync(stage.pad)
            stage.wait(70)
            try await stage.sync(stage.pad)
            #expect(try stage.verify(directory).outcomes["rapid-batch"] == (isWhole ? "passed" : "failed"))
        }
    }

    @Test func whatCameWhileTheAppWasInTheBackgroundIsThereAfterwards() async throws {
        let stage = try Stage()
        try await stage.sync(stage.phone, stage.pad)
        stage.wait(20)
        try stage.edit(stage.phone, 1)
        try await stage.sync(stage.phone)
        stage.wait(600)
        try await stage.sync(stage.pad)
        let outcomes = try stage.verify(directory).outcomes
        #expect(outcomes["background"] == "passed")
        #expect(outcomes["single-edit"] == "not_seen", "nobody can say that the pad's app was open")
    }

    @Test func whoWritesIsNotInTheBackground() async throws {
        let stage = try Stage()
        try await stage.sync(stage.phone, stage.pad)
        stage.wait(5)
        try stage.edit(stage.phone, 1)
        try await stage.sync(stage.phone)
        for number in 2...30 {
            stage.wait(20)
            try stage.edit(stage.pad, number)
        }
        try await stage.sync(stage.pad)
        #expect(try stage.verify(directory).outcomes["background"] == "not_seen")
    }

    @Test func airplaneModeEndsWithTheNetwork() async throws {
        let stage = try Stage()
        try await stage.sync(stage.phone, stage.pad)
        stage.network(stage.phone, false)
        for number in 1...3 { try stage.edit(stage.phone, number) }
        for number in 4...5 { try stage.edit(stage.pad, number) }
        try await stage.sync(stage.pad)
        stage.wait(3600)
        #expect(try stage.verify(directory).outcomes["airplane-mode"] == "not_seen", "it has not ended")
        stage.network(stage.phone, true)
        try await stage.sync(stage.phone, stage.pad)
        let outcomes = try stage.verify(directory).outcomes
        #expect(outcomes["airplane-mode"] == "passed" && outcomes["partition"] == "passed")
    }

    @Test func conflictsPassWhereBothTellTheSame() async throws {
        let stage = try Stage()
        for device in [stage.phone, stage.pad] {
            try stage.edit(device, 1, ["text": .string(device.name.rawValue)])
            try stage.edit(device, 2, [FieldName(device.name.rawValue): 1])
        }
        try stage.edit(stage.phone, 3)
        try await stage.sync(stage.phone, stage.pad, stage.phone)
        try stage.phone.replica.delete(RecordKey(type: "Toggle", id: "3"))
        try stage.edit(stage.pad, 3, ["on": false])
        try await stage.sync(stage.phone, stage.pad, stage.phone)
        let outcomes = try stage.verify(directory).outcomes
        for name in ["simultaneous-edits", "different-fields", "delete-and-edit"] { #expect(outcomes[name] == "passed", "\(name)") }
    }

    /// What a device has not merged, or too late, has not passed, whatever the other one's log says.
    @Test func aConflictThatOnlyOneHasMergedIsNotPassed() async throws {
        let stage = try Stage()
        func clash(_ record: Int) throws {
            for device in [stage.phone, stage.pad] { try stage.edit(device, record, ["text": .string(device.name.rawValue)]) }
        }
        try clash(1)
        try await stage.sync(stage.phone, stage.pad, stage.phone)
        try clash(2)
        try await stage.sync(stage.phone, stage.pad)
        #expect(try outcome(stage) == "not_seen", "the phone has yet to merge it")
        stage.wait(70)
        stage.network(stage.phone, true)
        #expect(try outcome(stage) == "failed", "the phone was there for more than a minute")
        try await stage.sync(stage.phone)
        #expect(try outcome(stage) == "failed", "it came too late")
        #expect(try outcome(stage, "--within", "5m") == "passed")
    }

    @Test func aConflictIsMergedInTimeAfterTheNetworkIsThere() async throws {
        for late in [20, 90] {
            let stage = try Stage()
            try await stage.sync(stage.phone, stage.pad)
            for device in [stage.phone, stage.pad] {
                stage.network(device, false)
                try stage.edit(device, 1, ["text": .string(device.name.rawValue)])
            }
            stage.wait(3600)
            for device in [stage.phone, stage.pad] { stage.network(device, true) }
            try await stage.sync(stage.phone)
            stage.wait(late)
            try await stage.sync(stage.pad, stage.phone)
            #expect(try outcome(stage) == (late < 60 ? "passed" : "failed"))
        }
    }

    private func outcome(_ stage: Stage, _ arguments: String...) throws -> String? {
        try stage.verify(directory, ["--scenario", "simultaneous-edits"] + arguments).outcomes["simultaneous-edits"]
    }

    /// Logs as observers write them, which name no arriving writes: what shows an arrival counts, and nothing proves that one is missing.
    @Test(
        arguments: [
            ([#""event":"remote_change","changes":1,"refreshVersion":1"#], 12, "passed"),
            ([#""event":"remote_change","changes":1,"refreshVersion":1"#], 90, "not_seen"),
            ([#""event":"remote_change","changes":0,"refreshVersion":1"#], 12, "not_seen"),
            ([#""event":"sync","phase":"import","state":"succeeded","writes":0,"bytes":0,"durationMs":5"#], 12, "not_seen"),
            (padWrites(to: "1"), 12, "passed"), (padWrites(to: "2"), 12, "not_seen"),
        ] as [([String], Int, String)])
    func observersLogsAreJudgedByWhatTheyShow(_ arrival: [String], _ second: Int, _ outcome: String) throws {
        func line(_ source: String, _ number: Int, _ second: Int, _ content: String) -> String {
            let time = "2026-01-15T14:\(10 + second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60).000Z"
            return #"{"v":1,"ts":"\#(time)","seq":\#(number),"source":"\#(source)",\#(content)}"# + "\n"
        }
        let synced = #""event":"sync","phase":"export","state":"succeeded","writes":1,"bytes":10,"durationMs":5"#
        let phone =
            line(
                "phone", 1, 5,
                #""event":"write","device":"phone","n":1,"counter":0,"recordType":"Task","recordID":"1","op":"put","fields":{"a":1},"seen":{}"#
            )
            + line("phone", 2, 6, synced)
        let pad =
            line("pad", 1, 4, synced) + arrival.map { line("pad", 2, second, $0) }.joined()
            + line("pad", 3, 50, #""event":"network","status":"connected","interface":"wifi""#) + line("pad", 4, 200, synced)
        let world = TestWorld()
        let paths = [try directory.path(phone, as: "phone.jsonl"), try directory.path(pad, as: "pad.jsonl")]
        #expect(world.run(["verify", "--format", "json", "--scenario", "single-edit"] + paths) == .success, "\(world.errorText)")
        let row = try world.only("scenarios")?.array?.first?.object
        #expect(row?["outcome"]?.string == outcome, "\(world.output.text)")
        #expect(world.output.text.contains("names no writes of others") == (outcome == "not_seen" && second < 60))
    }

    /// Two edits in a row, so that neither is a single one, the first by somebody who had seen the phone's.
    private static func padWrites(to record: String) -> [String] {
        [(1, record, #"{"phone":1}"#), (2, "9", "{}")].map { number, record, seen in
            #""event":"write","device":"pad","n":\#(number),"counter":0,"recordType":"Task","recordID":"\#(record)","op":"put","#
                + #""fields":{"b":1},"seen":\#(seen)"#
        }
    }

    @Test func judgingTakesATenthOfTheTime() {
        var pace = VerifyVerb.Pace()
        let start = ContinuousClock().now
        #expect(pace.rest(at: start) == .zero)
        pace.record(start..<start + .seconds(2))
        #expect(pace.rest(at: start + .seconds(2)) == .seconds(18))
        #expect(pace.rest(at: start + .seconds(15)) == .seconds(5))
        #expect(pace.rest(at: start + .seconds(21)) == .zero)
    }

    /// Silences, batches and times without a network, none of which is the last that counts.
    @Test func manyOfEverythingTakeLinearTime() {
        let judge = { () -> ScenarioJudge in
            var judge = ScenarioJudge(limit: 60_000)
            var number: UInt64 = 0
            for round in 0..<20_000 as Range<Int64> {
                let time = round * 100_000
                func observe(_ source: DeviceID, _ after: Int64, _ content: AuditEvent.Content) {
                    judge.observe(
                        AuditLine(source: source, event: AuditEvent(at: time + after, content)),
                        at: AuditLogReader.Location(file: "f", line: Int(number) + 1))
                }
                number += 1
                observe("pad", 0, .network(status: "connected", interface: nil))
                observe("phone", 1, .network(status: "disconnected", interface: nil))
                observe("phone", 3, .write(write(device: "phone", number, at: time + 3)))
                observe("phone", 90_000, .network(status: "connected", interface: nil))
                observe("phone", 95_000, .remoteChange(RemoteChange(changes: 1, refreshVersion: 1)))
                observe("pad", 95_000, .remoteChange(RemoteChange(changes: 1, refreshVersion: 1)))
            }
            return judge
        }()
        let time = ContinuousClock().measure { #expect(judge.verdicts(on: Scenario.allCases).count == 8) }
        #expect(time < .seconds(10))
    }

    private func write(device: DeviceID, _ number: UInt64, at milliseconds: Int64) -> TaggedWrite {
        TaggedWrite(
            dot: Dot(device: device, sequence: number), timestamp: HybridTimestamp(milliseconds: milliseconds),
            key: RecordKey(type: "Toggle", id: "1"), operation: .put(["on": true]), seen: nil)
    }

    @Test func devicesThatNameDifferentWinnersFail() throws {
        let story = try Story(directory)
        let text = directory.content("log.jsonl") ?? ""
        let one = text.replacingOccurrences(of: #""source":"syncaudit""#, with: #""source":"phone""#)
        let other = text.replacingOccurrences(of: #""source":"syncaudit""#, with: #""source":"pad""#)
            .replacingOccurrences(of: #""winner":"#, with: #""x":"#).replacingOccurrences(of: #""loser":"#, with: #""winner":"#)
            .replacingOccurrences(of: #""x":"#, with: #""loser":"#)
        let world = TestWorld()
        let paths = [try directory.path(one, as: "one.jsonl"), try directory.path(other, as: "other.jsonl")]
        #expect(world.run(["verify", "--scenario", "simultaneous-edits"] + paths) == .limitExceeded, "\(story.log)")
        #expect(world.output.text.contains("the devices do not agree on the winner"))
        #expect(world.errorText == "syncaudit: 1 scenario failed\n")
    }

    @Test func theGuideTellsTheNextStepAndTheVerdict() async throws {
        let stage = try Stage()
        try stage.edit(stage.phone, 1)
        try await stage.sync(stage.phone, stage.pad)
        _ = try stage.verify(directory)
        let stop = Pipe()
        let sink = StoppingSink("next      rapid-batch", stop)
        var context = CommandContext(output: sink, errorText: { _ in }, standardInput: -1, now: { 0 })
        context.catchStopSignals = { stop.fileHandleForReading.fileDescriptor }
        let paths = ["phone.jsonl", "pad.jsonl"].map(directory.file)
        #expect(SyncAudit.run(arguments: ["verify", "-f"] + paths, context: context) == .success)
        #expect(sink.memory.text.contains("passed    single-edit\n"))
        // The verdict on all comes once more at the end, and first in it what all of it comes to.
        #expect(sink.memory.text.contains("\nOf 8 scenarios 1 passed, 7 were not seen\n\npassed    single-edit\n"))
    }

    @Test(arguments: [
        ("{garbage\n[]\n", "log.jsonl:1: "), ("{garbage\n[]\n", "no line of it could be understood; the first problem: "),
        ("garbage\n[]\n", "this is text, not JSON Lines"), ("", ":1: there is nothing in it"),
    ])
    func whatNobodyCanReadIsBadData(_ content: String, _ sentence: String) throws {
        let world = TestWorld()
        #expect(world.run("verify", try directory.path(content, as: "log.jsonl")) == .badData)
        #expect(world.output.text == "")
        #expect(world.errorText.contains(sentence), "\(world.errorText)")
    }

    @Test func aTableOfAnotherProgramIsNamed() throws {
        let world = TestWorld()
        #expect(world.run("verify", try directory.path("id,name\n1,a\n", as: "table.csv")) == .badData)
        #expect(world.errorText.contains("table.csv: "), "\(world.errorText)")
        #expect(!world.errorText.contains("first problem"))
    }

    @Test func whatIsMissingForAllScenariosIsSaidOnceAndFirst() throws {
        let story = try Story(directory)
        let world = TestWorld()
        #expect(world.run("verify", story.log, story.trace) == .success)
        let text = world.output.text
        #expect(text.hasPrefix("Nothing can be judged yet: no line is of a device's own log"))
        #expect(text.components(separatedBy: "takes the").count == 2)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test func whatFailedComesFirst() async throws {
        let stage = try Stage()
        try stage.edit(stage.phone, 1)
        try await stage.sync(stage.phone, stage.pad)
        stage.wait(20)
        for number in 2...6 { try stage.edit(stage.phone, number) }
        stage.wait(5)
        stage.pad.sink.record(AuditEvent(at: stage.clock.now, .network(status: "connected", interface: nil)))
        stage.wait(200)
        try await stage.sync(stage.phone, stage.pad)
        #expect(try stage.verify(directory).outcomes["rapid-batch"] == "failed")
        let world = TestWorld()
        #expect(
            world.run(
                ["verify", "--scenario", "single-edit", "--scenario", "rapid-batch"] + ["phone.jsonl", "pad.jsonl"].map(directory.file))
                == .limitExceeded)
        let lines = world.output.text.split(separator: "\n")
        #expect(lines.first == "Of 2 scenarios 1 failed, 1 passed", "\(world.output.text)")
        #expect(lines.dropFirst().first == "failed    rapid-batch")
    }
}

/// Asks to stop once something is written.
private final class StoppingSink: ByteSink {
    let memory = MemorySink()
    private let end: String
    private let stop: Pipe

    init(_ end: String, _ stop: Pipe) {
        (self.end, self.stop) = (end, stop)
    }

    func write(_ bytes: [UInt8]) throws(CommandError) {
        try memory.write(bytes)
        if memory.text.contains(end) { stop.fileHandleForWriting.write(Data([0])) }
    }

    func flush() throws(CommandError) { try memory.flush() }
}
