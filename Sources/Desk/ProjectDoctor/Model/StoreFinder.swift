/// Works out the stores from what the code says.
struct StoreFinder {
    let sources: [SwiftSource]
    let entities: [String: Entity]
    let coreDataModels: [CoreDataModel]
    /// Whether the entitlements of what a file is built into, or without a file of any app, name a CloudKit container; nil where no target
    /// tells.
    let isEntitled: (_ path: String?) -> Bool?
    private let names: NameTable
    let codes: SwiftCodes
    private let finder: ValueFinder
    var scope = SyncScope()
    /// Whether no configuration of the project syncs; nil until it is asked for.
    private var everyIsLocal: Bool?
    /// What containers were given, and where.
    private var known: Set<[String]> = []

    private init(
        _ files: ProjectFiles, sources: [SwiftSource], entities: [String: Entity], coreDataModels: [CoreDataModel],
        isEntitled: @escaping (String?) -> Bool?
    ) {
        self.sources = sources.filter { !$0.isTest }
        codes = SwiftCodes(files, self.sources)
        finder = ValueFinder(codes)
        names = NameTable(self.sources, entities)
        self.entities = entities
        self.coreDataModels = coreDataModels
        self.isEntitled = isEntitled
    }

    static func scope(
        _ files: ProjectFiles, _ sources: [SwiftSource], _ entities: [String: Entity], _ models: [CoreDataModel],
        isEntitled: @escaping (String?) -> Bool?
    ) -> SyncScope {
        var finder = StoreFinder(files, sources: sources, entities: entities, coreDataModels: models, isEntitled: isEntitled)
        finder.findSwiftData()
        finder.findCoreData()
        finder.scope.finish()
        return finder.scope
    }

    // MARK: SwiftData

    private mutating func findSwiftData() {
        let classes = entities.values.filter { $0.source == .swiftData }
        guard !classes.isEmpty else { return }
        var reached: [SwiftCodes.Reach: [(call: SwiftFacts.Call, source: SwiftSource)]] = [:]
        for source in sources {
            for call in source.facts.containers where call.callee.hasSuffix("odelContainer") {
                reached[reach(call, source), default: []].append((call, source))
            }
        }
        // Where nothing else makes a container, what calls it may be in a file that is not read.
        let uncalled = reached[.uncalled] ?? []
        let made = reached[.shipped] ?? uncalled
        for (call, source) in made { addStores(of: call, in: source) }
        for (call, source) in reached[.shipped] == nil ? [] : uncalled {
            scope.add(Note(source.location(call), "nothing calls the function that makes this container"))
        }
        guard made.isEmpty, let first = classes.min(by: { $0.location < $1.location }) else { return }
        let sentence = "no container of these model classes was found, so none of their stores is known to sync"
        scope.add(Note(first.location, sentence))
        scope.add(
            SyncScope.Store(
                framework: .swiftData, database: .undecided(""), syncs: nil, reason: sentence, entities: Set(classes.map(\.name)),
                location: first.location, container: first.location, isNamed: false))
    }

    /// Whether a call is made in builds for users, be it that nothing is known to reach it, and not for debugging or previews alone.
    func isInShippedCode(_ call: SwiftFacts.Call, _ source: SwiftSource) -> Bool { reach(call, source) != .debugOnly }

    private func reach(_ call: SwiftFacts.Call, _ source: SwiftSource) -> SwiftCodes.Reach {
        guard !call.context.isPreview, !call.context.isDebugOnly, let code = codes.code(source) else { return .debugOnly }
        return codes.reach(code.token(at: call.context.offset), code)
    }

    private mutating func addStores(of container: SwiftFacts.Call, in source: SwiftSource) {
        guard let code = codes.code(source) else { return }
        if let types = names.classes(in: container, source) {
            return addStores(of: container, in: source, ValueFinder.Site(code: code), types)
        }
        let callers = callers(around: container, in: code)
        if callers.isEmpty { return addStores(of: container, in: source, ValueFinder.Site(code: code), nil) }
        for (number, caller) in callers.enumerated() {
            addStores(of: container, in: source, caller.site, caller.types, caller: "\(number)")
        }
    }

