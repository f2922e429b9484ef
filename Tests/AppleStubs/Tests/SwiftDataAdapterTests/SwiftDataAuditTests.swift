import ConflictAudit
import CoreData
import SwiftData
import SwiftDataAdapter
import SyncModel
import SyncMonitoring
import SyncObservation
import Testing

extension SwiftDataTests {
    @Suite struct SwiftDataAuditTests {
        @Test func threeLinesFindAnArrivalOverAnUnsentEdit() throws {
            let device = try SwiftDataDevice("phone", .unstampedNote)
            device.app.insert(Note(noteID: "1", title: "Draft"))
            try device.save()
            _ = device.exported([])
            try device.note.title = "Plan"
            try device.save()
            try device.import(["title": "Theirs"])
            #expect(device.losses == ["Note/1 title Plan causal"])
            #expect(device.audit.conflicts.lostEdits.count == 1)
            let conflict = try #require(device.sink.conflicts.first)
            #expect(try device.audit.proposedChange(restoring: conflict.id).value == "Plan")
        }

        /// The thread that saves reads the store only where a stamp must tell which attributes were edited.
        @Test(arguments: [(AuditedModel.unstampedNote, 0), (.noteWithStamp, 1), (.noteWithFieldStamp, 1)])
        func aSaveWithoutStampsReadsNoStore(model: AuditedModel, fetches: Int) throws {
            let device = try SwiftDataDevice("phone", model)
            device.app.insert(Note(noteID: "1", title: "Draft"))
            try device.save()
            try device.note.title = "Plan"
            let before = ModelContext.fetches
            try device.app.save()
            #expect(ModelContext.fetches == before + fetches)
            device.audit.readHistory()
            let edit = device.sink.events.last { if case .write = $0.content { true } else { false } }
            guard case .write(let write)? = edit?.content, case .put(let fields) = write.operation else {
                throw CocoaError(.featureUnsupported)
            }
            #expect(fields == ["title": "Plan"])
        }

        @Test func aSavedValueIsKnownThoughAnImportReplacedItUnread() throws {
            let device = try SwiftDataDevice("phone", .unstampedNote)
            device.app.insert(Note(noteID: "1", title: "Draft"))
            try device.save()
            try device.note.title = "Plan"
            try device.app.save()
            try device.import(["title": "Theirs"])
            #expect(device.losses == ["Note/1 title Plan causal"])
        }

        @Test(arguments: [AuditedModel.noteWithStamp, .noteWithFieldStamp])
        func stampsAreFilledInBeforeTheSave(model: AuditedModel) throws {
            let device = try SwiftDataDevice("phone", model)
            device.app.insert(Note(noteID: "1", title: "Draft"))
            try device.save()
            let first = try #require(device.stored["stamp"] as? String)
            try device.note.title = "Plan"
            try device.save()
            let second = try #require(device.stored["stamp"] as? String)
            #expect(first != second)
            // A save that changes no audited attribute needs no stamp.
            try device.note.title = "Plan"
            try device.save()
            #expect(device.stored["stamp"] as? String == second)
        }

        private func race(_ model: AuditedModel, _ names: [String]) throws -> SwiftDataDevice {
            let (phone, tablet) = (try SwiftDataDevice("phone", model), try SwiftDataDevice("tablet", model))
            phone.app.insert(Note(noteID: "1", title: "Draft"))
            try phone.save()
            try tablet.import(phone.exported(["noteID", "title"] + names))
            try phone.note.title = "Plan"
            try phone.save()
            try tablet.note.title = "Idea"
            try tablet.save()
            _ = phone.exported([])
            try phone.import(tablet.exported(["title"] + names))
            return phone
        }

        @Test func withStampsALossAfterTheExportIsProven() throws {
            #expect(try race(.noteWithFieldStamp, ["stamp"]).losses == ["Note/1 title Plan causal"])
            let phone = try race(.unstampedNote, [])
            #expect(phone.sink.conflicts.map(\.loser.value) == ["Plan"])
            #expect(!phone.sink.conflicts.contains { $0.isProven })
        }

