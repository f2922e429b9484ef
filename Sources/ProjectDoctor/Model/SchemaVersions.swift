import SyncLines

/// The versions of an app's schemas, and which of several classes of one name the app uses.
struct SchemaVersions {
    /// The names of versions, oldest first, by migration plan; of an app without one all versions.
    let orders: [[String]]
    /// The classes that each version lists.
    private let models: [String: Set<String>]
    /// The names of the classes that are declared inside each version.
    private let declared: [String: Set<String>]
    /// The versions that stores are made by.
    private let latest: [String]

    init(_ sources: [SwiftSource]) {
        let all = sources.flatMap(\.facts.schemas)
        let names = Set(all.map(\.name))
        models = Dictionary(all.map { ($0.name, Set($0.models)) }) { $0.union($1) }
        var declared: [String: Set<String>] = [:]
        for model in sources.flatMap(\.facts.models) {
            if let around = model.context.types.first(where: names.contains) { declared[around, default: []].insert(model.name) }
        }
        self.declared = declared
        let plans = sources.flatMap(\.facts.plans).map(\.schemas).filter { !$0.isEmpty }
        let sorted = all.ordered { $0.version.lexicographicallyPrecedes($1.version) }.map(\.name)
        orders = plans.isEmpty ? [sorted] : plans
        // Without a plan a container may name the version that it is for.
        let calls = sources.flatMap { $0.facts.containers + $0.facts.configurations + $0.facts.schemaCalls }
        let named = calls.flatMap(\.arguments).flatMap { NameTable.chains(in: $0.text).joined() }.filter(names.contains)
        latest = plans.isEmpty && !named.isEmpty ? Array(Set(named)).sorted() : orders.compactMap(\.last)
    }

    /// Whether the app uses a class: it is in no version, or in one that a store is made by.
    func isLive(_ model: SwiftFacts.ModelClass) -> Bool {
        guard version(of: model) != nil else { return true }
        return latest.contains { name in isIn(name, model, orders.first { $0.contains(name) } ?? [name]) }
    }

    /// Whether a class is declared inside a version.
    func isInVersion(_ model: SwiftFacts.ModelClass) -> Bool { version(of: model) != nil }

    /// Whether a class is the one that a version means by its name: its own, or else that of the version before which last declared one.
    func isIn(_ name: String, _ model: SwiftFacts.ModelClass, _ order: [String]) -> Bool {
        guard let around = version(of: model) else { return false }
        if around == name { return true }
        guard models[name]?.contains(model.name) == true else { return false }
        let before = order.prefix { $0 != name }
        return declared[name]?.contains(model.name) != true && before.last { declared[$0]?.contains(model.name) == true } == around
    }

    private func version(of model: SwiftFacts.ModelClass) -> String? { model.context.types.first { models[$0] != nil } }
}
