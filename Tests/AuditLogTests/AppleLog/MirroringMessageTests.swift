import AuditLog
import ConflictAudit
import SyncBytes
import Testing

/// What Core Data says in Apple's log of its mirroring to CloudKit.
@Suite struct MirroringMessageTests {
    private static let delegate = "<NSCloudKitMirroringDelegate: 0x600003d0>"
    private static let result = "<NSCloudKitMirroringResult: 0x60000cab> storeIdentifier: 5D0AF265"
    private static let noAccount =
        #"Error Domain=NSCocoaErrorDomain Code=134400 "Unable to initialize without an iCloud account." UserInfo={a=1}"#
    private static let cancelled = #"Error Domain=NSCocoaErrorDomain Code=134417 "Request 'B543' was cancelled." UserInfo={a=1}"#

    private static func record(
        _ message: String, subsystem: String = "com.apple.coredata", timestamp: String = "2026-01-15 15:00:00.069609+0100"
    ) -> String {
        var text: [UInt8] = []
        JSONText.append(message, to: &text)
        return
            #"{"traceID":1,"eventMessage":\#(String(decoding: text, as: UTF8.self)),"eventType":"logEvent","subsystem":"\#(subsystem)","#
            + #""category":"CloudKit","timestamp":"\#(timestamp)","messageType":"Default","processID":444}"#
    }

    private func decode(_ line: String) throws -> LineDecoder.Outcome {
        var decoder = LineDecoder()
        return try decoder.decode(Array(line.utf8).span)
    }

    private static func executing(_ kind: String) -> String {
        "CoreData+CloudKit: -[NSCloudKitMirroringDelegate checkAndExecuteNextRequest]_block_invoke(3524): \(delegate): "
            + "Executing: <\(kind): 0x60000212> EAD940DB-330A-4DDF-9892-41286F9FE95A"
    }

    private static func finished(_ kind: String, _ outcome: String) -> String {
        "CoreData+CloudKit: -[NSCloudKitMirroringDelegate _finishedRequest:withResult:](3542): Finished request: <\(kind): 0x60000212> "
            + "EAD940DB-330A-4DDF-9892-41286F9FE95A with result: \(result) \(outcome)"
    }

    private static func step(_ method: String, _ text: String) -> String {
        "CoreData+CloudKit: -[NSCloudKitMirroringDelegate \(method)](1492): \(text)"
    }

    static let told: [(String, SyncActivity.Phase, SyncActivity.State, String?)] = [
        (executing("NSCloudKitMirroringDelegateSetupRequest"), .setup, .started, nil),
        (executing("NSCloudKitMirroringImportRequest"), .import, .started, nil),
        ("CoreData: CloudKit: " + executing("NSCloudKitMirroringExportRequest"), .export, .started, nil),
        (finished("NSCloudKitMirroringExportRequest", "success: 1 madeChanges: 0 error: (null)"), .export, .succeeded, nil),
        (finished("NSCloudKitMirroringImportRequest", "success: 0 madeChanges: 0 error: (null)"), .import, .failed, nil),
        (
            "CloudKit: " + finished("NSCloudKitMirroringDelegateSetupRequest", "success: 0 madeChanges: 0 error: \(noAccount)"), .setup,
            .failed, noAccount
        ),
        (
            finished("NSCloudKitMirroringExportRequest", "success: 0 madeChanges: 0 error: \(cancelled)"), .export, .failed,
            SyncActivity.cancellation
        ),
        (
            "error: "
                + step("_exportFinishedWithResult:exporter:", "<private>: Export failed with error:\nError Domain=CKErrorDomain Code=2"),
            .export, .failed, "partial failure (CKError 2)"
        ),
        (step("_exportFinishedWithResult:exporter:", "Finished export: <private>"), .export, .succeeded, nil),
        (step("_importFinishedWithResult:importer:", "<private>: Import failed with error:\n<private>"), .import, .failed, "<private>"),
        (
            step(
                "_performSetupRequest:]_block_invoke", "<private>: Failed to set up CloudKit integration for store: <private>\n\(noAccount)"
            ),
            .setup, .failed, noAccount
        ),
        (
            step(
                "_performSetupRequest:]_block_invoke",
                "<private>: Successfully set up CloudKit integration for store (<private>): <private>"),
            .setup, .succeeded, nil
        ),
    ]