    /// The calls of the function that makes a container, each with the model classes that it is given; empty where one names none.
    ///
    /// - Complexity: O(*n*) in the arguments of at most 64 calls.
    private func callers(around container: SwiftFacts.Call, in code: SwiftCode) -> [(site: ValueFinder.Site, types: Set<String>)] {
        let token = code.token(at: container.context.offset)
        guard let owner = code.owners(of: token).last(where: { $0.kind == .function }), owner.parameters >= 0,
            let all = codes.callers(of: owner, in: code), all.count <= 64
        else { return [] }
        var found: [(site: ValueFinder.Site, types: Set<String>)] = []
        for caller in all where !caller.isDead && !caller.isPreview {
            let arguments = caller.code.walker.arguments(caller.token + 1)
            let given = caller.code.call("Schema", caller.token + 1)
            // Whatever their labels, they may name classes; so may what stands for an argument that is not given.
            let defaults = code.parameters(of: owner).filter { parameter in
                !parameter.initial.isEmpty && !given.arguments.contains { $0.label == parameter.label }
            }.map { (label: String?.none, text: code.walker.text($0.initial), offset: code.walker[$0.initial.lowerBound].offset) }
            let classes = SwiftFacts.Call(
                callee: given.callee, context: given.context, arguments: given.arguments.map { (nil, $0.text, $0.offset) } + defaults,
                assignedTo: nil, tryForm: nil)
            guard let types = names.classes(in: classes, caller.code.source) else { return [] }
            let call = ValueFinder.Call(owner.name, code.source.path, arguments, ValueFinder.Site(code: caller.code))
            found.append((ValueFinder.Site(code: code, call: call), types))
        }
        return found
    }

    private mutating func addStores(
        of container: SwiftFacts.Call, in source: SwiftSource, _ site: ValueFinder.Site, _ types: Set<String>?, caller: String = ""
    ) {
        let code = site.code
        let all = closure(types ?? Set(entities.values.filter { $0.source == .swiftData }.map(\.name)))
        // Names that are given again in one function give the same stores again, unless another call of it says what they are.
        let given = container.arguments.filter { $0.label == nil || $0.label == "configurations" }.map(\.text)
        let context = container.context
        let call = [source.path, context.member ?? "", caller] + context.types + ["("] + given + [")"]
        let found = configurations(of: container, in: site)
        // A name may be declared again in another block, for something else.
        let meant = found.configurations.map { "\($0.site.code.source.path):\($0.open)" }
        let isNew = known.insert(call + meant + [":"] + all.sorted()).inserted
        if !isNew, container.argument("configurations") != nil, !given.contains(where: { $0.contains("(") }) { return }
        let made = source.location(container)
        let count = scope.stores.count
        if found.configurations.isEmpty, let text = found.unknown {
            let state: SyncScope.Store.Database = isEveryConfigurationLocal() ? .none : .undecided(text)
            add(state, isInMemory: false, all, made, of: made, isNamed: false)
        } else if found.configurations.isEmpty {
            let isInMemory = container.arguments.contains { $0.label == "inMemory" && isTrue($0, code) }
            add(.automatic, isInMemory: isInMemory, all, made, of: made, isNamed: false)
        }
        for (open, site) in found.configurations {
            let call = site.code.call("ModelConfiguration", open)
            let (path, location) = (site.code.source, site.code.source.location(call))
            let own = names.classes(in: call, path).map(closure)
            let isNamed = call.argument("cloudKitDatabase") != nil
            let isInMemory = isInMemory(open, site)
            if own == nil, call.arguments.contains(where: { $0.label == "schema" }), types == nil {
                // What it holds is not known, so neither is that any of the classes syncs.
                scope.add(Note(location, "which model classes this configuration holds was not found"))
                add(database(open, site).database.ifKnown, isInMemory: isInMemory, all, location, of: made, isNamed: isNamed)
            } else {
                let (database, isChosen) = database(open, site)
                add(database, isInMemory: isInMemory, own ?? all, location, of: made, isNamed: isNamed, isChosen: isChosen)
            }
        }
        let added = scope.stores[count...]
        if let text = found.unknown, !found.configurations.isEmpty, !added.contains(where: { $0.syncs == true }),
            !isEveryConfigurationLocal()
        {
            add(.undecided(text), isInMemory: false, all, made, of: made, isNamed: false)
        }
        if types == nil, added.contains(where: { $0.syncs == true }) {
            scope.add(Note(made, "which model classes this container holds was not found, so all of the project are taken"))
        }
    }

