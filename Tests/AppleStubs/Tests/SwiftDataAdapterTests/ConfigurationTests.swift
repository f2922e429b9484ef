import ConflictAudit
import ConflictAuditTesting
import SwiftData
import SwiftDataAdapter
import SyncModel
import Testing

extension SwiftDataTests {
    /// Containers with several configurations, of which each may have a schema of its own.
    @Suite struct ConfigurationTests {
        private let sink = CollectingAuditSink()
        private let directory = FileManager.default.temporaryDirectory.appending(path: "configurations-\(UUID())")

        private func configuration(
            _ name: String, _ types: [any PersistentModel.Type], _ database: ModelConfiguration.CloudKitDatabase
        ) -> ModelConfiguration {
            ModelConfiguration(
                name, schema: Schema(types), url: directory.appending(path: "\(name).sqlite"), cloudKitDatabase: database)
        }

        private func audit(_ models: [AuditedModel]) throws -> SwiftDataAudit {
            try SwiftDataAudit(
                device: "phone", models: models, directory: directory, sink: sink, fails: { Issue.record("the audit failed: \($0)") })
        }

        private var edits: [RecordKey] {
            sink.events.compactMap { if case .write(let write) = $0.content { write.key } else { nil } }
        }

        @Test func theStoreThatSyncsIsFoundAndReadWithItsOwnSchema() throws {
            let audit = try audit([.unstampedNote])
            let container = try ModelContainer(
                for: Schema([Note.self, Folder.self]),
                configurations: [
                    configuration("local", [Folder.self], .none), configuration("synced", [Note.self], .private("iCloud.notes")),
                ])
            try audit.start(container)
            let context = ModelContext(container)
            context.insert(Folder(folderID: "f"))
            context.insert(Note(noteID: "1", title: "Draft"))
            try context.save()
            audit.readHistory()
            #expect(edits == [RecordKey(type: "Note", id: "1")])
            audit.stop()
        }

        @Test func ofSeveralStoresThatSyncOneIsNamed() throws {
            let audit = try audit([.unstampedNote, .folder])
            let folders = configuration("folders", [Folder.self], .private("iCloud.notes"))
            let container = try ModelContainer(
                for: Schema([Note.self, Folder.self]),
                configurations: [folders, configuration("notes", [Note.self], .private("iCloud.notes"))])
            #expect {
                try audit.start(container)
            } throws: {
                "\($0)" == "the container has several stores that sync: 'folders', 'notes'; name one by 'configuration:', and give each "
                    + "other one an audit with a directory and a device name of its own"
            }
            // Started twice, it audits once.
            for _ in 0..<2 { try audit.start(container, configuration: folders) }
            let context = ModelContext(container)
            context.insert(Folder(folderID: "f"))
            context.insert(Note(noteID: "1", title: "Draft"))
            try context.save()
            audit.readHistory()
            #expect(edits == [RecordKey(type: "Folder", id: "f")])
            audit.stop()
        }

        @Test func ofSeveralStoresThatMaySyncNoneIsTakenForTheOne() throws {
            let audit = try audit([.unstampedNote, .folder])
            let container = try ModelContainer(
                for: Schema([Note.self, Folder.self]),
                configurations: [configuration("a", [Folder.self], .automatic), configuration("b", [Note.self], .automatic)])
            #expect {
                try audit.start(container)
            } throws: {
                "\($0)".hasPrefix("the container has no store that is known to sync, but 'a', 'b'; name one by 'configuration:'")
            }
        }
    }
}
