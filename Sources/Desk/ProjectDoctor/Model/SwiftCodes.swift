import SyncBytes

/// The Swift files of a product, read again where something must be followed through them.
final class SwiftCodes {
    private let files: ProjectFiles
    private let sources: [SwiftSource]
    private var codes: [String: SwiftCode?] = [:]
    private var holders: [Int: [SwiftSource]] = [:]
    private var declared: [Int: [(declaration: SwiftDeclaration, code: SwiftCode)]] = [:]
    /// How many calls are looked at for a project; after that none tells anything.
    private var budget = 1_000_000
    /// How many files are read again for targets that share some.
    private var remainingFiles = 20_000
    /// How many functions without calls were looked for in their files, and in all files.
    private var searches = (own: 0, all: 0)

    /// How many files are read again for one name at most: a name that more of them have tells nothing.
    private static let holderLimit = 400
    private static let searchLimit = (own: 64, all: 16)

    init(_ files: ProjectFiles, _ sources: [SwiftSource]) {
        (self.files, self.sources) = (files, sources)
    }

    /// Whether some more files may be read again for a target, of which a project may have many.
    func mayLook(at count: Int) -> Bool {
        remainingFiles -= count
        return remainingFiles >= 0
    }

    /// A file with its declarations; nil where it cannot be read.
    func code(_ source: SwiftSource) -> SwiftCode? {
        if let known = codes[source.path] { return known }
        let code = (try? files.read(source.path)).map { SwiftCode(source, $0.bytes) }
        codes[source.path] = code
        return code
    }

    /// The files that declare or call a name; nil where they are too many.
    func codes(with hash: Int) -> [SwiftCode]? {
        let mention = UInt32(truncatingIfNeeded: hash)
        let found = holders[hash] ?? sources.filter { $0.facts.mentions(mention) }
        holders[hash] = found
        return found.count > Self.holderLimit ? nil : found.compactMap(code)
    }

    /// The declarations of a name in all files, of builds for users and outside previews.
    func declarations(_ hash: Int) -> [(declaration: SwiftDeclaration, code: SwiftCode)] {
        if let known = declared[hash] { return known }
        let found = (codes(with: hash) ?? []).flatMap { code in
            code.declarations(hash).filter { !$0.isDead && !$0.isPreview }.map { (declaration: $0, code: code) }
        }
        declared[hash] = found
        return found
    }

    /// A call of a function: the token of the name that is called, and its file.
    struct Caller {
        let token: Int
        let code: SwiftCode
        /// Whether no build for users has it.
        let isDead: Bool
        let isPreview: Bool
    }

    /// The calls that may be those of a function; nil where they are too many to tell.
    func callers(of function: SwiftDeclaration, in home: SwiftCode) -> [Caller]? {
        let isInitializer = home.walker[function.name].word == .`init`
        let type = function.types.last
        if isInitializer, type == nil { return [] }
        let hash = isInitializer ? SwiftWalker.hash(type ?? "") : home.walker.hash(function.name)
        guard let codes = codes(with: hash) else { return nil }
        var found: [Caller] = []
        for code in codes {
            let walker = code.walker
            for token in code.calls[hash, default: []] where !(code === home && token == function.name) {
                budget -= 1
                guard budget > 0 else { return nil }
                guard code.declarations(hash).allSatisfy({ $0.kind != .function || $0.name != token }) else { continue }
                if !isInitializer, !calls(walker, token, type, code, function, home) { continue }
                let owner = code.owners(of: token).first
                found.append(
                    Caller(
                        token: token, code: code, isDead: code.isDead(token),
                        isPreview: owner?.isPreview ?? false || Self.isPreview(code, token)))
                if found.count > 256 { return nil }
            }
        }
        return found
    }

    /// Whether a call by its name may be one of a function.
    private func calls(
        _ walker: SwiftWalker, _ token: Int, _ type: String?, _ code: SwiftCode, _ function: SwiftDeclaration, _ home: SwiftCode
    ) -> Bool {
        let isMember = walker[token - 1].kind == .dot
        if function.isLocal { return code === home && !isMember }
        guard let type else { return !isMember }
        let around = code.types(around: token)
        if !isMember { return around.contains(type) || code.conforms(around.last ?? "").contains(type) }
        let base = token - 2
        guard walker[base].kind == .identifier else { return true }
        if walker[base].word == .`self` || walker.spells(base, "Self") { return around.contains(type) }
        let name = walker.name(base)
        return name.first?.isUppercase == true ? name == type : true
    }

    /// Whether a token is in code for previews: by the macro, the protocol or the name.
    static func isPreview(_ code: SwiftCode, _ token: Int) -> Bool {
        code.source.isForPreviews || code.isPreview(token) || code.types(around: token).contains { $0.contains("Preview") }
            || code.owners(of: token).contains { code.walker.name($0.name).lowercased().contains("preview") || $0.isPreview }
    }

    /// Whether code runs in builds for users.
    enum Reach {
        case shipped
        /// It is in a function of the app's own that nothing calls.
        case uncalled
        /// Only builds for debugging have it, or previews.
        case debugOnly
    }

