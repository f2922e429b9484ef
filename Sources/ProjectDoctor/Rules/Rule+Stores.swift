extension Rule {
    /// How the stores that code makes are told where to sync.
    static let stores: [Rule] = [
        Rule(
            "deployment.automatic-local", .warning, "A store that asks for CloudKit finds a container",
            consequence:
                ".automatic takes the first container of the entitlements. Where these name none the store stays on the device, and "
                + "nothing is thrown or printed",
            source: ApplePage.syncedModels
        ) { evidence in
            // Beside a store that syncs, such as the app's, an extension's may stay local.
            guard !evidence.scope.stores.contains(where: { $0.syncs == true }) else { return [] }
            return evidence.scope.stores.filter { $0.isNamed && $0.database == .automatic && $0.syncs == false }.map { store in
                Finding(
                    store.location, "asks for CloudKit by .automatic, and the entitlements name no container: it stays on the device",
                    fix: "add iCloud with CloudKit and a container in Signing & Capabilities, or write .none")
            }
        }
    ]
}
