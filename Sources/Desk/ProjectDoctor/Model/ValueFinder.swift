/// Follows an expression to what it may stand for: through variables, parameters, functions and choices.
///
/// The branches of builds for users count, and every call of a function that is not a preview's.
final class ValueFinder {
    /// What an expression may be.
    enum Value {
        case none, automatic
        /// `.private(…)` with the text of it.
        case named(String)
        /// A call of `ModelConfiguration`, by its parenthesis.
        case configuration(open: Int, Site)
        case flag(Bool)
        case string(String)
        /// Nil of Swift.
        case null
        case unknown
    }

    /// Where an expression is looked at: its file, and the call by which the function around it was reached.
    struct Site {
        let code: SwiftCode
        var call: Call?
    }

    /// A call whose arguments are those of a function's parameters.
    final class Call {
        let function: Int
        let path: String
        let arguments: [SwiftWalker.Argument]
        let site: Site

        init(_ function: Int, _ path: String, _ arguments: [SwiftWalker.Argument], _ site: Site) {
            (self.function, self.path, self.arguments, self.site) = (function, path, arguments, site)
        }
    }

    let codes: SwiftCodes
    private var depth = 0
    /// How much is looked at for a project; after that everything is unknown.
    private var budget = 300_000
    /// What is looked at, so that a circle ends.
    private var open: Set<[Int]> = []

    private static let depthLimit = 48

    init(_ codes: SwiftCodes) { self.codes = codes }

    /// What an expression may be.
    func values(_ expression: Range<Int>, _ site: Site, element: Int = -1) -> [Value] {
        guard depth < Self.depthLimit, budget > 0 else { return [.unknown] }
        depth += 1
        defer { depth -= 1 }
        budget -= expression.count + 8
        let code = site.code
        let walker = code.walker
        let range = code.stripped(expression)
        guard let first = range.first else { return [] }
        if walker[first].word == .if { return choice(range, site, element) }
        if walker[first].word == .switch { return cases(range, site, element) }
        let signs = code.operators(range)
        if let cast = signs.first(where: { walker[$0].word == .as }) { return values(range.lowerBound..<cast, site, element: element) }
        if let other = signs.first(where: { walker.spells($0, "??") }) {
            let first = values(range.lowerBound..<other, site, element: element).filter { if case .null = $0 { false } else { true } }
            return first + values(other + 1..<range.upperBound, site, element: element)
        }
        if let mark = signs.first(where: { walker[$0].word == .question && walker[$0].hasSpaceBefore }),
            let colon = code.colon(after: mark, in: range)
        {
            let parts = [mark + 1..<colon, colon + 1..<range.upperBound]
            if let isFirst = flag(range.lowerBound..<mark, site) { return values(parts[isFirst ? 0 : 1], site, element: element) }
            return parts.flatMap { values($0, site, element: element) }
        }
        if walker[first].word == .exclamation { return flag(range.dropFirst(), site).map { [.flag(!$0)] } ?? [.unknown] }
        let sums = signs.filter { walker[$0].word == .plus }
        if !sums.isEmpty {
            let bounds = [range.lowerBound - 1] + sums + [range.upperBound]
            return zip(bounds, bounds.dropFirst()).flatMap { values($0 + 1..<$1, site, element: element) }
        }
        return operand(range, site, element)
    }

    /// The Boolean that an expression surely is.
    func flag(_ range: Range<Int>, _ site: Site) -> Bool? {
        let flags = values(range, site).map { if case .flag(let flag) = $0 { flag } else { nil as Bool? } }
        guard let first = flags.first, flags.allSatisfy({ $0 == first }) else { return nil }
        return first
    }

    // MARK: Choices