    /// How far code at a token is reached, as far as the calls of the functions around it tell.
    ///
    /// What may be called by a framework, or without the name, is taken to run.
    ///
    /// - Parameter counts: Whether calls in a file count, such as those of one target.
    func reach(_ token: Int, _ code: SwiftCode, counting counts: (SwiftSource) -> Bool = { _ in true }) -> Reach {
        var visited: Set<Int> = []
        return reach(token, code, counts, &visited)
    }

    private func reach(_ token: Int, _ code: SwiftCode, _ counts: (SwiftSource) -> Bool, _ visited: inout Set<Int>) -> Reach {
        if code.isDead(token) || Self.isPreview(code, token) { return .debugOnly }
        guard let owner = code.owners(of: token).last(where: { $0.kind == .function }), visited.count < 64 else { return .shipped }
        // A circle brings no caller of its own.
        guard visited.insert(code.source.path.hashValue ^ owner.name).inserted else { return .debugOnly }
        guard let callers = callers(of: owner, in: code) else { return .shipped }
        if callers.isEmpty { return isUncalled(owner, in: code) ? .uncalled : .shipped }
        // An initializer may be called without the name of its type.
        if code.walker[owner.name].word == .`init`, let type = owner.types.last, code.callsInitializer(of: type) { return .shipped }
        var result = Reach.debugOnly
        for caller in callers where !caller.isDead && !caller.isPreview {
            let found = counts(caller.code.source) ? reach(caller.token, caller.code, counts, &visited) : .uncalled
            if found == .shipped { return .shipped }
            if found == .uncalled { result = .uncalled }
        }
        return result
    }

    /// Whether a function without calls is handed on by nobody as a value, and called by no framework: one without parameters, of no
    /// interface.
    ///
    /// - Complexity: O(*n*) in the bytes of all files, for at most `searchLimit` functions of a project; the others are taken to be called.
    private func isUncalled(_ function: SwiftDeclaration, in code: SwiftCode) -> Bool {
        let walker = code.walker
        guard walker[function.name - 1].word == .func, function.parameters >= 0,
            Int(walker[function.parameters].partner) == function.parameters + 1,
            !["main", "perform", "run", "start"].contains(walker.name(function.name))
        else { return false }
        let isOfInterface = (max(0, function.name - 6)..<function.name).contains { before in
            ["override", "public", "open", "objc", "IBAction"].contains { walker.spells(before, $0) }
        }
        searches.own += 1
        guard !isOfInterface, searches.own <= Self.searchLimit.own, !conforms(function.types.last) else { return false }
        // A function may be handed on as a value.
        let hash = walker.hash(function.name)
        let mentions = walker.tokens.indices.count { walker.tokens[$0].kind == .identifier && walker.hash($0) == hash }
        return mentions == 1 && spelling(walker.name(function.name), outside: code.source)?.isEmpty == true
    }

    /// Whether a type, or an extension of it in any file, names a protocol or class by which it may be called.
    private func conforms(_ type: String?) -> Bool {
        guard let type else { return false }
        return declarations(SwiftWalker.hash(type)).contains { declaration, _ in
            declaration.kind == .type && !declaration.conforms.allSatisfy(Self.silentProtocols.contains)
        }
    }

    /// What calls no function without parameters of those that conform to it.
    private static let silentProtocols: Set<String> = [
        "AnyObject", "CaseIterable", "Codable", "Equatable", "Error", "Hashable", "Identifiable", "NSObject", "ObservableObject",
        "Sendable",
    ]

    /// Whether a static variable without wrapper or observer may be given another value than its first.
    func isChanged(_ variable: SwiftDeclaration, in home: SwiftCode) -> Bool {
        let walker = home.walker
        let before = max(0, variable.name - 5)..<variable.name
        let isStatic = before.contains { walker[$0].word == .static }
        guard isStatic, !before.contains(where: { walker[$0].kind == .at }) else { return true }
        if home.changes(walker.hash(variable.name)) { return true }
        let others = spelling(walker.name(variable.name), outside: home.source)
        return others?.contains { code($0)?.changes(walker.hash(variable.name)) ?? true } ?? true
    }

    /// The other files that have a name anywhere; nil where too many names were searched for.
    private func spelling(_ name: String, outside home: SwiftSource) -> [SwiftSource]? {
        searches.all += 1
        guard searches.all <= Self.searchLimit.all else { return nil }
        return sources.filter { source in
            guard source !== home, let bytes = try? files.read(source.path).bytes else { return false }
            return bytes.firstRange(ofBytes: name.utf8) != nil
        }
    }
}

extension SwiftFacts {
    /// Whether a hash is that of a name which is called or declared.
    ///
    /// - Complexity: O(log *n*) in the names.
    fileprivate func mentions(_ hash: UInt32) -> Bool {
        let index = mentions.partitioningIndex { $0 >= hash }
        return index < mentions.count && mentions[index] == hash
    }
}
