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
        }

        package let framework: Framework
        package let database: Database
        /// Whether it is one that syncs; nil where that was not decided.
        package let syncs: Bool?
        /// Why, as words after "because".
        package let reason: String
        package let entities: Set<String>
        package let location: SourceLocation
    }

    package enum Framework: String, Sendable {
        case swiftData = "SwiftData"
        case coreData = "Core Data"
    }

    package private(set) var stores: [Store] = []
    package private(set) var notes: [Note] = []

    /// The entities that reach a store that syncs.
    package private(set) var synced: Set<String> = []
    /// Those that reach none of which that is known, but one of which it is not.
    package private(set) var undecided: Set<String> = []

    mutating func add(_ store: Store) { stores.append(store) }
    mutating func add(_ note: Note) { notes.append(note) }

    mutating func finish() {
        synced = stores.filter { $0.syncs == true }.reduce(into: []) { $0.formUnion($1.entities) }
        undecided = stores.filter { $0.syncs == nil }.reduce(into: Set()) { $0.formUnion($1.entities) }.subtracting(synced)
    }
}

/// Works out the stores from what the code says.
struct StoreFinder {
    let sources: [SwiftSource]
    let entities: [String: Entity]
    let coreDataModels: [CoreDataModel]
    /// Whether an app's entitlements name a CloudKit container; nil where no target tells.
    let isEntitled: Bool?
    private var scope = SyncScope()

    init(sources: [SwiftSource], entities: [String: Entity], coreDataModels: [CoreDataModel], isEntitled: Bool?) {
        self.sources = sources.filter { !$0.isTest }
        self.entities = entities
        self.coreDataModels = coreDataModels
        self.isEntitled = isEntitled
    }

    static func scope(
        _ sources: [SwiftSource], _ entities: [String: Entity], _ models: [CoreDataModel], isEntitled: Bool?
    ) -> SyncScope {
        var finder = StoreFinder(sources: sources, entities: entities, coreDataModels: models, isEntitled: isEntitled)
        finder.findSwiftData()
        finder.findCoreData()
        finder.scope.finish()
        return finder.scope
    }

    // MARK: SwiftData

    private mutating func findSwiftData() {
        let classes = entities.values.filter { $0.source == .swiftData }
        guard !classes.isEmpty else { return }
        var isFound = false
        for source in sources {
            for call in source.facts.containers where call.callee.hasSuffix("odelContainer") && !call.context.isPreview {
                isFound = true
                addStores(of: call, in: source)
            }
        }
        guard !isFound, let first = classes.min(by: { $0.location < $1.location }) else { return }
        let sentence = "no container of these model classes was found, so whether their store syncs is not known"
        scope.add(Note(first.location, sentence))
        scope.add(
            SyncScope.Store(
                framework: .swiftData, database: .undecided(""), syncs: nil, reason: sentence, entities: Set(classes.map(\.name)),
                location: first.location))
    }

    private mutating func addStores(of container: SwiftFacts.Call, in source: SwiftSource) {
        let types = self.types(of: container, in: source)
        if types == nil {
            scope.add(
                Note(source.location(container), "which model classes this container holds was not found, so all of the project are taken"))
        }
        let all = closure(types ?? Set(entities.values.filter { $0.source == .swiftData }.map(\.name)))
        let configurations = configurations(of: container, in: source)
        if configurations.isEmpty {
            let isInMemory = container.argument("inMemory") == "true"
            add(isInMemory ? .none : .automatic, isInMemory: isInMemory, all, source.location(container))
            return
        }
        for configuration in configurations {
            let own = self.types(of: configuration.call, in: configuration.source).map(closure)
            let isInMemory = configuration.call.argument("isStoredInMemoryOnly") == "true"
            add(
                database(configuration.call), isInMemory: isInMemory || configuration.call.context.isPreview, own ?? all,
                configuration.source.location(configuration.call))
        }
    }

    private mutating func add(
        _ database: SyncScope.Store.Database, isInMemory: Bool, _ names: Set<String>, _ location: SourceLocation
    ) {
        let (syncs, reason): (Bool?, String) =
            switch database {
            case _ where isInMemory: (false, "it is in memory only")
            case .none: (false, "its database is .none")
            case .named(let text): (true, "its database is \(text)")
            case .undecided(let text): (nil, "what \(text) stands for was not found")
            case .automatic:
                switch isEntitled {
                case true?: (true, "it names no database and the entitlements name a container")
                case false?: (false, "it names no database and no entitlements name a container")
                case nil: (nil, "it names no database, and no entitlements were found to say whether it syncs")
                }
            }
        if syncs == nil { scope.add(Note(location, "whether this store syncs is not known: \(reason)")) }
        scope.add(
            SyncScope.Store(
                framework: .swiftData, database: database, syncs: syncs, reason: reason, entities: names, location: location))
    }

    private func database(_ call: SwiftFacts.Call) -> SyncScope.Store.Database {
        guard let text = call.argument("cloudKitDatabase") else { return .automatic }
        if text.hasSuffix(".none") && !text.contains("?") { return .none }
        if text.hasSuffix(".automatic") && !text.contains("?") { return .automatic }
        // A choice between several syncs in one of the cases.
        if text.contains(".private(") || text.contains(".public(") || text.contains("?") && text.contains(".automatic") {
            return .named(text)
        }
        return .undecided(text)
    }

