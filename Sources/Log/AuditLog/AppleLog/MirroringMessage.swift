import ConflictAudit
import SyncBytes
import SyncModel

/// A message of Core Data about its mirroring to CloudKit, in a record of Apple's log.
///
/// A message has the form `CoreData+CloudKit: -[Class method](line): text`, sometimes behind a word or two for its level. A request is
/// begun by `Executing: <Class: address> identifier` and ended by `Finished request: <Class: address> identifier with result: …`. Where the
/// system has put `<private>` for the objects, neither says what kind of request it is, and the messages about the single steps count
/// instead. Sources: Apple, *TN3163: Understanding the synchronization of NSPersistentCloudKitContainer*, and logs that developers have
/// published.
enum MirroringMessage {
    /// What a record of Apple's log tells of; nil where it tells of nothing that is known.
    ///
    /// Beside messages about mirroring these are errors of CloudKit that say that the account or the network is at fault. Another error
    /// there tells neither what was tried nor whether it is tried again.
    ///
    /// - Parameter text: The record's message, without the white space around it.
    /// - Complexity: O(*n*) in the bytes of the message.
    static func content(of record: FieldMap, text: ArraySlice<UInt8>) -> AuditEvent.Content? {
        switch record["subsystem"]?.string {
        case subsystem?: return activity(text).map(AuditEvent.Content.sync)
        case "com.apple.cloudkit"?:
            guard let code = CloudKitErrorSentence.code(text) else { return nil }
            if CloudKitErrorCode.concernsAccount(code) { return .account(status: CloudKitErrorCode.description(code)) }
            return CloudKitErrorCode.concernsNetwork(code)
                ? .network(status: CloudKitErrorCode.description(code), interface: nil) : nil
        default: return nil
        }
    }

    /// The subsystem that messages about mirroring are of.
    static let subsystem = "com.apple.coredata"

    /// The timestamp of a record in milliseconds since 1970; nil where it has none, or one that is no time.
    static func milliseconds(of record: FieldMap) -> Int64? { record["timestamp"]?.string.flatMap(milliseconds) }

    /// The step of a sync that a message tells of; nil where it tells of none.
    static func activity(_ text: ArraySlice<UInt8>) -> SyncActivity? {
        // The longest words before it are those of the level, "CoreData: warning: ".
        guard let start = text.prefix(64).end(of: "CoreData+CloudKit: "), let end = text[start...].end(of: "): ") else { return nil }
        let (method, message) = (text[start..<end], text[end...])
        if method.contains("checkAndExecuteNextRequest") { return begun(message) }
        if method.contains("_finishedRequest:withResult:") { return finished(message) }
        if method.contains("_performSetupRequest:") { return redactedStep(message, .setup) }
        if method.contains("_exportFinishedWithResult:") { return redactedStep(message, .export) }
        if method.contains("_importFinishedWithResult:") { return redactedStep(message, .import) }
        return nil
    }

    private static func begun(_ message: ArraySlice<UInt8>) -> SyncActivity? {
        guard let start = message.end(of: "Executing: "), let phase = phase(message[start...]) else { return nil }
        return activity(phase, .started)
    }

    private static func finished(_ message: ArraySlice<UInt8>) -> SyncActivity? {
        let opening = "Finished request: ".utf8
        guard message.starts(with: opening), let phase = phase(message.dropFirst(opening.count)),
            let result = message.end(of: " with result: "), let success = message[result...].end(of: " success: ")
        else { return nil }
        switch message[success...].first {
        case UInt8(ascii: "1"): return activity(phase, .succeeded)
        case UInt8(ascii: "0"):
            return activity(phase, .failed, error: message[success...].end(of: " error: ").map { message[$0...] })
        default: return nil
        }
    }

    /// The end of a step, where its objects are hidden; otherwise the end of the request tells it too.
    private static func redactedStep(_ message: ArraySlice<UInt8>, _ phase: SyncActivity.Phase) -> SyncActivity? {
        let hidden = "<private>: ".utf8
        if message.starts(with: hidden) {
            let step = message.dropFirst(hidden.count)
            if step.starts(with: "Successfully set up".utf8) { return activity(phase, .succeeded) }
            guard ["Failed to set up", "Export failed", "Import failed"].contains(where: { step.starts(with: $0.utf8) }) else { return nil }
            return activity(phase, .failed, error: step.firstIndex(of: UInt8(ascii: "\n")).map { step[($0 + 1)...] })
        }
        return message.starts(with: "Finished export: <private>".utf8) ? activity(phase, .succeeded) : nil
    }

    /// What kind of request a description such as `<NSCloudKitMirroringExportRequest: 0x2828d6740> …` is of.
    private static func phase(_ request: ArraySlice<UInt8>) -> SyncActivity.Phase? {
        let kinds: [(name: String, phase: SyncActivity.Phase)] = [
            ("<NSCloudKitMirroringDelegateSetupRequest:", .setup), ("<NSCloudKitMirroringImportRequest:", .import),
            ("<NSCloudKitMirroringExportRequest:", .export),
        ]
        return kinds.first { request.starts(with: $0.name.utf8) }?.phase
    }

    private static func activity(
        _ phase: SyncActivity.Phase, _ state: SyncActivity.State, error: ArraySlice<UInt8>? = nil
    ) -> SyncActivity {
        // A request that another one of its kind has made superfluous.
        let isCancelled = error?.starts(with: "Error Domain=NSCocoaErrorDomain Code=134417 ".utf8) ?? false
        let sentence = error.map { CloudKitErrorSentence.sentence($0) ?? $0.string }
        return SyncActivity(
            phase: phase, state: state, writes: 0, bytes: 0, duration: .zero,
            error: isCancelled ? SyncActivity.cancellation : sentence == "(null)" ? nil : sentence)
    }

    /// Milliseconds since 1970 of a record's date, `2026-01-15 14:00:00.069609+0100`, an offset from UTC without a colon.
    private static func milliseconds(_ date: String) -> Int64? {
        guard let minutes = date.index(date.endIndex, offsetBy: -2, limitedBy: date.startIndex) else { return nil }
        return RFC3339.milliseconds("\(date[..<minutes]):\(date[minutes...])")
    }
}
