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
        let hasPush = apps.contains { $0.pushKey != nil }
        let modes = evidence.information.filter { syncing.contains($0.target.location) }
        let needsModes = modes.filter { $0.target.platforms.isEmpty || !$0.target.platforms.isDisjoint(with: [.iOS, .tvOS, .visionOS]) }
        let hasModes = needsModes.allSatisfy { $0.list.has("remote-notification") != false }
        let containers = Set(apps.flatMap { $0.strings(Entitlements.containers) }).sorted()
        let pushes = apps.filter { $0.pushKey != nil }
        let values = pushes.compactMap { entitlements in entitlements.pushKey.flatMap(entitlements.raw) }
        let lacksVariable = pushes.contains(where: \.lacksPushVariable)
        let isObserved = !evidence.uses(.notification).isEmpty || !evidence.uses(.observer).isEmpty
        var lacks: [String] = []
        if !hasService { lacks.append("iCloud with CloudKit") }
        if !hasPush { lacks.append("Push Notifications") }
        if !hasModes { lacks.append("Remote notifications") }
        return [
            ChecklistItem(
                title: "iCloud, pushes, background mode are on", state: state(lacks.isEmpty),
                detail: isUnknown
                    ? "no entitlements were found" : lacks.isEmpty ? "as far as was read" : "missing: \(lacks.joined(separator: ", "))"),
            ChecklistItem(
                title: "Entitlements name pushes and container", state: state(hasPush && !containers.isEmpty),
                detail: containers.isEmpty ? "no container" : containers.joined(separator: ", ")),
            ChecklistItem(
                title: "Each configuration sets the push system",
                state: state(!pushes.isEmpty && pushes.allSatisfy(\.hasRightPush) && !lacksVariable),
                detail: values.isEmpty
                    ? "no aps-environment"
                    : "aps-environment is \(values.unique().joined(separator: ", "))" + (lacksVariable ? ", which is not set" : "")),
            ChecklistItem(
                title: "Remote changes are observed", state: isObserved ? .yes : .no,
                detail: isObserved ? "it listens to them" : "nothing listens to them"),
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
}

extension [String] {
    /// Each string once.
    fileprivate func unique() -> [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
