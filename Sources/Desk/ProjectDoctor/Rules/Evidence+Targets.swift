/// What the targets of a project have of its files, and what these sync there.
extension Evidence {
    /// A file with a store that is mirrored, a sync engine or a subscription, and the conditions of `#if` around it.
    typealias PushSource = (path: String, conditions: [String])

    /// What makes CloudKit send pushes: a store is mirrored, there is a sync engine, or something subscribes to changes.
    ///
    /// Own records bring none without a subscription, and who registers for pushes may get them from another server.
    ///
    /// - Parameter isSilent: Whether only subscriptions count whose pushes wake the app.
    func pushSources(isSilent: Bool = false) -> [PushSource] {
        let subscriptions = uses(.subscription).filter { !isSilent || $0.use.detail == "silent" }
        let contexts = (uses(.syncEngine) + subscriptions).map { (path: $0.location.path, conditions: $0.use.context.conditions) }
        let sources = Dictionary(productSources.map { ($0.path, $0) }) { first, _ in first }
        // Both a store's configuration and its container must be in the build.
        let stores = scope.stores.filter { $0.syncs == true }.map { store in
            let conditions = [store.location, store.container].flatMap { Self.conditions(at: $0, in: sources[$0.path]) }
            return (path: store.location.path, conditions: conditions)
        }
        return contexts + stores
    }

    /// Whether CloudKit sends an app pushes.
    ///
    /// - Parameter systems: Those that count; all where it is empty.
    func takesPushes(_ app: BuildTarget, on systems: Set<BuildTarget.Platform>, _ sources: [PushSource]) -> Bool {
        let asked = systems.isEmpty ? app.platforms : app.platforms.intersection(systems)
        if asked.isEmpty, !app.platforms.isEmpty { return false }
        return sources.contains { path, conditions in
            let built = app.systems[path].map { asked.isEmpty ? $0 : asked.intersection($0) } ?? asked
            if built.isEmpty, app.systems[path] != nil { return false }
            return holders.holds(path, app) != false && (built.isEmpty || built.contains { $0.isBuilt(under: conditions) })
        }
    }

    /// The conditions of `#if` around the call that makes a store or its configuration.
    private static func conditions(at location: SourceLocation, in source: SwiftSource?) -> [String] {
        guard let source else { return [] }
        let calls = source.facts.containers + source.facts.configurations
        return calls.first { source.location($0) == location }?.context.conditions ?? []
    }

    /// The apps with CloudKit that take pushes, and have no key for those of one of their systems, with all entitlements of each.
    var keysForPushesThatLack: [(app: BuildTarget, key: String, entitlements: [Entitlements])] {
        let (byTarget, sources) = (entitlementsByTarget, pushSources())
        return apps.compactMap { app in
            // Of what could not be read nothing is said.
            guard let all = byTarget[app.location], all.allSatisfy(\.isKnown), all.contains(where: \.hasCloudKit),
                let key = app.pushKeys.first(where: { key in
                    let systems: [BuildTarget.Platform] = BuildTarget.Platform.allCases.filter { $0.pushKey == key }
                    return all.allSatisfy { $0.raw(key) == nil } && takesPushes(app, on: Set(systems), sources)
                })
            else { return nil }
            return (app, key, all.filter(\.hasCloudKit) + all.filter { !$0.hasCloudKit })
        }
    }

    /// By the location of each app and extension where its code uses CloudKit: its own code, or else that of a library.
    var syncingSourcesByTarget: [SourceLocation: (location: SourceLocation, isOwn: Bool)] {
        let stores = Dictionary(scope.stores.filter { $0.syncs == true }.map { ($0.location.path, $0.location) }) { first, _ in first }
        var result: [SourceLocation: (location: SourceLocation, isOwn: Bool)] = [:]
        // Of the files of a library one is enough.
        var known: Set<Int> = []
        for source in syncingSources {
            let use = source.facts.uses.first(where: Self.isSyncing).map { source.location($0.context) }
            let location = use ?? stores[source.path] ?? source.location(at: 0)
            let (own, others) = holders.targets(with: source.path)
            for target in own.map({ project.targets[$0].location }) where result[target]?.isOwn != true {
                result[target] = (location, true)
            }
            guard own.isEmpty else { continue }
            for program in others.filter({ known.insert($0).inserted }).flatMap(holders.programs(of:)) {
                let target = project.targets[program].location
                if result[target] == nil { result[target] = (location, false) }
            }
        }
        return result
    }

