#if !canImport(Darwin)
    import Foundation
    import Observation
    import SwiftData

    /// The same model, with what `@Model` adds written out: the macro is a part of Apple's SDK.
    public final class Note: PersistentModel {
        /// Where the values are kept.
        public var persistentBackingData: any BackingData<Note>

        /// A note that the store makes.
        public init(backingData: any BackingData<Note>) { persistentBackingData = backingData }

        /// The attributes.
        public static var schemaMetadata: [Schema.PropertyMetadata] {
            [
                Schema.PropertyMetadata(
                    name: "noteID", keypath: \Note.noteID, defaultValue: "", metadata: Schema.Attribute(.preserveValueOnDeletion)),
                Schema.PropertyMetadata(name: "title", keypath: \Note.title, defaultValue: ""),
                Schema.PropertyMetadata(name: "body", keypath: \Note.body, defaultValue: ""),
                Schema.PropertyMetadata(name: "isDone", keypath: \Note.isDone, defaultValue: false),
                Schema.PropertyMetadata(name: "auditStamp", keypath: \Note.auditStamp),
            ]
        }

        /// Names the note on every device.
        public var noteID: String {
            get { getValue(forKey: \.noteID) }
            set { setValue(forKey: \.noteID, to: newValue) }
        }

        /// The first line.
        public var title: String {
            get { getValue(forKey: \.title) }
            set { setValue(forKey: \.title, to: newValue) }
        }

        /// The rest.
        public var body: String {
            get { getValue(forKey: \.body) }
            set { setValue(forKey: \.body, to: newValue) }
        }

        /// Whether it is ticked off.
        public var isDone: Bool {
            get { getValue(forKey: \.isDone) }
            set { setValue(forKey: \.isDone, to: newValue) }
        }

        /// Filled in by the audit before every save; the app leaves it alone.
        public var auditStamp: String? {
            get { getValue(forKey: \.auditStamp) }
            set { setValue(forKey: \.auditStamp, to: newValue) }
        }

        /// A note that is not in the store yet.
        public init(title: String) {
            persistentBackingData = Note.createBackingData()
            noteID = UUID().uuidString
            self.title = title
        }
    }
#endif
