import ConflictAudit
import SyncOracle
import Testing

@testable import AuditLog

/// Apple's log as it is printed for people, line by line.
@Suite struct AppleLogConverterTests {
    static let begun =
        "CoreData+CloudKit: -[NSCloudKitMirroringDelegate checkAndExecuteNextRequest]_block_invoke(3566): "
        + "<NSCloudKitMirroringDelegate: 0x1>: Executing: <NSCloudKitMirroringExportRequest: 0x2> E1"
    static let ended =
        "CoreData+CloudKit: -[NSCloudKitMirroringDelegate _finishedRequest:withResult:](3584): Finished request: "
        + "<NSCloudKitMirroringExportRequest: 0x2> E1 with result: <NSCloudKitMirroringResult: 0x3> storeIdentifier: 5D success: "
    static let failed = ended + #"0 madeChanges: 0 error: <CKError 0x4: "Partial Failure" (2/1011); "Failed to modify some records">"#
    static let recovery =
        "error: CoreData+CloudKit: -[NSCloudKitMirroringDelegate _recoverFromPartialError:forStore:inMonitor:](2796): "
        + "<NSCloudKitMirroringDelegate: 0x1>: Error recovery failed because the following fatal errors were found: {\n"
        + #"    "<CKRecordID: 0x5; recordName=R-1, zoneID=z:o>" = "<CKError 0x6: \"Limit Exceeded\" (27/2023)>";"# + "\n}"