    /// The files that use CloudKit in every build, or make a store that syncs.
    var syncingSources: [SwiftSource] {
        let paths = Set(scope.stores.filter { $0.syncs == true }.map(\.location.path))
        return productSources.filter { paths.contains($0.path) || $0.facts.uses.contains(where: Self.isSyncing) }
    }

    /// The files of a target of which its own code names a type: those of no other app, what they name, and so on.
    ///
    /// A file without types is taken to be named, and so are all where too many were looked at for other targets.
    ///
    /// - Complexity: O(*n*) in the tokens of the target's files.
    func namedFiles(of target: BuildTarget, _ codes: SwiftCodes) -> Set<String> {
        let own = Set(target.files)
        let all = productSources.filter { own.contains($0.path) }
        guard codes.mayLook(at: all.count) else { return own }
        var byType: [Int: [SwiftSource]] = [:]
        var found = all.filter { source in
            let types = codes.code(source)?.typeNames ?? []
            for type in types { byType[type, default: []].append(source) }
            return types.isEmpty || holders.programs(with: source.path).count == 1
        }
        var known = Set(found.map(\.path))
        while let next = found.popLast() {
            for name in codes.code(next)?.names ?? [] {
                for source in byType.removeValue(forKey: name) ?? [] where known.insert(source.path).inserted { found.append(source) }
            }
        }
        return known
    }

    /// Whether a target's own code reaches anything of its files that syncs.
    func isSyncReached(by target: BuildTarget, _ codes: SwiftCodes) -> Bool {
        let stores = Set(scope.stores.filter { $0.syncs == true }.flatMap { [$0.location, $0.container] })
        let files = namedFiles(of: target, codes)
        return syncingSources.contains { source in
            guard files.contains(source.path), let code = codes.code(source) else { return false }
            let calls = (source.facts.containers + source.facts.configurations).filter { stores.contains(source.location($0)) }
            let offsets = calls.map(\.context.offset) + source.facts.uses.filter(Self.isSyncing).map(\.context.offset)
            return offsets.contains { offset in
                codes.reach(code.token(at: offset), code, counting: { isOwn($0.path, of: target) }) == .shipped
            }
        }
    }

    private static func isSyncing(_ use: SwiftFacts.Use) -> Bool {
        [.container, .syncEngine, .persistentCloudKitContainer].contains(use.kind) && use.context.conditions.isEmpty
            && !use.context.isDebugOnly && !use.context.isPreview
    }

    /// The apps and extensions that hold a file; where only libraries do, those that depend on one of them.
    func holders(of path: String) -> [BuildTarget] { holders.programs(with: path).map { project.targets[$0] } }

    /// The entitlements of each target, by its location.
    var entitlementsByTarget: [SourceLocation: [Entitlements]] { Dictionary(grouping: entitlements) { $0.target.location } }

    /// One finding for a target, whatever the configurations.
    func onceByApp(_ body: (BuildTarget, [Entitlements]) -> Finding?) -> [Finding] {
        let byTarget = entitlementsByTarget
        return project.targets.compactMap { target in
            // Of what could not be read nothing is said.
            guard let mine = byTarget[target.location], mine.allSatisfy(\.isKnown) else { return nil }
            return body(target, mine)
        }
    }

    /// One finding for a file of entitlements, whatever the targets and configurations.
    func onceByFile(_ body: (Entitlements) -> Finding?) -> [Finding] {
        var known: Set<SourceLocation> = []
        return entitlements.compactMap(body).filter { known.insert($0.location).inserted }
    }
}
