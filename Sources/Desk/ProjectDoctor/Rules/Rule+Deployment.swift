import SyncBytes

extension Rule {
    /// Entitlements, information property lists, build settings and how containers are made.
    static let deployment: [Rule] = [
        Rule(
            "deployment.service", .error, "An app that syncs has the entitlement for CloudKit",
            consequence:
                "SwiftData with .automatic keeps everything on the device; a container that is named fails, and CKContainer raises "
                + "an exception",
            source: "\(ApplePage.syncedModels); \(ApplePage.containerIdentifiers)"
        ) { evidence in
            guard evidence.namesContainer, !evidence.entitlements.isEmpty else { return [] }
            let shipped = Set(evidence.project.shippedApps.map(\.location))
            let users = evidence.syncingSourcesByTarget
            let codes = SwiftCodes(evidence.files, evidence.productSources)
            let entitled = Set(evidence.entitlements.filter(\.hasCloudKit).map(\.target.location))
            // Two of those that hold a file are enough: one of them is another app.
            var twins: [String: ArraySlice<SourceLocation>] = [:]
            return evidence.onceByApp { app, all in
                let lacking = all.filter { !$0.hasCloudKit }
                guard app.kind == .app, let first = lacking.first, let user = users[app.location] else { return nil }
                let names = Set(lacking.map(\.configuration.name)).sorted().joined(separator: " and ")
                let which = lacking.count < all.count ? " in \(names)" : ""
                let isUnset = lacking.allSatisfy { $0.file == nil && $0.isKnown }
                let reason = isUnset ? "no entitlements file is set for it" : "its entitlements do not have the service"
                let edits = lacking.compactMap {
                    $0.adding(Entitlements.services, xml: "<array>\n\t\t<string>CloudKit</string>\n\t</array>")
                }
                let fix = "add CloudKit to \(Entitlements.services): in Xcode, Signing & Capabilities, iCloud"
                guard user.isOwn else {
                    // What of a library an app calls is not known.
                    // Where a configuration or another app has it, this one may be made to do without.
                    let isMeant = lacking.count < all.count || !entitled.isEmpty
                    return Finding(
                        user.location,
                        "a library that \(app.name) is linked with uses CloudKit here, and for \(app.name) \(reason)\(which)",
                        fix: "if the app calls it, \(fix)", atMost: isMeant ? .advice : .warning)
                }
                // Builds for users have it, so that those without are meant to have none; so is one whose setting is empty, where another
                // app has the same file.
                let isForDebugging = lacking.allSatisfy(\.configuration.isDebug) && all.contains { !$0.configuration.isDebug }
                let path = user.location.path
                let twin = twins[path] ?? evidence.holders(of: path).map(\.location).filter(entitled.contains).prefix(2)
                twins[path] = twin
                let hasTwin = twin.contains { $0 != app.location }
                let isMeant = hasTwin && lacking.allSatisfy { $0.configuration["CODE_SIGN_ENTITLEMENTS"]?.text.isEmpty == true }
                if hasTwin, !evidence.isSyncReached(by: app, codes) {
                    return Finding(
                        user.location,
                        "this file is built into \(app.name) too, nothing of which calls what syncs here, and \(reason)\(which)",
                        fix: "if the app is to sync, \(fix); otherwise leave the file out of it", atMost: .advice)
                }
                let isShipped = shipped.contains(app.location) && !lacking.allSatisfy(\.configuration.isDebug)
                let sentence = "the code of \(app.name) syncs with CloudKit, and \(reason)\(which)"
                if let spare = evidence.spareEntitlements.first {
                    return Finding(
                        first.location(of: Entitlements.services), "\(sentence); \(spare.quoted), which no setting names, has it",
                        fix: "see that the app is signed with \(spare.quoted), or \(fix)", atMost: .advice)
                }
                return Finding(
                    first.location(of: Entitlements.services), sentence, fix: fix, edits: edits.unique(),
                    atMost: isForDebugging || isMeant ? .advice : isShipped ? .error : .warning)
            }
        },
        Rule(
            "deployment.container", .error, "The code's container is one of the entitlements'",
            consequence: "CKContainer raises an exception, and the mirroring fails to set itself up",
            prints:
                "container-not-found, or: The application is missing required entitlement com.apple.developer.icloud-container-identifiers",
            source: ApplePage.container
        ) { evidence in
            let entitled = Set(evidence.entitlements.flatMap { $0.strings(Entitlements.containers) })
            // One with a variable that nothing tells may be any.
            guard !entitled.isEmpty, evidence.entitlements.allSatisfy(\.isKnown),
                !entitled.contains(where: { $0.contains("$(") || $0.contains("${") })
            else { return [] }
            let uses = (evidence.uses(.container) + evidence.uses(.containerOptions)).filter { !$0.use.context.isDebugOnly }
            let stores = evidence.scope.stores.compactMap { store -> (String, SourceLocation)? in
                guard case .named(let text) = store.database, let name = text.firstLiteral else { return nil }
                return (name, store.location)
            }
            var known: Set<String> = []
            return (uses.compactMap { use, location in use.detail.map { ($0, location) } } + stores).compactMap { name, location in
                guard !entitled.contains(name), known.insert(name).inserted else { return nil }
                return Finding(
                    location, "the code names the container \(name), the entitlements name \(entitled.sorted().joined(separator: ", "))",
                    fix: "name the same container in both")
            }
        },
        Rule(
            "deployment.containers-agree", .warning, "App and extensions name the same containers",
            consequence:
                "An extension that opens the store without the app's container does not sync what it writes, or syncs it elsewhere",
            source: ApplePage.containerIdentifiers
        ) { evidence in
            let apps = evidence.entitlements.filter { $0.target.kind == .app && $0.hasCloudKit }
            let known = Set(apps.flatMap { $0.strings(Entitlements.containers) })
            guard !known.isEmpty else { return [] }
            let watches = evidence.watchesApart.map { app, watch, mine, other in
                Finding(
                    mine.location(of: Entitlements.containers),
                    "\(watch.name) keeps records of \(app.name) in \(mine.strings(Entitlements.containers).sorted().joined(separator: ", ")), "
                        + "and \(app.name) in \(other.joined(separator: ", ")): nothing goes from one to the other",
                    fix: "name the same container in both")
            }
            return watches
                + evidence.onceByApp { target, all in
                    guard target.kind == .appExtension, let mine = all.first(where: \.hasCloudKit) else { return nil }
                    let other = Set(mine.strings(Entitlements.containers)).subtracting(known).sorted()
                    guard let first = other.first else { return nil }
                    return Finding(
                        mine.location(of: Entitlements.containers),
                        "\(target.name) names the container \(first), which no app of the project has",
                        fix: "name \(known.sorted().joined(separator: " or "))")
                }
        },
        Rule(
            "deployment.app-group", .warning, "App and widget share the group of the store",
            consequence:
                "Without the entitlement the folder of the group is nil: the extension has a store of its own, and shows other data",
            source: ApplePage.groupFolder
        ) { evidence in
            var known: Set<String> = []
            let byTarget = evidence.entitlementsByTarget
            return evidence.uses(.appGroup).flatMap { use, location -> [Finding] in
                guard let group = use.detail else { return [] }
                let holders = evidence.holders(of: location.path)
                // A file of several apps is made for the one that has it.
                let having = holders.lazy.filter { other in
                    other.kind == .app && byTarget[other.location]?.contains { $0.strings(Entitlements.groups).contains(group) } == true
                }.map(\.location).prefix(2)
                let others = Array(having)
                return holders.compactMap { target in
                    let mine = byTarget[target.location] ?? []
                    let isOthers = target.kind == .app && others.contains { $0 != target.location }
                    let groups = mine.flatMap { $0.strings(Entitlements.groups) }
                    guard !mine.isEmpty, mine.allSatisfy(\.isDecided),
                        !groups.contains(group), !groups.contains(where: { $0.contains("$") }),
                        known.insert("\(target.name) \(group)").inserted
                    else { return nil }
                    return Finding(
                        location, "the group \(group) is not in the entitlements of \(target.name)",
                        fix: "add it to \(Entitlements.groups) of the app and of each extension that opens the store",
                        atMost: isOthers ? .advice : .warning)
                }
            }
        },
        Rule(
            "deployment.push", .warning, "An app that syncs takes pushes",
            consequence: "Changes of other devices come when the app starts or is brought to the front, and not before",
            source: "\(ApplePage.pushes); 0xCUB3/wBlock#487"
        ) { evidence in
            evidence.keysForPushesThatLack.map { app, key, all in
                Finding(
                    all[0].location(of: "aps-environment"), "the entitlements of \(app.name) have no \(key)",
                    fix: "add Push Notifications in Xcode's Signing & Capabilities",
                    edits: all.compactMap { $0.adding(key, xml: "<string>development</string>") }.unique())
            }
        },
        Rule(
            "deployment.push-literal", .advice, "The environment for pushes is a variable of the configuration",
            consequence:
                "Signing for distribution replaces it, so a literal is no error; with a variable each configuration says what it uses",
            source: ApplePage.pushes
        ) { evidence in
            evidence.onceByFile { entitlements in
                guard let key = entitlements.pushKey, let value = entitlements.raw(key), !entitlements.hasRightPush,
                    entitlements.hasCloudKit
                else { return nil }
                return Finding(
                    entitlements.location(of: key), "\(key) is \"\(value)\", and no variable",
                    fix: "write $(APS_ENVIRONMENT), and set it to development in Debug and to production in Release",
                    edits: evidence.variableEdits(entitlements, key: key, value: value))
            }
        },
        Rule(
            "deployment.push-unset", .warning, "The variable for pushes is set in every configuration",
            consequence: "A variable that nothing sets is empty, and the app gets no pushes in that configuration",
            source: ApplePage.pushes
        ) { evidence in
            evidence.onceByApp { target, all in
                let unset = all.filter(\.lacksPushVariable)
                guard let first = unset.first, let key = first.pushKey, let value = first.raw(key) else { return nil }
                let names = unset.map(\.configuration.name).joined(separator: " and ")
                return Finding(
                    first.location(of: key), "\(value) is not set for \(target.name) in \(names)",
                    fix: "set it in an .xcconfig or the build settings: development in Debug, production in Release",
                    edits: evidence.settingEdits(value, of: unset) ?? [])
            }
        },
        Rule(
            "deployment.background", .warning, "An iOS app that syncs wakes for remote notifications",
            consequence: "Pushes that should wake the app in the background are not delivered, so that it syncs when it is opened",
            source: "\(ApplePage.syncedModels); 0xCUB3/wBlock#487"
        ) { evidence in
            let byTarget = Dictionary(grouping: evidence.information) { $0.target.location }
            let sources = evidence.pushSources(isSilent: true)
            return evidence.onceByApp { app, all in
                guard app.kind == .app, evidence.takesPushes(app, on: [.iOS, .tvOS, .visionOS], sources),
                    all.contains(where: \.hasCloudKit)
                else { return nil }
                guard let without = byTarget[app.location]?.map(\.list).first(where: { $0.has("remote-notification") == false }) else {
                    return nil
                }
                return Finding(
                    without.location(or: app), "\(app.name) does not have the background mode remote-notification",
                    fix: "add Background Modes, Remote notifications in Xcode's Signing & Capabilities")
            }
        },
        Rule(
            "deployment.background-setting", .advice, "Background modes are in an information property list",
            consequence:
                "The generator of Xcode knows a fixed list of keys, and in its published sources this one is not among them: projects "
                + "report that the setting does nothing, others that it works. An entry in an Info.plist works always",
            source: "swiftlang/swift-build, InfoPlistProcessorTaskAction; 0xCUB3/wBlock#487"
        ) { evidence in
            let mode = "remote-notification"
            var known: Set<SourceLocation> = []
            return evidence.information.compactMap { target, list in
                guard target.kind == .app, !list.backgroundModes.contains(mode), let setting = list.setting(for: mode),
                    known.insert(setting.location).inserted
                else { return nil }
                return Finding(
                    setting.location, "\(target.name) has remote-notification by the setting INFOPLIST_KEY_UIBackgroundModes alone",
                    fix:
                        "look at UIBackgroundModes in the Info.plist of the built app, and put it into the target's own where it is missing"
                )
            }
        },
        Rule(
            "deployment.production-in-debug", .warning, "A debug build does not write to production",
            consequence: "Test data goes to the users' own database, and schema changes are refused",
            source: ApplePage.containerEnvironment
        ) { evidence in
            evidence.onceByFile { entitlements in
                guard entitlements.configuration.isDebug else { return nil }
                return entitlements.finding(
                    environment: "Production", fix: "use a variable that is Development in Debug",
                    // What is missing may name another file for debugging; who saves nothing leaves no test data.
                    atMost: entitlements.configuration.isComplete && (evidence.syncs || evidence.ownCode == .sends) ? .warning : .advice)
            }
        },
        Rule(
            "deployment.database-unnamed", .warning, "A store in an app with iCloud says whether it syncs",
            consequence:
                "A configuration that names no database syncs as soon as the entitlements name a container: a cache or another store is "
                + "uploaded without being asked for, or does not open since its model was not made for CloudKit",
            source: "joshlacal/Catbird#7, kasianov-mikhail/scout#1151"
        ) { evidence in
            evidence.scope.stores.filter { $0.database == .automatic && $0.syncs == true && $0.framework == .swiftData && !$0.isNamed }.map
            { store in
                // The only one that may sync is the one that the app has iCloud for.
                let programs = Set(evidence.holders.programs(with: store.location.path))
                let isOne = evidence.scope.stores.allSatisfy { other in
                    other.location == store.location || other.syncs == false
                        || !programs.isEmpty && programs.isDisjoint(with: evidence.holders.programs(with: other.location.path))
                }
                return Finding(
                    store.location, "this store syncs because \(store.reason)",
                    fix: "write cloudKitDatabase: .automatic, or .none if it shall not sync", atMost: isOne ? .advice : .warning)
            }
        },
        Rule(
            "deployment.fallback", .warning, "No container fails without a word",
            consequence:
                "An app that goes on with another store may show nothing of what the user has, and what is written there stays there; "
                + "with the same store it goes on without sync, and unless the app says so nobody knows",
            source: "apps of 2026 that lost data so: bilipp/Lume#66, michellzappa/headroom#8"
        ) { evidence in
            evidence.productSources.flatMap { source in
                let calls = source.facts.containers.filter { call in
                    (call.tryForm == "try?" || call.fallsBackSilently) && !call.context.isPreview
                        && evidence.scope.stores.contains { $0.syncs == true && $0.container == source.location(call) }
                }
                // One attempt after the other in a function is one matter.
                var known: Set<[String]> = []
                return calls.filter { known.insert($0.context.types + [$0.context.member ?? ""]).inserted }.map { call in
                    Finding(
                        source.location(call),
                        call.tryForm == "try?"
                            ? "the error of a container that does not open is thrown away by try?"
                            : "where this container does not open, one without CloudKit takes over",
                        fix: "log the error, and tell the user where the app does not yet; do not write to another store",
                        atMost: call.tellsOfFallback ? .advice : .warning)
                }
            }
        },
        Rule(
            "deployment.store-removal", .warning, "No store is removed because it does not open",
            consequence:
                "What had not been sent is gone, and nobody is told. A store may fail to open for a short time: a disk that is full, a device "
                + "that is locked, a model that the next version mends",
            source: "apps of 2026 that lost data so: bilipp/Lume#66, michellzappa/headroom#8"
        ) { evidence in
            func finding(_ location: SourceLocation) -> Finding {
                Finding(
                    location, "the store is removed where it does not open, and no copy is kept",
                    fix: "tell the user and log the error; move the files aside before a new store is made")
            }
            var known: Set<SourceLocation> = []
            let containers = evidence.productSources.flatMap { source in
                source.facts.containers.compactMap { call -> SourceLocation? in
                    guard let removal = call.removal, !call.context.isPreview, !call.context.isDebugOnly,
                        evidence.scope.stores.contains(where: { $0.syncs == true && $0.container == source.location(call) })
                    else { return nil }
                    return source.location(at: removal)
                }
            }
            let syncs = evidence.scope.stores.contains { $0.framework == .coreData && $0.syncs == true }
            let loading = syncs ? evidence.uses(.storeRemoval).filter { !$0.use.context.isDebugOnly }.map(\.location) : []
            return (containers + loading).filter { known.insert($0).inserted }.map(finding)
        },
        Rule(
            "deployment.mirrored-zone", .warning, "No code of one's own works in the mirroring's zone",
            consequence:
                "Its records are the mirroring's: what is written or deleted there counts as an edit of another device, and how they are "
                + "made up may change. They are described for reading alone",
            source: ApplePage.records
        ) { evidence in
            // Who reads the zone, or is told of it, changes nothing there.
            let named = CodeOwners(evidence.uses(.mirroredZone).filter { !$0.use.context.isDebugOnly })
            let writes = evidence.uses(.zoneWrite).filter(named.contains)
            // Records of the mirroring's types, where something is mirrored.
            let isMirrored = evidence.scope.stores.contains { $0.syncs != false }
            let records = (evidence.uses(.recordType) + evidence.uses(.recordKey)).filter {
                isMirrored && $0.use.detail?.hasPrefix("CD_") == true
            }
            var known: Set<String> = []
            return (records + writes).filter { !$0.use.context.isDebugOnly && known.insert($0.location.path).inserted }.map {
                use, location in
                let what =
                    switch use.kind {
                    case .recordType: "a record of the mirroring's type \(use.detail ?? "") is made"
                    case .recordKey: "the mirroring's field \(use.detail ?? "") is set"
                    default: "records or zones are changed beside com.apple.coredata.cloudkit.zone"
                    }
                return Finding(
                    location, what,
                    fix:
                        "change objects of the store instead, and let the mirroring export them; look at records in CloudKit Console, and "
                        + "keep own records in a zone of their own",
                    // Where nothing is mirrored any more the zone may be what an earlier version left.
                    atMost: isMirrored ? .warning : .advice)
            }
        },
        Rule(
            "deployment.remote-change", .warning, "A Core Data store posts remote changes",
            consequence:
                "The app does not learn of what was imported while it runs. History is on by default in a container for CloudKit, "
                + "this is not",
            source: ApplePage.storeChanges
        ) { evidence in
            let stores = evidence.scope.stores.filter { $0.framework == .coreData }
            guard stores.isEmpty || stores.contains(where: { $0.syncs != false }),
                let use = evidence.uses(.persistentCloudKitContainer).first(where: { made in
                    // One that is made for the schema alone keeps nothing of the app's.
                    let isForSchema = evidence.uses(.initializeSchema).contains {
                        $0.location.path == made.location.path && $0.use.isBeside(made.use)
                    }
                    return !(isForSchema && (stores.isEmpty || made.use.context.isDebugOnly))
                }),
                !evidence.uses(.remoteChangeOption).contains(where: { $0.use.detail != "false" }),
                // A context that merges by itself learns of an import, as who follows the mirroring's events does, unless the app waits
                // for the notification.
                evidence.uses(.automaticMerge).isEmpty && evidence.uses(.notification).isEmpty
                    || evidence.uses(.notification).contains(where: \.use.isOfRemoteChange)
            else { return [] }
            return [
                Finding(
                    use.location,
                    "no store of NSPersistentCloudKitContainer is given NSPersistentStoreRemoteChangeNotificationPostOptionKey",
                    fix: "setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey) on its description")
            ]
        },
        Rule(
            "deployment.history", .warning, "A Core Data store that syncs keeps its history",
            consequence: "The mirroring finds what to send in the store's history: without one nothing that is written is sent",
            source: "CubeLabsNZ/CubeTime#268"
        ) { evidence in
            guard !evidence.uses(.persistentCloudKitContainer).isEmpty else { return [] }
            return evidence.uses(.historyOption).filter { $0.use.detail == "false" }.map { _, location in
                Finding(
                    location, "NSPersistentHistoryTrackingKey is switched off beside NSPersistentCloudKitContainer",
                    fix: "remove the line: history is on by default in a container for CloudKit")
            }
        },
        Rule(
            "deployment.initialize-schema", .warning, "The schema is initialized by debug builds alone",
            consequence:
                "initializeCloudKitSchema writes records of every type and takes long; a build for users has no right to change the schema",
            source: ApplePage.model
        ) { evidence in
            evidence.uses(.initializeSchema).filter { !$0.use.context.isDebugOnly }.map { use, location in
                let isCalled = use.detail != SchemaWrites.uncalled
                return Finding(
                    location, "initializeCloudKitSchema is called outside #if DEBUG\(isCalled ? "" : ", by a function that nothing calls")",
                    fix: "put it inside #if DEBUG", atMost: isCalled ? .warning : .advice)
            }
        },
        Rule(
            "deployment.debug-argument", .advice, "A scheme shows what the mirroring does",
            consequence:
                "Without the argument the mirroring's own messages are few: what was exported, what failed and why is not seen "
                + "while developing",
            source: ApplePage.debugging
        ) { evidence in
            guard let store = evidence.scope.stores.first(where: { $0.syncs == true }), !evidence.apps.isEmpty,
                !evidence.project.launchArguments.contains(where: { $0.text.contains("com.apple.CoreData.CloudKitDebug") })
            else { return [] }
            return [
                Finding(
                    store.location, "no scheme has the launch argument -com.apple.CoreData.CloudKitDebug",
                    fix:
                        "add '-com.apple.CoreData.CloudKitDebug 1' to the scheme's arguments; 'log show --style ndjson | syncaudit "
                        + "tail' reads what it prints"
                )
            ]
        },
    ]
}

