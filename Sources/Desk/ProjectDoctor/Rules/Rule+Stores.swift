extension Rule {
    /// Where a store syncs, what happens to its files, and how Core Data describes it.
    static let stores: [Rule] = [
        Rule(
            "deployment.automatic-local", .warning, "A store that asks for CloudKit finds a container",
            consequence:
                ".automatic and NSPersistentCloudKitContainer take the first container of the entitlements. Where these name none the store "
                + "stays on the device, and nothing is thrown or printed",
            source: "\(ApplePage.syncedModels); \(ApplePage.storeDescriptions)"
        ) { evidence in
            // Beside a store that syncs, such as the app's, an extension's may stay local.
            guard !evidence.scope.stores.contains(where: { $0.syncs == true }) else { return [] }
            let stores = evidence.scope.stores.filter { $0.isNamed && $0.database == .automatic && $0.syncs == false }
            // Of a service without a container `deployment.container-list` tells.
            let hasService = evidence.entitlements.contains(where: \.hasCloudKit)
            var known: Set<SourceLocation> = []
            return stores.filter { !($0.framework == .coreData && hasService) && known.insert($0.location).inserted }.map { store in
                let isModel = store.framework == .swiftData
                return Finding(
                    store.location,
                    "asks for CloudKit by \(isModel ? ".automatic" : "NSPersistentCloudKitContainer"), and the entitlements name no "
                        + "container: it stays on the device",
                    fix: "add iCloud with CloudKit and a container in Signing & Capabilities, or "
                        + (isModel ? "write .none" : "use NSPersistentContainer"))
            }
        },
        Rule(
            "deployment.store-deletion", .warning, "No store that syncs is deleted or replaced",
            consequence:
                "What was not exported yet is gone. What was exported comes back from iCloud, or is deleted on no other device: the store is "
                + "one device's copy",
            source: "\(ApplePage.deletedStores); \(ApplePage.coordinator); bilipp/Lume#66"
        ) { evidence in
            let stores = evidence.scope.stores
            guard stores.contains(where: { $0.syncs == true }) else { return [] }
            // Of an app with other stores too it is not known which one is meant.
            let isOne = stores.allSatisfy { $0.syncs == true }
            let own = Set(evidence.uses(.ownMethod).compactMap(\.use.detail))
            let copies = Set(evidence.uses(.storeCopy).map { FunctionKey($0.location.path, $0.use.context) })
            let known = evidence.removals
            var functions: Set<FunctionKey> = []
            return evidence.uses(.storeDeletion).compactMap { use, location in
                let function = FunctionKey(location.path, use.context)
                guard let method = use.detail, use.isSpelled || !own.contains(method), !use.context.isDebugOnly, !known.contains(location),
                    // What was copied or moved before is not lost.
                    !copies.contains(function), functions.insert(function).inserted
                else { return nil }
                let isFile = method == "removeItem"
                return Finding(
                    location,
                    isFile
                        ? "the file of a store is removed, and stores of this app sync" : "\(method) throws the store away, which syncs",
                    fix:
                        "delete the objects and save, so that the deletes are exported; or wait until everything is exported, and keep a copy",
                    atMost: isFile && !isOne ? .advice : .warning)
            }
        },
        Rule(
            "deployment.descriptions", .warning, "The descriptions of a container's stores keep their options",
            consequence:
                "A list that replaces NSPersistentCloudKitContainer's own descriptions loses what these had: without "
                + "cloudKitContainerOptions nothing syncs",
            source: "\(ApplePage.storeDescriptions); CubeLabsNZ/CubeTime#268"
        ) { evidence in
            let made = Set(evidence.uses(.persistentCloudKitContainer).map(\.location.path))
            let memory = Set(evidence.uses(.inMemoryStore).map { FunctionKey($0.location.path, $0.use.context) })
            return evidence.productSources.filter { made.contains($0.path) }.flatMap { source -> [Finding] in
                let settings = source.facts.storeSettings.filter { !$0.context.isPreview && !$0.context.isDebugOnly }
                // Set anywhere in the file, it may be on one of the list.
                let hasOptions = settings.contains { $0.kind == .cloudKit(true) || $0.kind == .cloudKit(false) }
                let making = Set(settings.filter { $0.kind == .description }.map { FunctionKey(source.path, $0.context) })
                return settings.compactMap { setting in
                    let function = FunctionKey(source.path, setting.context)
                    guard case .list = setting.kind, setting.isUnconditional, !hasOptions, making.contains(function),
                        !memory.contains(function)
                    else { return nil }
                    return Finding(
                        source.location(setting.context),
                        "persistentStoreDescriptions is replaced by descriptions without cloudKitContainerOptions",
                        fix:
                            "change the description that the container has, or give the new one cloudKitContainerOptions, "
                            + "NSPersistentHistoryTrackingKey and NSPersistentStoreRemoteChangeNotificationPostOptionKey")
                }
            }
        },
    ]
}

extension Evidence {
    /// Where `deployment.store-removal` speaks up, or finds a copy.
    fileprivate var removals: Set<SourceLocation> {
        let calls = productSources.flatMap { source in
            source.facts.containers.compactMap { $0.removal.map { source.location(at: $0) } }
        }
        return Set(calls + uses(.storeRemoval).map(\.location))
    }
}

/// A function or property of a file.
struct FunctionKey: Hashable {
    private let path: String
    private let types: [String]
    private let member: String?

    init(_ path: String, _ context: SwiftFacts.Context) { (self.path, types, member) = (path, context.types, context.member) }
}
