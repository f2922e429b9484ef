/// A Swift file that is read again with its declarations, to follow what expressions stand for.
final class SwiftCode {
    let source: SwiftSource
    let walker: SwiftWalker
    /// The declarations by the hashes of their names, in order.
    private let byName: [Int: [SwiftDeclaration]]
    /// Those with a body or value in which names may be declared, in order.
    private let extents: [SwiftDeclaration]
    private let types: [SwiftDeclaration]
    /// The ends of dead branches by their beginnings, none inside another.
    private let dead: [Range<Int>]
    private let previews: [Range<Int>]
    /// The tokens of names before a parenthesis, by the hashes of the names.
    private(set) lazy var calls: [Int: [Int]] = {
        var calls: [Int: [Int]] = [:]
        for token in walker.tokens.indices where walker.tokens[token].kind == .identifier {
            if walker[token + 1].kind == .openParenthesis, walker[token - 1].word != .func {
                calls[walker.hash(token), default: []].append(token)
            }
        }
        return calls
    }()

    /// The tokens of names that are assigned to or appended to, by the hashes of the names.
    private(set) lazy var uses: [Int: [Int]] = {
        var uses: [Int: [Int]] = [:]
        for token in walker.tokens.indices where walker.tokens[token].kind == .identifier {
            let next = walker[token + 1]
            let isAppended = next.kind == .dot && walker.spells(token + 2, "append") && walker[token + 3].kind == .openParenthesis
            let isDeclared = walker[token - 1].word == .let || walker[token - 1].word == .var
            if !isDeclared, next.word == .assign || next.word == .plusAssign || isAppended {
                uses[walker.hash(token), default: []].append(token)
            }
        }
        return uses
    }()

    init(_ source: SwiftSource, _ bytes: [UInt8]) {
        self.source = source
        var walker = SwiftWalker(SwiftTokens(bytes), flags: source.flags, keepsDeclarations: true)
        walker.walk()
        self.walker = walker
        let all = walker.declarations
        byName = Dictionary(grouping: all) { walker.hash($0.name) }
        extents = all.filter { $0.kind != .type && !$0.extent.isEmpty }
        types = all.filter { $0.kind == .type }
        dead = Self.merged(walker.deadRanges)
        previews = Self.merged(walker.previewRanges)
    }

