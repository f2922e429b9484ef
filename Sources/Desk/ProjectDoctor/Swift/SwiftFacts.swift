package import FileFormats

/// What Swift sources say that matters to sync, of one file.
package struct SwiftFacts: Sendable {
    package var models: [ModelClass] = []
    package var schemas: [SchemaVersion] = []
    package var plans: [MigrationPlan] = []
    /// Calls of `ModelConfiguration(…)`.
    package var configurations: [Call] = []
    /// Calls of `ModelContainer(…)`, `.modelContainer(…)` and `NSPersistentCloudKitContainer(…)`.
    package var containers: [Call] = []
    /// Calls of `Schema(…)`.
    package var schemaCalls: [Call] = []
    /// What the stores of Core Data containers are told.
    package var storeSettings: [StoreSetting] = []
    /// Calls of `loadPersistentStores`.
    package var loadings: [Loading] = []
    /// Whether a description asks for a store that is added after the loading returns.
    package var loadsLater = false
    package var uses: [Use] = []
    package var imports: [Import] = []
    /// Variables, properties and type aliases that stand for model classes, a schema or a Boolean.
    package var names: [NamedValue] = []
    /// What each `typealias` stands for, by its name after those of the types around it; empty where several differ.
    package var aliases: [String: Alias] = [:]
    package var increments: [Increment] = []
    /// Names of variables and properties that are edited as a string of several lines, and those that are edited as one line.
    package var longEdits: Set<String> = []
    package var shortEdits: Set<String> = []
    /// Values that are encoded into variables or properties.
    package var encodings: [Encoding] = []
    /// Properties marked `@NSManaged`.
    package var managed: [ManagedProperty] = []
    /// Properties that are given a value, or bound to a control.
    package var edits: [Edit] = []
    /// `Codable` types and enumerations, by name: what a property of such a type is stored as.
    package var valueTypes: [ValueType] = []
    /// Hashes of the names that are called or declared, each once and in order: a file that lacks one need not be read again for it.
    package var mentions: [UInt32] = []
    /// What could not be parsed; nothing is concluded from what follows it within the same declaration.
    package var problems: [FormatError] = []

    package init() {}

    /// Where something is in the program.
    package struct Context: Hashable, Sendable {
        /// The byte at which it begins.
        package var offset = 0
        /// The names of the types around it, outermost first, extensions included.
        package var types: [String] = []
        /// The function, property or initializer around it, nil at the top of a type or a file.
        package var member: String?
        /// Whether it is inside `#if DEBUG`.
        package var isDebugOnly = false
        /// Whether it is inside `#if` with any other condition that was not decided; the condition's text.
        package var conditions: [String] = []
        /// Whether it is in a preview: `#Preview`, or a type that conforms to `PreviewProvider`.
        package var isPreview = false

        package init() {}
    }

    /// A class marked `@Model`.
    package struct ModelClass: Sendable {
        package let name: String
        package let context: Context
        /// The class that it inherits from, where that may be a model: the first name after the colon.
        package let inherits: [String]
        package var properties: [Property] = []
        /// Where a property could be added before all others: the byte, and the white space before a line there; nil where the body is on
        /// one line.
        package internal(set) var beginning: (offset: Int, indent: String?)?
        /// The key paths of each `#Unique`, such as `["isbn"]`, and where it is.
        package var unique: [(names: [String], offset: Int)] = []
    }

    /// A stored property of a model, neither static, computed nor `@Transient`.
    package struct Property: Sendable {
        package let name: String
        /// The byte at which its name begins.
        package let offset: Int
        /// The type as it is written without white space, `?` for optionals included; nil where it is inferred from the value.
        package let type: String?
        /// The text of the initial value, nil where there is none.
        package let initialValue: String?
        package let isConstant: Bool
        /// Whether only its file, or its class, may read it.
        package let isPrivate: Bool
        /// The byte at which the type or value ends: where a default could be added.
        package let end: Int
        package var attribute: Attribute?
        package var relationship: Relationship?

        /// Whether it may be nil.
        package var isOptional: Bool {
            type.map(SwiftTypeName.isOptional) ?? (initialValue == "nil")
        }
        /// Whether it has a value without an initializer's help.
        package var hasDefault: Bool { initialValue != nil }
    }

    /// `@Attribute(…)`.
    package struct Attribute: Sendable {
        package let offset: Int
        /// The options by name, such as `unique`, `externalStorage`, `allowsCloudEncryption`.
        package let options: [String]
        /// The argument of `.transformable(by:)`.
        package let transformer: String?
        /// The argument of `originalName:`.
        package let originalName: String?
    }

    /// `@Relationship(…)`.
    package struct Relationship: Sendable {
        package let offset: Int
        /// Such as `cascade`; nil where it is not said.
        package let deleteRule: String?
        /// The last name of the key path of `inverse:`; `nil` of Swift is "nil", and no argument is nil.
        package let inverse: String?
        /// The argument of `originalName:`.
        package let originalName: String?
    }

    /// A type that conforms to `VersionedSchema`.
    package struct SchemaVersion: Sendable {
        package let name: String
        package let context: Context
        /// The names in `models`, without `.self`; a model nested in the schema is named by its own name.
        package let models: [String]
        /// The types that a name in `models` is written after, by the name.
        package let qualifiers: [String: String]
        /// The numbers of `Schema.Version(…)`.
        package let version: [Int]
    }

    /// A type that conforms to `SchemaMigrationPlan`.
    package struct MigrationPlan: Sendable {
        package let name: String
        package let context: Context
        /// The names in `schemas`, in order.
        package let schemas: [String]
        /// The bytes at which `MigrationStage.custom(…)` or `.custom(…)` begin.
        package let customStages: [Int]
    }

    /// A call of `ModelConfiguration(…)`, `ModelContainer(…)`, `.modelContainer(…)`, `Schema(…)` or `NSPersistentCloudKitContainer(…)`.
    package struct Call: Sendable {
        package let callee: String
        package let context: Context
        /// The arguments in order: the label, nil where there is none, and the text without white space at its ends.
        package let arguments: [(label: String?, text: String, offset: Int)]
        /// The name of the variable or property that is given the result, where that is at once.
        package let assignedTo: String?
        /// How the call is tried: nil, `try`, `try?` or `try!`.
        package let tryForm: String?
        /// Whether the body of a `catch` of the same `do` makes a container again without CloudKit (in memory, or `.none`).
        package var fallsBackSilently = false
        /// Whether every such body says beside its container that it is another one, as by `(container, false)` or `state = .local`.
        package var tellsOfFallback = false
        /// The byte at which the body of a `catch` of the same `do` removes a file or store, without having copied it.
        package var removal: Int?
        /// The statement that it is, where lines can be added before and after it.
        package var statement: Statement?

        package func argument(_ label: String?) -> String? { arguments.first { $0.label == label }?.text }
    }

    /// A line that describes a store of a Core Data container.
    package struct StoreSetting: Sendable {
        package enum Kind: Hashable, Sendable {
            /// `NSPersistentStoreDescription(…)`, given to the name.
            case description
            /// `name.cloudKitContainerOptions =`: whether it is set to anything but nil.
            case cloudKit(Bool)
            /// `name.configuration =`: the literal, where it is one.
            case configuration(String?)
            /// `persistentStoreDescriptions =`: the names in the list; nil where it holds anything else.
            case list([String]?)
        }

        package let kind: Kind
        /// The name of the description; nil where it is no variable.
        package let name: String?
        /// Whether it is done whenever the function is.
        package let isUnconditional: Bool
        package let context: Context
    }

    /// A call of `loadPersistentStores`.
    package struct Loading: Sendable {
        /// The statement that it is, with the container as its variable, where lines can be added before and after it.
        package let statement: Statement?
        package let context: Context
    }

    /// A statement on lines of its own that keeps the result of a call, returns it, or is a call.
    package struct Statement: Hashable, Sendable {
        /// The byte at which it begins.
        package let start: Int
        /// The byte at which it ends.
        package let end: Int
        /// The variable that is given the result, or whose method is called; nil where the result is returned.
        package let variable: String?
        /// The white space before it.
        package let indent: String
        /// The bytes of `return`; empty where there is none, nor needs to be.
        package let keyword: Range<Int>
    }

    /// An import that every build has.
    package struct Import: Hashable, Sendable {
        package let module: String
        /// The byte at which it ends.
        package let end: Int
    }

    /// A name of CloudKit or Core Data that is used.
    package struct Use: Sendable {
        package enum Kind: String, Hashable, Sendable, CaseIterable {
            /// `CKSyncEngine(…)` or its delegate; the detail is the library where the engine is one of a library.
            case syncEngine
            /// `NSPersistentCloudKitContainer` as a type or call.
            case persistentCloudKitContainer
            /// `savePolicy` set to `.changedKeys`, `.allKeys` or `.ifServerRecordUnchanged`: the detail.
            case savePolicy
            /// A key of a `CKRecord` set by subscript or `setValue`: the detail is the key.
            case recordKey
            /// `CKRecord(recordType:)`: the detail is the type, where it is a literal.
            case recordType
            /// `CKContainer(identifier:)`: the detail is the identifier, where it is a literal.
            case container
            /// `NSPersistentCloudKitContainerOptions(containerIdentifier:)`: the detail likewise.
            case containerOptions
            /// `databaseScope = .public` and its like: the detail.
            case databaseScope
            /// The name of the mirroring's zone in a string.
            case mirroredZone
            /// Records or zones that are saved or deleted by code of the app's own.
            case zoneWrite
            /// A file or store that is removed where Core Data stores are loaded.
            case storeRemoval
            /// `initializeCloudKitSchema(…)`.
            case initializeSchema
            /// `NSPersistentStoreRemoteChangeNotificationPostOptionKey`.
            case remoteChangeOption
            /// `NSPersistentHistoryTrackingKey`.
            case historyOption
            /// `.NSPersistentStoreRemoteChange` or `eventChangedNotification` observed: the detail is which.
            case notification
            /// `scenePhase` or `willEnterForeground`: a pulse or a refresh when the app comes to the foreground.
            case foreground
            /// `import SyncObservation…` or `SwiftDataAudit(…)`.
            case observer
            /// `FileManager…containerURL(forSecurityApplicationGroupIdentifier:)` or `groupContainer:`: the detail is the identifier where
            /// it is a literal.
            case appGroup
            /// `case .serverRecordChanged:` and its like, with nothing done about the record.
            case droppedConflict
            /// The server's record of a conflict looked at.
            case serverRecord
            /// A whole store deleted or replaced: the detail is the method.
            case storeDeletion
            /// A store copied, moved or migrated.
            case storeCopy
            /// A store in memory.
            case inMemoryStore
            /// A method of the app's own that is named as one of a framework: the detail is the name.
            case ownMethod
            /// A subscription to changes of a database; the detail is "silent" where it is told to wake the app.
            case subscription
            /// A push that the app is told of.
            case pushReceipt
            /// `NSUbiquitousKeyValueStore`.
            case keyValueStore
            /// The iCloud account looked at, or its change observed.
            case accountCheck
            /// A timer or loop that asks for sync: the detail is what it calls.
            case polling
            /// `publicCloudDatabase`; likewise the private and the shared one; `CKShare(…)`; `CKAsset(…)`.
            case publicDatabase, privateDatabase, share, asset
            /// An invitation to a share that the app is opened with, or accepts.
            case shareAcceptance
            /// `hasChanges` asked before something is replaced.
            case pendingEdits
            /// Contexts that merge what is imported by themselves.
            case automaticMerge
            /// A context whose objects are thrown away or fetched anew.
            case contextReset
            /// `@Query`, `@FetchRequest`, or a fetched results controller.
            case liveQuery
        }

        package let kind: Kind
        package internal(set) var detail: String?
        package internal(set) var context: Context
        /// Whether the detail is a literal where it is used, and not that of a constant.
        package internal(set) var isSpelled = false
        /// Of a key of a record what else is known.
        package internal(set) var field: RecordField?
    }

    /// What a key of a `CKRecord` is set to, and the record.
    package struct RecordField: Hashable, Sendable {
        /// The type of the record where its variable is made as one in the same function, and is given no other.
        package internal(set) var recordType: String?
        /// Whether that type is a literal.
        package internal(set) var isTypeSpelled = false
        /// Whether the variable is declared as a record, and not only named like one; a local one of unknown type is not.
        package internal(set) var isDeclared = false
        /// The types of a field that take the value, where a literal or an initializer tells.
        package let valueTypes: Set<String>?
        package let isEncrypted: Bool
        /// Whether it is set to nil.
        package let isRemoval: Bool
        /// What the value is, where it is one of which edits to parts are lost.
        package let shape: Shape?

        package enum Shape: Sendable { case list, encoded, counter }
    }

    /// A name for something that a call may be given.
    package struct NamedValue: Sendable {
        package let name: String
        /// The types around it, and the function.
        package let context: Context
        /// The names before `.self` in its value, the last name of what an alias stands for, and other names that the value mentions.
        package let types: [String]
        /// The Boolean that a constant is.
        package let flag: Bool?
    }

    /// `object.property += 1` and its like.
    package struct Increment: Sendable {
        package let property: String
        package let context: Context
        /// The name of the object, nil where the property is that of `self` or of anything but a name.
        package let object: String?
        /// The class of the object where a declaration before it tells.
        package internal(set) var type: String?
        /// Whether it is a property of the types around.
        package let isOwn: Bool
    }

    /// Another name for a type.
    package struct Alias: Hashable, Sendable {
        /// The names of its generic parameters.
        package var parameters: [String] = []
        /// The type as it is written without white space.
        package var type = ""
    }

    /// A value that is encoded into a variable or property, or decoded from it.
    package struct Encoding: Hashable, Sendable {
        package let property: String
        /// The last of the types around, or the type that is made with it.
        package let owner: String?
        /// Whether it is a property of an object, and not a variable.
        package let isMember: Bool
        /// The type of the value, nil where it is not written out.
        package let type: String?
    }

    /// A property of a class of Core Data.
    package struct ManagedProperty: Sendable {
        package let owner: String
        package let name: String
        package let type: String
    }

    /// `object.property = value`, or `$object.property` of a form.
    package struct Edit: Sendable {
        package let object: String
        /// Nil where the object itself is made.
        package let property: String?
        /// The byte at which the function, closure or type ends in which it is edited together with others.
        package let group: Int
        package let context: Context
    }

    /// A type that is declared in the project and is no model.
    package struct ValueType: Sendable {
        package enum Kind: String, Sendable { case structure, enumeration, otherClass }
        package let name: String
        package let kind: Kind
        /// The names after the colon.
        package let conforms: [String]
        package let context: Context
    }
}
