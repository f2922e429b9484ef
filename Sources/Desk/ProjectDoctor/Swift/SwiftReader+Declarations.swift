extension SwiftWalker {
    // MARK: Attributes

    /// Reads the attribute whose `@` is at `index`; its arguments are walked as everything else.
    mutating func readAttribute() {
        guard self[index + 1].kind == .identifier else { return }
        var name = index + 1
        while self[name + 1].kind == .dot, self[name + 2].kind == .identifier, name - index < 16 { name += 2 }
        let word = self[name].word
        var end = name
        var open = -1
        if self[name + 1].kind == .openParenthesis, !self[name + 1].isFirstOfLine {
            let isSpaced = self[name + 1].hasSpaceBefore
            if !isSpaced || word == .attribute || word == .relationship {
                open = name + 1
                end = Int(self[open].partner)
            }
        }
        prefix.isEmpty = false
        prefix.end = max(prefix.end, end)
        switch word {
        case .model: prefix.isModel = true
        case .transient: prefix.isTransient = true
        case .nsManaged: prefix.isManaged = true
        case .attribute, .relationship: prefix.arguments.append((word, index, open))
        default: break
        }
    }

    // MARK: Types

    /// Reads the head of the type or extension whose keyword is at `index`.
    mutating func readType(_ keyword: SwiftWord) {
        let first = index + 1
        var last = first
        while self[last + 1].kind == .dot, self[last + 2].kind == .identifier, last - first < 32 { last += 2 }
        let (conforms, body) = inheritance(last + 1)
        let isModel = prefix.isModel && keyword == .class
        let context = context(index)
        let typeName = name(last)
        var scope = Scope(kind: .type, end: body.map { Int(self[$0].partner) } ?? index)
        scope.types = context.types
        // `extension A.B` has two names.
        for part in stride(from: first, through: last, by: 2) where scope.types.count < Self.depthLimit { scope.types.append(name(part)) }
        let isPreview = conforms.contains { self[$0].word == .previewProvider || self[$0].word == .previewModifier }
        scope.isPreview = isPreview || scopes.last?.isPreview ?? false
        let names = conforms.map { name($0) }
        if isModel {
            scope.model = facts.models.count
            facts.models.append(SwiftFacts.ModelClass(name: typeName, context: context, inherits: Array(names.prefix(1))))
            if let body {
                let isLine = self[body + 1].isFirstOfLine && self[body + 1].kind != .closeBrace
                facts.models[scope.model].beginning = (Int(self[body].end), isLine ? indent(body + 1) : nil)
            } else {
                report(index, "the class \(typeName) has no body that could be read")
            }
        } else if keyword != .protocol, keyword != .extension {
            let kind: SwiftFacts.ValueType.Kind = keyword == .struct ? .structure : keyword == .enum ? .enumeration : .otherClass
            facts.valueTypes.append(SwiftFacts.ValueType(name: typeName, kind: kind, conforms: names, context: context))
        }
        if keyword != .protocol {
            let isSchema = conforms.contains { self[$0].word == .versionedSchema }
            let isPlan = conforms.contains { self[$0].word == .schemaMigrationPlan }
            openSchema(&scope, last, context, isExtension: keyword == .extension, isSchema: isSchema, isPlan: isPlan)
        }
        if let body {
            awaited.append((body, scope))
            declareType(last, scope.types, conforms, body)
        }
    }

    /// The last names of the types after a colon, and the brace of the body; from after the name of a type.
    private func inheritance(_ start: Int) -> (names: [Int], body: Int?) {
        var next = start
        if self[next].word == .less { next = skipAngles(next) }
        var names: [Int] = []
        var current = -1
        var isInClause = self[next].kind == .colon
        if isInClause { next += 1 }
        while true {
            let token = self[next]
            switch token.kind {
            case .openBrace:
                if current >= 0 { names.append(current) }
                return (names, next)
            case .comma:
                if isInClause, current >= 0 { names.append(current) }
                current = -1
            case .identifier where token.word == .where:
                if isInClause, current >= 0 { names.append(current) }
                (isInClause, current) = (false, -1)
            // The old spelling of `protocol P: AnyObject`.
            case .identifier where token.word == .class && isInClause && current < 0: break
            case .identifier where token.word.beginsDeclaration && self[next - 1].kind != .dot: return (names, nil)
            case .identifier: if isInClause { current = next }
            case .symbol where token.word == .less: next = skipAngles(next) - 1
            case .symbol where token.word == .ampersand:
                if isInClause, current >= 0 { names.append(current) }
                current = -1
            // `~Copyable` is no conformance.
            case .symbol where spells(next, "~"): next += 1
            case .at:
                next += 1
                if self[next + 1].kind == .openParenthesis, !self[next + 1].hasSpaceBefore { next = Int(self[next + 1].partner) }
            case .openParenthesis, .openBracket: next = Int(token.partner)
            case .dot, .symbol, .colon: break
            default: return (names, nil)
            }
            next += 1
        }
    }

    // MARK: Functions

    /// Reads the head of the function, initializer or subscript whose keyword is at `index`.
    mutating func readFunction(_ keyword: SwiftWord) {
        var next = index + 1
        var nameToken = index
        switch keyword {
        case .func:
            guard self[next].kind == .identifier || self[next].kind == .symbol || self[next].kind == .regex else { return }
            nameToken = next
            next += 1
            while self[nameToken].kind == .symbol, self[next].kind == .symbol { next += 1 }
        case .`init`: if self[next].word == .question || self[next].word == .exclamation { next += 1 }
        default: break
        }
        if self[next].word == .less { next = skipAngles(next) }
        if keyword != .deinit {
            guard self[next].kind == .openParenthesis else { return }
        }
        let parameters = keyword == .deinit ? index : next
        if keyword != .deinit { next = Int(self[next].partner) + 1 }
        guard let body = bodyOfFunction(next) else {
            declare(nameToken, .function, parameters: parameters)
            return
        }
        var scope = Scope(kind: .function, end: Int(self[body].partner))
        scope.types = scopes.last?.types ?? []
        scope.isPreview = scopes.last?.isPreview ?? false
        scope.plan = scopes.last?.plan ?? -1
        (scope.member, scope.parameters) = (nameToken, parameters)
        awaited.append((body, scope))
        declare(nameToken, .function, body: body..<scope.end + 1, parameters: parameters)
    }

    /// The brace of a function's body, from after its parameters; nil for requirements of protocols.
    private func bodyOfFunction(_ start: Int) -> Int? {
        var next = start
        while true {
            let token = self[next]
            switch token.kind {
            case .openBrace: return next
            case .openParenthesis, .openBracket: next = Int(token.partner)
            case .identifier where token.word.beginsDeclaration && self[next - 1].kind != .dot: return nil
            case .identifier where token.isFirstOfLine && token.word.isModifier && token.word != .async: return nil
            case .identifier, .dot, .colon, .comma: break
            case .symbol where token.word != .assign: break
            case .at where !token.isFirstOfLine: break
            default: return nil
            }
            next += 1
        }
    }

    // MARK: Types and expressions

    /// The token after the `>` that closes the `<` at a token, or at which what was opened cannot go on.
    func skipAngles(_ start: Int, limit: Int = .max) -> Int {
        var depth = 0
        var next = start
        while true {
            let token = self[next]
            switch token.kind {
            case _ where next - start > limit: return next
            case .symbol where token.word == .less: depth += 1
            case .symbol where token.word == .greater:
                depth -= 1
                if depth == 0 { return next + 1 }
            case .symbol where token.word == .assign: return next
            case .openParenthesis, .openBracket: next = Int(token.partner)
            case .identifier where token.word.beginsDeclaration: return next
            case .identifier, .symbol, .dot, .comma, .colon, .at, .number: break
            default: return next
            }
            next += 1
        }
    }

    /// The token after the type that begins at a token.
    func endOfType(_ start: Int) -> Int {
        var next = start
        while true {
            // Before a type.
            while true {
                let token = self[next]
                if token.kind == .at {
                    next += 2
                    if self[next].kind == .openParenthesis, !self[next].hasSpaceBefore { next = Int(self[next].partner) + 1 }
                } else if token.kind == .symbol, spells(next, "~") {
                    next += 1
                } else if token.word == .any || token.word == .some || token.word == .inout || token.word == .each || token.word == .repeat
                    || token.word == .borrowing || token.word == .consuming || token.word == .sending || token.word == .isolated
                    || token.word == .nonisolated
                {
                    next += 1
                } else {
                    break
                }
            }
            switch self[next].kind {
            case .openParenthesis, .openBracket: next = Int(self[next].partner) + 1
            case .identifier where !self[next].word.beginsDeclaration: next += 1
            default: return next
            }
            // After it.
            after: while true {
                let token = self[next]
                switch token.kind {
                case .dot where self[next + 1].kind == .identifier: next += 2
                case .symbol where token.word == .less && !token.isFirstOfLine: next = skipAngles(next)
                case .symbol where (token.word == .question || token.word == .exclamation) && !token.hasSpaceBefore: next += 1
                default: break after
                }
            }
            let token = self[next]
            if token.word == .ampersand {
                next += 1
            } else if let arrow = arrow(next) {
                next = arrow + 1
            } else {
                return next
            }
        }
    }

    /// The `->` of a function type, from after its parameters: `async throws(Failure) ->`.
    private func arrow(_ start: Int) -> Int? {
        var next = start
        if self[next].word == .async { next += 1 }
        if self[next].word == .throws {
            next += 1
            if self[next].kind == .openParenthesis { next = Int(self[next].partner) + 1 }
        }
        return self[next].word == .arrow ? next : nil
    }

    /// The token after the expression that begins at a token and may go on over several lines.
    ///
    /// - Parameter limit: After how many tokens to give up, and return one of those after them.
    func endOfExpression(_ start: Int, limit: Int = .max) -> Int {
        var next = start
        var declarations = 0
        while true {
            let token = self[next]
            if next > start, token.isFirstOfLine && !continues(next) || next - start > limit { return next }
            switch token.kind {
            case .comma, .semicolon, .closeBrace, .closeParenthesis, .closeBracket, .condition, .end: return next
            case .openBrace where next > start && isObservers(next): return next
            case .openBrace, .openParenthesis, .openBracket: next = Int(token.partner)
            case .identifier where token.word.beginsDeclaration && self[next - 1].kind != .dot:
                // `if let` and `if case let` are expressions too.
                declarations += 1
                guard [.if, .case, .guard, .while].contains(self[next - 1].word), declarations < 16 else { return next }
            case .symbol where token.word == .less && !token.hasSpaceBefore: next = max(skipAnglesOfExpression(next), next)
            default: break
            }
            next += 1
        }
    }

    /// The `>` of generic arguments in an expression, which may hold commas; the `<` itself where it is an operator.
    private func skipAnglesOfExpression(_ start: Int) -> Int {
        let end = skipAngles(start, limit: 256) - 1
        return self[end].word == .greater ? end : start
    }

    /// Whether the first token of a line continues the expression of the line before.
    private func continues(_ token: Int) -> Bool {
        let previous = self[token - 1]
        switch self[token].kind {
        case .dot, .colon: return true
        case .symbol:
            // An operator with space on both sides, or the mark of a choice.
            return self[token + 1].hasSpaceBefore || self[token].word == .question
        case .identifier where self[token].word == .as || self[token].word == .is || self[token].word == .else: return true
        default: break
        }
        switch previous.kind {
        case .symbol: return previous.hasSpaceBefore
        case .colon: return true
        case .identifier: return previous.word.takesExpression
        default: return false
        }
    }

    /// Whether a brace holds `willSet` or `didSet`.
    func isObservers(_ brace: Int) -> Bool {
        var next = brace + 1
        while self[next].kind == .at, next < brace + 16 {
            next += 2
            if self[next].kind == .openParenthesis { next = Int(self[next].partner) + 1 }
        }
        while self[next].word.isModifier, next < brace + 32 { next += 1 }
        let after = self[next + 1].kind
        return (self[next].word == .didSet || self[next].word == .willSet) && (after == .openBrace || after == .openParenthesis)
    }
}