    private typealias Configuration = (call: SwiftFacts.Call, source: SwiftSource)

    /// The configurations that a container is given, written out in the call or made before and named.
    private func configurations(of container: SwiftFacts.Call, in source: SwiftSource) -> [Configuration] {
        guard let first = container.arguments.firstIndex(where: { $0.label == "configurations" }) else { return [] }
        // Several follow one label.
        let arguments = container.arguments[first...].prefix { $0.offset == container.arguments[first].offset || $0.label == nil }
        return arguments.flatMap { configurations(in: $0.text, at: $0.offset, container, source) }
    }

    private func configurations(
        in text: String, at offset: Int, _ container: SwiftFacts.Call, _ source: SwiftSource
    ) -> [Configuration] {
        let range = offset..<(offset + text.utf8.count)
        let inline = source.facts.configurations.filter { range.contains($0.context.offset) }
        if !inline.isEmpty { return inline.map { ($0, source) } }
        let names = Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
        func named(in source: SwiftSource) -> [Configuration] {
            source.facts.configurations.filter { call in call.assignedTo.map(names.contains) ?? false }.map { ($0, source) }
        }
        let here = named(in: source)
        if !here.isEmpty { return here }
        // A property of another type, where one only has that name.
        let elsewhere = sources.flatMap(named)
        if elsewhere.count == 1 { return elsewhere }
        let unknown = SwiftFacts.Call(
            callee: "ModelConfiguration", context: container.context, arguments: [(label: "cloudKitDatabase", text: text, offset: offset)],
            assignedTo: nil, tryForm: nil)
        return [(unknown, source)]
    }

    /// The model classes that a call names; nil where it names none or they were not found.
    private func types(of call: SwiftFacts.Call, in source: SwiftSource) -> Set<String>? {
        var names: Set<String> = []
        var schemas: Set<String> = []
        var isFor = false
        for argument in call.arguments {
            if let label = argument.label { isFor = label == "for" || label == "schema" }
            guard isFor || call.callee == "Schema" else { continue }
            let found = Self.typeNames(in: argument.text)
            names.formUnion(found.filter { entities[$0] != nil })
            schemas.formUnion(found)
            if found.isEmpty { schemas.formUnion(argument.text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)) }
        }
        if !names.isEmpty { return names }
        guard !schemas.isEmpty else { return nil }
        // A schema by its variable, or a versioned one by its type.
        for other in [source] + sources where names.isEmpty {
            for version in other.facts.schemas where schemas.contains(version.name) {
                names.formUnion(version.models)
            }
            for schema in other.facts.containers + other.facts.schemaCalls where schema.callee == "Schema" {
                guard let name = schema.assignedTo, schemas.contains(name) else { continue }
                names.formUnion(types(of: schema, in: other) ?? [])
            }
        }
        names = names.filter { entities[$0] != nil }
        return names.isEmpty ? nil : names
    }

    /// The names before `.self`, without the types around them.
    private static func typeNames(in text: String) -> [String] {
        var names: [String] = []
        var word = ""
        var last = ""
        for character in text + " " {
            if character.isLetter || character.isNumber || character == "_" {
                word.append(character)
                continue
            }
            if word == "self", !last.isEmpty { names.append(last) }
            if character == "." {
                if word != "self" { last = word }
            } else {
                last = ""
            }
            word = ""
        }
        return names
    }

    /// The entities and all that their relationships lead to: SwiftData takes them into the schema too.
    private func closure(_ names: Set<String>) -> Set<String> {
        var known = names
        var left = Array(names)
        while let name = left.popLast() {
            guard let entity = entities[name] else { continue }
            for other in entity.relationships.map(\.destination) + [entity.parent].compactMap(\.self) where known.insert(other).inserted {
                left.append(other)
            }
        }
        return known
    }

    // MARK: Core Data

    private mutating func findCoreData() {
        guard !coreDataModels.isEmpty else { return }
        let uses = sources.flatMap { source in
            source.facts.uses.filter { $0.kind == .persistentCloudKitContainer && !$0.context.isPreview }.map { (use: $0, source: source) }
        }
        guard let first = uses.first else { return }
        let calls = sources.flatMap { source in
            source.facts.containers.filter { $0.callee == "NSPersistentCloudKitContainer" }.map { (call: $0, source: source) }
        }
        let names = Set(
            calls.compactMap { $0.call.argument("name") }.filter { $0.hasPrefix("\"") }.map { String($0.dropFirst().dropLast()) })
        var models = coreDataModels.filter { names.contains($0.name) }
        if models.isEmpty { models = coreDataModels }
        let location = first.source.location(first.use.context)
        for model in models {
            let marked = model.cloudConfigurations.values.reduce(into: Set()) { $0.formUnion($1) }
            scope.add(
                SyncScope.Store(
                    framework: .coreData, database: .automatic, syncs: true,
                    reason: "\(model.name) is kept by NSPersistentCloudKitContainer",
                    entities: marked.isEmpty ? Set(model.entities.map(\.name)) : marked, location: location))
        }
    }
}
