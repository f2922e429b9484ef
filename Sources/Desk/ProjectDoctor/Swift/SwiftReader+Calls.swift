extension SwiftWalker {
    /// Reads the name of a type at `index` that may be called, and the call if it is one.
    mutating func readCall(_ word: SwiftWord) {
        guard let open = parenthesis(index) else { return }
        var start = index
        if self[index - 1].kind == .dot, word != .modelContainer {
            // A type of that name inside another one is not the one of SwiftData.
            guard self[index - 2].word == .swiftData || spells(index - 2, "CoreData") else { return }
            start = index - 2
        }
        addCall(word, start, open)
    }

    /// Reads the `init` at `index` after a dot before which there is no type.
    mutating func readImplicitCall() {
        guard self[index + 1].kind == .openParenthesis else { return }
        let dot = index - 1
        // What else is made for model classes and with configurations.
        let isContainer = arguments(index + 1).contains { argument in
            guard argument.label >= 0 else { return false }
            return self[argument.label].word == .configurations || spells(argument.label, "migrationPlan")
        }
        if isContainer { return addCall(.modelContainerType, dot, index + 1) }
        let previous = beforeArray(dot - 1)
        if self[previous].kind == .colon {
            if self[previous - 1].word == .configurations { addCall(.modelConfiguration, dot, index + 1) }
            return
        }
        var before = beforeArray(callPrefix(dot).before)
        guard self[before].word == .assign else { return }
        // The type before the `=`, without the marks of an optional or an array.
        before -= 1
        while self[before].word == .question || self[before].word == .exclamation || self[before].kind == .closeBracket { before -= 1 }
        switch self[before].word {
        case .modelConfiguration, .modelContainerType, .schema, .nsPersistentCloudKitContainer: addCall(self[before].word, dot, index + 1)
        default: break
        }
    }

    /// The parenthesis after the name of a type, `.init` between them or not.
    func parenthesis(_ name: Int) -> Int? {
        var next = name + 1
        if self[next].kind == .dot, self[next + 1].word == .`init` { next += 2 }
        return self[next].kind == .openParenthesis && !self[next].isFirstOfLine ? next : nil
    }

    private mutating func addCall(_ word: SwiftWord, _ start: Int, _ open: Int) {
        let list = arguments(open)
        // `.modelContainer(container)` hands on what was made elsewhere.
        if word == .modelContainer, !list.contains(where: { $0.label >= 0 && self[$0.label].word == .for }) { return }
        guard keeps(until: Int(self[open].partner)) else { return }
        var (before, tried) = callPrefix(start)
        if word == .modelConfiguration { before = beforeArray(before) }
        var call = SwiftFacts.Call(
            callee: word.rawValue, context: context(start),
            arguments: list.map { ($0.label >= 0 ? name($0.label) : nil, text($0.value), self[$0.value.lowerBound].offset) },
            assignedTo: assignee(before), tryForm: tried)
        switch word {
        case .modelConfiguration: facts.configurations.append(call)
        case .schema: facts.schemaCalls.append(call)
        default:
            if word == .modelContainerType {
                let bodies = catchBodies()
                let fallbacks = bodies.filter(makesLocalContainer)
                call.fallsBackSilently = tried == "try?" || !fallbacks.isEmpty
                call.tellsOfFallback = tried != "try?" && !fallbacks.isEmpty && fallbacks.allSatisfy(setsState)
                call.removal = bodies.compactMap(removal).first
                if tried == "try" || tried == "try!" { call.statement = statement(start, Int(self[open].partner) + 1, before) }
            }
            facts.containers.append(call)
        }
    }

    /// The statement that consists of a call, from the token before its `try` to the one after it.
    private func statement(_ start: Int, _ end: Int, _ before: Int) -> SwiftFacts.Statement? {
        guard let scope = scopes.last, scope.kind != .type, self[end].isFirstOfLine, endOfExpression(start) == end else { return nil }
        // In a builder of views every statement is one.
        if scope.member >= 0, spells(scope.member, "body") { return nil }
        func statement(_ first: Int, _ variable: String?, _ keyword: Range<Int>) -> SwiftFacts.Statement? {
            guard self[first].isFirstOfLine else { return nil }
            return SwiftFacts.Statement(
                start: self[first].offset, end: Int(self[end - 1].end), variable: variable, indent: indent(first), keyword: keyword)
        }
        if self[before].word == .return { return statement(before, nil, self[before].range) }
        if let name = assigneeToken(before) {
            let isNew = self[name - 1].word == .let || self[name - 1].word == .var
            let isOfSelf = self[name - 1].kind == .dot && self[name - 2].word == .`self`
            return statement(isNew ? name - 1 : isOfSelf ? name - 2 : name, self.name(name), 0..<0)
        }
        // The only expression of a function.
        guard self[before].kind == .openBrace, scope.kind == .function, scope.end == end else { return nil }
        return statement(before + 1, nil, self[before + 1].offset..<self[before + 1].offset)
    }

    /// The token before the array whose element comes after a token; the token itself where there is no such array.
    private func beforeArray(_ before: Int) -> Int {
        var token = before
        while token > before - 64 {
            if self[token].kind == .openBracket { return token - 1 }
            if self[token].isClosing, self[token].partner >= 0 {
                token = Int(self[token].partner) - 1
            } else if token == before, self[token].kind != .comma {
                return before
            } else if self[token].isOpening || self[token].word == .assign || self[token].kind == .end {
                return before
            } else {
                token -= 1
            }
        }
        return before
    }

    /// The token before a call and its `try` and `await`, and how it is tried.
    private func callPrefix(_ start: Int) -> (before: Int, tried: String?) {
        var before = start - 1
        var tried: String?
        while before > start - 8 {
            let token = self[before]
            if token.word == .await || token.kind == .openParenthesis && self[before - 1].kind == .symbol {
                before -= 1
            } else if token.word == .try {
                tried = tried ?? "try"
                before -= 1
            } else if (token.word == .question || token.word == .exclamation) && self[before - 1].word == .try {
                tried = token.word == .question ? "try?" : "try!"
                before -= 2
            } else {
                break
            }
        }
        return (before, tried)
    }

    /// The name that is given what comes after the `=` at a token; nil where that is no `=`.
    func assignee(_ equals: Int) -> String? { assigneeToken(equals).map { name($0) } }

    func assigneeToken(_ equals: Int) -> Int? {
        guard self[equals].word == .assign else { return nil }
        for binding in bindings.suffix(8) where binding.equals == equals { return binding.name >= 0 ? binding.name : nil }
        var name = equals - 1
        if (self[name].word == .question || self[name].word == .exclamation) && !self[name].hasSpaceBefore { name -= 1 }
        guard self[name].kind == .identifier else { return nil }
        // The default value of a parameter: the name is before the type.
        if self[name - 1].kind == .colon { return self[name - 2].kind == .identifier ? name - 2 : nil }
        return name
    }
}
