import Foundation
import SyncAuditApple
import Testing

/// What an app names of the package comes with one import.
@Suite struct OneImportTests {
    @Test func auditsLogsAndViewsComeWithOneImport() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "one-import-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let log = try AuditLogWriter(directory: directory.appending(path: "log").path, source: "phone")
        let note = AuditedEntity("Note", level: .recordStamp("auditStamp"))
        let coreData = try CoreDataAudit(device: "phone", entities: [note], directory: directory.appending(path: "core"), sink: log)
        let swiftData = try SwiftDataAudit(device: "phone", models: [], directory: directory.appending(path: "swift"), sink: log)
        // Events of other tests reach it as well.
        let monitors: [SyncMonitor] = [coreData.sync, swiftData.sync]
        #expect(monitors.allSatisfy { $0.refreshVersion == 0 })
        #expect(coreData.conflicts.summary == "No edits lost")
        let types: [Any.Type] = [LostEditsView.self, CloudKitObserver.self, SystemLogSink.self]
        #expect(types.count == 3)
        coreData.stop()
        swiftData.stop()
        log.close()
    }
}
