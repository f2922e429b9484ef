extension Rule {
    /// What would matter to a store that stays on the device.
    static let localSchema: [Rule] = [
        Rule(
            "schema.unique-local", .advice, "No unique attribute in a local store beside CloudKit",
            consequence:
                "On iOS 17.0 SwiftData is reported to hold a configuration with the database .none to CloudKit's rules where the app has the "
                + "entitlement, so that the container does not open. Unconfirmed: try it on a device with that version",
            source: "a fix of 2026 in a public app, unconfirmed; \(ApplePage.configuration)"
        ) { evidence in
            guard evidence.apps.contains(where: evidence.mayRunOnFirstSwiftData),
                evidence.entitlements.contains(where: { $0.target.kind == .app && $0.hasCloudKit })
            else { return [] }
            var known: Set<String> = []
            return evidence.scope.stores.filter { $0.framework == .swiftData && $0.syncs == false && $0.database == .none && $0.isNamed }
                .flatMap { store in
                    store.entities.sorted().compactMap { name -> Finding? in
                        guard let entity = evidence.entities[name], !evidence.scope.synced.contains(name), known.insert(name).inserted,
                            let location = entity.attributes.first(where: \.isUnique)?.location ?? entity.constraints.first?.location
                        else { return nil }
                        return Finding(
                            location, "\(name) has a unique attribute in a store with the database .none, and the app has CloudKit",
                            fix: "keep duplicates out by the app's own code, or demand iOS 17.1")
                    }
                }
        }
    ]
}

extension Evidence {
    /// Whether an app may run on iOS 17.0, as a deployment target of it says.
    fileprivate func mayRunOnFirstSwiftData(_ app: BuildTarget) -> Bool {
        if !app.platforms.isEmpty, app.platforms.isDisjoint(with: [.iOS]) { return false }
        let targets = app.configurations.compactMap { $0["IPHONEOS_DEPLOYMENT_TARGET"]?.text }
        let versions = targets.map { $0.split(separator: ".").map { Int($0) ?? 0 } }
        return versions.contains { !([17, 0] as [Int]).lexicographicallyPrecedes($0) }
    }
}

/// What would keep a model that stays on the device from syncing by CloudKit.
package struct CloudKitObstacles: Sendable {
    /// What occurs, in words for one and for several, and how often.
    package let counts: [(one: String, many: String, count: Int)]

    /// What stands in the way of the entities that no store is known to sync.
    ///
    /// - Complexity: O(*n*) in the properties.
    init(_ parts: [Evidence]) {
        var counts = [Int](repeating: 0, count: 7)
        var known: Set<SourceLocation> = []
        for evidence in parts {
            let judged = evidence.scope.synced.union(evidence.scope.undecided)
            for entity in evidence.entities.values where !judged.contains(entity.name) && known.insert(entity.location).inserted {
                counts[0] += entity.attributes.count { !$0.isOptional && !$0.hasDefault }
                counts[1] += entity.attributes.count(where: \.isUnique) + entity.constraints.count
                counts[2] += entity.relationships.count { !$0.isOptional }
                counts[3] += evidence.relationshipsWithoutInverse(of: entity).count
                counts[4] += entity.relationships.count(where: \.isOrdered)
                counts[5] += entity.relationships.count { $0.deleteRule == "deny" }
            }
            if judged.isEmpty {
                counts[6] += evidence.productSources.reduce(0) { $0 + $1.facts.plans.reduce(0) { $0 + $1.customStages.count } }
            }
        }
        let phrases = [
            ("value without default", "values without default"), ("unique value", "unique values"),
            ("relationship that is not optional", "relationships that are not optional"),
            ("relationship without inverse", "relationships without inverse"), ("ordered relationship", "ordered relationships"),
            ("delete that is denied", "deletes that are denied"), ("custom migration", "custom migrations"),
        ]
        self.counts = zip(phrases, counts).filter { $0.1 > 0 }.map { ($0.0.0, $0.0.1, $0.1) }
    }
}
