/// Works out the stores from what the code says.
struct StoreFinder {
    let sources: [SwiftSource]
    let entities: [String: Entity]
    let coreDataModels: [CoreDataModel]
    /// Whether the entitlements of what a file is built into name a CloudKit container; nil where no target tells.
    private let isEntitled: (_ path: String) -> Bool?
    private let names: NameTable
    var scope = SyncScope()
    /// What containers were given, and where.
    private var known: Set<[String]> = []

    private init(
        sources: [SwiftSource], entities: [String: Entity], coreDataModels: [CoreDataModel], isEntitled: @escaping (String) -> Bool?
    ) {
        self.sources = sources.filter { !$0.isTest }
        names = NameTable(self.sources, entities)
        self.entities = entities
        self.coreDataModels = coreDataModels
        self.isEntitled = isEntitled
    }

    static func scope(
        _ sources: [SwiftSource], _ entities: [String: Entity], _ models: [CoreDataModel], isEntitled: @escaping (String) -> Bool?
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
                location: first.location, container: first.location, isNamed: false))
    }

    private mutating func addStores(of container: SwiftFacts.Call, in source: SwiftSource) {
        let types = names.classes(in: container, source)
        if types == nil {
            scope.add(
                Note(source.location(container), "which model classes this container holds was not found, so all of the project are taken"))
        }
        let all = closure(types ?? Set(entities.values.filter { $0.source == .swiftData }.map(\.name)))
        // Names that are given again in one function give the same stores again.
        let given = container.arguments.filter { $0.label == nil || $0.label == "configurations" }.map(\.text)
        let context = container.context
        let isNew = known.insert([source.path, context.member ?? ""] + context.types + ["("] + given + [")"] + all.sorted()).inserted
        if !isNew, container.argument("configurations") != nil, !given.contains(where: { $0.contains("(") }) { return }
        let configurations = configurations(of: container, in: source)
        let made = source.location(container)
        if configurations.isEmpty {
            let isInMemory = container.argument("inMemory") == "true"
            add(isInMemory ? .none : .automatic, isInMemory: isInMemory, all, made, of: made, isNamed: false)
            return
        }
        for configuration in configurations {
            let (call, source) = configuration
            let isInMemory = call.argument("isStoredInMemoryOnly") == "true" || call.context.isPreview
            let own = names.classes(in: call, source).map(closure)
            let location = source.location(call)
            let isNamed = call.argument("cloudKitDatabase") != nil
            if own == nil, call.arguments.contains(where: { $0.label == "schema" }), types == nil {
                // What it holds is not known, so neither is that any of the classes syncs.
                scope.add(Note(location, "which model classes this configuration holds was not found"))
                add(database(call, source).ifKnown, isInMemory: isInMemory, all, location, of: made, isNamed: isNamed)
            } else {
                add(database(call, source), isInMemory: isInMemory, own ?? all, location, of: made, isNamed: isNamed)
            }
        }
    }

    private mutating func add(
        _ database: SyncScope.Store.Database, isInMemory: Bool, _ names: Set<String>, _ location: SourceLocation,
        of container: SourceLocation, isNamed: Bool
    ) {
        let (syncs, reason): (Bool?, String) =
            switch database {
            case _ where isInMemory: (false, "it is in memory only")
            case .none: (false, "its database is .none")
            case .named(let text): (true, "its database is \(text)")
            case .undecided(let text): (nil, "what \(text) stands for was not found")
            case .automatic:
                switch isEntitled(location.path) {
                case true?: (true, "it names no database and the entitlements name a container")
                case false?: (false, "it names no database and no entitlements name a container")
                case nil: (nil, "it names no database, and no entitlements were found to say whether it syncs")
                }
            }
        if syncs == nil { scope.add(Note(location, "whether this store syncs is not known: \(reason)")) }
        scope.add(
            SyncScope.Store(
                framework: .swiftData, database: database, syncs: syncs, reason: reason, entities: names, location: location,
                container: container, isNamed: isNamed))
    }

    private func database(_ call: SwiftFacts.Call, _ source: SwiftSource) -> SyncScope.Store.Database {
        call.argument("cloudKitDatabase").map { database($0, call.context, source, depth: 0) } ?? .automatic
    }

    /// The database of an expression; of a choice the branch that is taken, or the one of both that syncs.
    private func database(
        _ text: String, _ context: SwiftFacts.Context, _ source: SwiftSource, depth: Int
    ) -> SyncScope.Store.Database {
        if let choice = Choice(text), depth < 8 {
            let branches = [choice.first, choice.second].map { database($0, context, source, depth: depth + 1) }
            if let flag = names.flag(choice.condition, near: context, source) { return branches[flag ? 0 : 1] }
            for branch in branches { if case .undecided = branch { return .undecided(text) } }
            for branch in branches { if case .named = branch { return branch } }
            return branches.contains(.automatic) ? .automatic : .none
        }
        if text.hasSuffix(".none") { return .none }
        if text.hasSuffix(".automatic") { return .automatic }
        return text.contains(".private(") || text.contains(".public(") ? .named(text) : .undecided(text)
    }

    private typealias Configuration = (call: SwiftFacts.Call, source: SwiftSource)

    /// The configurations that a container is given, written out in the call or made before and named.
    private func configurations(of container: SwiftFacts.Call, in source: SwiftSource) -> [Configuration] {
        guard let first = container.arguments.firstIndex(where: { $0.label == "configurations" && $0.text != "[]" }) else { return [] }
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
        let words = Set(NameTable.chains(in: text).compactMap(\.last))
        let named = words.flatMap { names.configurations[$0, default: []] }
        let here = container.context.nearest(named.filter { $0.source.path == source.path }.map { (value: $0, context: $0.call.context) })
        if !here.isEmpty { return here }
        // A property of another type, where one only has that name.
        if named.count == 1 { return named }
        let unknown = SwiftFacts.Call(
            callee: "ModelConfiguration", context: container.context, arguments: [(label: "cloudKitDatabase", text: text, offset: offset)],
            assignedTo: nil, tryForm: nil)
        return [(unknown, source)]
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
}
