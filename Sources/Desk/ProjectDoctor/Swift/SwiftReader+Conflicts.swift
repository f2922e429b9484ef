extension SwiftWalker {
    // MARK: Policies

    /// Reads the value of a `savePolicy`, of whatever shape.
    mutating func readSavePolicy() {
        guard self[index + 1].kind == .colon || self[index + 1].word == .assign else { return }
        policyEnd = endOfExpression(index + 2, limit: 64)
        if onlyDeletes { return }
        addPolicy(index + 2..<policyEnd)
    }

    /// Whether the operation or call whose policy is at `index` is given no records to save: a delete has no conflict to report.
    private var onlyDeletes: Bool {
        if self[index - 1].kind == .dot, self[index - 2].kind == .identifier, self[index + 1].word == .assign {
            return isMadeToDelete(hash(index - 2))
        }
        // `modifyRecords(saving: [], deleting: ids, savePolicy: …)`.
        var token = index - 1
        for _ in 0..<64 where token > 0 && self[token].kind != .openParenthesis {
            guard !self[token].isOpening, self[token].kind != .semicolon else { return false }
            token = (self[token].isClosing ? max(0, Int(self[token].partner)) : token) - 1
        }
        return token > 0 && self[token].kind == .openParenthesis && savesNothing(token)
    }

    /// Whether the operation with a name is made in the same function with nothing to save, and given nothing later.
    private func isMadeToDelete(_ name: Int) -> Bool {
        guard let scope = scopes.last(where: { $0.kind == .function }) ?? scopes.last else { return false }
        let start = max(0, Int(self[scope.end].partner))
        var isMade = false
        for token in max(start, index - 512)..<min(scope.end, index + 512) where self[token].kind == .identifier && hash(token) == name {
            if self[token + 1].kind == .dot, self[token + 2].word == .recordsToSave, self[token + 3].word == .assign { return false }
            guard self[token + 1].word == .assign, let open = parenthesis(token + 2) else { continue }
            guard savesNothing(open) else { return false }
            isMade = true
        }
        return isMade
    }

    /// Whether a call has an argument for records to save that is empty.
    private func savesNothing(_ open: Int) -> Bool {
        // A longer call is read no further.
        guard Int(self[open].partner) - open < 256 else { return false }
        return arguments(open).contains { argument in
            guard argument.label >= 0, self[argument.label].word == .recordsToSave || spells(argument.label, "saving") else { return false }
            let first = argument.value.lowerBound
            return argument.value.count == 1 && self[first].word == .nil
                || argument.value.count == 2 && self[first].kind == .openBracket
        }
    }

    /// Reads what a variable or function of the type `RecordSavePolicy` at `index` is or returns.
    mutating func readPolicyValue() {
        let next = index + 1
        // A constant whose type is inferred; what a setting of that name is given was read there.
        if self[next].kind == .dot, index >= policyEnd, self[index - 1].kind == .dot || assigneeToken(index - 1) != nil {
            return addPolicy(next..<next + 2)
        }
        guard self[next].word == .assign || self[next].kind == .openBrace else { return }
        var name = index
        while name > index - 8, self[name - 1].kind == .dot { name -= 2 }
        // A parameter or setting of that name was read at the name.
        if self[name - 1].kind == .colon, self[name - 2].word == .savePolicy { return }
        if self[next].word == .assign {
            policyEnd = endOfExpression(next + 1, limit: 64)
        } else {
            policyEnd = min(Int(self[next].partner), next + 256)
        }
        addPolicy(next + 1..<policyEnd)
    }

    /// Adds the policy among some tokens, of several the one under which no conflict is reported.
    private mutating func addPolicy(_ range: Range<Int>) {
        let names = range.filter { self[$0].kind == .identifier && self[$0 - 1].kind == .dot }.map { name($0) }
        let known = ["changedKeys", "allKeys", "ifServerRecordUnchanged"]
        guard let policy = known.first(where: names.contains) else { return }
        addUse(.savePolicy, policy, at: index)
    }

    // MARK: Conflicts

    /// Reads the branch that is taken for the `serverRecordChanged` at `index`, and adds it where it does nothing but go on.
    mutating func readConflict() {
        guard self[index - 1].kind == .dot else { return }
        var first = index - 1
        while first > index - 8, self[first].kind == .dot, self[first - 1].kind == .identifier, !self[first].hasSpaceBefore { first -= 2 }
        guard let head = headOfBranch(first - (self[first].kind == .dot ? 1 : 0)), !savesZone(before: head) else { return }
        let isCase = self[head].word == .case && ![.if, .guard, .while].contains(self[head - 1].word)
        guard let body = isCase ? bodyOfCase() : bodyOfCondition(), let end = isDropped(body.tokens) else { return }
        if end == .goesOn {
            let after = body.after
            // What comes behind the branch may still take up the error; a loop may try again.
            guard self[head].word != .guard, self[after].kind == .closeBrace || self[after].kind == .end, !isRetried else { return }
        }
        // Who goes on with a loop of attempts tries again.
        if body.tokens.contains(where: { spells($0, "continue") }), isRetried { return }
        addUse(.droppedConflict, nil, at: index)
    }

    private enum End { case leaves, goesOn }

    /// The `case`, `catch`, `if` or `guard` before the condition that ends at a token.
    private func headOfBranch(_ last: Int) -> Int? {
        var token = last
        for _ in 0..<48 {
            switch self[token].word {
            case .case, .catch, .if, .guard: if self[token - 1].kind != .dot { return token }
            default: break
            }
            switch self[token].kind {
            case .openBrace, .closeBrace, .semicolon, .end: return nil
            case .closeParenthesis, .closeBracket: token = max(Int(self[token].partner), 0) - 1
            default: token -= 1
            }
            if token < 0 { return nil }
        }
        return nil
    }

    /// Whether what may fail saves a zone or a subscription: then the conflict says that there is one already.
    private func savesZone(before head: Int) -> Bool {
        func isOther(_ token: Int) -> Bool {
            guard self[token].kind == .identifier else { return false }
            let text = name(token).lowercased()
            return text.contains("zone") && !text.hasSuffix("zoneid") || text.contains("subscription")
        }
        if let member = scopes.last?.member, member >= 0, isOther(member) { return true }
        var end = head - 1
        for _ in 0..<16 where self[end].kind == .closeBrace {
            let open = Int(self[end].partner)
            guard open > 0 else { return false }
            if self[open - 1].word == .do {
                return (open..<min(end, open + 200)).contains { token in
                    guard self[token].word == .save, self[token + 1].kind == .openParenthesis else { return false }
                    return (token + 2..<min(Int(self[token + 1].partner), token + 32)).contains(where: isOther)
                }
            }
            // Another clause before this one.
            var before = open - 1
            while before > open - 48, self[before].kind != .closeBrace, self[before].kind != .end { before -= 1 }
            end = before
        }
        return false
    }

    /// What is done for the `case` whose pattern `index` is in, and the token behind its `switch`.
    private func bodyOfCase() -> (tokens: Range<Int>, after: Int)? {
        var colon = index + 1
        while self[colon].kind != .colon {
            guard colon < index + 64, !self[colon].isClosing || self[colon].kind == .closeParenthesis, self[colon].kind != .end else {
                return nil
            }
            colon = self[colon].isOpening ? Int(self[colon].partner) + 1 : colon + 1
        }
        var next = colon + 1
        while next < colon + 64 {
            let token = self[next]
            if token.kind == .closeBrace { return (colon + 1..<next, next + 1) }
            let isNext = (token.word == .case || token.word == .default) && self[next - 1].kind != .dot || token.kind == .at
            if isNext, token.isFirstOfLine || self[next - 1].kind == .semicolon {
                guard let end = scopes.last?.end else { return nil }
                return (colon + 1..<next, end + 1)
            }
            next = token.isOpening ? Int(token.partner) + 1 : next + 1
        }
        return nil
    }

    /// The block behind the condition that `index` is in, and the token behind it.
    private func bodyOfCondition() -> (tokens: Range<Int>, after: Int)? {
        var next = index + 1
        while self[next].kind != .openBrace {
            let isEnd = self[next].isClosing && self[next].kind != .closeParenthesis || self[next].kind == .end
            // Who looks at the record in the condition itself has it.
            guard next < index + 48, !isEnd, !spells(next, "serverRecord"), !spells(next, "clientRecord") else { return nil }
            next = self[next].kind == .openParenthesis ? Int(self[next].partner) + 1 : next + 1
        }
        var after = Int(self[next].partner) + 1
        let body = next + 1..<after - 1
        // Behind the other branches.
        for _ in 0..<16 where self[after].word == .catch || self[after].word == .else {
            var brace = after + 1
            while brace < after + 48, self[brace].kind != .openBrace, self[brace].kind != .end { brace += 1 }
            guard self[brace].kind == .openBrace else { return nil }
            after = Int(self[brace].partner) + 1
        }
        return (body, after)
    }

    /// Whether statements do nothing but log, count and leave; nil where they do anything else.
    private func isDropped(_ body: Range<Int>) -> End? {
        guard body.count <= 64 else { return nil }
        var next = body.lowerBound
        var end = End.goesOn
        while next < body.upperBound {
            let token = self[next]
            if token.kind == .semicolon || token.word == .await || token.word == .try {
                next += 1
            } else if token.word == .return || spells(next, "continue") || spells(next, "break") {
                guard next + 1 >= body.upperBound || self[next + 1].isFirstOfLine || self[next + 1].kind == .semicolon else { return nil }
                if !spells(next, "break") { end = .leaves }
                next += 1
            } else if let after = endOfLogging(next) ?? endOfCount(next) ?? endOfState(next) ?? endOfSuccess(next), after <= body.upperBound
            {
                next = after
            } else {
                return nil
            }
        }
        return end
    }

    /// The token behind a call that writes to a log.
    private func endOfLogging(_ start: Int) -> Int? {
        var (last, isLog) = (start, false)
        while self[last].kind == .identifier {
            let text = name(last).lowercased()
            let isOther = ["login", "logout", "dialog", "catalog", "logic"].contains { text.contains($0) }
            isLog = isLog || text.contains("print") || !isOther && (text.contains("log") || text == "dump")
            guard self[last + 1].kind == .dot else { break }
            last += 2
        }
        guard isLog, self[last + 1].kind == .openParenthesis else { return nil }
        return Int(self[last + 1].partner) + 1
    }

    /// The token behind `skipped += 1`.
    private func endOfCount(_ start: Int) -> Int? {
        var last = start
        while self[last].kind == .identifier, self[last + 1].kind == .dot { last += 2 }
        guard self[last].kind == .identifier, self[last + 1].word == .plusAssign, self[last + 2].kind == .number else { return nil }
        return last + 3
    }

    /// The token behind `isSyncing = false`, or an empty `()`.
    private func endOfState(_ start: Int) -> Int? {
        if self[start].kind == .openParenthesis, Int(self[start].partner) == start + 1 { return start + 2 }
        var last = start
        while self[last].kind == .identifier, self[last + 1].kind == .dot { last += 2 }
        guard self[last].kind == .identifier, self[last + 1].word == .assign, self[last + 2].word == .false || self[last + 2].word == .true
        else { return nil }
        let text = name(last).lowercased()
        return ["sync", "load", "busy", "progress", "running", "saving", "upload"].contains { text.contains($0) } ? last + 3 : nil
    }

    /// The token behind a call that tells of success: `completion(nil)`, `completion?(.success(record))`, `continuation.resume()`.
    private func endOfSuccess(_ start: Int) -> Int? {
        var last = start
        while self[last].kind == .identifier, self[last + 1].kind == .dot { last += 2 }
        let text = name(last).lowercased()
        guard ["completion", "handler", "callback", "resume"].contains(where: text.hasSuffix) else { return nil }
        let open = last + (self[last + 1].word == .question ? 2 : 1)
        guard self[open].kind == .openParenthesis else { return nil }
        let (first, close) = (open + 1, Int(self[open].partner))
        let isEmpty = first == close || close == first + 1 && (self[first].word == .nil || self[first].word == .true)
        return isEmpty || self[first].kind == .dot && spells(first + 1, "success") ? close + 1 : nil
    }

    /// Whether a loop around `index` in the same function fetches, or counts attempts.
    private var isRetried: Bool {
        for scope in scopes.reversed().prefix(8) {
            let open = Int(self[scope.end].partner)
            guard open > 0 else { return false }
            var head = open - 1
            while head > open - 32, !self[head].isClosing || self[head].kind == .closeParenthesis, self[head].kind != .openBrace,
                ![.for, .while, .repeat].contains(self[head].word)
            {
                head -= 1
            }
            if [.for, .while, .repeat].contains(self[head].word) {
                let isTried = (head..<min(scope.end, head + 400)).contains { token in
                    guard self[token].kind == .identifier else { return false }
                    let text = name(token).lowercased()
                    return text.hasPrefix("fetch") || isAttempt(text)
                }
                if isTried { return true }
            }
            if scope.kind == .function { return false }
        }
        return false
    }
}
