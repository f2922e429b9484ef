extension SwiftWalker {
    /// One name of a declaration of variables.
    private struct Binding {
        /// The token of the name, -1 for a tuple pattern.
        var name: Int
        var type: Range<Int>?
        var value: Range<Int>?
        /// The braces of a getter or of observers.
        var body: Range<Int>?
        var isComputed = false
        /// The token after its last.
        var end: Int
    }

    /// Reads the declaration of variables whose `var` or `let` is at `index`.
    mutating func readBinding(isConstant: Bool) {
        let first = self[index + 1]
        guard first.kind == .identifier || first.kind == .openParenthesis else {
            if first.kind == .dot { declarePattern() }
            if let scope = scopes.last, scope.kind == .type, scope.model >= 0 { report(index, "this property has no name") }
            return
        }
        // `x.let`, and labels of arguments.
        if isTypeLevel {
            readProperties(isConstant: isConstant)
        } else {
            readLocals(isConstant: isConstant)
        }
    }

    // MARK: Local variables

    private mutating func readLocals(isConstant: Bool) {
        var next = index + 1
        if self[next].kind == .openParenthesis {
            let end = Int(self[next].partner)
            if !isConstant {
                for token in next..<min(end, next + 64) where self[token].kind == .identifier { addLocal(token) }
            }
            declareTuple(next)
            declarePattern()
            return
        }
        while true {
            let name = next
            if !isConstant { addLocal(name) }
            next += 1
            let type = next
            if self[next].kind == .colon { next = endOfType(next + 1) }
            declareRecord(name, type: type..<next, equals: next)
            guard self[next].word == .assign else {
                constants.append((name, -1, false))
                declare(name, .variable, type: type..<next)
                return
            }
            if keepsDeclarations {
                declare(name, .variable, type: type..<next, value: next + 1..<max(next + 1, endOfExpression(next + 1)))
            }
            bindings.append((next, name))
            constants.append((name, isConstant ? constantValue(next + 1) : -1, false))
            addName(name, next + 1..<endOfExpression(next + 1), isConstant: isConstant)
            // Further names: `var first = 0, second = 0`.
            if isConstant { return }
            next = endOfExpression(next + 1)
            let after = self[next + 2]
            let isName = self[next + 1].kind == .identifier && (after.word == .assign || after.kind == .colon)
            guard self[next].kind == .comma, isName else { return }
            next += 1
        }
    }

    /// The string literal that an expression consists of, or the last of the names joined by dots; -1 for anything else.
    private func constantValue(_ start: Int) -> Int {
        var last = start
        while self[last].kind == .identifier, self[last + 1].kind == .dot, self[last + 2].kind == .identifier, last < start + 8 {
            last += 2
        }
        guard self[last].kind == .string && last == start || self[last].kind == .identifier, endsStatement(last + 1) else { return -1 }
        return last
    }

    /// Whether a token cannot continue the expression before it.
    private func endsStatement(_ token: Int) -> Bool {
        switch self[token].kind {
        case .comma, .semicolon, .closeBrace, .closeParenthesis, .closeBracket, .condition, .end: true
        case .dot, .symbol, .colon: false
        default: self[token].isFirstOfLine
        }
    }

    // MARK: Properties

    private mutating func readProperties(isConstant: Bool) {
        let scope = scopes.last
        let isModel = (scope?.model ?? -1) >= 0
        var list: [Binding] = []
        var next = index + 1
        while true {
            guard let binding = property(next) else {
                if isModel { report(next, "a name of a property is missing here") }
                break
            }
            list.append(binding)
            next = binding.end
            guard self[next].kind == .comma else { break }
            next += 1
        }
        // `var first, second: Int`: the type is that of all names before it that have none.
        for position in list.indices.dropLast().reversed() where list[position].type == nil && list[position].value == nil {
            list[position].type = list[position + 1].type
        }
        for binding in list.reversed() where binding.name >= 0 {
            members.append((binding.name, binding.name, binding.end))
        }
        guard keeps(until: next) else { return }
        for binding in list {
            if let value = binding.value { bindings.append((value.lowerBound - 1, binding.name)) }
            guard binding.name >= 0 else {
                if isModel, !prefix.isStatic { report(index, "a tuple of properties is not looked into") }
                continue
            }
            constants.append((binding.name, constantValue(binding, isConstant: isConstant), true))
            declare(binding.name, .variable, type: binding.type, value: binding.value, body: binding.isComputed ? binding.body : nil)
            if prefix.isManaged, let type = binding.type, let owner = scope?.types.last {
                facts.managed.append(SwiftFacts.ManagedProperty(owner: owner, name: name(binding.name), type: compactText(type)))
            }
            if !isModel, let range = binding.value ?? binding.body { addName(binding.name, range, isConstant: isConstant) }
            if isModel { addProperty(binding, isConstant: isConstant) }
            if let scope, scope.schema >= 0 || scope.plan >= 0 {
                let start = binding.value?.lowerBound ?? binding.body?.lowerBound ?? binding.end
                readSchemaMember(binding.name, start..<binding.end, scope)
            }
        }
    }

    /// The name, type, value and body that begin at a token.
    private func property(_ start: Int) -> Binding? {
        var next = start
        var binding = Binding(name: -1, end: start)
        switch self[next].kind {
        case .identifier where !self[next].word.beginsDeclaration:
            binding.name = next
            next += 1
        case .openParenthesis: next = Int(self[next].partner) + 1
        default: return nil
        }
        if self[next].kind == .colon {
            let end = endOfType(next + 1)
            if end > next + 1 { binding.type = next + 1..<end }
            next = end
        }
        if self[next].word == .assign {
            let end = endOfExpression(next + 1)
            if end > next + 1 { binding.value = next + 1..<end }
            next = end
        }
        if self[next].kind == .openBrace {
            binding.isComputed = binding.value == nil && !isObservers(next)
            let end = min(Int(self[next].partner) + 1, tokens.count - 1)
            binding.body = next..<end
            next = end
        }
        binding.end = next
        return binding
    }

    /// What a constant holds, or the string literal that a computed property returns; -1 for anything else.
    private func constantValue(_ binding: Binding, isConstant: Bool) -> Int {
        if let value = binding.value { return isConstant ? constantValue(value.lowerBound) : -1 }
        guard binding.isComputed, let body = binding.body else { return -1 }
        let token = self[body.lowerBound + 1].word == .return ? body.lowerBound + 2 : body.lowerBound + 1
        return self[token].kind == .string && token + 2 == body.upperBound ? token : -1
    }

    private mutating func addProperty(_ binding: Binding, isConstant: Bool) {
        guard !prefix.isStatic, !prefix.isLazy, !prefix.isTransient, !binding.isComputed, !isDead, let scope = scopes.last else { return }
        guard binding.type != nil || binding.value != nil else {
            report(binding.name, "the property \(name(binding.name)) has neither a type nor a value that could be read")
            return
        }
        let end = max(binding.type?.upperBound ?? 0, binding.value?.upperBound ?? 0)
        var property = SwiftFacts.Property(
            name: name(binding.name), offset: offsetOfName(binding.name), type: binding.type.map(compactText),
            initialValue: binding.value.map(text), isConstant: isConstant, isPrivate: prefix.isPrivate,
            end: Int(self[end - 1].end))
        for (word, at, open) in prefix.arguments {
            let arguments = open >= 0 ? self.arguments(open) : []
            if word == .attribute {
                property.attribute = attribute(arguments, at, property.attribute)
            } else {
                property.relationship = relationship(arguments, at)
            }
        }
        // Such a property is not stored.
        if property.attribute?.options.contains("ephemeral") == true { return }
        facts.models[scope.model].properties.append(property)
    }

    private func offsetOfName(_ token: Int) -> Int {
        let offset = self[token].offset
        return bytes[offset] == UInt8(ascii: "`") ? offset + 1 : offset
    }
}