    /// What comes out, a decoded line for each, with the number of the line; undated ones with their time as it is written.
    static func events(_ text: String, form: AppleLogConverter.Form = .text, piece: Int = .max) throws -> [String] {
        var (converter, output) = (AppleLogConverter(form), [UInt8]())
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: min(piece, max(1, bytes.count))) {
            converter.convert(bytes[start..<min(bytes.count, start + min(piece, bytes.count))], to: &output)
        }
        converter.finish(to: &output)
        var decoder = LineDecoder()
        var events: [String] = []
        for (index, line) in output.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated() {
            do throws(LineProblem) {
                switch try decoder.decode(Array(line).span) {
                case .line(let line): events.append("\(index + 1) \(line.event.milliseconds) \(describe(line.event.content))")
                case .undated(let content, let time): events.append("\(index + 1) [\(time)] \(describe(content))")
                case .blank, .unknownEvent, .summary: break
                }
            } catch {
                events.append("\(index + 1) problem: \(error.sentence)")
            }
        }
        return events
    }

    private static func describe(_ content: AuditEvent.Content) -> String {
        switch content {
        case .sync(let activity): "\(activity.phase) \(activity.state)\(activity.error.map { ": " + $0 } ?? "")"
        case .account(let status): "account \(status)"
        case .network(let status, _): "network \(status)"
        default: "\(content)"
        }
    }

    private static let failure =
        #"export failed: partial failure (CKError 2), "Failed to modify some records"; limit exceeded (CKError 27): R-1"#

    /// The ways in which a record begins, and the time that it tells.
    static let styles: [(String, String)] = [
        (
            "2026-01-15 14:00:00.069609+0100 0x1c2b     Default     0x0                  812    0    Notes: (CoreData) [com.apple.coredata:CloudKit] ",
            "1768482000069"
        ),
        (
            "2026-01-15 14:00:00.069609+0100 0x1c2b     Error       0x5f                 812    12   My Notes 2: [com.apple.coredata:CloudKit] ",
            "1768482000069"
        ),
        ("2026-01-15 14:00:00.069609+0100  localhost Notes[812]: (CoreData) [com.apple.coredata:CloudKit] ", "1768482000069"),
        ("2026-01-15 14:00:00.069609+0100 Notes[812:7211] [CloudKit] ", "1768482000069"),
        ("2026-01-15 14:00:00.069609-03:30 Notes[812:7211] [error] ", "1768498200069"),
        ("2026-01-15T14:00:00Z Notes[812:7211] ", "1768485600000"),
        ("2026-01-15 14:00:00.069 Df Notes[812:1c2b] [com.apple.coredata:CloudKit] ", "[2026-01-15 14:00:00.069]"),
        ("2026-01-15 14:00:00.069609 Notes{CoreData}[812] <NOTICE>: ", "[2026-01-15 14:00:00.069609]"),
        ("Jan 15 14:00:00 Notes(CoreData)[812] <Notice>: ", "[Jan 15 14:00:00]"),
        ("Jan  5 14:00:00.069609 Annas-iPhone Notes(CoreData)[812] <Error>: ", "[Jan  5 14:00:00.069609]"),
        ("error\t14:00:00.069609+0100\tNotes\t", "[14:00:00.069609+0100]"),
        ("", "[]"), ("CoreData: debug: ", "[]"),
    ]

    @Test(arguments: styles) func everyStyleTellsOfAnExport(head: String, time: String) throws {
        let text = [
            "Timestamp   Thread", head + Self.begun, head + Self.recovery, head + Self.failed, head + "nothing", head + Self.ended + "1 x",
        ]
        let expected = ["2 \(time) export started", "6 \(time) \(Self.failure)", "8 \(time) export succeeded"]
        let log = text.joined(separator: "\n") + "\n"
        #expect(try Self.events(log) == expected)
        // However it is cut up, and whatever ends its lines.
        for piece in [1, 7, 64, 1000] { #expect(try Self.events(log, piece: piece) == expected) }
        #expect(try Self.events(log.replacing("\n", with: "\r\n")) == expected)
    }

    @Test func xcodesConsoleTellsTimesBehindMessages() throws {
        func line(_ time: String, _ subsystem: String = "com.apple.coredata") -> String {
            "Type: Error | Timestamp: 2026-01-15 14:00:0\(time) | Process: Notes | Library: CoreData | Subsystem: \(subsystem) | Category: CloudKit | TID: 0x2e"
        }
        let log = [
            "Hello, world", line("0.1+01:00", "com.example.notes"), "", Self.begun, line("1.069609+01:00"), Self.recovery, line("2.5+0100"),
            "printed by the app", Self.failed, line("3.5-05:00"), #"{"a":1}"#, Self.ended + "1 x",
        ]
        #expect(
            try Self.events(log.joined(separator: "\n")) == [
                "4 1768482001069 export started", "11 1768503603500 \(Self.failure)", "14 [] export succeeded",
            ])
        // A message of another subsystem that only quotes one.
        #expect(try Self.events(Self.begun + "\n" + line("1.0Z", "com.example.notes")) == [])
    }

    @Test func theErrorBelowAMessageIsPartOfIt() throws {
        let log = [
            "CoreData: CloudKit: " + Self.ended + "0 madeChanges: 0 error: <CKError 0x1: \"Partial Failure\" (2/1011); partial errors: {",
            "\tR-1:(z:o) = <CKError 0x2: \"Asset File Not Found\" (16/3002)>", "}>", "printed by the app", "CoreData: annotation: x",
        ]
        #expect(
            try Self.events(log.joined(separator: "\n")) == [
                "1 [] export failed: partial failure (CKError 2); asset file not found (CKError 16): R-1"
            ])
    }

    @Test func linesOfTheAuditAmongOthersAreRead() throws {
        let own = #"{"v":1,"ts":"2026-01-15T14:00:00.000Z","event":"account","status":"available"}"#
        let log = [
            "hello", own, "{", #"{"a": not JSON"#, #"{"a":1}"#,
            "2026-01-15 14:00:00.069609+0100 0x1 Default 0x0 8 0 Notes: [com.example:sync] " + own,
        ]
        #expect(try Self.events(log.joined(separator: "\n")) == ["2 1768485600000 account available", "6 1768485600000 account available"])
    }

    @Test func errorsOfTheAccountAndTheNetworkAreTold() throws {
        func line(_ error: String, _ subsystem: String = "com.apple.cloudkit") -> String {
            "2026-01-15 14:00:00.069609+0100 0x1 Error 0x0 8 0 cloudd: [\(subsystem):CK] x \(error)"
        }
        let log = [
            line(#"<CKError 0x1: "Quota Exceeded" (25/2035)>"#), line("Error Domain=CKErrorDomain Code=4 \"\""),
            line("<CKError 0x1: \"Zone Busy\" (23/1)>"),
            line("<CKError 0x1: \"Not Authenticated\" (9/1)>", "com.example"),
        ]
        #expect(
            try Self.events(log.joined(separator: "\n")) == [
                "1 1768482000069 account quota exceeded (CKError 25)", "2 1768482000069 network network failure (CKError 4)",
            ])
    }

    private static func record(_ message: String, indentation: String = "") -> String {
        let text = message.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        let fields = [
            #""eventMessage" : "\#(text)""#, #""subsystem":"com.apple.coredata""#, #""timestamp" : "2026-01-15 14:00:00.069609+0100""#,
        ]
        return indentation.isEmpty ? "{\(fields.joined(separator: ","))}" : "{\n  \(fields.joined(separator: ",\n  "))\n}"
    }

    @Test(arguments: ["", "  "]) func anArrayIsReadRecordByRecord(indentation: String) throws {
        let records = [Self.begun, Self.recovery, #"[{"\"#, Self.failed].map { Self.record($0, indentation: indentation) }
        let log = "[" + records.joined(separator: ",") + "]\n"
        let expected = ["export started", Self.failure]
        for piece in [1, 9, .max] {
            let events = try Self.events(log, form: .array, piece: piece)
            #expect(events.map { String($0.split(separator: " ", maxSplits: 2)[2]) } == expected)
        }
        let torn = try Self.events(String(log.dropLast(30)), form: .array)
        #expect(torn.count == 2)
        #expect(torn.last?.contains("cut off") == true)
        #expect(try Self.events("[" + records[0] + ",\n", form: .array).last?.contains("cut off") == true)
    }

    @Test func recordsOnLinesAreCompletedAndAllElseIsPassedOn() throws {
        let log = [Self.record(Self.recovery), "Filtering the log data", Self.record(Self.failed), "{broken", " {}"]
        let events = try Self.events(log.joined(separator: "\n"), form: .json)
        #expect(events.first == "3 1768482000069 \(Self.failure)")
        #expect(events.dropFirst().allSatisfy { $0.contains("problem") })
        #expect(events.count == 3)
    }

    @Test(arguments: [
        ("0x1 Default 0x0 8 0 Notes: [com.apple.coredata:CloudKit] " + ended + "0 madeChanges: 0 error: <CKError 0x4: \"Part", true),
        ("0x1 Default 0x0 8 0 Notes: [com.apple.coredata:CloudKit] " + ended + "0 made", true),
        ("0x1 Default 0x0 8 0 Notes: [com.apple.coredata:CloudKit] " + String(ended.prefix(120)), true),
        ("0x1 Default 0x0 8 0 Notes: [com.apple.coredata:CloudKit] " + failed, false),
        ("0x1 Default 0x0 8 0 Notes: hel", false),
    ]) func aTornLastLineIsTold(line: String, isTorn: Bool) throws {
        let events = try Self.events("2026-01-15 14:00:00.069609+0100 " + line)
        #expect(events.contains { $0.hasPrefix("1 problem: the line is cut off") } == isTorn, "\(events)")
    }

    /// Whatever comes, each line gives one line, and time grows with the length alone.
    @Test func anyBytesGiveALineForEachLine() throws {
        var random = SplitMix64(seed: 7)
        let pieces = [
            Self.begun, Self.recovery, Self.failed, "\n", "\r", "{", "}", "[", "]", "\"", "\\", "CoreData: ", "\u{1b}[2J", "\0", "é",
            "Type: E | Timestamp: ",
            "2026-01-15 14:00:00.069609+0100 ", "0x1 Default 0x0 8 0 Notes: ", "Notes[8:9] ", "Jan 15 14:00:00 ", "\t",
            "error\t14:00:00\tN\t", " ",
        ]
        for _ in 0..<120 {
            let text = (0..<Int.random(in: 0...30, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
            var whole: [UInt8] = []
            var converter = AppleLogConverter(.text)
            converter.convert(Array(text.utf8)[...], to: &whole)
            converter.finish(to: &whole)
            var cut: [UInt8] = []
            converter = AppleLogConverter(.text)
            for byte in text.utf8 { converter.convert([byte], to: &cut) }
            converter.finish(to: &cut)
            #expect(whole == cut, "\(text)")
            let lines = text.utf8.count { $0 == 0x0a } + (text.utf8.last.map { $0 == 0x0a ? 0 : 1 } ?? 0)
            #expect(whole.count { $0 == 0x0a } == lines, "\(text)")
            #expect(!whole.contains(0x1b) && !whole.contains(0))
            _ = try Self.events(text, form: .array, piece: 3)
        }
    }

    @Test func aLongRecordIsCutAndTheNextOneRead() throws {
        let head = "2026-01-15 14:00:00.069609+0100 0x1 Default 0x0 8 0 Notes: [com.apple.coredata:CloudKit] "
        let lines = String(repeating: " x { \n", count: 180_000)
        let dated = [head + Self.failed, "\n", lines, head + Self.begun, "\n"].joined()
        #expect(try Self.events(dated).count == 2)
        let undated = [Self.failed, "\n", lines, Self.begun, "\n"].joined()
        #expect(try Self.events(undated).count == 1)
    }
}
