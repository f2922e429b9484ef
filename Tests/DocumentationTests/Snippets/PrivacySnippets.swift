import SyncAudit
import TemporaryDirectory
import Testing

@Suite struct PrivacySnippets {
    @Test func keepingSomeValues() throws {
        let directory = try TemporaryDirectory()
        let folder = directory.path
        var logging = AuditLogWriter.Configuration()
        logging.values = ValuePrivacy(.omitted, fields: [.init(type: "Card", field: "notes"): .full])
        let log = try AuditLogWriter(directory: folder, source: "iPhone", configuration: logging)
        for line in Samples.events(["notes": "kept", "phone": "left out"]) { log.record(line) }
        log.close()
        let text = directory.names.compactMap(directory.content).joined()
        #expect(text.contains("kept") && !text.contains("left out"))
    }
}
