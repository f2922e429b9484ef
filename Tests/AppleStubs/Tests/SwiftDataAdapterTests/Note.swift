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
            Schema.PropertyMetadata(name: "kind", keypath: \Note.kind, defaultValue: .draft),
            Schema.PropertyMetadata(name: "origin", keypath: \Note.origin),
            Schema.PropertyMetadata(name: "rank", keypath: \Note.rank),
            Schema.PropertyMetadata(name: "dateModified", keypath: \Note.dateModified),
            Schema.PropertyMetadata(
                name: "folder", keypath: \Note.folder,
                metadata: Schema.Relationship(to: Folder.self, isToMany: false, inverse: \Folder.notes)),
            Schema.PropertyMetadata(
                name: "tags", keypath: \Note.tags, metadata: Schema.Relationship(to: Tag.self, isToMany: true, inverse: \Tag.notes)),
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

    enum Kind: String, Codable {
        case draft
        case plan
    }

    struct Origin: Codable, Hashable {
        var app: String
        var version: Int?
    }

    var kind: Kind {
        get { getValue(forKey: \.kind) }
        set { setValue(forKey: \.kind, to: newValue) }
    }

    var origin: Origin? {
        get { getValue(forKey: \.origin) }
        set { setValue(forKey: \.origin, to: newValue) }
    }

    var rank: Int? {
        get { getValue(forKey: \.rank) }
        set { setValue(forKey: \.rank, to: newValue) }
    }

    var dateModified: Date? {
        get { getValue(forKey: \.dateModified) }
        set { setValue(forKey: \.dateModified, to: newValue) }
    }

    var folder: Folder? {
        get { getValue(forKey: \.folder) }
        set { setValue(forKey: \.folder, to: newValue) }
    }

    var tags: [Tag]? {
        get { getValue(forKey: \.tags) }
        set { setValue(forKey: \.tags, to: newValue) }
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
    static let wholeNote = AuditedModel(
        Note.self, identifiedBy: "noteID",
        attributes: [
            "noteID": \.noteID, "title": \.title, "kind": \.kind, "origin": \.origin, "rank": \.rank, "dateModified": \.dateModified,
            "folder": \.folder, "tags": \.tags,
        ], recordStamp: ("stamp", \.stamp))
    static let folder = AuditedModel(
        Folder.self, identifiedBy: "folderID", attributes: ["folderID": \.folderID, "notes": \.notes])
    static let tag = AuditedModel(Tag.self, identifiedBy: "tagID", attributes: ["tagID": \.tagID])
    static let noteWithFieldStamp = AuditedModel(
        Note.self, identifiedBy: "noteID", attributes: ["noteID": \.noteID, "title": \.title, "body": \.body],
        fieldStamps: ["title": ("stamp", \.stamp)])
}
