/// A point of a setup that works, and whether the project has it.
package struct ChecklistItem: Sendable {
    package enum State: String, Sendable { case yes, no, unknown }

    /// What is asked, as a short sentence without its full stop.
    package let title: String
    package let state: State
    /// What was found, or how to find out, without a full stop.
    package let detail: String

    static func all(_ evidence: Evidence) -> [ChecklistItem] {
        let syncing = evidence.syncingApps
        let apps = evidence.entitlements.filter { syncing.contains($0.target.location) && $0.isKnown }
        let isUnknown = apps.isEmpty
        func state(_ flag: Bool) -> State { isUnknown ? .unknown : flag ? .yes : .no }
        let hasService = apps.contains(where: \.hasCloudKit)
        let withoutPush = evidence.keysForPushesThatLack.first
        let hasPush = apps.contains { $0.pushKey != nil } && withoutPush == nil
        let modes = evidence.information.filter { syncing.contains($0.target.location) }
        let needsModes = modes.filter { $0.target.platforms.isEmpty || !$0.target.platforms.isDisjoint(with: [.iOS, .tvOS, .visionOS]) }
        let hasModes = needsModes.allSatisfy { $0.list.has("remote-notification") != false }
        let containers = Set(apps.flatMap { $0.strings(Entitlements.containers) }).sorted()
        let pushes = apps.filter { $0.pushKey != nil }
        let values = pushes.compactMap { entitlements in entitlements.pushKey.flatMap(entitlements.raw) }
        // Of a literal it is not known which configuration it is for, where settings are missing.
        let isUndecided = pushes.contains { !$0.configuration.isComplete && $0.pushKey.flatMap($0.raw)?.hasPrefix("$") == false }
        let areRight = pushes.allSatisfy(\.hasRightPush)
        let lacksVariable = pushes.contains(where: \.lacksPushVariable)
        let listener = evidence.listener
        var lacks: [String] = []
        if !hasService { lacks.append("iCloud with CloudKit") }
        if !hasPush { lacks.append("Push Notifications" + (withoutPush.map { " of \($0.app.name)" } ?? "")) }
        if !hasModes { lacks.append("Remote notifications") }
        return [
            ChecklistItem(
                title: "iCloud, pushes, background mode are on", state: state(lacks.isEmpty),
                detail: isUnknown
                    ? "no entitlements were found" : lacks.isEmpty ? "as far as was read" : "missing: \(lacks.joined(separator: ", "))"),
            ChecklistItem(
                title: "Entitlements name pushes and container", state: state(hasPush && !containers.isEmpty),
                detail: containers.isEmpty
                    ? "no container" : withoutPush.map { "\($0.app.name) has no \($0.key)" } ?? containers.joined(separator: ", ")),
            ChecklistItem(
                title: "Each configuration sets the push system",
                state: isUndecided && areRight ? .unknown : state(!pushes.isEmpty && areRight && !lacksVariable),
                detail: values.isEmpty
                    ? "no aps-environment"
                    : "aps-environment is \(values.unique().joined(separator: ", "))" + (lacksVariable ? ", which is not set" : "")),
            ChecklistItem(
                title: "Remote changes are observed", state: listener == nil ? .no : .yes, detail: listener ?? "nothing listens to them"),
        ] + answers(evidence)
    }
}

extension Evidence {
    /// The locations of the apps that have CloudKit or whose code uses it; of all apps where none does.
    fileprivate var syncingApps: Set<SourceLocation> {
        let entitled = Set(entitlements.filter(\.hasCloudKit).map(\.target.location))
        let users = syncingSourcesByTarget
        let syncing = apps.filter { entitled.contains($0.location) || users[$0.location] != nil }
        return Set((syncing.isEmpty ? apps : syncing).map(\.location))
    }

    /// What tells of remote changes, as the detail of a point; nil where nothing does.
    ///
    /// Neither a sync engine nor a subscription tells of what the mirroring imports.
    fileprivate var listener: String? {
        if !uses(.notification).isEmpty || !uses(.observer).isEmpty { return "it listens to them" }
        if scope.stores.contains(where: { $0.syncs == true }) { return nil }
        if let engine = uses(.syncEngine).first { return "\(engine.use.detail ?? "CKSyncEngine") tells of them" }
        let isSilent = uses(.subscription).contains { $0.use.detail == "silent" }
        return isSilent && !uses(.pushReceipt).isEmpty ? "pushes of a subscription tell of them" : nil
    }
}

extension [String] {
    /// Each string once.
    fileprivate func unique() -> [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