    private mutating func add(
        _ database: SyncScope.Store.Database, isInMemory: Bool, _ names: Set<String>, _ location: SourceLocation,
        of container: SourceLocation, isNamed: Bool, isChosen: Bool = false
    ) {
        let database = isInMemory ? .none : database
        let (syncs, reason): (Bool?, String) =
            switch (database, isEntitled(location.path)) {
            case _ where isInMemory: (false, "it is in memory only")
            case (.none, _): (false, "its database is .none")
            case (.named(let text), _): (true, "its database is \(text)")
            case (.undecided, false?): (false, "no entitlements name a container, whatever its database is")
            case (.undecided(let text), _): (nil, "what \(text) stands for was not found; look at what its callers and branches give it")
            case (.automatic, true?):
                (
                    true,
                    isNamed
                        ? "its database is .automatic and the entitlements name a container"
                        : "it names no database and the entitlements name a container"
                )
            case (.automatic, false?):
                (
                    false,
                    isNamed
                        ? "its database is .automatic and no entitlements name a container"
                        : "it names no database and no entitlements name a container"
                )
            case (.automatic, nil):
                (
                    nil,
                    "\(isNamed ? "its database is .automatic" : "it names no database"), and no entitlements were found to say whether it syncs"
                )
            }
        // Of several configurations one line says what is equal for all.
        let isSaid = scope.stores.suffix(16).contains {
            $0.syncs == syncs && syncs != true && $0.container == container && $0.entities == names && $0.reason == reason
        }
        if isSaid { return }
        if syncs == nil { scope.add(Note(location, "whether this store syncs is not known: \(reason)")) }
        scope.add(
            SyncScope.Store(
                framework: .swiftData, database: database, syncs: syncs, reason: reason, entities: names, location: location,
                container: container, isNamed: isNamed, isChosen: isChosen))
    }

    // MARK: Configurations

    /// The configurations that a container is given, and the argument of which something was not found.
    private func configurations(
        of container: SwiftFacts.Call, in site: ValueFinder.Site
    ) -> (configurations: [(open: Int, site: ValueFinder.Site)], unknown: String?) {
        guard let first = container.arguments.firstIndex(where: { $0.label == "configurations" && $0.text != "[]" }) else {
            return ([], nil)
        }
        var found: [(open: Int, site: ValueFinder.Site)] = []
        var unknown: String?
        // Several follow one label.
        for argument in container.arguments[first...].prefix(while: { $0.offset == container.arguments[first].offset || $0.label == nil }) {
            let range = site.code.tokens(at: argument.offset, count: argument.text.utf8.count)
            for value in finder.values(range, site) {
                switch value {
                case .configuration(let open, let site):
                    let isKnown = found.contains { $0.open == open && $0.site.code === site.code && $0.site.call === site.call }
                    if !isKnown, found.count < 256 { found.append((open, site)) }
                case .null: break
                default: unknown = unknown ?? argument.text
                }
            }
        }
        return (found, unknown)
    }

    /// Whether the project has configurations, and none that a build for users has may sync.
    private mutating func isEveryConfigurationLocal() -> Bool {
        if let known = everyIsLocal { return known }
        var isFound = false
        var isLocal = true
        for source in sources where isLocal {
            for call in source.facts.configurations where isLocal && isInShippedCode(call, source) {
                isFound = true
                guard let code = codes.code(source), let open = code.open(of: call) else { return false }
                let site = ValueFinder.Site(code: code)
                isLocal = isInMemory(open, site) || database(open, site).database == .none
            }
        }
        everyIsLocal = isFound && isLocal
        return isFound && isLocal
    }

    private func isTrue(_ argument: (label: String?, text: String, offset: Int), _ code: SwiftCode) -> Bool {
        let range = code.tokens(at: argument.offset, count: argument.text.utf8.count)
        return finder.flag(range, ValueFinder.Site(code: code)) == true
    }

    /// Whether a configuration keeps nothing.
    private func isInMemory(_ open: Int, _ site: ValueFinder.Site) -> Bool {
        let walker = site.code.walker
        return walker.arguments(open).contains { argument in
            guard argument.label >= 0 else { return false }
            switch walker[argument.label].word {
            case .isStoredInMemoryOnly: return finder.flag(argument.value, site) == true
            default: return walker.spells(argument.label, "url") && argument.value.contains { walker.literal($0) == "/dev/null" }
            }
        }
    }

    /// The database of a configuration: of several that it may be the one that syncs, and whether it may be none.
    private func database(_ open: Int, _ site: ValueFinder.Site) -> (database: SyncScope.Store.Database, isChosen: Bool) {
        let walker = site.code.walker
        guard let argument = walker.arguments(open).first(where: { $0.label >= 0 && walker[$0.label].word == .cloudKitDatabase }) else {
            return (.automatic, false)
        }
        let text = walker.text(argument.value)
        let values = finder.values(argument.value, site)
        let isChosen = values.contains {
            switch $0 {
            case .none, .null: true
            default: false
            }
        }
        var found: SyncScope.Store.Database?
        var isKnown = true
        for value in values {
            switch value {
            case .named(let name): return (.named(name), isChosen)
            case .automatic: found = .automatic
            case .none, .null: found = found ?? SyncScope.Store.Database.none
            default: isKnown = false
            }
        }
        if found == .automatic { return (.automatic, isChosen) }
        return (isKnown ? found ?? .undecided(text) : .undecided(text), false)
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
