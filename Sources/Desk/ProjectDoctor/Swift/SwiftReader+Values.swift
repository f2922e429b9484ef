/// What is kept in properties, as far as other code tells: encoded values, strings of several lines, numbers that are counted.
extension SwiftWalker {
    // MARK: Encoded values

    /// Reads `encoder.encode(value)` or `archivedData(withRootObject:…)` at the name of the method.
    mutating func readEncoding() {
        guard self[index + 1].kind == .openParenthesis else { return }
        let list = arguments(index + 1)
        guard let value = list.first else { return }
        if self[index].word == .encode, list.count != 1 || value.label >= 0 { return }
        guard let target = target(before: index) else { return }
        addEncoding(target, typeOfValue(value.value))
    }

    /// Reads `decoder.decode(Type.self, from: data)` at the name of the method.
    mutating func readDecoding() {
        guard self[index + 1].kind == .openParenthesis else { return }
        let list = arguments(index + 1)
        guard list.count == 2, list[0].label < 0, list[1].label >= 0, spells(list[1].label, "from"), list[0].value.count > 2,
            self[list[0].value.upperBound - 1].word == .`self`
        else { return }
        var value = list[1].value
        if let mark = value.firstIndex(where: { spells($0, "??") }) { value = value.lowerBound..<mark }
        while let last = value.last, self[last].word == .exclamation || self[last].word == .question { value = value.dropLast() }
        guard let property = lastName(value) else { return }
        addEncoding(property, compactText(list[0].value.dropLast(2)))
        // `if let data = rule`: the data of the rule.
        let hash = hash(property)
        for binding in bindings.suffix(8) where binding.name >= 0 && self.hash(binding.name) == hash {
            var source = binding.equals + 1
            while self[source + 1].kind == .dot, self[source + 2].kind == .identifier, source < binding.equals + 16 { source += 2 }
            if self[source].kind == .identifier { addEncoding(source, compactText(list[0].value.dropLast(2))) }
        }
    }

    private mutating func addEncoding(_ property: Int, _ type: String?) {
        guard facts.encodings.count < 10_000 else { return }
        let isArgument = self[property + 1].kind == .colon
        let callee = isArgument ? self.callee(of: property) : nil
        facts.encodings.append(
            SwiftFacts.Encoding(
                property: name(property), owner: callee ?? scopes.last?.types.last,
                isMember: self[property - 1].kind == .dot, type: type))
    }

    /// The type that a call makes of which a token is the label of an argument.
    private func callee(of label: Int) -> String? {
        var token = label
        for _ in 0..<64 where self[token].kind != .openParenthesis {
            token = (self[token].isClosing ? Int(self[token].partner) : token) - 1
        }
        guard self[token].kind == .openParenthesis, self[token - 1].kind == .identifier else { return nil }
        return name(token - 1).first?.isUppercase == true ? name(token - 1) : nil
    }

    /// The name that is given the value of the statement around a token.
    private func target(before token: Int) -> Int? {
        var next = token
        while next > token - 48 {
            next -= 1
            switch self[next].kind {
            case .closeParenthesis, .closeBracket, .closeBrace: next = min(next, Int(self[next].partner))
            case .openBrace, .semicolon, .end: return nil
            case .symbol where self[next].word == .assign:
                var name = next - 1
                if self[name].word == .question || self[name].word == .exclamation { name -= 1 }
                return self[name].kind == .identifier ? name : nil
            // An argument that is given at once: `Habit(ruleData: try encoder.encode(rule))`.
            case .colon where self[next - 1].kind == .identifier && self[next - 2].kind != .dot:
                return self[next - 2].kind == .openParenthesis || self[next - 2].kind == .comma ? next - 1 : nil
            default: break
            }
        }
        return nil
    }

    /// The type of a value, where it is that of the property that is set, or the value is made in the expression.
    private func typeOfValue(_ value: Range<Int>) -> String? {
        guard let first = value.first else { return nil }
        if value.count == 1, spells(first, "newValue"), let member = scopes.last?.member, member >= 0, self[member + 1].kind == .colon {
            return compactText(member + 2..<endOfType(member + 2))
        }
        if self[first + 1].kind == .openParenthesis, Int(self[first + 1].partner) == value.upperBound - 1,
            name(first).first?.isUppercase == true
        {
            return name(first)
        }
        return nil
    }

