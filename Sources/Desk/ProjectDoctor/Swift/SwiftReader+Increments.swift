extension SwiftWalker {
    /// Reads the operator at `index`.
    mutating func readSymbol(_ word: SwiftWord) {
        switch word {
        case .plusAssign, .minusAssign, .wrappingPlusAssign, .wrappingMinusAssign:
            guard let left = chain(endingAt: index - 1) else { return }
            addIncrement(left)
        case .ampersand: if self[index + 1].kind == .identifier, !self[index + 1].hasSpaceBefore { loseRecord(index + 1) }
        case .assign:
            assignRecord()
            readEdit()
            if self[index - 1].kind == .closeBracket {
                readSubscriptAssignment()
            } else if self[index - 1].kind == .identifier, self[index + 1].kind == .identifier {
                readSum()
            }
        default: break
        }
    }

    /// Reads `object.count = object.count + 1` at the `=`.
    private mutating func readSum() {
        guard let left = chain(endingAt: index - 1) else { return }
        let before = self[left.lowerBound - 1]
        guard before.word != .let, before.word != .var, before.kind != .colon else { return }
        var end = index + 1
        while self[end + 1].kind == .dot, self[end + 2].kind == .identifier, end < index + 16 { end += 2 }
        guard self[end + 1].word == .plus || self[end + 1].word == .minus, self[end + 1].hasSpaceBefore else { return }
        let (first, second) = (withoutSelf(left), withoutSelf(index + 1..<end + 1))
        guard first.count == second.count, zip(first, second).allSatisfy({ hash($0) == hash($1) }) else { return }
        addIncrement(left)
    }

    private func withoutSelf(_ chain: Range<Int>) -> Range<Int> {
        chain.count > 2 && self[chain.lowerBound].word == .`self` ? chain.dropFirst(2) : chain
    }

    /// The names and dots that end at a token: `self.item?.count` but not `items[0]`.
    private func chain(endingAt last: Int) -> Range<Int>? {
        var token = last
        if self[token].word == .question || self[token].word == .exclamation { token -= 1 }
        guard self[token].kind == .identifier else { return nil }
        let end = token + 1
        while self[token - 1].kind == .dot, token > last - 16 {
            var base = token - 2
            if self[base].word == .question || self[base].word == .exclamation { base -= 1 }
            // The rest of an expression such as `items[0].count` does not matter.
            guard self[base].kind == .identifier else { break }
            token = base
        }
        return token..<end
    }

    private mutating func addIncrement(_ left: Range<Int>) {
        let property = left.upperBound - 1
        // The declaration of an operator.
        if self[property].word == .func { return }
        let isMember = self[property - 1].kind == .dot
        if !isMember, locals[hash(property)] != nil || bytes[self[property].offset] == UInt8(ascii: "$") { return }
        // `self.count`, or `count` alone; what comes after a bracket is neither.
        let isOfSelf = isMember && self[property - 2].word == .`self`
        var object = property - 2
        while isMember, self[object].word == .question || self[object].word == .exclamation { object -= 1 }
        let hasName = isMember && !isOfSelf && self[object].kind == .identifier
        if hasName { incremented.append((facts.increments.count, object)) }
        facts.increments.append(
            SwiftFacts.Increment(
                property: name(property), context: context(left.lowerBound), object: hasName ? name(object) : nil,
                isOwn: !isMember || isOfSelf))
    }
}
