import ConflictAudit
import CoreData
import Foundation
import SwiftData
import SwiftDataAdapter
import SyncModel
import SyncMonitoring
import SyncObservation
import Testing

extension SwiftDataTests {
    /// Attributes that are no plain values, and relationships.
    @Suite struct AttributeKindTests {
        private let device: SwiftDataDevice

        init() throws {
            device = try SwiftDataDevice("phone", .wholeNote, [(.folder, Folder.self), (.tag, Tag.self)])
            let folder = Folder(folderID: "inbox")
            let tags = [Tag(tagID: "b"), Tag(tagID: "a")]
            let note = Note(noteID: "1", title: "Draft")
            device.app.insert(folder)
            for tag in tags { device.app.insert(tag) }
            device.app.insert(note)
            note.folder = folder
            note.tags = tags
            note.kind = .plan
            note.origin = Note.Origin(app: "mail", version: 3)
            note.dateModified = Date(timeIntervalSince1970: 10)
            try device.save()
        }

        @Test func enumerationsStructuresAndRelationshipsAreInTheSave() throws {
            let put = try #require(
                device.sink.events.compactMap { event -> FieldMap? in
                    guard case .write(let write) = event.content, write.key.type == "Note", case .put(let fields) = write.operation else {
                        return nil
                    }
                    return fields
                }.first)
            #expect(put["kind"] == "plan")
            #expect(put["origin"] == ["app": "mail", "version": 3])
            #expect(put["folder"] == "inbox")
            #expect(put["tags"] == .members(["a", "b"]))
            #expect(put["rank"] == .null)
            #expect(put["dateModified"] == nil)
        }

        @Test func anEditOfAnyOfThemIsAnEditOfThatOne() throws {
            let note = try device.note
            let edits: [(FieldName, FieldValue, () -> Void)] = [
                ("kind", "draft", { note.kind = .draft }), ("origin", ["app": "web"], { note.origin = Note.Origin(app: "web") }),
                ("origin", .null, { note.origin = nil }), ("rank", 4, { note.rank = 4 }), ("rank", .null, { note.rank = nil }),
                ("folder", .null, { note.folder = nil }), ("tags", .members([]), { note.tags = [] }),
            ]
            for (name, value, edit) in edits {
                edit()
                note.dateModified = Date()
                try device.save()
                var fields = try #require(device.lastEdit)
                fields["stamp"] = nil
                #expect(fields == [name: value])
            }
            #expect(device.sink.conflicts == [])
        }

        @Test func arrivalsOverThemAreLosses() throws {
            device.post(.export)
            let note = try device.note
            note.kind = .draft
            note.origin = nil
            note.folder = nil
            try device.save()
            let inbox = try device.row(of: "Folder")
            try device.import(["kind": "plan", "origin": ["app": "web"] as [String: Any], "folder": inbox])
            let lost = device.sink.conflicts.filter(\.severity.isLoss).compactMap(\.field).sorted()
            #expect(lost == ["folder", "kind", "origin"])
        }

        /// The mirroring keeps each membership by itself: the store has what both devices have added, unless one was removed.
        @Test(arguments: [(["a", "b"], []), (["b"], ["tags"]), ([], ["tags"])] as [([String], [FieldName])])
        func anArrivalThatHoldsEveryMemberLosesNone(arriving: [String], lost: [FieldName]) throws {
            device.post(.export)
            try device.note.tags = device.app.fetch(FetchDescriptor<Tag>()).filter { $0.tagID == "a" }
            try device.save()
            try device.import(["tags": NSSet(array: try arriving.map { try device.row(of: "Tag", $0) })])
            #expect(device.sink.conflicts.filter(\.severity.isLoss).compactMap(\.field) == lost)
        }

        @Test func whatIsNotObservedIsToldOnce() throws {
            for rank in 0..<3 {
                let note = try device.note
                (note.rank, note.dateModified) = (rank, Date())
                try device.save()
            }
            #expect(
                device.unobserved.map { "\($0.type) \($0.field ?? "deletes")" }.sorted() == ["Note dateModified", "Note deletes"])
            #expect(
                device.unobserved.first { $0.field == nil }?.reason
                    == "the history of a delete by another device does not name the record: preserve the value of 'noteID' on deletion")
        }

        @Test func deletesThatTheHistoryDoesNotNameAreThoseOfTheSave() throws {
            device.app.insert(Note(noteID: "2", title: "Second"))
            try device.save()
            let second = try device.app.fetch(FetchDescriptor<Note>()).first { $0.noteID == "2" }
            device.app.delete(try #require(second))
            try device.save()
            let deletes = device.sink.events.compactMap { event -> RecordKey? in
                guard case .write(let write) = event.content, write.operation == .delete else { return nil }
                return write.key
            }
            #expect(deletes == [RecordKey(type: "Note", id: "2")])
        }

        @Test func aStampSaysWhoEditedLastAndWhen() throws {
            let edit = try #require(device.audit.lastEdit(of: device.note))
            #expect(edit.device == "phone")
            #expect(abs(Double(edit.timestamp.milliseconds) / 1000 - Date().timeIntervalSince1970) < 600)
            #expect(device.audit.lastEdit(of: try #require(device.app.fetch(FetchDescriptor<Folder>()).first)) == nil)
        }
    }
}
