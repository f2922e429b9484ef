/// Which calls of `initializeCloudKitSchema` are the framework's, and which of these builds for users run.
enum SchemaWrites {
    /// Leaves out calls of an app's own methods of that name, and marks those that only debug builds reach.
    static func judge(_ sources: inout [SwiftSource], _ files: ProjectFiles) {
        guard sources.contains(where: { $0.facts.uses.contains { $0.kind == .initializeSchema } }) else { return }
        let codes = SwiftCodes(files, sources.filter { !$0.isTest })
        let hash = SwiftWalker.hash(SwiftWord.initializeCloudKitSchema.rawValue)
        let isOwn = codes.declarations(hash).contains { $0.declaration.kind == .function }
        for index in sources.indices where sources[index].facts.uses.contains(where: { $0.kind == .initializeSchema }) {
            guard let code = codes.code(sources[index]) else { continue }
            let uses = sources[index].facts.uses.compactMap { use -> SwiftFacts.Use? in
                guard use.kind == .initializeSchema else { return use }
                let token = code.token(at: use.context.offset)
                if isOwn, !isOfFramework(token, code) { return nil }
                var use = use
                switch codes.reach(token, code) {
                case .shipped: break
                case .uncalled: use.detail = uncalled
                case .debugOnly: use.context.isDebugOnly = true
                }
                return use
            }
            sources[index] = sources[index].with(uses: uses)
        }
    }

    /// The detail of a use in a function that nothing calls.
    static let uncalled = "uncalled"

    /// Whether the method that is called is that of a container, where the app has one of the same name.
    private static func isOfFramework(_ token: Int, _ code: SwiftCode) -> Bool {
        let walker = code.walker
        if walker.arguments(token + 1).contains(where: { $0.label >= 0 && walker.spells($0.label, "options") }) { return true }
        let container = SwiftWord.nsPersistentCloudKitContainer.rawValue
        var base = token - 2
        guard walker[token - 1].kind == .dot else {
            let types = code.types(around: token)
            return types.last == container || code.conforms(types.last ?? "").contains(container)
        }
        while walker[base].word == .question || walker[base].word == .exclamation { base -= 1 }
        if walker[base].word == .super { return true }
        guard walker[base].kind == .identifier else { return false }
        let named = code.declarations(walker.hash(base)).compactMap { code.typeName($0) }
        return named.isEmpty ? walker.name(base).lowercased().hasSuffix("container") : named.contains(container)
    }
}