    private func choice(_ range: Range<Int>, _ site: Site, _ element: Int) -> [Value] {
        let walker = site.code.walker
        var found: [Value] = []
        var next = range.lowerBound
        for _ in 0..<64 where walker[next].word == .if {
            guard let brace = site.code.brace(after: next, before: range.upperBound) else { return [.unknown] }
            let isTaken = flag(next + 1..<brace, site)
            let end = Int(walker[brace].partner)
            if isTaken != false { found += results(brace + 1..<end, site, element) }
            if isTaken == true { return found }
            guard walker[end + 1].word == .else, end + 1 < range.upperBound else { return found }
            next = end + 2
            if walker[next].kind == .openBrace { return found + results(next + 1..<Int(walker[next].partner), site, element) }
        }
        return found
    }

    private func cases(_ range: Range<Int>, _ site: Site, _ element: Int) -> [Value] {
        let walker = site.code.walker
        guard let brace = site.code.brace(after: range.lowerBound, before: range.upperBound) else { return [.unknown] }
        let end = Int(walker[brace].partner)
        var found: [Value] = []
        var start: Int?
        var isLabel = false
        for token in site.code.topLevel(brace + 1..<end) {
            let isCase = (walker[token].word == .case || walker[token].word == .default) && walker[token - 1].kind != .dot
            if isCase {
                if let start { found += results(start..<token, site, element) }
                (start, isLabel) = (nil, true)
            } else if isLabel, walker[token].kind == .colon {
                (start, isLabel) = (token + 1, false)
            }
        }
        if let start { found += results(start..<end, site, element) }
        return found
    }

    /// What the statements of a body give: what is returned, or the last expression of each branch of `#if` that counts.
    func results(_ body: Range<Int>, _ site: Site, _ element: Int) -> [Value] {
        let code = site.code
        let walker = code.walker
        budget -= body.count
        guard budget > 0 else { return [.unknown] }
        let first = body.lowerBound
        if walker.spells(first, "get"), walker[first + 1].kind == .openBrace {
            return results(first + 2..<Int(walker[first + 1].partner), site, element)
        }
        let returns = code.returns(in: body)
        if !returns.isEmpty {
            return returns.flatMap { token in
                values(token + 1..<max(token + 1, min(walker.endOfExpression(token + 1), body.upperBound)), site, element: element)
            }
        }
        return code.branches(of: body).flatMap { branch -> [Value] in
            guard let last = code.lastStatement(branch), !code.isDead(last.lowerBound) else { return [] }
            // These give nothing.
            if walker[last.lowerBound].word == .throw || walker.name(last.lowerBound).hasSuffix("atalError") { return [] }
            return values(last, site, element: element)
        }
    }

    // MARK: Operands

    private func operand(_ range: Range<Int>, _ site: Site, _ element: Int) -> [Value] {
        let code = site.code
        let walker = code.walker
        let first = range.lowerBound
        let isWhole = walker[first].isOpening && Int(walker[first].partner) == range.upperBound - 1
        switch walker[first].kind {
        case .string: return range.count == 1 ? walker.literal(first).map { [.string($0)] } ?? [.unknown] : [.unknown]
        case .identifier where range.count == 1 && (walker[first].word == .true || walker[first].word == .false):
            return [.flag(walker[first].word == .true)]
        case .identifier where range.count == 1 && walker[first].word == .nil: return [.null]
        case .openBracket where isWhole: return walker.arguments(first).flatMap { values($0.label < 0 ? $0.value : 0..<0, site) }
        case .openParenthesis where isWhole:
            let parts = walker.arguments(first)
            guard element >= 0, parts.indices.contains(element) else { return [.unknown] }
            return values(parts[element].value, site)
        case .openBrace where Int(walker[first].partner) + 3 == range.upperBound && walker[range.upperBound - 2].kind == .openParenthesis:
            return results(first + 1..<Int(walker[first].partner), site, element)
        case .identifier, .dot: break
        default: return inline(range, site)
        }
        guard let chain = code.chain(range) else { return inline(range, site) }
        let found = chain.open >= 0 ? called(chain, range, site, element) : named(chain, range, site, element)
        return found ?? inline(range, site)
    }

