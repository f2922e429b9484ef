import Foundation
import Observation
import SwiftData
import SwiftDataAdapter

/// A model as `@Model` would complete it.
final class Note: PersistentModel {
    private var backingData: any BackingData<Note>

    init(backingData: any BackingData<Note>) { self.backingData = backingData }

    var persistentBackingData: any BackingData<Note> {
        get { backingData }
        set { backingData = newValue }
    }

    static var schemaMetadata: [Schema.PropertyMetadata] {
        [
            Schema.PropertyMetadata(name: "noteID", keypath: \Note.noteID, defaultValue: ""),
            Schema.PropertyMetadata(name: "title", keypath: \Note.title, defaultValue: ""),
            Schema.PropertyMetadata(name: "body", keypath: \Note.body),
            Schema.PropertyMetadata(name: "stamp", keypath: \Note.stamp),
        ]
    }

    var noteID: String {
        get { getValue(forKey: \.noteID) }
        set { setValue(forKey: \.noteID, to: newValue) }
    }

    var title: String {
        get { getValue(forKey: \.title) }
        set { setValue(forKey: \.title, to: newValue) }
    }

    var body: String? {
        get { getValue(forKey: \.body) }
        set { setValue(forKey: \.body, to: newValue) }
    }

    var stamp: String? {
        get { getValue(forKey: \.stamp) }
        set { setValue(forKey: \.stamp, to: newValue) }
    }

    convenience init(noteID: String, title: String) {
        self.init(backingData: Note.createBackingData())
        self.noteID = noteID
        self.title = title
    }
}

extension AuditedModel {
    static let unstampedNote = AuditedModel(
        Note.self, identifiedBy: "noteID", attributes: ["noteID": \.noteID, "title": \.title, "body": \.body])
    static let noteWithStamp = AuditedModel(
        Note.self, identifiedBy: "noteID", attributes: ["noteID": \.noteID, "title": \.title, "body": \.body],
        recordStamp: ("stamp", \.stamp))
    static let noteWithFieldStamp = AuditedModel(
        Note.self, identifiedBy: "noteID", attributes: ["noteID": \.noteID, "title": \.title, "body": \.body],
        fieldStamps: ["title": ("stamp", \.stamp)])
}
