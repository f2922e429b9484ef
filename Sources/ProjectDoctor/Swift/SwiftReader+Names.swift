extension SwiftWalker {
    /// Adds a variable whose value names types, or is a Boolean that never changes.
    mutating func addName(_ token: Int, _ value: Range<Int>, isConstant: Bool) {
        if value.count == 1, isConstant, let first = value.first, self[first].word == .true || self[first].word == .false {
            return addName(token, [], self[first].word == .true)
        }
        // A list of classes is not longer than this, and other values are passed over before they cost anything.
        guard value.count <= 4096, value.contains(where: { self[$0].word == .`self` && self[$0 - 1].kind == .dot }) || isSum(value) else {
            return
        }
        var types: [String] = []
        for part in value where self[part].kind == .identifier && self[part + 1].kind != .dot {
            let isType = self[part].word == .`self` && self[part - 1].kind == .dot && self[part - 2].kind == .identifier
            if isType {
                types.append(name(part - 2))
            } else if self[part].word != .return, self[part].word != .get {
                types.append(chain(part))
            }
        }
        if !types.isEmpty { addName(token, types, nil) }
    }

    /// Reads the alias of a type that is declared at `index`.
    mutating func readAlias() {
        var last = index + 3
        guard self[index + 1].kind == .identifier, self[index + 2].word == .assign else { return }
        // One inside a type may have another meaning elsewhere.
        if scopes.isEmpty {
            let (alias, type) = (name(index + 1), compactText(last..<endOfType(last)))
            facts.aliases[alias] = facts.aliases[alias].map { $0 == type ? type : "" } ?? type
        }
        guard self[last].kind == .identifier else { return }
        while self[last + 1].kind == .dot, self[last + 2].kind == .identifier { last += 2 }
        addName(index + 1, [name(last)], nil)
    }

    private mutating func addName(_ token: Int, _ types: [String], _ flag: Bool?) {
        facts.names.append(SwiftFacts.NamedValue(name: name(token), context: context(token), types: types, flag: flag))
    }

    /// The names that dots join up to a token, the last few of them.
    private func chain(_ token: Int) -> String {
        var (text, first) = (name(token), token)
        while first > token - 6, self[first - 1].kind == .dot, self[first - 2].kind == .identifier {
            first -= 2
            text = name(first) + "." + text
        }
        return text
    }

    /// Whether a value is `A.models + B.models` and its like.
    private func isSum(_ value: Range<Int>) -> Bool {
        value.count <= 64 && value.contains { self[$0].word == .plus }
            && value.allSatisfy { [.identifier, .dot, .openBrace, .closeBrace].contains(self[$0].kind) || self[$0].word == .plus }
    }
}
