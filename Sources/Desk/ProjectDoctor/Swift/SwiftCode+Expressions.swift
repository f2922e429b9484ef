/// Expressions taken apart as far as what they may be is followed.
extension SwiftCode {
    /// A chain of names joined by dots, such as `Stores.shared.make(…)`.
    struct Chain {
        /// The tokens of the names, the last of them that is called or looked up.
        var names: [Int] = []
        /// The parenthesis of the call of the last name, -1 where it is not called.
        var open = -1
        /// Whether it begins with a dot.
        var isImplicit = false
        /// Whether there is more before the names, such as another call.
        var isOfExpression = false
    }

    /// A range without `return`, `try`, `await`, and the parentheses around all of it.
    func stripped(_ expression: Range<Int>) -> Range<Int> {
        var range = expression
        while let first = range.first, let last = range.last {
            let word = walker[first].word
            if word == .try || word == .await || word == .return {
                range = range.dropFirst()
                if word == .try, let next = range.first, walker[next].word == .question || walker[next].word == .exclamation {
                    range = range.dropFirst()
                }
            } else if walker[first].kind == .openParenthesis, Int(walker[first].partner) == last, walker.arguments(first).count == 1 {
                range = range.dropFirst().dropLast()
            } else {
                break
            }
        }
        return range
    }

    /// The tokens of a range outside the brackets in it, the brackets themselves included.
    func topLevel(_ range: Range<Int>) -> [Int] {
        var tokens: [Int] = []
        var next = range.lowerBound
        while next < range.upperBound {
            tokens.append(next)
            next = walker[next].isOpening ? max(next + 1, Int(walker[next].partner)) : next + 1
        }
        return tokens
    }

    /// The operators of an expression outside its brackets, and `as`.
    func operators(_ range: Range<Int>) -> [Int] {
        topLevel(range).filter { walker[$0].kind == .symbol || walker[$0].kind == .identifier && walker[$0].word == .as }
    }

    /// The colon that belongs to the question mark of a choice.
    func colon(after mark: Int, in range: Range<Int>) -> Int? {
        var depth = 0
        for token in topLevel(mark + 1..<max(mark + 1, range.upperBound)) {
            if walker[token].word == .question, walker[token].hasSpaceBefore { depth += 1 }
            guard walker[token].kind == .colon else { continue }
            if depth == 0 { return token }
            depth -= 1
        }
        return nil
    }

    /// The brace of the body after a condition.
    func brace(after start: Int, before end: Int) -> Int? {
        var next = start + 1
        while next < end {
            if walker[next].kind == .openBrace { return next }
            next = walker[next].isOpening ? max(next, Int(walker[next].partner)) + 1 : next + 1
        }
        return nil
    }

    /// The `return`s of a body that builds for users have; those of functions and types inside it are not its own.
    func returns(in body: Range<Int>) -> [Int] {
        var found: [Int] = []
        var next = body.lowerBound
        while next < body.upperBound {
            let token = walker[next]
            if token.word == .func, walker[next - 1].kind != .dot {
                next = (brace(after: next, before: body.upperBound).map { Int(walker[$0].partner) } ?? next) + 1
                continue
            }
            if token.kind == .openBrace, isClosure(next) {
                next = max(next, Int(token.partner)) + 1
                continue
            }
            if token.kind == .identifier, token.word == .return, !isDead(next), walker[next - 1].kind != .dot { found.append(next) }
            next += 1
        }
        return found
    }

    /// Whether a brace begins a closure and no body of a statement.
    private func isClosure(_ brace: Int) -> Bool {
        let before = walker[brace - 1]
        if before.word == .assign || before.kind == .openParenthesis || before.kind == .comma || before.kind == .colon { return true }
        // Of a closure with parameters or captures.
        return (brace + 1..<brace + 8).contains { walker[$0].word == .in && walker[$0].kind == .identifier }
            && !(brace - 24..<brace).contains { walker[$0].word == .for && walker[$0].kind == .identifier }
    }

