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

        @Test(arguments: [ModelConfiguration.CloudKitDatabase.private("iCloud.notes"), .automatic])
        func everyStoreThatMaySyncIsAudited(database: ModelConfiguration.CloudKitDatabase) throws {
            let audit = try audit([.unstampedNote, .folder])
            let folders = configuration("folders", [Folder.self], database)
            let container = try ModelContainer(
                for: Schema([Note.self, Folder.self]), configurations: [folders, configuration("notes", [Note.self], database)])
            // Started twice, it audits once.
            for _ in 0..<2 { try audit.start(container) }
            let context = ModelContext(container)
            context.insert(Folder(folderID: "f"))
            context.insert(Note(noteID: "1", title: "Draft"))
            try context.save()
            audit.readHistory()
            #expect(edits.count == 2 && Set(edits) == [RecordKey(type: "Folder", id: "f"), RecordKey(type: "Note", id: "1")])
            let names = try audit.observers.map { try $0.writer.rawValue }
            #expect(names.count == 2 && names[0] == "phone" && names[1].hasPrefix("phone~"))
            // One of them alone.
            try audit.start(container, configuration: folders)
            context.insert(Folder(folderID: "g"))
            context.insert(Note(noteID: "2", title: "Draft"))
            try context.save()
            audit.readHistory()
            #expect(edits.dropFirst(2) == [RecordKey(type: "Folder", id: "g")])
            audit.stop()
        }

        @Test func aModelOfTwoStoresIsAnError() throws {
            let audit = try audit([.folder])
            let container = try ModelContainer(
                for: Schema([Folder.self]),
                configurations: [configuration("a", [Folder.self], .automatic), configuration("b", [Folder.self], .automatic)])
            #expect {
                try audit.start(container)
            } throws: {
                "\($0)" == "the stores 'a.sqlite' and 'b.sqlite' have both the model Folder: give each configuration a schema of its own, "
                    + "or name one by 'configuration:'"
            }
        }

        @Test func aModelThatIsNotNamedIsAnError() throws {
            let audit = try audit([.folder])
            let container = try ModelContainer(
                for: Schema([Note.self, Folder.self]),
                configurations: [
                    configuration("folders", [Folder.self], .private("iCloud.notes")),
                    configuration("notes", [Note.self], .private("iCloud.notes")),
                ])
            #expect {
                try audit.start(container)
            } throws: {
                "\($0)" == "the store 'notes.sqlite' has models that the audit does not know: add Note to 'models:'"
            }
        }
    }
}
