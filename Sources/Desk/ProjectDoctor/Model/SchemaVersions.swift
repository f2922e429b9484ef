import SyncBytes

/// The versions of an app's schemas, and which of several classes of one name the app uses.
struct SchemaVersions {
    /// Versions, oldest first.
    private struct Order {
        let names: [String]
        /// Where each version is first.
        private var positions: [String: Int] = [:]
        /// Where the versions are that declare a class, by its name.
        private var declaring: [String: [Int]] = [:]

        init(_ names: [String], _ declared: [String: Set<String>]) {
            self.names = names
            for (position, name) in names.enumerated() {
                if positions[name] == nil { positions[name] = position }
                for model in declared[name] ?? [] { declaring[model, default: []].append(position) }
            }
        }

        /// The last version before another that declares a class.
        ///
        /// - Complexity: O(log *n*) in the versions that do.
        func nearest(_ model: String, before version: String) -> String? {
            let (all, end) = (declaring[model] ?? [], positions[version] ?? names.count)
            var (low, high) = (0, all.count)
            while low < high {
                let middle = (low + high) / 2
                if all[middle] < end { low = middle + 1 } else { high = middle }
            }
            return low == 0 ? nil : names[all[low - 1]]
        }
    }

    /// The versions by migration plan; of an app without one all versions.
    private let sortedOrders: [Order]
    /// The first order that each version is in.
    private let orderOfVersion: [String: Int]
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
        let orders = plans.isEmpty ? [sorted] : plans
        sortedOrders = orders.map { Order($0, declared) }
        orderOfVersion = Dictionary(orders.enumerated().flatMap { index, order in order.map { ($0, index) } }) { first, _ in first }
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
            let isIn = around == name || around == owner(of: model.name, in: name, order(of: name))
            return isIn && around == meant(model.name, in: name)
        }
    }

    /// The first order that a version is in.
    private func order(of version: String) -> Order? { orderOfVersion[version].map { sortedOrders[$0] } }

    /// The version whose class a version means by a name, where that is written; the version that is nearest otherwise.
    private func meant(_ model: String, in version: String) -> String? {
        if let qualifier = qualifiers[version]?[model], declared[qualifier]?.contains(model) == true { return qualifier }
        if declared[version]?.contains(model) == true { return version }
        if outside.contains(model) { return nil }
        return order(of: version)?.nearest(model, before: version)
    }

    /// The version whose class another lists by its name: the one that the name is written after, or else that before it which last
    /// declared one; nil where it is its own class, or none of a version.
    private func owner(of model: String, in name: String, _ order: Order?) -> String? {
        guard models[name]?.contains(model) == true else { return nil }
        if let qualifier = qualifiers[name]?[model] { return qualifier }
        if declared[name]?.contains(model) == true || outside.contains(model) { return nil }
        return order?.nearest(model, before: name)
    }

    /// Whether a class is declared inside a version.
    func isInVersion(_ model: SwiftFacts.ModelClass) -> Bool { version(of: model) != nil }

    /// The classes of each version of each order, as indices among all: its own, and those that it means by the names that it lists.
    ///
    /// - Complexity: O(*n* log *n*) in the classes, the versions and what they list.
    func members(of classes: [SwiftFacts.ModelClass]) -> [[(name: String, classes: [Int])]] {
        var byVersion: [String: [Int]] = [:]
        for (index, model) in classes.enumerated() {
            if let around = version(of: model) { byVersion[around, default: []].append(index) }
        }
        return sortedOrders.map { order in
            order.names.map { name in
                var found = byVersion[name] ?? []
                for model in models[name] ?? [] {
                    guard let owner = owner(of: model, in: name, order), owner != name else { continue }
                    found += (byVersion[owner] ?? []).filter { classes[$0].name == model }
                }
                return (name, found.sorted())
            }
        }
    }

    private func version(of model: SwiftFacts.ModelClass) -> String? { model.context.types.first { models[$0] != nil } }
}