    /// The parts of a body between the lines of `#if` that builds for users have, or all of it where there are none.
    func branches(of body: Range<Int>) -> [Range<Int>] {
        let marks = topLevel(body).filter { walker[$0].kind == .condition }
        if marks.isEmpty { return [body] }
        let bounds = [body.lowerBound - 1] + marks + [body.upperBound]
        return zip(bounds, bounds.dropFirst()).compactMap { first, end in
            var start = first + 1
            // The condition is on the line of its mark.
            if first >= body.lowerBound { while start < end, !walker[start].isFirstOfLine { start += 1 } }
            return start < end ? start..<end : nil
        }
    }

    /// The tokens of the last statement of a body; nil where it is empty.
    func lastStatement(_ body: Range<Int>) -> Range<Int>? {
        var start = body.lowerBound
        while start < body.upperBound {
            let isChoice = walker[start].word == .if || walker[start].word == .switch
            let end = isChoice ? endOfChoice(start, body.upperBound) : walker.endOfExpression(start)
            if end >= body.upperBound { return start..<body.upperBound }
            start = max(start + 1, end)
        }
        return nil
    }

    private func endOfChoice(_ start: Int, _ end: Int) -> Int {
        var next = start
        while let brace = brace(after: next, before: end) {
            next = Int(walker[brace].partner) + 1
            guard walker[next].word == .else else { return next }
            if walker[next + 1].kind == .openBrace { return Int(walker[next + 1].partner) + 1 }
            next += 1
        }
        return end
    }

    /// A chain of names that is the whole of an expression; nil for anything else.
    func chain(_ range: Range<Int>) -> Chain? {
        var chain = Chain()
        var next = range.lowerBound
        if walker[next].kind == .dot {
            chain.isImplicit = true
            next += 1
        }
        while next < range.upperBound {
            guard walker[next].kind == .identifier else { return nil }
            chain.names.append(next)
            next += 1
            if next < range.upperBound, walker[next].word == .less, !walker[next].hasSpaceBefore {
                next = walker.skipAngles(next, limit: 64)
            }
            while next < range.upperBound {
                let token = walker[next]
                if token.word == .question || token.word == .exclamation {
                    next += 1
                } else if token.kind == .openParenthesis || token.kind == .openBracket || token.kind == .openBrace {
                    let isLast = Int(token.partner) + 1 >= range.upperBound
                    let isCall = token.kind == .openParenthesis
                    // A closure behind a call belongs to it, or is the body of what the expression is the condition of.
                    if token.kind == .openBrace { return isLast ? chain : nil }
                    if isCall, isLast || walker[Int(token.partner) + 1].kind == .openBrace {
                        chain.open = next
                        if isLast { return chain }
                    } else {
                        (chain.names, chain.isOfExpression, chain.isImplicit) = ([], true, false)
                    }
                    next = Int(token.partner) + 1
                } else {
                    break
                }
            }
            if next >= range.upperBound { break }
            guard walker[next].kind == .dot else { return nil }
            chain.open = -1
            next += 1
        }
        return chain.names.isEmpty ? nil : chain
    }

    /// The name of the type that a variable is declared with, or that its value makes.
    func typeName(_ declaration: SwiftDeclaration) -> String? {
        for range in [declaration.type, declaration.value] where !range.isEmpty {
            let name = range.prefix(8).first { walker[$0].kind == .identifier && walker.name($0).first?.isUppercase == true }
            if let name { return walker.name(name) }
        }
        return nil
    }

    /// What is assigned to a variable in a range, or appended to it.
    func assigned(_ declaration: SwiftDeclaration, in range: Range<Int>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        let hash = walker.hash(declaration.name)
        for token in uses[hash, default: []] where token > range.lowerBound && token < range.upperBound && !isDead(token) {
            let isMember = walker[token - 1].kind == .dot
            if isMember, declaration.isLocal || walker[token - 2].word != .`self` { continue }
            if !declaration.isLocal {
                // A local variable of the same name hides it.
                if types(around: token).last != declaration.types.last { continue }
                if !isMember, declarations(hash, before: token).contains(where: { $0.isLocal && $0.name < token && token < $0.end }) {
                    continue
                }
            }
            if walker[token + 1].word == .assign || walker[token + 1].word == .plusAssign {
                found.append(token + 2..<max(token + 2, walker.endOfExpression(token + 2)))
            } else if let argument = walker.arguments(token + 3).first {
                found.append(argument.value)
            }
        }
        return found
    }
}
