import CommandWorld
import CompressedData
import TemporaryDirectory
import Testing

@testable import SyncAuditCommands

/// Apple's log as people paste it, read by the verbs that read logs.
@Suite struct AppleLogTests {
    private let world = TestWorld()
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static let begun =
        "CoreData+CloudKit: -[NSCloudKitMirroringDelegate checkAndExecuteNextRequest]_block_invoke(1): <D: 0x1>: Executing: "
    private static let ended = "CoreData+CloudKit: -[NSCloudKitMirroringDelegate _finishedRequest:withResult:](1): Finished request: "
    private static let export = "<NSCloudKitMirroringExportRequest: 0x2> E"
    private static let failure = " with result: <R: 0x3> success: 0 madeChanges: 0 error: "

    private static let console = """
        Hello from the app
        CoreData: debug: \(begun)<NSCloudKitMirroringDelegateSetupRequest: 0x2> E
        \(ended)<NSCloudKitMirroringDelegateSetupRequest: 0x2> E\(failure)Error Domain=NSCocoaErrorDomain Code=134400 "No \u{1b}[2J account"

        """

    @Test func aConsoleWithoutTimesIsShownInItsOrder() throws {
        try directory.create("console.txt", Self.console)
        #expect(world.run("tail", directory.file("console.txt")) == .success)
        #expect(
            world.output.text == """
                -                         sync         setup started
                -                         sync         setup failed: Error Domain=NSCocoaErrorDomain Code=134400 "No \\u{1b}[2J account"

                """)
        #expect(world.errorText == "")
    }

    @Test func aLogWithoutEventsIsNotPassedOverInSilence() throws {
        let line = "2026-01-15 14:00:00.069609+0000 Notes[812:7211] [Network] nw_path is satisfied\n"
        try directory.create("log.txt", line + line)
        #expect(world.run("tail", directory.file("log.txt")) == .success)
        #expect(world.output.text == "")
        #expect(world.errorText.contains("none of 2 lines read is an event of an audit or of sync"))
        // What a filter leaves out was an event.
        let filtered = TestWorld()
        try directory.create("console.txt", Self.console)
        #expect(filtered.run("tail", "--kind", "delete_delete", directory.file("console.txt")) == .success)
        #expect(!filtered.errorText.contains("none of"))
    }

    @Test func whatHasNoTimeIsLeftOutOfAReportAndThatIsSaid() throws {
        try directory.create("console.txt", Self.console)
        #expect(world.run("report", directory.file("console.txt")) == .success)
        #expect(world.errorText.contains("2 events left out that cannot be dated"))
    }

    private static func printed(_ head: String) -> String {
        [
            "Timestamp                       Thread     Type", head + begun + export,
            head
                + "error: CoreData+CloudKit: -[D _recoverFromPartialError:forStore:inMonitor:](1): x because the following fatal errors were found: {",
            #"    "<CKRecordID: 0x5; recordName=R-1, zoneID=z:o>" = "<CKError 0x6: \"Invalid Arguments\" (12/2006); server message = "#
                + #"\"Cannot create or modify field 'CD_mood' in record 'CD_Diary' in production schema\"; op = 1>";"#,
            "}", head + ended + export + failure + "<CKError 0x4: \"Partial Failure\" (2/1011); \"Failed\">", "",
        ].joined(separator: "\n")
    }

    private static let told = """
        sync         export started
        sync         export failed: the production schema lacks the field CD_mood of the record type CD_Diary: deploy the schema to production \
        in CloudKit Console; partial failure (CKError 2), "Failed"; invalid arguments (CKError 12), "Cannot create or modify field 'CD_mood' in \
        record 'CD_Diary' in production schema": R-1

        """

    @Test(arguments: [
        "2026-01-15 14:00:00.069609+0000 0x1c2b     Default     0x0                  812    0    Notes: (CoreData) [com.apple.coredata:CloudKit] ",
        "2026-01-15 14:00:00.069609+0000  localhost Notes[812]: (CoreData) [com.apple.coredata:CloudKit] ",
        "2026-01-15 14:00:00.069609+0000 Notes[812:7211] [CloudKit] ",
    ]) func aRefusedExportIsToldWhole(head: String) throws {
        try directory.create("log.txt", Self.printed(head))
        let expected = Self.told.replacing("sync  ", with: "2026-01-15T14:00:00.069Z  sync  ")
        #expect(world.run("tail", directory.file("log.txt")) == .success)
        #expect(world.output.text == expected)
        // From a pipe, compressed, and the last of them alone.
        let piped = TestWorld()
        try piped.pipe(Self.printed(head))
        #expect(piped.run("tail", "-n", "1") == .success)
        #expect(piped.output.text == expected.split(separator: "\n").last.map { $0 + "\n" })
        let report = TestWorld()
        #expect(report.run("report", directory.file("log.txt")) == .success)
        #expect(report.output.text.contains("1 attempt failed"))
    }

    @Test func devicesLogsHaveTimesOfTheirOwn() throws {
        try directory.create("log.txt", Self.printed("Jan 15 14:00:00 Notes(CoreData)[812] <Notice>: "))
        #expect(world.run("tail", directory.file("log.txt")) == .success)
        #expect(world.output.text == Self.told.replacing("sync  ", with: "Jan 15 14:00:00           sync  "))
    }

    @Test func aFirstBadLineIsNamedByItsLineAndWhatItIs() throws {
        try directory.create("log.txt", "2026 was a good year\nso was 2025\n")
        #expect(world.run("tail", directory.file("log.txt")) == .badData)
        #expect(world.errorText.contains("the first at \(directory.file("log.txt")):1: this is text, not JSON Lines"))
        #expect(world.errorText.contains("'log show --style ndjson' writes one"))
    }

    @Test func aTornLastLineIsTold() throws {
        let head = "2026-01-15 14:00:00.069609+0000 Notes[812:7211] [CloudKit] "
        try directory.create("log.txt", Self.printed(head) + head + Self.ended + "<NSCloudKitMirroringEx")
        #expect(world.run("tail", directory.file("log.txt")) == .success)
        #expect(world.errorText.contains("log.txt:7: the line is cut off"))
    }
}
