import SyncModel

/// The Swift files of a product, read again where something must be followed through them.
final class SwiftCodes {
    private let files: ProjectFiles
    private let sources: [SwiftSource]
    private var codes: [String: SwiftCode?] = [:]
    private var holders: [Int: [SwiftSource]] = [:]
    private var declared: [Int: [(declaration: SwiftDeclaration, code: SwiftCode)]] = [:]
    /// How many calls are looked at for a project; after that none tells anything.
    private var budget = 1_000_000

    /// How many files are read again for one name at most: a name that more of them have tells nothing.
    private static let holderLimit = 400

    init(_ files: ProjectFiles, _ sources: [SwiftSource]) {
        (self.files, self.sources) = (files, sources)
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

    /// Whether code at a token runs in builds for users, as far as the calls of the functions around it tell.
    ///
    /// What nothing calls may be called by a framework, and is taken to run.
    func isShipped(_ token: Int, _ code: SwiftCode) -> Bool {
        var visited: Set<Int> = []
        return isShipped(token, code, &visited)
    }

    private func isShipped(_ token: Int, _ code: SwiftCode, _ visited: inout Set<Int>) -> Bool {
        if code.isDead(token) || Self.isPreview(code, token) { return false }
        guard let owner = code.owners(of: token).last(where: { $0.kind == .function }), visited.count < 64 else { return true }
        // A circle brings no caller of its own.
        guard visited.insert(code.source.path.hashValue ^ owner.name).inserted else { return false }
        guard let callers = callers(of: owner, in: code), !callers.isEmpty else { return true }
        // An initializer may be called without the name of its type.
        if code.walker[owner.name].word == .`init`, let type = owner.types.last, code.callsInitializer(of: type) { return true }
        return callers.contains { !$0.isDead && !$0.isPreview && isShipped($0.token, $0.code, &visited) }
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