    private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var merged: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.lowerBound >= merged.last?.upperBound ?? 0 {
            merged.append(range)
        }
        return merged
    }

    private static func contains(_ ranges: [Range<Int>], _ token: Int) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound <= token { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(token)
    }

    /// The token that begins at a byte, or the last before it.
    func token(at offset: Int) -> Int {
        var (low, high) = (0, walker.tokens.count)
        while low < high {
            let middle = (low + high) / 2
            if walker.tokens[middle].offset <= offset { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }

    /// The tokens of a part of the file's bytes.
    func tokens(at offset: Int, count: Int) -> Range<Int> {
        let first = token(at: offset)
        return first..<max(first, token(at: offset + max(0, count - 1)) + 1)
    }

    /// Whether no build for users has a token.
    func isDead(_ token: Int) -> Bool { Self.contains(dead, token) }

    /// Whether a token is in a `#Preview`.
    func isPreview(_ token: Int) -> Bool { Self.contains(previews, token) }

    /// The parenthesis of a call of a configuration; nil where none is there.
    func open(of call: SwiftFacts.Call) -> Int? {
        let first = token(at: call.context.offset)
        return (first..<first + 8).first { walker[$0].kind == .openParenthesis }
    }

    /// A call by its parenthesis, with where it is.
    func call(_ callee: String, _ open: Int) -> SwiftFacts.Call {
        var start = open - 1
        while walker[start - 1].kind == .dot, walker[start - 2].kind == .identifier, start > open - 8 { start -= 2 }
        if walker[start - 1].kind == .dot { start -= 1 }
        var context = SwiftFacts.Context()
        context.offset = walker[start].offset
        context.types = types(around: open)
        context.member = owners(of: open).last.map { walker.name($0.name) }
        let arguments = walker.arguments(open).map { argument in
            (
                label: argument.label >= 0 ? walker.name(argument.label) : nil, text: walker.text(argument.value),
                offset: walker[argument.value.lowerBound].offset
            )
        }
        return SwiftFacts.Call(callee: callee, context: context, arguments: arguments, assignedTo: nil, tryForm: nil)
    }

    func declarations(_ hash: Int) -> [SwiftDeclaration] { byName[hash, default: []] }

    /// The last declarations of a name before a token: those that may be in sight there.
    func declarations(_ hash: Int, before token: Int) -> ArraySlice<SwiftDeclaration> {
        let all = byName[hash, default: []]
        return all.prefix(Self.after(all, token)).suffix(64)
    }

    /// Whether the file calls an initializer of a type inside it by `Self(…)`, `self.init(…)` or `.init(…)`.
    func callsInitializer(of type: String) -> Bool {
        let names = [SwiftWalker.hash("init"), SwiftWalker.hash("Self")].flatMap { calls[$0, default: []] }
        return names.prefix(256).contains { token in
            guard !isDead(token), types(around: token).contains(type) else { return false }
            if walker[token].word != .`init` { return true }
            guard walker[token - 1].kind == .dot else { return false }
            return walker[token - 2].word == .`self` || walker[token - 2].kind != .identifier
        }
    }

    /// The functions and properties around a token, innermost first.
    func owners(of token: Int) -> [SwiftDeclaration] {
        var found: [SwiftDeclaration] = []
        for declaration in extents.prefix(Self.after(extents, token)).reversed()
        where declaration.extent.contains(token) || isParameter(token, of: declaration) {
            found.append(declaration)
            if !declaration.isLocal || found.count == 16 { break }
        }
        return found
    }

    /// Whether a token is in the parentheses of a function's parameters, such as a default value.
    private func isParameter(_ token: Int, of function: SwiftDeclaration) -> Bool {
        function.parameters >= 0 && token > function.parameters && token < Int(walker[function.parameters].partner)
    }

    /// The hashes of all names in the file.
    var names: Set<Int> {
        Set(walker.tokens.indices.lazy.filter { self.walker.tokens[$0].kind == .identifier }.map { self.walker.hash($0) })
    }

    /// The hashes of the types that it declares at its top, and of those that it extends.
    var typeNames: Set<Int> { Set(types.compactMap(\.types.first).map(SwiftWalker.hash)) }

    /// Whether the file may change a variable of a name: by an assignment, by reference, or by `toggle`.
    func changes(_ hash: Int) -> Bool {
        if uses[hash] != nil { return true }
        return walker.tokens.indices.contains { token in
            guard walker.tokens[token].kind == .identifier, walker.hash(token) == hash else { return false }
            return walker[token + 1].kind == .dot && walker.spells(token + 2, "toggle") || walker.spells(token - 1, "&")
                || walker[token - 1].kind == .dot && walker.spells(token - 3, "&")
        }
    }

    /// The names of the types around a token, outermost first.
    func types(around token: Int) -> [String] {
        types.prefix(Self.after(types, token)).last { $0.body.contains(token) }?.types ?? []
    }

    /// The type declarations with a name.
    func conforms(_ type: String) -> [String] { types.filter { $0.types.last == type }.flatMap(\.conforms) }

    /// How many declarations have their name before a token, of some in order.
    private static func after(_ declarations: [SwiftDeclaration], _ token: Int) -> Int {
        var (low, high) = (0, declarations.count)
        while low < high {
            let middle = (low + high) / 2
            if declarations[middle].name <= token { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The parameters of a function: the label, nil for `_`, the name and the tokens of the default value.
    func parameters(of function: SwiftDeclaration) -> [(label: String?, name: Int, initial: Range<Int>)] {
        guard function.parameters >= 0 else { return [] }
        return walker.arguments(function.parameters).map { argument in
            let first = argument.value.lowerBound
            // `name: Type`, or `label name: Type`.
            let isPlain = argument.label >= 0
            let label = isPlain ? argument.label : first
            let name = isPlain ? argument.label : first + 1
            let equals = argument.value.first { walker[$0].word == .assign }
            let initial = equals.map { $0 + 1..<max($0 + 1, argument.value.upperBound) } ?? 0..<0
            return (walker.spells(label, "_") ? nil : walker.name(label), name, initial)
        }
    }
}