    /// The configurations that are made inside an expression of which no more is known.
    private func inline(_ range: Range<Int>, _ site: Site) -> [Value] {
        let walker = site.code.walker
        let found = range.compactMap { token -> Value? in
            guard walker[token].word == .modelConfiguration, let open = walker.parenthesis(token) else { return nil }
            return .configuration(open: open, site)
        }
        return found.isEmpty ? [.unknown] : found
    }

    private func named(_ chain: SwiftCode.Chain, _ range: Range<Int>, _ site: Site, _ element: Int) -> [Value]? {
        let walker = site.code.walker
        let last = chain.names[chain.names.count - 1]
        let name = walker.name(last)
        let isDatabase =
            chain.isImplicit && chain.names.count == 1 || chain.names.dropLast().contains { walker.name($0).hasSuffix("Database") }
        if isDatabase, name == "none" { return [.none] }
        if isDatabase, name == "automatic" { return [.automatic] }
        if walker[last].word == .`self` { return nil }
        return follow(chain, site) { declaration, code in
            self.values(of: declaration, in: Site(code: code, call: site.call), from: site.code === code ? last : nil, element)
        }
    }

    private func called(_ chain: SwiftCode.Chain, _ range: Range<Int>, _ site: Site, _ element: Int) -> [Value]? {
        let walker = site.code.walker
        let last = chain.names[chain.names.count - 1]
        let name = walker.name(last)
        let isImplicit = chain.isImplicit && chain.names.count == 1
        let base = chain.names.count > 1 ? walker.name(chain.names[chain.names.count - 2]) : ""
        if isImplicit || base.hasSuffix("Database"), name == "private" || name == "public" {
            guard let argument = walker.arguments(chain.open).first else { return [.named(walker.text(range))] }
            let names = values(argument.value, site).map { if case .string(let text) = $0 { text } else { nil as String? } }
            if let text = names.first ?? nil, names.allSatisfy({ $0 == text }) { return [.named(".\(name)(\"\(text)\")")] }
            return [.named(walker.text(range))]
        }
        if walker[last].word == .modelConfiguration || walker[last].word == .`init` && (isImplicit || base == "ModelConfiguration") {
            return [.configuration(open: chain.open, site)]
        }
        let arguments = walker.arguments(chain.open)
        let labels = arguments.filter { $0.label >= 0 }.map { walker.name($0.label) }
        return follow(chain, site) { declaration, code in
            guard declaration.kind == .function else { return [] }
            let known = Set(code.parameters(of: declaration).compactMap(\.label))
            guard labels.allSatisfy(known.contains) else { return [] }
            let call = Call(declaration.name, code.source.path, arguments, site)
            return self.once(declaration, code) { self.results(self.inner(declaration.body), Site(code: code, call: call), element) }
        }
    }

    private func inner(_ body: Range<Int>) -> Range<Int> { body.count < 2 ? 0..<0 : body.dropFirst().dropLast() }

    // MARK: Names

