/// Conditional compilation, by what builds for users define.
extension SwiftWalker {
    /// Reads the `#if`, `#elseif`, `#else` or `#endif` at `index` with its condition.
    mutating func turn(_ word: SwiftWord) {
        let start = index + 1
        var end = start
        while word == .if || word == .elseif, end < tokens.count - 1, !tokens[end].isFirstOfLine { end += 1 }
        defer { index = end - 1 }
        if word == .if {
            var condition = Condition()
            condition.scopeCount = scopes.count
            decide(start..<end, &condition)
            condition.start = end
            conditions.append(condition)
            return
        }
        guard var condition = conditions.popLast() else { return }
        if condition.isDebugOnly { deadRanges.append(condition.start..<index) }
        let leftOpen = Array(scopes.dropFirst(condition.scopeCount))
        while scopes.count > condition.scopeCount { leave() }
        if word == .endif {
            // Without another branch the scopes simply stay open.
            guard scopes.count == condition.scopeCount else { return }
            scopes += (condition.leftOpen ?? leftOpen).filter { $0.end > index }
            return
        }
        condition.leftOpen = condition.leftOpen ?? (conditions.count < Self.depthLimit ? leftOpen : [])
        condition.isDebugOnly = condition.followsRelease
        condition.start = end
        if word == .else {
            condition.texts = condition.negations
        } else {
            decide(start..<end, &condition)
        }
        conditions.append(condition)
    }

    /// Whether the code at `index` is in no build for users.
    var isDead: Bool { conditions.contains(where: \.isDebugOnly) }

    /// Sets what is known in a branch whose condition is a range of tokens.
    private func decide(_ range: Range<Int>, _ condition: inout Condition) {
        condition.texts = []
        let value = value(range)
        var term = range.lowerBound
        var depth = 0
        var isChoice = false
        for token in range {
            if tokens[token].kind == .openParenthesis { depth += 1 }
            if tokens[token].kind == .closeParenthesis { depth -= 1 }
            if depth == 0, isOperator(token, "||") { isChoice = true }
            let isEnd = token + 1 == range.upperBound
            let isAnd = depth == 0 && isOperator(token, "&&")
            guard isEnd || isAnd else { continue }
            let end = isAnd ? token : token + 1
            if end > term, condition.texts.count < 8, self.value(term..<end) == nil { condition.texts.append(shortText(term..<end)) }
            term = token + 1
        }
        if isChoice { condition.texts = value == nil ? [shortText(range)] : [] }
        condition.isDebugOnly = condition.isDebugOnly || value == false
        if value == true {
            condition.followsRelease = true
        } else if !condition.texts.isEmpty, condition.negations.count < 8 {
            condition.negations.append(negation(range))
        }
    }

    /// What a condition is in a build for users on a device; nil where that is not known.
    ///
    /// - Complexity: O(*n*) in its tokens times the depth of its parentheses, of which 16 are looked into.
    private func value(_ range: Range<Int>, depth: Int = 0) -> Bool? {
        guard !range.isEmpty, depth < 16, range.count < 512 else { return nil }
        for (sign, decisive) in [("||", true), ("&&", false)] {
            let parts = split(range, sign)
            if parts.count < 2 { continue }
            let values = parts.map { value($0, depth: depth + 1) }
            return values.contains(decisive) ? decisive : values.contains(nil) ? nil : !decisive
        }
        let first = range.lowerBound
        if self[first].word == .exclamation { return value(range.dropFirst(), depth: depth + 1).map { !$0 } }
        if self[first].kind == .openParenthesis, Int(self[first].partner) == range.upperBound - 1 {
            return value(range.dropFirst().dropLast(), depth: depth + 1)
        }
        if range.count == 1 {
            switch self[first].word {
            case .debug, .false: return false
            case .true: return true
            default: return flags.isEmpty ? nil : flags[name(first)]
            }
        }
        guard range.count == 4, self[first + 1].kind == .openParenthesis else { return nil }
        if spells(first, "targetEnvironment"), spells(first + 2, "simulator") { return false }
        return spells(first, "canImport") && Self.modulesOfAll.contains(name(first + 2)) ? true : nil
    }

    /// Modules that every system of Apple has where an app syncs.
    private static let modulesOfAll: Set = ["CloudKit", "Combine", "CoreData", "Foundation", "Observation", "SwiftData", "SwiftUI"]

    private func split(_ range: Range<Int>, _ sign: String) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var (start, depth) = (range.lowerBound, 0)
        for token in range {
            if tokens[token].kind == .openParenthesis { depth += 1 }
            if tokens[token].kind == .closeParenthesis { depth -= 1 }
            guard depth == 0, isOperator(token, sign) else { continue }
            parts.append(start..<token)
            start = token + 1
        }
        return parts + [start..<range.upperBound]
    }

    private func isOperator(_ token: Int, _ sign: String) -> Bool { tokens[token].kind == .symbol && spells(token, sign) }

    private func negation(_ range: Range<Int>) -> String {
        let text = shortText(range)
        let isOne = !range.contains { isOperator($0, "&&") || isOperator($0, "||") }
        guard isOne else { return "!(" + text + ")" }
        return text.hasPrefix("!") ? String(text.dropFirst()) : "!" + text
    }

    /// The first 200 bytes of several tokens: conditions are repeated in every context inside them.
    private func shortText(_ range: Range<Int>) -> String {
        text(range.prefix { self[$0].offset < self[range.lowerBound].offset + 200 })
    }
}