extension Entitlements {
    /// Whether the target's file was read, or all its settings, of which none names one.
    fileprivate var isDecided: Bool {
        isKnown || !target.isAssumed && configuration.isComplete && configuration["CODE_SIGN_ENTITLEMENTS"] == nil
    }

    /// That a configuration uses an environment of CloudKit; nil where it does not.
    func finding(environment: String, fix: String, atMost limit: Rule.Severity = .error) -> Finding? {
        guard strings(Self.environment).contains(environment) else { return nil }
        return Finding(
            location(of: Self.environment), "\(configuration.name) of \(target.name) uses the \(environment) environment", fix: fix,
            atMost: limit)
    }
}

extension Evidence {
    /// The watch apps that keep model classes of an app in containers of which that app has none, with the entitlements of the watch app
    /// and the containers of the other.
    ///
    /// - Complexity: O(*n* · *m*) in the apps and the watch apps.
    fileprivate var watchesApart: [(app: BuildTarget, watch: BuildTarget, mine: Entitlements, containers: [String])] {
        let watches = apps.filter { $0.platforms == [.watchOS] }
        guard !watches.isEmpty else { return [] }
        let byTarget = entitlementsByTarget
        let paths = Set(judged.map(\.location.path))
        return watches.compactMap { watch in
            guard let mine = byTarget[watch.location], mine.allSatisfy(\.isKnown), let first = mine.first(where: \.hasCloudKit) else {
                return nil
            }
            let own = Set(mine.flatMap { $0.strings(Entitlements.containers) })
            let shared = paths.filter { holders.holds($0, watch) == true }
            guard !own.isEmpty, !shared.isEmpty, let bundle = first.configuration["PRODUCT_BUNDLE_IDENTIFIER"]?.text else { return nil }
            for app in apps where app.location != watch.location && !app.platforms.contains(.watchOS) {
                let all = byTarget[app.location] ?? []
                let others = Set(all.filter(\.hasCloudKit).flatMap { $0.strings(Entitlements.containers) })
                // The identifier of a watch app begins with that of its app.
                let isItsOwn = all.contains { bundle.hasPrefix(($0.configuration["PRODUCT_BUNDLE_IDENTIFIER"]?.text ?? "?") + ".") }
                guard isItsOwn, !others.isEmpty, others.isDisjoint(with: own), all.allSatisfy(\.isKnown),
                    shared.contains(where: { holders.holds($0, app) == true })
                else { continue }
                return (app, watch, first, others.sorted())
            }
            return nil
        }
    }