    /// What the declarations give that a chain of names may mean, the nearest ones; nil where there are none.
    private func follow(
        _ chain: SwiftCode.Chain, _ site: Site, _ body: (SwiftDeclaration, SwiftCode) -> [Value]
    ) -> [Value]? {
        let code = site.code
        let walker = code.walker
        let last = chain.names[chain.names.count - 1]
        let hash = walker.hash(last)
        let wanted: SwiftDeclaration.Kind? = chain.open >= 0 ? .function : nil
        func result(_ found: [(declaration: SwiftDeclaration, code: SwiftCode)]) -> [Value]? {
            let found = found.filter { wanted == nil ? $0.declaration.kind == .variable : $0.declaration.kind == wanted }
            // Many of one name tell nothing.
            guard !found.isEmpty, found.count <= 8 else { return nil }
            let all = found.flatMap { body($0.declaration, $0.code) }
            return all.isEmpty ? nil : all
        }
        func members(_ types: [String]) -> [(declaration: SwiftDeclaration, code: SwiftCode)] {
            codes.declarations(hash).filter { !$0.declaration.isLocal && $0.declaration.types.last.map(types.contains) == true }
        }
        if chain.names.count == 1, !chain.isImplicit, !chain.isOfExpression {
            if wanted == nil, let found = local(last, hash, site) { return found }
            budget -= codes.declarations(hash).count
            guard budget > 0 else { return nil }
            let nested = code.declarations(hash).filter { $0.isLocal && !$0.isDead && last < $0.end }.map { ($0, code) }
            if wanted != nil, let found = result(nested) { return found }
            for type in code.types(around: last).reversed() { if let found = result(members([type])) { return found } }
            let globals = codes.declarations(hash).filter { $0.declaration.types.isEmpty && !$0.declaration.isLocal }
            return result(globals.filter { $0.code === code }) ?? result(globals)
        }
        budget -= codes.declarations(hash).count
        guard budget > 0 else { return nil }
        if chain.isImplicit { return chain.names.count == 1 ? result(members(["ModelConfiguration", "CloudKitDatabase"])) : nil }
        let owners = chain.isOfExpression && chain.names.count == 1 ? nil : owner(chain, site)
        if let owners { return result(members(owners)) }
        // An object of unknown type: where one type only has the name.
        let all = codes.declarations(hash).filter { !$0.declaration.isLocal && !$0.declaration.types.isEmpty }
        return Set(all.map(\.declaration.types)).count == 1 ? result(all) : nil
    }

    /// The types that the name before the last one of a chain stands for; nil where that is not known.
    private func owner(_ chain: SwiftCode.Chain, _ site: Site) -> [String]? {
        let walker = site.code.walker
        let token = chain.names[chain.names.count - 2]
        let name = walker.name(token)
        if walker[token].word == .`self` || name == "Self" { return site.code.types(around: token).reversed() }
        if name.first?.isUppercase == true { return [name] }
        if chain.names.count > 2, let type = walker.name(chain.names[chain.names.count - 3]).nonEmptyTypeName,
            ["shared", "default", "current", "standard", "main", "live"].contains(name)
        {
            return [type]
        }
        guard !chain.isOfExpression else { return nil }
        let hash = walker.hash(token)
        for owner in site.code.owners(of: token) {
            for parameter in site.code.parameters(of: owner) where walker.hash(parameter.name) == hash {
                return (parameter.name + 1..<parameter.name + 6).lazy.map { walker.name($0) }.first { $0.first?.isUppercase == true }.map {
                    [$0]
                }
            }
        }
        let near = site.code.declarations(hash).filter { $0.kind == .variable && !$0.isDead }
        let types = Set(near.compactMap { site.code.typeName($0) })
        return types.count == 1 ? Array(types) : nil
    }

    /// What a local variable or a parameter of the functions around a token may be; nil where there is none of the name.
    private func local(_ token: Int, _ hash: Int, _ site: Site) -> [Value]? {
        let code = site.code
        let owners = code.owners(of: token)
        let visible = code.declarations(hash, before: token).filter {
            $0.isLocal && $0.kind == .variable && !$0.isDead && $0.name < token && token < $0.end && !$0.value.contains(token)
        }
        for declaration in visible.suffix(8).reversed() {
            let found = values(of: declaration, in: site, from: token, declaration.element)
            if !found.isEmpty { return found }
        }
        for owner in owners where owner.kind == .function {
            let parameters = code.parameters(of: owner)
            guard let position = parameters.firstIndex(where: { code.walker.hash($0.name) == hash }) else { continue }
            return arguments(of: owner, position, parameters, site)
        }
        return nil
    }

