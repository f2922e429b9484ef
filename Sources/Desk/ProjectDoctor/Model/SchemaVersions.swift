import SyncBytes

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
    /// The types that the names in a version's list are written after.
    private let qualifiers: [String: [String: String]]
    /// The versions that containers and schemas name themselves.
    private let named: Set<String>
    /// The names of classes outside the versions.
    private let outside: Set<String>
    /// The version of which a name that is declared outside is another one for a class, by the name.
    private let aliases: [String: String]

    init(_ sources: [SwiftSource]) {
        let all = sources.flatMap(\.facts.schemas)
        let names = Set(all.map(\.name))
        models = Dictionary(all.map { ($0.name, Set($0.models)) }) { $0.union($1) }
        qualifiers = Dictionary(all.map { ($0.name, $0.qualifiers) }) { first, _ in first }
        var declared: [String: Set<String>] = [:]
        var outside: Set<String> = []
        for model in sources.flatMap(\.facts.models) where !model.context.isPreview && !model.context.isDebugOnly {
            if let around = model.context.types.first(where: names.contains) {
                declared[around, default: []].insert(model.name)
            } else {
                outside.insert(model.name)
            }
        }
        (self.declared, self.outside) = (declared, outside)
        var aliases: [String: String] = [:]
        for (name, alias) in sources.flatMap(\.facts.aliases) {
            let path = alias.type.split(separator: ".").map(String.init)
            guard path.count > 1, path.last == name, names.contains(path[path.count - 2]) else { continue }
            aliases[name] = path[path.count - 2]
        }
        self.aliases = aliases
        let numbers = Self.numbers(sources)
        let plans = sources.flatMap(\.facts.plans).map(\.schemas).filter { !$0.isEmpty && !Self.goesBack($0, numbers) }
        let sorted = all.ordered { $0.version.lexicographicallyPrecedes($1.version) }.map(\.name)
        orders = plans.isEmpty ? [sorted] : plans
        // Without a plan a container may name the version that it is for.
        let calls = sources.flatMap { $0.facts.containers + $0.facts.configurations + $0.facts.schemaCalls }
        let named = Set(calls.flatMap(\.arguments).flatMap { NameTable.chains(in: $0.text).joined() }.filter(names.contains))
        self.named = named
        latest = plans.isEmpty && !named.isEmpty ? named.sorted() : orders.compactMap(\.last)
    }

    /// The numbers of the versions, by name.
    static func numbers(_ sources: [SwiftSource]) -> [String: [Int]] {
        Dictionary(sources.flatMap(\.facts.schemas).map { ($0.name, $0.version) }) { first, _ in first }
    }

    /// Whether each version of a plan is older than the one before it: such a plan undoes another, and makes no store of users.
    static func goesBack(_ schemas: [String], _ numbers: [String: [Int]]) -> Bool {
        let all = schemas.map { numbers[$0] ?? [] }
        return all.count > 1 && zip(all, all.dropFirst()).allSatisfy { !$1.isEmpty && $1.lexicographicallyPrecedes($0) }
    }

    /// Whether the app uses a class: it is the one that its name alone stands for, or that a version means of which a store is made.
    func isLive(_ model: SwiftFacts.ModelClass) -> Bool {
        let around = version(of: model)
        if let version = aliases[model.name] { return around == nil || around == version }
        guard let around else { return true }
        return latest.contains { name in
            if outside.contains(model.name), !named.contains(name), qualifiers[name]?[model.name] == nil { return false }
            return isIn(name, model, orders.first { $0.contains(name) } ?? [name]) && around == meant(model.name, in: name)
        }
    }

    /// The version whose class a version means by a name, where that is written; the version that is nearest otherwise.
    private func meant(_ model: String, in version: String) -> String? {
        if let qualifier = qualifiers[version]?[model], declared[qualifier]?.contains(model) == true { return qualifier }
        if declared[version]?.contains(model) == true { return version }
        if outside.contains(model) { return nil }
        let order = orders.first { $0.contains(version) } ?? [version]
        return order.prefix { $0 != version }.last { declared[$0]?.contains(model) == true }
    }

    /// Whether a class is declared inside a version.
    func isInVersion(_ model: SwiftFacts.ModelClass) -> Bool { version(of: model) != nil }

    /// Whether a class is the one that a version means by its name: its own, or else that of the version before which last declared one.
    func isIn(_ name: String, _ model: SwiftFacts.ModelClass, _ order: [String]) -> Bool {
        guard let around = version(of: model) else { return false }
        if around == name { return true }
        guard models[name]?.contains(model.name) == true else { return false }
        if let qualifier = qualifiers[name]?[model.name] { return qualifier == around }
        let before = order.prefix { $0 != name }
        return declared[name]?.contains(model.name) != true && !outside.contains(model.name)
            && before.last { declared[$0]?.contains(model.name) == true } == around
    }

    private func version(of model: SwiftFacts.ModelClass) -> String? { model.context.types.first { models[$0] != nil } }
}
