extension SwiftWalker {
    /// The types of a field that take the value of an expression; nil where it does not tell.
    func fieldTypes(_ range: Range<Int>) -> Set<String>? { typesOfHead(range) ?? typesOfCast(range) ?? typesOfMember(range) }

    /// The types that the last cast of an expression tells.
    private func typesOfCast(_ range: Range<Int>) -> Set<String>? {
        guard let cast = range.prefix(64).last(where: { self[$0].word == .as }) else { return nil }
        var type = cast + 1
        if self[type].word == .question || self[type].word == .exclamation { type += 1 }
        let isList = self[type].kind == .openBracket
        if isList { type += 1 }
        guard type < range.upperBound, self[type].kind == .identifier, self[type + 1].kind != .colon else { return nil }
        let one: String? =
            switch name(type) {
            case "String", "NSString": "STRING"
            case "Date", "NSDate": "TIMESTAMP"
            case "Data", "NSData": "BYTES"
            case "Double", "Float", "CGFloat": "DOUBLE"
            default: nil
            }
        return one.map { [isList ? "LIST<\($0)>" : $0] }
    }

    /// The types that a property tells with which an expression ends.
    private func typesOfMember(_ range: Range<Int>) -> Set<String>? {
        guard range.count >= 3, let last = range.last, self[last].kind == .identifier, self[last - 1].kind == .dot,
            range.allSatisfy({ self[$0].kind != .symbol || self[$0].word == .question || self[$0].word == .exclamation })
        else { return nil }
        return switch name(last) {
        case "uuidString", "absoluteString": ["STRING"]
        case "timeIntervalSince1970", "timeIntervalSinceReferenceDate": ["DOUBLE"]
        default: nil
        }
    }

    /// What a value is that is edited as a whole, and in parts by its user.
    func shape(_ value: Range<Int>, key: Range<Int>) -> SwiftFacts.RecordField.Shape? {
        guard let first = value.first else { return nil }
        if value.contains(where: isEncoding) { return .encoded }
        if value.count == 1, encodedNames.contains(encodedName(first)) { return .encoded }
        if isCount(value, key) { return .counter }
        let cast = value.last { self[$0].word == .as }
        let isCastToList = cast.map { self[$0 + 1].kind == .openBracket || spells($0 + 1, "NSArray") || self[$0 + 2].kind == .openBracket }
        let isLiteral = self[first].kind == .openBracket && value.count > 2 && Int(self[first].partner) == (cast ?? value.upperBound) - 1
        // A dictionary is no value of a field.
        let isPair = isLiteral && self[first + 2].kind == .colon
        let isArray = spells(first, "Array") && self[first + 1].kind == .openParenthesis
        return (isCastToList ?? false) || isLiteral && !isPair || isArray ? .list : nil
    }

    /// Reads the `encode` at `index`, and keeps the name that is given the result.
    mutating func rememberEncodedName() {
        guard hasRecords, isEncoding(index) else { return }
        var start = index
        while start > index - 16, self[start - 1].kind == .dot {
            start -= 2
            if self[start].kind == .closeParenthesis { start = max(1, Int(self[start].partner)) - 1 }
        }
        var before = start - 1
        while before > start - 8, self[before].word == .try || self[before].word == .question || self[before].word == .exclamation {
            before -= 1
        }
        if let name = assigneeToken(before) { encodedNames.insert(encodedName(name)) }
    }

    private func isEncoding(_ token: Int) -> Bool {
        guard self[token - 1].kind == .dot, self[token + 1].kind == .openParenthesis else { return false }
        return self[token].word == .encode || spells(token, "archivedData")
    }

    private func encodedName(_ token: Int) -> Int { hash(token) &+ (scopes.last?.member ?? 0) &* 31 }

    /// Whether a value is what the key holds and a number more or less: `(record["n"] as? Int ?? 0) + 1`, or `n + 1` for the key `n`.
    private func isCount(_ value: Range<Int>, _ key: Range<Int>) -> Bool {
        guard let last = value.last, value.count >= 3, self[last].kind == .number || self[last].kind == .identifier,
            self[last - 1].word == .plus || self[last - 1].word == .minus,
            let name = literal(key.lowerBound) ?? lastName(key).map(self.name)
        else { return false }
        return value.dropLast(2).contains { token in
            self[token].kind == .string && literal(token) == name || self[token].kind == .identifier && spells(token, name)
        }
    }
}
