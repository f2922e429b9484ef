/// What the names in expressions stand for: model classes and schemas.
struct NameTable {
    private let entities: [String: Entity]
    /// The named values of all files by name, with the file of each.
    private var values: [String: [(value: SwiftFacts.NamedValue, source: String)]] = [:]
    private var versions: [String: [String]] = [:]
    private var schemas: [String: [(call: SwiftFacts.Call, source: SwiftSource)]] = [:]

    init(_ sources: [SwiftSource], _ entities: [String: Entity]) {
        self.entities = entities
        for source in sources {
            for value in source.facts.names { values[value.name, default: []].append((value, source.path)) }
            for version in source.facts.schemas { versions[version.name, default: []] += version.models }
            for call in source.facts.containers + source.facts.schemaCalls where call.callee == "Schema" {
                if let name = call.assignedTo { schemas[name, default: []].append((call, source)) }
            }
        }
    }

    /// The model classes that a call of a container, a configuration or a schema is for; nil where it names none or they were not found.
    ///
    /// - Complexity: O(*n*) in the names that are followed, each once.
    func classes(in call: SwiftFacts.Call, _ source: SwiftSource) -> Set<String>? {
        var visited: Set<Visit> = []
        return classes(in: call, source, &visited)
    }

    /// A name that was followed, by where it is declared or called.
    private struct Visit: Hashable {
        let path: String
        let offset: Int
    }

    private func classes(in call: SwiftFacts.Call, _ source: SwiftSource, _ visited: inout Set<Visit>) -> Set<String>? {
        var found: Set<String> = []
        var isFor = call.callee == "Schema"
        for argument in call.arguments {
            if let label = argument.label { isFor = ["for", "schema", "versionedSchema"].contains(label) }
            guard isFor else { continue }
            for chain in Self.chains(in: argument.text) { found.formUnion(classes(chain, near: call.context, source, &visited)) }
        }
        return found.isEmpty ? nil : found
    }

    /// The model classes that names joined by dots stand for.
    private func classes(
        _ chain: [String], near context: SwiftFacts.Context, _ source: SwiftSource, _ visited: inout Set<Visit>
    ) -> Set<String> {
        let names = chain.last == "self" ? chain.dropLast() : chain[...]
        guard let last = names.last else { return [] }
        if entities[last] != nil { return [last] }
        // `SchemaV2.self` and `SchemaV2.models`.
        for name in names.suffix(2).reversed() {
            if let models = versions[name] { return Set(models.filter { entities[$0] != nil }) }
        }
        let owner = names.count > 1 && names.dropLast().last != "Self" ? names.dropLast().last : nil
        // A schema of the function's own is meant, whatever variables of other functions are named like it.
        let isOwn = { (other: SwiftFacts.Context, path: String) in
            path == source.path && other.isLocal(last) && other.member == context.member && other.types == context.types
        }
        let calls = schemas[last, default: []]
        let own = owner == nil ? calls.filter { isOwn($0.call.context, $0.source.path) } : []
        var near = nearest(last, of: owner, to: context, source)
        if !own.isEmpty { near.removeAll { !isOwn($0.value.context, $0.source) } }
        var found: Set<String> = []
        for (value, path) in near {
            guard visited.insert(Visit(path: path, offset: value.context.offset)).inserted else { continue }
            for type in value.types where type != last {
                let chain = type.split(separator: ".").map(String.init)
                found.formUnion(classes(chain, near: value.context, source, &visited))
            }
        }
        if !found.isEmpty { return found }
        let owned = owner.map { owner in calls.filter { $0.call.context.isOwn(last, of: owner) } } ?? []
        let here = context.nearest(calls.filter { $0.source.path == source.path }.map { (value: $0, context: $0.call.context) })
        for (call, source) in owned.isEmpty ? (here.isEmpty && calls.count == 1 ? calls : here) : owned {
            guard visited.insert(Visit(path: source.path, offset: call.context.offset)).inserted else { continue }
            found.formUnion(classes(in: call, source, &visited) ?? [])
        }
        return found
    }

    /// The values of a name: of the type that is named, else those around, else those of the file, else of all.
    private func nearest(
        _ name: String, of owner: String?, to context: SwiftFacts.Context, _ source: SwiftSource
    ) -> [(value: SwiftFacts.NamedValue, source: String)] {
        var all = values[name, default: []]
        if let owner {
            let owned = all.filter { $0.value.context.isOwn(name, of: owner) }
            if !owned.isEmpty { return owned }
            // What is named after a type or an object is no variable of a function.
            all.removeAll { $0.value.context.isLocal(name) }
        }
        let here = context.nearest(all.filter { $0.source == source.path }.map { (value: $0, context: $0.value.context) })
        return here.isEmpty ? all : here
    }

    /// The names of an expression, those that dots join together; strings are passed over.
    static func chains(in text: String) -> [[String]] {
        var chains: [[String]] = []
        var isJoined = false
        var isString = false
        for part in text.split(separator: "\"", omittingEmptySubsequences: false) {
            defer { isString.toggle() }
            if isString {
                isJoined = false
                continue
            }
            var word = ""
            for character in part + " " {
                if character.isLetter || character.isNumber || character == "_" {
                    word.append(character)
                    continue
                }
                if let first = word.first, !first.isNumber {
                    if isJoined, !chains.isEmpty { chains[chains.count - 1].append(word) } else { chains.append([word]) }
                }
                isJoined = character == "." && !word.isEmpty
                word = ""
            }
        }
        return chains
    }
}

extension SwiftFacts.Context {
    /// Whether it is that of a property of a type, and not of a variable in one of its functions.
    fileprivate func isOwn(_ property: String, of type: String) -> Bool { types.last == type && !isLocal(property) }

    /// Whether what has a name is declared in a function, or in a property of another name.
    fileprivate func isLocal(_ name: String) -> Bool { member != nil && member != name }

    /// Those of some values that are in the same function, else in the same types, else all.
    func nearest<Value>(_ values: [(value: Value, context: SwiftFacts.Context)]) -> [Value] {
        let beside = values.filter { $0.context.member == member && $0.context.types == types }
        if member != nil, !beside.isEmpty { return beside.map(\.value) }
        let around = values.filter { $0.context.types == types }
        return (around.isEmpty ? values : around).map(\.value)
    }
}
