import Foundation
import Observation
import SwiftData

/// A model that notes refer to.
final class Folder: PersistentModel {
    private var backingData: any BackingData<Folder>

    init(backingData: any BackingData<Folder>) { self.backingData = backingData }

    var persistentBackingData: any BackingData<Folder> {
        get { backingData }
        set { backingData = newValue }
    }

    static var schemaMetadata: [Schema.PropertyMetadata] {
        [
            Schema.PropertyMetadata(
                name: "folderID", keypath: \Folder.folderID, defaultValue: "", metadata: Schema.Attribute(.preserveValueOnDeletion)),
            Schema.PropertyMetadata(
                name: "notes", keypath: \Folder.notes,
                metadata: Schema.Relationship(to: Note.self, isToMany: true, inverse: \Note.folder)),
        ]
    }

    var folderID: String {
        get { getValue(forKey: \.folderID) }
        set { setValue(forKey: \.folderID, to: newValue) }
    }

    var notes: [Note]? {
        get { getValue(forKey: \.notes) }
        set { setValue(forKey: \.notes, to: newValue) }
    }

    convenience init(folderID: String) {
        self.init(backingData: Folder.createBackingData())
        self.folderID = folderID
    }
}

/// A model that notes refer to.
final class Tag: PersistentModel {
    private var backingData: any BackingData<Tag>

    init(backingData: any BackingData<Tag>) { self.backingData = backingData }

    var persistentBackingData: any BackingData<Tag> {
        get { backingData }
        set { backingData = newValue }
    }

    static var schemaMetadata: [Schema.PropertyMetadata] {
        [
            Schema.PropertyMetadata(
                name: "tagID", keypath: \Tag.tagID, defaultValue: "", metadata: Schema.Attribute(.preserveValueOnDeletion)),
            Schema.PropertyMetadata(
                name: "notes", keypath: \Tag.notes,
                metadata: Schema.Relationship(to: Note.self, isToMany: true, inverse: \Note.tags)),
        ]
    }

    var tagID: String {
        get { getValue(forKey: \.tagID) }
        set { setValue(forKey: \.tagID, to: newValue) }
    }

    var notes: [Note]? {
        get { getValue(forKey: \.notes) }
        set { setValue(forKey: \.notes, to: newValue) }
    }

    convenience init(tagID: String) {
        self.init(backingData: Tag.createBackingData())
        self.tagID = tagID
    }
}