    @Test(arguments: told) func requestsBeginAndEnd(
        message: String, phase: SyncActivity.Phase, state: SyncActivity.State, error: String?
    ) throws {
        let activity = SyncActivity(phase: phase, state: state, writes: 0, bytes: 0, duration: .zero, error: error)
        let expected = AuditLine(event: AuditEvent(at: 1_768_485_600_069, .sync(activity)))
        #expect(try decode(Self.record(message)) == .line(expected))
    }

    @Test func theLineMadeOfAMessageIsOneOfTheFormat() throws {
        var decoder = LineDecoder()
        let outcome = try decoder.decode(Array(Self.record(Self.executing("NSCloudKitMirroringImportRequest")).utf8).span)
        #expect(decoder.category == "CloudKit")
        let made = try #require(decoder.unwrapped)
        #expect(
            String(decoding: made, as: UTF8.self)
                == #"{"v":1,"ts":"2026-01-15T14:00:00.069Z","event":"sync","phase":"import","state":"started","writes":0,"bytes":0,"durationMs":0}"#
        )
        #expect(try decoder.decode(made.span) == outcome)
        #expect(decoder.category == nil)
        #expect(decoder.unwrapped == nil)
    }

    /// Whatever is told twice is counted once, and what only looks like a message is none.
    @Test(arguments: [
        executing("NSCloudKitMirroringResetZoneRequest"), "CoreData+CloudKit: ", "CoreData+CloudKit: -[A b](1): ",
        executing("NSCloudKitMirroringImportRequest").replacing("CoreData+CloudKit: ", with: ""),
        String(repeating: "x", count: 64) + executing("NSCloudKitMirroringImportRequest"),
        finished("NSCloudKitMirroringImportRequest", "success: "), finished("NSCloudKitMirroringImportRequest", "success: yes"),
        finished("NSCloudKitMirroringImportRequest", ""), finished("<private>", "<private>"),
        step("_finishedRequest:withResult:", "Finished request: <private> with result: <private>"),
        step("checkAndExecuteNextRequest]_block_invoke", "<private>: Executing: <private>"),
        step("checkAndExecuteNextRequest", "\(delegate): Checking for pending requests."),
        step("_exportFinishedWithResult:exporter:", "\(delegate): Export failed with error:\n\(noAccount)"),
        step("_exportFinishedWithResult:exporter:", "Finished export: \(result) success: 1 madeChanges: 0 error: (null)"),
        step(
            "finishedAutomatedRequestWithResult:", "Finished request '<NSCloudKitMirroringExportRequest: 0x1> B543' with result: \(result)"),
    ]) func whatIsNotKnownIsPassedOver(message: String) throws {
        #expect(try decode(Self.record(message)) == .unknownEvent(""))
    }

    @Test(arguments: [
        record(executing("NSCloudKitMirroringImportRequest"), subsystem: "com.example.notes"),
        record(executing("NSCloudKitMirroringImportRequest"), timestamp: ""),
        record(executing("NSCloudKitMirroringImportRequest"), timestamp: "1"),
        record(executing("NSCloudKitMirroringImportRequest"), timestamp: "2026-02-30 15:00:00.069609+0100"),
        record(executing("NSCloudKitMirroringImportRequest"), timestamp: "2026-01-15 15:00:00.069609é00"),
        #"{"count":2,"finished":1}"#, "Filtering the log data using \"subsystem == 1\"",
    ]) func recordsOfOthersAndWithoutADateArePassedOver(line: String) throws {
        #expect(try decode(line) == .unknownEvent(""))
    }

    @Test func aLongMessageIsReadInOneGo() throws {
        let almost = String(repeating: " with result: <NSCloudKitMirroringResult: 0x1> success: 2", count: 40_000)
        let begun = try decode(Self.record(Self.executing("NSCloudKitMirroringImportRequest") + almost))
        #expect(begun != .unknownEvent(""))
        #expect(try decode(Self.record(Self.finished("NSCloudKitMirroringImportRequest", almost))) == .unknownEvent(""))
    }
}
