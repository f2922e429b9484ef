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
        guard self[index + 1].kind == .identifier else { return }
        let equals = self[index + 2].word == .less ? skipAngles(index + 2, limit: 64) : index + 2
        guard self[equals].word == .assign else { return }
        var last = equals + 1
        let parameters = (index + 2..<equals).filter { self[$0].kind == .identifier && self[$0 - 1].kind != .colon }.map { name($0) }
        // One inside a type has that name there alone.
        let alias = ((scopes.last?.types.suffix(1) ?? []) + [name(index + 1)]).joined(separator: ".")
        let type = SwiftFacts.Alias(parameters: parameters, type: compactText(last..<endOfType(last)))
        if isTypeLevel { facts.aliases[alias] = facts.aliases[alias].map { $0 == type ? type : SwiftFacts.Alias() } ?? type }
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
