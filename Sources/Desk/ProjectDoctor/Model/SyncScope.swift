/// The stores of an app that sync, and which kinds of record reach them.
package struct SyncScope: Sendable {
    /// A store as the code makes it.
    package struct Store: Sendable {
        package enum Database: Hashable, Sendable {
            /// SwiftData looks for a container in the entitlements, and syncs where there is one.
            case automatic
            /// With the text of the argument.
            case named(String)
            case none
            /// The argument's text: what it stands for was not found.
            case undecided(String)

            /// The database where it does not sync, and otherwise one of which that is not decided.
            var ifKnown: Database {
                switch self {
                case .none, .undecided: self
                case .automatic: .undecided("its schema")
                case .named(let text): .undecided(text)
                }
            }
        }

        package let framework: Framework
        package let database: Database
        /// Whether it is one that syncs; nil where that was not decided.
        package let syncs: Bool?
        /// Why, as words after "because".
        package let reason: String
        package let entities: Set<String>
        package let location: SourceLocation
        /// Where its container is made.
        let container: SourceLocation
        /// Whether its database is written out.
        let isNamed: Bool
        /// Whether it is one that syncs by a choice that the code makes as it runs, and may stay local.
        var isChosen = false
    }

    package enum Framework: String, Sendable {
        case swiftData = "SwiftData"
        case coreData = "Core Data"
    }

    package private(set) var stores: [Store] = []
    package private(set) var notes: [Note] = []
    private var known: Set<Key> = []

    private struct Key: Hashable {
        let location: SourceLocation
        let entities: Set<String>
        let syncs: Bool?
    }

    /// The entities that reach a store that syncs.
    package private(set) var synced: Set<String> = []
    /// Those that reach none of which that is known, but one of which it is not.
    package private(set) var undecided: Set<String> = []

    /// Adds a store; one and the same is known already where a function or a loop makes it for several containers.
    mutating func add(_ store: Store) {
        if known.insert(Key(location: store.location, entities: store.entities, syncs: store.syncs)).inserted { stores.append(store) }
    }
    mutating func add(_ note: Note) { notes.append(note) }

    mutating func finish() {
        synced = stores.filter { $0.syncs == true }.reduce(into: []) { $0.formUnion($1.entities) }
        undecided = stores.filter { $0.syncs == nil }.reduce(into: Set()) { $0.formUnion($1.entities) }.subtracting(synced)
    }
}
