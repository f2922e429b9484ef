extension SwiftWalker {
    /// What a pair of braces holds.
    struct Scope {
        enum Kind { case type, function, block }

        var kind: Kind
        /// The token that ends it.
        var end: Int
        /// The names of the types around its contents, the outermost 200.
        var types: [String] = []
        /// The token that names the function or property around it, -1 for none.
        var member = -1
        /// The parenthesis of the parameters of the function around it, -1 for none.
        var parameters = -1
        /// The closing brace of the `do` with a `catch` around it in the same function, -1 for none.
        var guardedBy = -1
        var isPreview = false
        /// Of the body of a model class its number.
        var model = -1
        /// Of the body of a versioned schema its number.
        var schema = -1
        /// The number of the migration plan around it.
        var plan = -1
        /// How many local variables were in sight before it.
        var localCount = 0
        /// How many local variables that may be records were.
        var recordCount = 0
    }

    /// A branch of `#if`.
    struct Condition {
        var isDebugOnly = false
        var texts: [String] = []
        /// The negations of the branches before, for `#else`.
        var negations: [String] = []
        /// Whether a branch before was taken by all builds but those for debugging.
        var followsRelease = false
        /// The first token of the branch.
        var start = 0
        /// How many scopes were open at the `#if`.
        var scopeCount = 0
        /// The scopes that the first branch left open.
        var leftOpen: [Scope]?
    }

    /// Whether a declaration here is one of a type or a file, and not local.
    var isTypeLevel: Bool { scopes.last.map { $0.kind == .type } ?? true }

    // MARK: Scopes

    /// The scope of a brace that is no body of a declaration.
    func blockScope(at brace: Int) -> Scope {
        var scope = scopes.last ?? Scope(kind: .block, end: 0)
        (scope.kind, scope.end) = (.block, Int(self[brace].partner))
        (scope.model, scope.schema) = (-1, -1)
        (scope.localCount, scope.recordCount) = (localOrder.count, recordOrder.count)
        if scope.member < 0 { scope.member = currentMember }
        return scope
    }

    /// The property of a type or file whose value or body is read.
    private var currentMember: Int {
        for member in members.suffix(8).reversed() where member.start <= index && index < member.end { return member.name }
        return -1
    }

    /// Opens the scope of the brace at `index`.
    mutating func enter() {
        while let last = members.last, last.end <= index { members.removeLast() }
        while let last = awaited.last, last.brace < index { awaited.removeLast() }
        if let last = awaited.last, last.brace == index {
            awaited.removeLast()
            var scope = last.scope
            (scope.localCount, scope.recordCount) = (localOrder.count, recordOrder.count)
            scopes.append(scope)
            if scope.kind == .function {
                declareParameters(scope.parameters)
                for parameter in inoutParameters where parameter > scope.parameters { addLocal(parameter) }
                inoutParameters = []
            } else {
                addClosureParameters()
            }
            return
        }
        var scope = blockScope(at: index)
        if isDo, self[scope.end + 1].word == .catch { scope.guardedBy = scope.end }
        scopes.append(scope)
        addClosureParameters()
    }

    /// Closes the innermost scope.
    mutating func leave() {
        guard let scope = scopes.popLast() else { return }
        while localOrder.count > scope.localCount, let hash = localOrder.popLast() {
            let count = locals[hash] ?? 0
            locals[hash] = count > 1 ? count - 1 : nil
        }
        forgetRecords(until: scope.recordCount)
    }

    /// Whether the brace at `index` belongs to `do`, with or without `throws(…)`.
    private var isDo: Bool {
        var previous = index - 1
        if self[previous].kind == .closeParenthesis { previous = Int(self[previous].partner) - 1 }
        if self[previous].word == .throws { previous -= 1 }
        return self[previous].word == .do
    }

    // MARK: Local variables

    mutating func addLocal(_ name: Int) {
        let hash = hash(name)
        locals[hash, default: 0] += 1
        localOrder.append(hash)
    }

    private mutating func addParameter(_ token: Int) {
        addLocal(token)
        declareRecord(token, Self.unknownVariable)
    }

    /// Adds the parameters of a closure: `{ [weak self] total, item in` or `{ (total: inout Int) in`.
    private mutating func addClosureParameters() {
        var next = index + 1
        if self[next].kind == .openBracket { next = Int(self[next].partner) + 1 }
        let start = next
        if self[next].kind == .openParenthesis {
            let end = Int(self[next].partner)
            guard (end + 1..<end + 12).contains(where: { self[$0].word == .in }), end - next < 64 else { return }
            for token in next..<end where self[token].kind == .identifier {
                let after = self[token + 1].kind
                if after == .comma || after == .colon || after == .closeParenthesis { addParameter(token) }
            }
            return
        }
        while self[next].kind == .identifier, self[next].word != .in, next - start < 32 {
            if self[next + 1].word == .in {
                for token in stride(from: start, through: next, by: 2) { addParameter(token) }
                return
            }
            guard self[next + 1].kind == .comma else { return }
            next += 2
        }
    }

    // MARK: Context

    /// Where a token is.
    func context(_ token: Int) -> SwiftFacts.Context {
        var context = SwiftFacts.Context()
        context.offset = self[token].offset
        if let scope = scopes.last {
            context.types = scope.types
            context.isPreview = scope.isPreview
        }
        var member = scopes.last?.member ?? -1
        if member < 0, isTypeLevel { member = currentMember }
        if member >= 0 { context.member = name(member) }
        for condition in conditions.prefix(Self.depthLimit) {
            context.isDebugOnly = context.isDebugOnly || condition.isDebugOnly
            context.conditions += condition.texts
        }
        return context
    }
}
