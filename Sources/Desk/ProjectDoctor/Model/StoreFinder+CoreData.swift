extension StoreFinder {
    /// Adds the stores of Core Data containers for CloudKit.
    mutating func findCoreData() {
        guard !coreDataModels.isEmpty else { return findContainerWithoutModel() }
        let uses = sources.flatMap { source in
            source.facts.uses.filter {
                $0.kind == .persistentCloudKitContainer && !$0.context.isPreview && !$0.context.isDebugOnly
            }.map { (use: $0, source: source) }
        }
        guard let first = uses.first else { return }
        let calls = sources.flatMap { source in
            source.facts.containers.filter {
                $0.callee == "NSPersistentCloudKitContainer" && !$0.context.isPreview && !$0.context.isDebugOnly
            }.map { (call: $0, source: source) }
        }
        let names = Set(
            calls.compactMap { $0.call.argument("name") }.filter { $0.hasPrefix("\"") }.map { String($0.dropFirst().dropLast()) })
        let named = coreDataModels.filter { names.contains($0.name) }
        let models = named.isEmpty ? coreDataModels : named
        // A property of the type is not where it is made.
        let location = calls.first.map { $0.source.location($0.call) } ?? first.source.location(first.use.context)
        if models.count == 1, let model = models.first, addDescribedStores(of: model, made: uses, at: location) { return }
        let isLocal = isWithoutContainer(uses.map(\.source))
        for model in models {
            let marked = model.cloudConfigurations.values.reduce(into: Set()) { $0.formUnion($1) }
            // Which of several models, and which of their configurations, may be chosen by code.
            let isKnown = (named.isEmpty ? coreDataModels.count == 1 : true) && (!marked.isEmpty || !model.hasConfigurations)
            let reason = isKnown ? "\(model.name) is kept by NSPersistentCloudKitContainer" : "code chooses what of \(model.name) syncs"
            if isLocal {
                scope.add(
                    SyncScope.Store(
                        framework: .coreData, database: .automatic, syncs: false,
                        reason: "NSPersistentCloudKitContainer finds no container in the entitlements",
                        entities: Set(model.entities.map(\.name)), location: location, container: location, isNamed: true))
                continue
            }
            if !isKnown { scope.add(Note(location, "whether \(model.name) syncs is not known: \(reason)")) }
            scope.add(
                SyncScope.Store(
                    framework: .coreData, database: .automatic, syncs: isKnown ? true : nil, reason: reason,
                    entities: marked.isEmpty ? Set(model.entities.map(\.name)) : marked, location: location, container: location,
                    isNamed: true))
        }
    }

    /// Whether `NSPersistentCloudKitContainer` is left to find a container in the entitlements, and those of no app name one, nor those of
    /// what makes it: its description has no options then, and nothing syncs.
    private func isWithoutContainer(_ makers: [SwiftSource]) -> Bool {
        // Options that are handed on are those of a description, which has none then.
        let isNamed = sources.contains { source in source.facts.uses.contains { $0.kind == .containerOptions } }
        return !isNamed && isEntitled(nil) == false && makers.allSatisfy { isEntitled($0.path) == false }
    }

    /// Adds the store of a container whose model is in no file that is read.
    private mutating func findContainerWithoutModel() {
        let made = sources.flatMap { source in
            source.facts.containers.filter { call in
                // One that is made to write the schema keeps nothing.
                let isForSchema = source.facts.uses.contains {
                    $0.kind == .initializeSchema && $0.context.types == call.context.types && $0.context.member == call.context.member
                }
                return call.callee == "NSPersistentCloudKitContainer" && !call.context.isPreview && !call.context.isDebugOnly
                    && !isForSchema
            }.map { source.location($0) }
        }
        guard let location = made.first else { return }
        let reason = "the model of NSPersistentCloudKitContainer is made in code or elsewhere, and is not read"
        scope.add(Note(location, "nothing is known of what syncs: \(reason)"))
        scope.add(
            SyncScope.Store(
                framework: .coreData, database: .automatic, syncs: nil, reason: reason, entities: [], location: location,
                container: location, isNamed: true))
    }

    /// Adds the stores of a model as the code describes them; false where the code does not say it all.
    private mutating func addDescribedStores(
        of model: CoreDataModel, made uses: [(use: SwiftFacts.Use, source: SwiftSource)], at container: SourceLocation
    ) -> Bool {
        let settings = sources.flatMap { source in
            let inMemory = inMemoryFunctions(source)
            return source.facts.storeSettings.filter {
                !$0.context.isPreview && !$0.context.isDebugOnly && !inMemory.contains(FunctionKey(source.path, $0.context))
            }.map { (setting: $0, source: source) }
        }
        let made = settings.filter { $0.setting.kind == .description }
        let all = Set(model.entities.map(\.name))
        if made.isEmpty {
            // The one description that a container has by itself is made for CloudKit, unless it is told otherwise whatever happens.
            let cloud = settings.filter { if case .cloudKit = $0.setting.kind { true } else { false } }
            guard let first = cloud.first, cloud.allSatisfy({ $0.setting.kind == .cloudKit(false) && $0.setting.isUnconditional }),
                uses.allSatisfy({ use, source in
                    cloud.contains {
                        $0.source.path == source.path && $0.setting.context.types == use.context.types
                            && $0.setting.context.member == use.context.member
                    }
                })
            else { return false }
            addStore(all, false, "its cloudKitContainerOptions are nil", first.source.location(first.setting.context), container)
            return true
        }
        // Of each list the descriptions that are made beside it, and of these all that is set.
        var found: [(entities: Set<String>, syncs: Bool, isChosen: Bool, location: SourceLocation)] = []
        let lists = settings.filter { if case .list = $0.setting.kind { true } else { false } }
        guard lists.count == 1, let (list, source) = lists.first, case .list(let names?) = list.kind, names.count == made.count,
            Set(names).count == names.count
        else { return false }
        for name in names {
            let own = settings.filter { entry in
                entry.source.path == source.path && entry.setting.name == name && entry.setting.context.types == list.context.types
                    && entry.setting.context.member == list.context.member
            }.map(\.setting)
            let descriptions = own.filter { $0.kind == .description }
            guard descriptions.count == 1, let description = descriptions.first else { return false }
            var entities = all
            for case .configuration(let text) in own.map(\.kind) {
                guard let text, let members = model.configurations[text], entities == all else { return false }
                entities = members
            }
            let location = source.location(description.context)
            let options = own.filter { $0.kind == .cloudKit(true) }
            found.append((entities, !options.isEmpty, !options.contains(where: \.isUnconditional), location))
        }
        // What is set on anything else may be one of these.
        let isOther = settings.contains { entry in
            switch entry.setting.kind {
            // Much else has a configuration that is no string.
            case .list, .configuration(nil): return false
            case .description, .cloudKit, .configuration: break
            }
            return
                !(entry.source.path == source.path && entry.setting.name.map(names.contains) == true
                && entry.setting.context.types == list.context.types)
        }
        guard !isOther else { return false }
        for (entities, syncs, isChosen, location) in found {
            let reason = syncs ? "its description is given cloudKitContainerOptions" : "its description has no cloudKitContainerOptions"
            addStore(entities, syncs, reason, location, container, isChosen: isChosen)
        }
        return true
    }

    /// The functions that describe a store in memory, and have nothing of CloudKit.
    private func inMemoryFunctions(_ source: SwiftSource) -> Set<FunctionKey> {
        func functions(_ kinds: Set<SwiftFacts.Use.Kind>) -> Set<FunctionKey> {
            Set(source.facts.uses.filter { kinds.contains($0.kind) }.map { FunctionKey(source.path, $0.context) })
        }
        let inMemory = functions([.inMemoryStore])
        return inMemory.isEmpty ? [] : inMemory.subtracting(functions([.persistentCloudKitContainer, .containerOptions]))
    }

    private mutating func addStore(
        _ entities: Set<String>, _ syncs: Bool, _ reason: String, _ location: SourceLocation, _ container: SourceLocation,
        isChosen: Bool = false
    ) {
        scope.add(
            SyncScope.Store(
                framework: .coreData, database: syncs ? .automatic : .none, syncs: syncs, reason: reason, entities: entities,
                location: location, container: container, isNamed: true, isChosen: syncs && isChosen))
    }
}