    /// What a variable or property may be.
    private func values(of declaration: SwiftDeclaration, in site: Site, from token: Int?, _ element: Int) -> [Value] {
        once(declaration, site.code) {
            let (code, walker) = (site.code, site.code.walker)
            let element = declaration.element >= 0 ? declaration.element : element
            var found: [Value] = []
            if !declaration.body.isEmpty { found += results(inner(declaration.body), site, element) }
            if !declaration.value.isEmpty { found += values(declaration.value, site, element: element) }
            // What may change is no constant.
            let isVariable = walker[declaration.name - 1].word == .var && declaration.body.isEmpty
            let isFlag = found.contains { if case .flag = $0 { true } else { false } }
            if isVariable, isFlag, codes.isChanged(declaration, in: code) { found.append(.unknown) }
            let range = declaration.isLocal ? declaration.name..<declaration.end : 0..<walker.tokens.count
            let isOwn = declaration.isLocal || !declaration.types.isEmpty
            for value in isOwn && declaration.body.isEmpty ? code.assigned(declaration, in: range) : [] { found += values(value, site) }
            if found.isEmpty, !declaration.isLocal, let type = declaration.types.last { found += memberwise(declaration, type, code) }
            return found
        }
    }

    /// What the calls of a structure's own initializer give a property that has no value.
    private func memberwise(_ declaration: SwiftDeclaration, _ type: String, _ home: SwiftCode) -> [Value] {
        let hash = SwiftWalker.hash(type)
        let label = home.walker.name(declaration.name)
        return (codes.codes(with: hash) ?? []).flatMap { code in
            code.calls[hash, default: []].prefix(64).flatMap { token -> [Value] in
                guard !code.isDead(token), !SwiftCodes.isPreview(code, token) else { return [] }
                let argument = code.walker.arguments(token + 1).first { $0.label >= 0 && code.walker.spells($0.label, label) }
                return argument.map { values($0.value, Site(code: code)) } ?? []
            }
        }
    }

    /// What the calls of a function give one of its parameters.
    private func arguments(
        of function: SwiftDeclaration, _ position: Int, _ parameters: [(label: String?, name: Int, initial: Range<Int>)], _ site: Site
    ) -> [Value] {
        let code = site.code
        let parameter = parameters[position]
        func value(_ arguments: [SwiftWalker.Argument], _ caller: SwiftCode) -> Range<Int>? {
            if let label = parameter.label {
                if let argument = arguments.first(where: { $0.label >= 0 && caller.walker.spells($0.label, label) }) {
                    return argument.value
                }
                // A function that is called as a value has no labels.
                let isBare = arguments.count == parameters.count && arguments.allSatisfy { $0.label < 0 }
                return isBare ? arguments[position].value : nil
            }
            let bare = parameters[..<position].filter { $0.label == nil }.count
            let unlabelled = arguments.filter { $0.label < 0 }
            return unlabelled.indices.contains(bare) ? unlabelled[bare].value : nil
        }
        func initial() -> [Value] { parameter.initial.isEmpty ? [.unknown] : values(parameter.initial, Site(code: code)) }
        if let call = site.call, call.function == function.name, call.path == code.source.path {
            return value(call.arguments, call.site.code).map { values($0, call.site) } ?? initial()
        }
        return once(function, code, salt: position + 1) {
            guard let callers = codes.callers(of: function, in: code) else { return [.unknown] }
            let shipped = callers.filter { !$0.isDead && !$0.isPreview }
            if shipped.isEmpty { return initial() }
            let found = shipped.flatMap { caller -> [Value] in
                let arguments = caller.code.walker.arguments(caller.token + 1)
                guard let range = value(arguments, caller.code) else { return parameter.initial.isEmpty ? [] : initial() }
                return values(range, Site(code: caller.code))
            }
            return found.isEmpty ? initial() : found
        }
    }

    /// What is found for a declaration that is not looked at already; nothing in a circle.
    private func once(_ declaration: SwiftDeclaration, _ code: SwiftCode, salt: Int = 0, _ body: () -> [Value]) -> [Value] {
        let key = [ObjectIdentifier(code).hashValue, declaration.name, salt]
        guard open.insert(key).inserted else { return [] }
        defer { open.remove(key) }
        return body()
    }
}

extension String {
    /// The string itself where it is named as types are.
    fileprivate var nonEmptyTypeName: String? { first?.isUppercase == true ? self : nil }
}
