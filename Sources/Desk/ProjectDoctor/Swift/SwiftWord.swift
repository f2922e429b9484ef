/// A word or symbol that the reader looks for.
///
/// Tokens hold it, so that the reader compares bytes of an enumeration and no strings.
enum SwiftWord: String, CaseIterable {
    /// Any other.
    case none = ""

    // Declarations.
    case `actor`, `associatedtype`, `case`, `class`, `deinit`, `enum`, `extension`, `func`, `import`, `init`, `let`, `macro`, `operator`
    case `precedencegroup`, `protocol`, `struct`, `subscript`, `typealias`, `var`
    // Modifiers.
    case `async`, `borrowing`, `consuming`, `convenience`, `distributed`, `dynamic`, `fileprivate`, `final`, `indirect`, `infix`, `inout`
    case `internal`, `isolated`, `lazy`, `mutating`, `nonisolated`, `nonmutating`, `open`, `optional`, `override`, `package`, `postfix`
    case `prefix`, `private`, `public`, `required`, `rethrows`, `sending`, `static`, `throws`, `unowned`, `weak`
    // Statements and expressions.
    case `any`, `as`, `await`, `catch`, `default`, `defer`, `do`, `each`, `else`, `elseif`, `endif`, `false`, `for`, `get`, `guard`, `if`
    case `in`, `is`, `nil`, `repeat`, `return`, `self`, `set`, `some`, `super`, `switch`, `throw`, `true`, `try`, `where`, `while`
    case `yield`, didSet, willSet
    // Symbols.
    case assign = "="
    case plusAssign = "+="
    case minusAssign = "-="
    case wrappingPlusAssign = "&+="
    case wrappingMinusAssign = "&-="
    case plus = "+"
    case minus = "-"
    case arrow = "->"
    case less = "<"
    case greater = ">"
    case question = "?"
    case exclamation = "!"
    case ampersand = "&"
    // SwiftData.
    case attribute = "Attribute"
    case model = "Model"
    case modelConfiguration = "ModelConfiguration"
    case modelContainerType = "ModelContainer"
    case previewModifier = "PreviewModifier"
    case previewProvider = "PreviewProvider"
    case preview = "Preview"
    case relationship = "Relationship"
    case schema = "Schema"
    case schemaMigrationPlan = "SchemaMigrationPlan"
    case swiftData = "SwiftData"
    case transient = "Transient"
    case unique = "Unique"
    case versionedSchema = "VersionedSchema"
    case custom, fromVersion, models, modelContainer, schemas
    case versionIdentifier, configurations, isStoredInMemoryOnly, inMemory, cloudKitDatabase
    // CloudKit and Core Data.
    case ckContainer = "CKContainer"
    case ckRecord = "CKRecord"
    case ckSyncEngine = "CKSyncEngine"
    case ckSyncEngineDelegate = "CKSyncEngineDelegate"
    case syncEngine = "SyncEngine"
    case nsPersistentCloudKitContainer = "NSPersistentCloudKitContainer"
    case nsPersistentCloudKitContainerOptions = "NSPersistentCloudKitContainerOptions"
    case nsPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
    case nsPersistentStoreRemoteChange = "NSPersistentStoreRemoteChange"
    case nsPersistentStoreRemoteChangeNotificationPostOptionKey = "NSPersistentStoreRemoteChangeNotificationPostOptionKey"
    case nsPersistentStoreDescription = "NSPersistentStoreDescription"
    case copyItem, destroyPersistentStore, loadPersistentStores, moveItem, removeItem, replaceItemAt, replacePersistentStore
    case cloudKitContainerOptions, configuration, persistentStoreDescriptions
    case databaseScope, encryptedValues, eventChangedNotification, forKey, initializeCloudKitSchema, savePolicy, setObject, setOption
    case deleteRecord, deleteRecordZone, modifyRecords, modifyRecordZones, recordIDsToDelete, recordsToSave, recordZoneIDsToDelete
    case archivedData, decode, encode
    case nsManaged = "NSManaged"
    case textEditor = "TextEditor"
    case textField = "TextField"
    case recordZonesToSave, setValue, shouldAddStoreAsynchronously, withRecordID, withRecordZoneID
    // Other names of apps.
    case coreDataAudit = "CoreDataAudit"
    case swiftDataAudit = "SwiftDataAudit"
    case applicationWillEnterForeground, forSecurityApplicationGroupIdentifier, groupContainer, scenePhase
    case sceneWillEnterForeground, willEnterForeground, willEnterForegroundNotification
    case debug = "DEBUG"
    // Actions of apps: on stores, accounts, pushes, and what a screen follows.
    case ckAccountChanged = "CKAccountChanged"
    case ckAsset = "CKAsset"
    case ckDatabaseSubscription = "CKDatabaseSubscription"
    case ckQuerySubscription = "CKQuerySubscription"
    case ckRecordZoneSubscription = "CKRecordZoneSubscription"
    case ckRecordChangedErrorServerRecordKey = "CKRecordChangedErrorServerRecordKey"
    case ckAcceptSharesOperation = "CKAcceptSharesOperation"
    case ckShare = "CKShare"
    case ckSubscription = "CKSubscription"
    case fetchRequest = "FetchRequest"
    case modelContextRefresh = "ModelContextRefresh"
    case nsFetchedResultsController = "NSFetchedResultsController"
    case nsInMemoryStoreType = "NSInMemoryStoreType"
    case nsUbiquitousKeyValueStore = "NSUbiquitousKeyValueStore"
    case nsUbiquityIdentityDidChange = "NSUbiquityIdentityDidChange"
    case query = "Query"
    case recordSavePolicy = "RecordSavePolicy"
    case acceptShareInvitations, accountChange, accountStatus, automaticallyMergesChangesFromParent, deleteAllData
    case didReceiveRemoteNotification, erase, hasChanges, migratePersistentStore
    case notAuthenticated, privateCloudDatabase, publicCloudDatabase, publish, refreshAllObjects, reset
    case rollback, save, scheduledTimer, serverRecord, serverRecordChanged, sharedCloudDatabase, shouldSendContentAvailable, sleep,
        ubiquityIdentityToken, userDidAcceptCloudKitShareWith