    /// Whether code asks for CloudKit by its name, and not only by what entitlements say.
    var namesContainer: Bool {
        scope.stores.contains { store in
            if case .named = store.database { return true }
            // A store of which neither its entities nor whether it syncs is known tells nothing.
            return store.framework == .coreData && (store.syncs == true || store.syncs == nil && !store.entities.isEmpty)
        }
            || !uses(.container).isEmpty
            || !uses(.syncEngine).isEmpty
    }
}

extension Entitlements {
    /// The change that adds a key to a file in XML.
    func adding(_ key: String, xml: String) -> TextEdit? {
        guard let file, !has(key), let offset = insertionOffset else { return nil }
        return TextEdit(path: file.path, range: offset..<offset, text: "\t<key>\(key)</key>\n\t\(xml)\n")
    }
}

extension [TextEdit] {
    /// Each change once.
    func unique() -> [TextEdit] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}

extension String {
    /// What the first string literal in an expression holds; nil where there is none without interpolation.
    var firstLiteral: String? {
        let parts = split(separator: "\"", omittingEmptySubsequences: false)
        return parts.count >= 3 && !parts[1].contains("\\") ? String(parts[1]) : nil
    }
}

extension SwiftFacts.Use {
    /// Whether what is observed is the change of a store, and no event of the mirroring.
    fileprivate var isOfRemoteChange: Bool { detail == SwiftWord.nsPersistentStoreRemoteChange.rawValue }

    /// Whether it is in the same function as another of its file.
    fileprivate func isBeside(_ other: SwiftFacts.Use) -> Bool {
        context.types == other.context.types && context.member == other.context.member
    }
}