        @Test func anEditOfWhatTheContextShowedIsNoConflict() throws {
            let model = AuditedModel.noteWithFieldStamp
            let (phone, tablet) = (try SwiftDataDevice("phone", model), try SwiftDataDevice("tablet", model))
            phone.app.insert(Note(noteID: "1", title: "Draft"))
            try phone.save()
            try tablet.import(phone.exported(["noteID", "title", "stamp"]))
            try tablet.note.title = "Better"
            try tablet.save()
            try phone.import(tablet.exported(["title", "stamp"]))
            #expect(phone.sink.conflicts == [])
            #expect(tablet.sink.conflicts == [])
        }

        @Test func aSaveOverAnArrivalThatTheContextDidNotShowIsProven() throws {
            let model = AuditedModel.noteWithFieldStamp
            let (phone, tablet) = (try SwiftDataDevice("phone", model), try SwiftDataDevice("tablet", model))
            phone.app.insert(Note(noteID: "1", title: "Draft"))
            try phone.save()
            try tablet.import(phone.exported(["noteID", "title", "stamp"]))
            // The tablet's context has the note in memory, and does not look again.
            #expect(try tablet.note.title == "Draft")
            try phone.note.title = "Plan"
            try phone.save()
            try tablet.import(phone.exported(["title", "stamp"]))
            try tablet.note.title = "Idea"
            try tablet.save()
            #expect(tablet.losses == ["Note/1 title Plan causal"])
            try phone.import(tablet.exported(["title", "stamp"]))
            #expect(phone.losses == ["Note/1 title Plan causal"])
            #expect(phone.sink.conflicts.map(\.id) == tablet.sink.conflicts.map(\.id))
        }

        @Test func deletesAreKnown() throws {
            let device = try SwiftDataDevice("phone", .unstampedNote)
            device.app.insert(Note(noteID: "1", title: "Draft"))
            try device.save()
            try device.app.delete(device.note)
            try device.save()
            let last = device.sink.events.lazy.reversed().compactMap { if case .write(let write) = $0.content { write } else { nil } }.first
            #expect(last?.operation == .delete)
        }

        @Test func theHistoryIsReadOnAfterARestart() throws {
            let directory = FileManager.default.temporaryDirectory.appending(path: "swiftdata-\(UUID())")
            do {
                let device = try SwiftDataDevice("phone", .unstampedNote, in: directory)
                device.app.insert(Note(noteID: "1", title: "Draft"))
                try device.save()
                #expect(FileManager.default.fileExists(atPath: directory.appending(path: "history-token").path))
                // What the process did not hear.
                device.audit.stop()
                try device.import(["title": "Theirs"])
                let second = try SwiftDataDevice("phone", .unstampedNote, in: directory)
                second.audit.readHistory()
                #expect(second.losses == ["Note/1 title Draft causal"])
                #expect(try second.audit.observers.map { try $0.writer } == ["phone"])
            }
        }

        @Test func theMirroringsEventsAreTold() throws {
            let device = try SwiftDataDevice("phone", .unstampedNote)
            device.post(.setup)
            device.post(.import)
            device.post(.export)
            let syncs = device.sink.events.compactMap { event -> String? in
                guard case .sync(let activity) = event.content else { return nil }
                return "\(activity.phase.rawValue) \(activity.state.rawValue)"
            }
            #expect(
                syncs == ["setup started", "setup succeeded", "import started", "import succeeded", "export started", "export succeeded"])
            #expect(device.audit.sync.overallState == .succeeded)
        }

        @Test func aStoreInMemoryAndAMissingModelAreErrors() throws {
            let device = try SwiftDataDevice("phone", .unstampedNote)
            let memory = try ModelContainer(for: Note.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
            #expect {
                try device.audit.start(memory)
            } throws: {
                "\($0)" == "the container keeps its store in memory: an audit needs one in a file"
            }
            let directory = FileManager.default.temporaryDirectory.appending(path: "swiftdata-\(UUID())")
            defer { try? FileManager.default.removeItem(at: directory) }
            let other = try SwiftDataAudit(device: "phone", models: [], directory: directory, sink: device.sink)
            #expect {
                try other.start(device.container)
            } throws: {
                "\($0)" == "the store 'store.sqlite' has models that the audit does not know: add Note to 'models:'"
            }
        }
    }
}