    // MARK: Editors

    /// Reads `TextEditor(text: $note.body)` or `TextField(…, text: $name, axis: .vertical)` at the name of the view.
    mutating func readEditor(_ word: SwiftWord) {
        guard self[index + 1].kind == .openParenthesis else { return }
        let list = arguments(index + 1)
        guard let value = list.first(where: { $0.label >= 0 && spells($0.label, "text") })?.value else { return }
        let isVertical = list.contains { argument in
            argument.label >= 0 && spells(argument.label, "axis") && argument.value.last.map { spells($0, "vertical") } == true
        }
        let isLong = word == .textEditor || isVertical
        func insert(_ token: Int) {
            let name = String(name(token).drop { $0 == "$" })
            if isLong { facts.longEdits.insert(name) } else { facts.shortEdits.insert(name) }
        }
        for token in value.prefix(64) where self[token].kind == .identifier {
            if bytes[self[token].offset] == UInt8(ascii: "$"), self[token].range.count > 1,
                !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[self[token].offset + 1])
            {
                // `$note.body`, and what may come after it such as `.bound`.
                var last = token
                while self[last + 1].kind == .dot, self[last + 2].kind == .identifier, last < token + 8 {
                    last += 2
                    insert(last)
                }
                if last == token { insert(token) }
            } else if self[token + 1].word == .assign, self[token - 1].kind == .dot {
                // `Binding(get: …, set: { note.body = $0 })`
                insert(token)
            }
        }
    }

    /// Follows variables of which something is known to the properties that are given their values.
    mutating func followCopies() {
        guard !facts.longEdits.isEmpty || !facts.encodings.isEmpty else { return }
        let encodings = Dictionary(facts.encodings.map { ($0.property, $0) }) { first, _ in first }
        for token in tokens.indices.dropFirst(2) where tokens[token].kind == .identifier {
            let isAssigned = tokens[token - 1].word == .assign
            guard isAssigned || tokens[token - 1].kind == .colon, tokens[token - 2].kind == .identifier else { continue }
            // The value is the name alone.
            let after = self[token + 1]
            guard after.isFirstOfLine || after.kind == .comma || after.isClosing else { continue }
            let isLocal = isAssigned && (self[token - 3].word == .let || self[token - 3].word == .var)
            let text = name(token)
            guard !isLocal, text != name(token - 2) || !isAssigned else { continue }
            if facts.longEdits.contains(text) { facts.longEdits.insert(name(token - 2)) }
            if let encoding = encodings[text], facts.encodings.count < 10_000 {
                let callee = isAssigned ? nil : callee(of: token - 2)
                facts.encodings.append(
                    SwiftFacts.Encoding(
                        property: name(token - 2), owner: callee, isMember: self[token - 3].kind == .dot,
                        type: encoding.type))
            }
        }
    }

    // MARK: Numbers

    /// Finds the classes of objects whose properties are counted up: by the last declaration of the name before.
    mutating func findTypesOfIncrements() {
        guard !incremented.isEmpty else { return }
        let wanted = Set(incremented.map { hash($0.object) })
        var declared: [Int: [(token: Int, type: Int)]] = [:]
        for token in tokens.indices.dropLast(2) where tokens[token].kind == .identifier && wanted.contains(hash(token)) {
            var type = token + 2
            if tokens[token + 1].kind == .colon {
                while self[type].word == .inout || self[type].word == .any || self[type].kind == .at { type += 1 }
            } else if tokens[token + 1].word != .assign || parenthesis(token + 2) == nil || tokens[token - 1].kind == .dot {
                continue
            }
            while self[type + 1].kind == .dot, self[type + 2].kind == .identifier, self[type + 2].word != .`init` { type += 2 }
            guard self[type].kind == .identifier, name(type).first?.isUppercase == true else { continue }
            declared[hash(token), default: []].append((token, type))
        }
        for (increment, object) in incremented {
            let all = declared[hash(object), default: []]
            var (low, high) = (0, all.count)
            while low < high {
                let middle = (low + high) / 2
                if all[middle].token < object { low = middle + 1 } else { high = middle }
            }
            // A property may be declared behind.
            let found = low > 0 ? all[low - 1] : all.first
            facts.increments[increment].type = found.map { name($0.type) }
        }
    }
}
