extension Rule {
    /// What is known of the production environment.
    static let unchecked: [Rule] = [
        Rule(
            "production.unchecked", .advice, "The production schema is held against the models",
            consequence:
                "A type or field that was never deployed works in builds from Xcode, and is refused for every user of the App Store, for ever "
                + "and without a word to the app",
            prints: "Cannot create new type … in production schema",
            source: "\(ApplePage.schemaFiles); scastiel/kado#52, TableProApp/TablePro#2226"
        ) { evidence in
            guard evidence.isSchemaUnchecked, let location = evidence.firstSync else { return [] }
            return [
                Finding(
                    location, "the production schema is not checked: there is no .ckdb in the project",
                    fix: "deploy it in CloudKit Console, and export it: \(evidence.schemaExport)")
            ]
        }
    ]
}

extension Evidence {
    /// Whether something syncs of which no exported schema tells.
    var isSchemaUnchecked: Bool { schemas.isEmpty && (syncs || !uses(.zoneWrite).isEmpty) }

    /// Where the first store that syncs is made, or else the first record of the app's own.
    fileprivate var firstSync: SourceLocation? {
        scope.stores.first { $0.syncs == true }?.location
            ?? [.syncEngine, .recordType, .savePolicy, .zoneWrite].lazy.compactMap { uses($0).first?.location }.first
    }

    /// The command that exports the schema of the first container that the entitlements name.
    fileprivate var schemaExport: String {
        let container = entitlements.filter { $0.target.kind == .app }.flatMap { $0.strings(Entitlements.containers) }.first
        let name = container.flatMap { $0.contains("$") ? nil : $0 } ?? "CONTAINER"
        return "xcrun cktool export-schema --team-id TEAM --container-id \(name) --environment production --output-file schema.ckdb"
    }
}
