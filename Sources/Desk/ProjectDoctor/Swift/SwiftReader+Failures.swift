/// The tokens of a file that matter where a container does not open, in order.
struct ContainerTokens {
    /// Those that make a container.
    var making: [Int] = []
    /// Those that keep one out of CloudKit.
    var withoutCloud: [Int] = []
    /// Those that remove a file or store.
    var removing: [Int] = []
    /// Those that copy or move one.
    var copying: [Int] = []
}

extension SwiftWalker {
    /// The bodies of the `catch` clauses of the `do` around `index`.
    mutating func catchBodies() -> [Range<Int>] {
        guard let end = scopes.last?.guardedBy, end >= 0 else { return [] }
        if containerTokens == nil { containerTokens = findContainerTokens() }
        var bodies: [Range<Int>] = []
        var next = end + 1
        while self[next].word == .catch, bodies.count < 16 {
            while self[next].kind != .openBrace, self[next].kind != .end {
                next = self[next].kind == .openParenthesis ? Int(self[next].partner) + 1 : next + 1
            }
            guard self[next].kind == .openBrace else { break }
            bodies.append(next..<Int(self[next].partner))
            next = Int(self[next].partner) + 1
        }
        return bodies
    }

    /// Whether a container is made in memory or without CloudKit.
    func makesLocalContainer(_ body: Range<Int>) -> Bool {
        guard let known = containerTokens else { return false }
        return Self.first(known.making, in: body) != nil && Self.first(known.withoutCloud, in: body) != nil
    }

    /// Whether something beside a container says that it is another one, such as `(container, false)` or `state = .localOnly`, and the
    /// error, or that state, is all that the rest of the app needs to tell it.
    ///
    /// What opens a file of another name is another store.
    func setsState(_ body: Range<Int>) -> Bool {
        let range = body.prefix(512)
        if range.contains(where: { spells($0, "url") && self[$0 + 1].kind == .colon }) { return false }
        return range.contains { token in
            let isValue = self[token].word == .assign || self[token].kind == .comma
            guard isValue else { return false }
            let value = token + 1
            let isCase = self[value].kind == .dot && self[value + 1].kind == .identifier
            let isState = self[value].word == .true || self[value].word == .false || spells(value, "error") || isCase
            let end = value + (isCase ? 2 : 1)
            guard isState, end <= body.upperBound else { return false }
            // A property, or the last of a tuple; an argument has a label.
            if self[token].word == .assign {
                let isNew = self[token - 2].word == .let || self[token - 2].word == .var || self[token - 2].kind == .colon
                return !isNew && (self[end].isFirstOfLine || self[end].kind == .closeBrace)
            }
            return self[end].kind == .closeParenthesis
        }
    }

    /// The byte at which a file or store is removed of which no copy is made.
    func removal(in body: Range<Int>) -> Int? {
        guard let known = containerTokens, Self.first(known.copying, in: body) == nil else { return nil }
        return Self.first(known.removing, in: body).map { self[$0].offset }
    }

    /// Reads the `loadPersistentStores` at `index`.
    mutating func readLoading() {
        var open = index + 1
        // The closure is behind the parentheses, or in them.
        if self[open].kind == .openParenthesis, self[Int(self[open].partner) + 1].kind == .openBrace { open = Int(self[open].partner) + 1 }
        guard self[open].kind == .openBrace || self[open].kind == .openParenthesis else { return }
        if containerTokens == nil { containerTokens = findContainerTokens() }
        let body = open..<Int(self[open].partner)
        facts.loadings.append(SwiftFacts.Loading(statement: loadingStatement(body.upperBound + 1), context: context(index)))
        guard let known = containerTokens, removal(in: body) != nil, let token = Self.first(known.removing, in: body) else { return }
        addUse(.storeRemoval, nil, at: token)
    }

    /// The statement at whose end a call of `loadPersistentStores` ends, where a variable's container is meant.
    private func loadingStatement(_ end: Int) -> SwiftFacts.Statement? {
        guard let scope = scopes.last, scope.kind != .type, self[end].isFirstOfLine, self[index - 2].kind == .identifier else { return nil }
        let isOfSelf = self[index - 3].kind == .dot && self[index - 4].word == .`self`
        let first = isOfSelf ? index - 4 : index - 2
        guard self[first].isFirstOfLine, self[first - 1].kind != .dot else { return nil }
        return SwiftFacts.Statement(
            start: self[first].offset, end: Int(self[end - 1].end), variable: (isOfSelf ? "self." : "") + name(index - 2),
            indent: indent(first), keyword: 0..<0)
    }

    private func findContainerTokens() -> ContainerTokens {
        var found = ContainerTokens()
        // Branches that debug builds alone have.
        var branches: [Bool] = []
        for token in tokens.indices {
            switch tokens[token].word {
            case .if where tokens[token].kind == .condition:
                branches.append(self[token + 1].word == .debug && self[token + 2].isFirstOfLine)
            case .else where tokens[token].kind == .condition, .elseif where tokens[token].kind == .condition:
                if !branches.isEmpty { branches[branches.count - 1] = false }
            case .endif where tokens[token].kind == .condition: _ = branches.popLast()
            case .removeItem where branches.contains(true), .destroyPersistentStore where branches.contains(true): break
            case .modelContainerType, .modelConfiguration: found.making.append(token)
            case .removeItem, .destroyPersistentStore: found.removing.append(token)
            case .copyItem, .moveItem, .replaceItemAt, .replacePersistentStore, .migratePersistentStore: found.copying.append(token)
            default: if isWithoutCloud(token) { found.withoutCloud.append(token) }
            }
        }
        return found
    }

    /// The first of numbers in order that is in a range.
    ///
    /// - Complexity: O(log *n*).
    private static func first(_ numbers: [Int], in range: Range<Int>) -> Int? {
        var (low, high) = (0, numbers.count)
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < range.lowerBound { low = middle + 1 } else { high = middle }
        }
        return low < numbers.count && numbers[low] < range.upperBound ? numbers[low] : nil
    }

    /// Whether a token is the label of an argument that keeps a store in memory or out of CloudKit.
    private func isWithoutCloud(_ token: Int) -> Bool {
        guard self[token + 1].kind == .colon else { return false }
        switch self[token].word {
        case .isStoredInMemoryOnly, .inMemory: return self[token + 2].word == .true
        case .cloudKitDatabase:
            var next = token + 2
            while self[next + 1].kind == .dot || self[next].kind == .dot, next < token + 10 { next += 1 }
            return spells(next, "none")
        default: return false
        }
    }
}