    /// Whether a declaration begins with it, so that no type or expression goes on.
    var beginsDeclaration: Bool {
        switch self {
        case .associatedtype, .case, .class, .deinit, .enum, .extension, .func, .import, .`init`, .let, .precedencegroup, .protocol,
            .struct,
            .subscript, .typealias, .var:
            true
        default: false
        }
    }

    /// Whether it may come before the keyword of a declaration.
    var isModifier: Bool {
        switch self {
        case .async, .borrowing, .consuming, .convenience, .distributed, .dynamic, .fileprivate, .final, .indirect, .infix, .`internal`,
            .isolated, .lazy, .mutating, .nonisolated, .nonmutating, .open, .optional, .override, .package, .postfix, .prefix, .private,
            .public, .required, .static, .unowned, .weak:
            true
        default: false
        }
    }

    /// Whether an expression goes on, or begins, after it.
    var takesExpression: Bool {
        switch self {
        case .as, .await, .case, .else, .guard, .if, .in, .is, .repeat, .return, .switch, .throw, .try, .where, .while, .yield: true
        default: false
        }
    }
}

/// The words by their bytes.
struct SwiftWordTable {
    static let shared = SwiftWordTable()

    private struct Entry {
        let word: SwiftWord
        let letters: Range<Int>
        let next: Int
    }

    private var heads = [Int](repeating: -1, count: 1024)
    private var entries: [Entry] = []
    private var letters: [UInt8] = []

    private init() {
        for word in SwiftWord.allCases where word != .none {
            let bytes = Array(word.rawValue.utf8)
            let bucket = Self.bucket(bytes, 0..<bytes.count)
            entries.append(Entry(word: word, letters: letters.count..<letters.count + bytes.count, next: heads[bucket]))
            letters += bytes
            heads[bucket] = entries.count - 1
        }
    }

    /// The word that a range of bytes, not empty, spells.
    ///
    /// - Complexity: O(*n*) in its length for known words, else O(1).
    func word(_ bytes: [UInt8], _ range: Range<Int>) -> SwiftWord {
        var index = heads[Self.bucket(bytes, range)]
        while index >= 0 {
            let entry = entries[index]
            if entry.letters.count == range.count {
                var isEqual = true
                for step in 0..<range.count where letters[entry.letters.lowerBound + step] != bytes[range.lowerBound + step] {
                    isEqual = false
                    break
                }
                if isEqual { return entry.word }
            }
            index = entry.next
        }
        return .none
    }

    private static func bucket(_ bytes: [UInt8], _ range: Range<Int>) -> Int {
        let (first, last) = (Int(bytes[range.lowerBound]), Int(bytes[range.upperBound - 1]))
        return (range.count &* 67 &+ first &* 31 &+ last &* 7 &+ Int(bytes[range.lowerBound + range.count / 2]) &* 13) & 1023
    }
}
