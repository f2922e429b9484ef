/// Which calls of `initializeCloudKitSchema` are the framework's, and which of these builds for users run.
enum SchemaWrites {
    /// Leaves out calls of an app's own methods of that name, and marks those that only debug builds reach.
    static func judge(_ sources: inout [SwiftSource], _ files: ProjectFiles) {
        guard sources.contains(where: { $0.facts.uses.contains { $0.kind == .initializeSchema } }) else { return }
        let codes = SwiftCodes(files, sources.filter { !$0.isTest })
        let hash = SwiftWalker.hash(SwiftWord.initializeCloudKitSchema.rawValue)
        var remaining = 64
        let isOwn = codes.declarations(hash).contains { $0.declaration.kind == .function }
        for index in sources.indices where sources[index].facts.uses.contains(where: { $0.kind == .initializeSchema }) {
            guard let code = codes.code(sources[index]) else { continue }
            let uses = sources[index].facts.uses.compactMap { use -> SwiftFacts.Use? in
                guard use.kind == .initializeSchema else { return use }
                let token = code.token(at: use.context.offset)
                if isOwn, !isOfFramework(token, code) { return nil }
                var use = use
                use.context.isDebugOnly = use.context.isDebugOnly || !codes.isShipped(token, code)
                // Each looks through its file; more than a few are no app's.
                remaining -= 1
                if remaining >= 0, isUncalled(token, code, codes) { use.detail = uncalled }
                return use
            }
            sources[index] = sources[index].with(uses: uses)
        }
    }

    /// The detail of a use in a function that nothing calls.
    static let uncalled = "uncalled"

    /// Whether a token is in a function of the app's own that nothing calls, and no framework: one without parameters, of no interface.
    private static func isUncalled(_ token: Int, _ code: SwiftCode, _ codes: SwiftCodes) -> Bool {
        let walker = code.walker
        guard let owner = code.owners(of: token).last(where: { $0.kind == .function }), walker[owner.name - 1].word == .func,
            owner.parameters >= 0, Int(walker[owner.parameters].partner) == owner.parameters + 1,
            !["main", "perform", "run", "start"].contains(walker.name(owner.name))
        else { return false }
        let isOfInterface = (max(0, owner.name - 6)..<owner.name).contains { before in
            ["override", "public", "open", "objc", "IBAction"].contains { walker.spells(before, $0) }
        }
        let hash = walker.hash(owner.name)
        // A function may be handed on as a value.
        let mentions = walker.tokens.indices.count { walker.tokens[$0].kind == .identifier && walker.hash($0) == hash }
        return !isOfInterface && mentions == 1 && codes.callers(of: owner, in: code)?.isEmpty == true
    }

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
