import SyncBytes

extension Rule {
    /// Entitlements and settings that what the code does asks for.
    static let setup: [Rule] = [
        Rule(
            "deployment.container-list", .error, "An app with CloudKit names a container",
            consequence:
                "NSPersistentCloudKitContainer and SwiftData keep everything on the device without a word, and CKContainer raises an exception",
            source: "\(ApplePage.containerIdentifiers); \(ApplePage.storeDescriptions)"
        ) { evidence in
            let syncing = evidence.syncingSourcesByTarget
            return evidence.onceByApp { app, all in
                let lacking = all.filter { $0.hasCloudKit && $0.strings(Entitlements.containers).allSatisfy(\.isEmpty) }
                guard app.kind == .app, let first = lacking.first(where: { !$0.configuration.isDebug }) ?? lacking.first else { return nil }
                // What names no database may do without one.
                let isAsked = syncing[app.location]?.isOwn
                let hasAutomaticStore = evidence.scope.stores.contains { store in
                    store.database == .automatic && evidence.holders.holds(store.location.path, app) == true
                }
                guard isAsked != nil || hasAutomaticStore else { return nil }
                return Finding(
                    first.location(of: Entitlements.containers),
                    "\(app.name) has CloudKit, and its entitlements name no container to sync with",
                    fix: "add one to \(Entitlements.containers): in Xcode, Signing & Capabilities, iCloud, Containers",
                    atMost: isAsked == true && !first.configuration.isDebug ? .error : .warning)
            }
        },
        Rule(
            "deployment.extension-service", .warning, "An extension that opens the store may use CloudKit",
            consequence:
                "A container that names its database fails to open there; what names none opens without sync, and what it writes waits for "
                + "the app",
            source: "\(ApplePage.services); \(ApplePage.groupFolder)"
        ) { evidence in
            let named = Set(evidence.uses(.containerOptions).map(\.location.path))
            return evidence.onceByApp { target, all in
                guard target.kind == .appExtension, !all.contains(where: \.hasCloudKit), let first = all.first else { return nil }
                let store = evidence.scope.stores.first { store in
                    store.syncs == true && evidence.hasNoConditions(at: store.location)
                        && evidence.holders.holds(store.location.path, target) == true
                }
                guard let store else { return nil }
                let isNamed = if case .named = store.database { true } else { named.contains(store.location.path) }
                return Finding(
                    first.location(of: Entitlements.services),
                    "\(target.name) opens the store of \(store.location.path):\(store.location.line), which syncs, and has no CloudKit",
                    fix:
                        "give it the iCloud capability with the app's container, or open the store there with the database .none, for "
                        + "reading alone",
                    // What the code chooses may be another store there.
                    atMost: isNamed && !store.isChosen ? .warning : .advice)
            }
        },
        Rule(
            "deployment.development-in-release", .warning, "A build for users does not write to development",
            consequence:
                "Records of development are the team's. Signing for the App Store puts Production there; a build that is given out in "
                + "another way keeps it, and its users share nothing with the others",
            source: ApplePage.containerEnvironment
        ) { evidence in
            evidence.onceByFile { entitlements in
                guard !entitlements.configuration.isDebug, entitlements.target.kind == .app else { return nil }
                let fix = "use a variable that is Production in \(entitlements.configuration.name), or remove the key"
                return entitlements.finding(environment: "Development", fix: fix)
            }
        },
        Rule(
            "deployment.push-environment", .warning, "Each configuration has the push system of its builds",
            consequence:
                "A debug build asks the other push system than the one that its profile is for: signing refuses it, or pushes do not come",
            source: ApplePage.pushes
        ) { evidence in
            evidence.onceByApp { target, all in
                // A literal for all is deployment.push-literal's.
                let isOne = Set(all.map { $0.file?.path }).count == 1
                guard target.kind == .app else { return nil }
                let wrong = all.first { entitlements in
                    guard let key = entitlements.pushKey, let raw = entitlements.raw(key), raw.hasPrefix("$") || !isOne else {
                        return false
                    }
                    return entitlements.configuration.expanding(raw) == (entitlements.configuration.isDebug ? "production" : "development")
                }
                guard let wrong, let key = wrong.pushKey, let raw = wrong.raw(key) else { return nil }
                let value = wrong.configuration.expanding(raw)
                return Finding(
                    wrong.location(of: key), "\(key) is \(value) in \(wrong.configuration.name) of \(target.name)",
                    fix: "set development in Debug, and production in Release",
                    // Signing for distribution puts production there.
                    atMost: wrong.configuration.isDebug ? .warning : .advice)
            }
        },
        Rule(
            "deployment.container-shared", .advice, "A debug app of its own has a container of its own",
            consequence:
                "Both apps are one app to iCloud: a build of the one that is signed for production changes what users of the other have",
            source: ApplePage.containerEnvironment
        ) { evidence in
            evidence.onceByApp { target, all in
                guard target.kind == .app, let debug = all.first(where: \.configuration.isDebug),
                    let release = all.first(where: { !$0.configuration.isDebug }),
                    let own = debug.configuration["PRODUCT_BUNDLE_IDENTIFIER"],
                    let other = release.configuration["PRODUCT_BUNDLE_IDENTIFIER"],
                    own.unresolved.isEmpty, other.unresolved.isEmpty, own.text != other.text,
                    let shared = debug.strings(Entitlements.containers).first(where: release.strings(Entitlements.containers).contains)
                else { return nil }
                return Finding(
                    debug.location(of: Entitlements.containers),
                    "\(own.text) of \(debug.configuration.name) and \(other.text) of \(release.configuration.name) share the container \(shared)",
                    fix: "give the debug app a container of its own by a variable, unless both are to show the same records")
            }
        },
        Rule(
            "deployment.sharing", .warning, "An app that accepts shares says that it does",
            consequence:
                "A link to a share opens the app only where its Info.plist has CKSharingSupported: without it who is invited sees that no "
                + "app can open it",
            source: ApplePage.sharingSupported
        ) { evidence in
            let uses = evidence.uses(.shareAcceptance).filter { $0.use.context.conditions.isEmpty && !$0.use.context.isDebugOnly }
            guard !uses.isEmpty else { return [] }
            let lists = Dictionary(grouping: evidence.information) { $0.target.location }
            return evidence.onceByApp { target, all in
                guard target.kind == .app, all.contains(where: \.hasCloudKit),
                    let without = lists[target.location]?.map(\.list).first(where: { $0.hasKey("CKSharingSupported") == false }),
                    let use = uses.first(where: { use in evidence.isOwn(use.location.path, of: target) })
                else { return nil }
                return Finding(
                    use.location, "\(target.name) accepts shares, and its Info.plist has no CKSharingSupported",
                    fix: "add CKSharingSupported with the value YES to \(without.file.map(\.path.quoted) ?? "its Info.plist")")
            }
        },
        Rule(
            "deployment.key-value-store", .warning, "An app that uses the key-value store of iCloud has its entitlement",
            consequence: "Without it no value leaves the device: NSUbiquitousKeyValueStore has no store to write to",
            source: ApplePage.keyValueStore
        ) { evidence in
            let uses = evidence.uses(.keyValueStore).filter { $0.use.context.conditions.isEmpty && !$0.use.context.isDebugOnly }
            let codes = SwiftCodes(evidence.files, evidence.productSources)
            return evidence.onceByApp { target, all in
                guard target.kind == .app, let lacking = all.first(where: { !$0.has(Entitlements.keyValueStore) }),
                    let use = uses.first(where: { use in evidence.isOwn(use.location.path, of: target) }),
                    evidence.holders.programs(with: use.location.path).count == 1
                        || evidence.namedFiles(of: target, codes).contains(use.location.path)
                else { return nil }
                // A file of several apps is made for the one that has it.
                let isOthers = evidence.entitlements.contains { other in
                    other.has(Entitlements.keyValueStore) && other.target.location != target.location
                        && evidence.isOwn(use.location.path, of: other.target)
                }
                return Finding(
                    use.location,
                    "\(target.name) uses NSUbiquitousKeyValueStore, and its entitlements have no \(Entitlements.keyValueStore)"
                        + (all.allSatisfy { !$0.has(Entitlements.keyValueStore) } ? "" : " in \(lacking.configuration.name)"),
                    fix: "add it as $(TeamIdentifierPrefix)$(CFBundleIdentifier): in Xcode, iCloud, Key-value storage",
                    edits: all.compactMap {
                        $0.adding(Entitlements.keyValueStore, xml: "<string>$(TeamIdentifierPrefix)$(CFBundleIdentifier)</string>")
                    }.unique(),
                    atMost: isOthers ? .advice : .warning)
            }
        },
        Rule(
            "deployment.interface", .warning, "SwiftData is asked for what its interface has",
            consequence:
                "The published interfaces of SwiftData have no public database, and no .modelContainer(for:cloudKitDatabase:): what shows "
                + "them does not compile",
            source: ApplePage.configuration
        ) { evidence in
            let isOwn = evidence.uses(.ownMethod).contains { $0.use.detail == "modelContainer" }
            return evidence.productSources.flatMap { source -> [Finding] in
                let containers = source.facts.containers.filter {
                    $0.callee == "modelContainer" && $0.argument("cloudKitDatabase") != nil && !isOwn && !$0.context.isPreview
                }.map { call in
                    Finding(
                        source.location(call), "there is no .modelContainer(for:) with a cloudKitDatabase",
                        fix: "make a ModelContainer with a ModelConfiguration that names the database, and hand it to .modelContainer(_:)")
                }
                let configurations = source.facts.configurations.filter { call in
                    call.argument("cloudKitDatabase").map { $0.hasPrefix(".public") || $0.hasSuffix(".public") || $0.contains(".public(") }
                        ?? false
                }.map { call in
                    Finding(
                        source.location(call), "SwiftData has no public database",
                        fix:
                            "use NSPersistentCloudKitContainer with databaseScope = .public, or CloudKit itself, for what everybody may read"
                    )
                }
                return containers + configurations
            }
        },
    ]
}

extension Entitlements {
    static let keyValueStore = "com.apple.developer.ubiquity-kvstore-identifier"
}

extension Evidence {
    /// Whether a target's own files, and not only those of a library, have a path.
    func isOwn(_ path: String, of target: BuildTarget) -> Bool { target.files.contains(path) }

    /// Whether the container or configuration at a location is made in every build.
    fileprivate func hasNoConditions(at location: SourceLocation) -> Bool {
        guard let source = productSources.first(where: { $0.path == location.path }) else { return true }
        return (source.facts.containers + source.facts.configurations).allSatisfy { call in
            call.context.conditions.isEmpty || source.location(call) != location
        }
    }
}
