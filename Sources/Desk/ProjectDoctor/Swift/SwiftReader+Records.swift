extension SwiftWalker {
    /// A local variable that may be a record.
    struct RecordVariable {
        /// The uses that say of which type the records are that it is given.
        var uses: [Int] = []
        /// Whether it is given nothing else.
        var isKnown = true
    }

    /// A local variable that may hold a record or anything else.
    static let unknownVariable = -1
    /// A variable that is a record as the file's declarations tell.
    static let declaredVariable = -3
    /// A variable that is no record.
    static let foreignVariable = -2

    // MARK: Records

    /// Reads the `CKRecord` at `index`.
    mutating func readRecord() {
        namesRecords = true
        if parenthesis(index) != nil {
            if let name = assigneeToken(index - 1) { recordNames.insert(hash(name)) }
            let count = facts.uses.count
            readIdentifier(.recordType, label: "recordType")
            guard let variable = awaitedRecords.removeValue(forKey: index) else { return }
            if facts.uses.count > count { recordVariables[variable].uses.append(count) } else { recordVariables[variable].isKnown = false }
        } else if self[index + 1].kind != .dot {
            let type = self[index - 1].word == .inout ? index - 1 : index
            if self[type - 1].kind == .colon, self[type - 2].kind == .identifier { recordNames.insert(hash(type - 2)) }
        }
    }

    func isDeclaredRecord(_ base: Int) -> Bool { recordNames.contains(hash(base)) }

    // MARK: Variables

    /// Brings a local name into sight, which hides those of that name around it.
    mutating func declareRecord(_ name: Int, _ variable: Int) {
        guard hasRecords, self[name].kind == .identifier else { return }
        let hash = hash(name)
        recordsInSight[hash, default: []].append(variable)
        recordOrder.append(hash)
    }

    /// Declares the local variable of a name, by its type and what it is given.
    mutating func declareRecord(_ name: Int, type: Range<Int>, equals: Int) {
        guard hasRecords else { return }
        let isRecord = type.contains { self[$0].word == .ckRecord }
        if self[equals].word == .assign, let call = newRecord(equals + 1) {
            declareRecord(name, addVariable())
            awaitedRecords[call] = recordVariables.count - 1
        } else if self[equals].word == .assign, self[equals + 1].kind == .identifier, endOfExpression(equals + 1, limit: 1) == equals + 2 {
            // Another name for the same record.
            declareRecord(name, recordsInSight[hash(equals + 1)]?.last ?? Self.declaredVariable)
        } else if self[equals].word == .assign, isRecord || holdsRecord(equals + 1) {
            declareRecord(name, Self.declaredVariable)
        } else if self[equals].word == .assign {
            let isForeign = !type.isEmpty || self[equals + 1].kind == .openBracket
            declareRecord(name, isForeign ? Self.foreignVariable : Self.unknownVariable)
        } else if type.isEmpty {
            // `if let record`: what it was.
            declareRecord(name, recordsInSight[hash(name)]?.last ?? Self.declaredVariable)
        } else {
            declareRecord(name, isRecord ? addVariable() : Self.foreignVariable)
        }
    }

    /// Declares the names of the pattern at `index`: `let .found(record)` or `let (record, date)`.
    mutating func declarePattern() {
        guard hasRecords else { return }
        var open = index + 1
        while self[open].kind == .dot || self[open].kind == .identifier, open < index + 8 { open += 1 }
        guard self[open].kind == .openParenthesis else { return }
        for token in open..<min(Int(self[open].partner), open + 64) { declareRecord(token, Self.unknownVariable) }
    }

    /// Declares the parameters of the function whose body begins.
    mutating func declareParameters(_ open: Int) {
        guard hasRecords, self[open].kind == .openParenthesis else { return }
        for argument in arguments(open) where argument.label >= 0 || self[argument.value.lowerBound + 1].kind == .identifier {
            // `record: CKRecord`, or `to record: CKRecord`.
            let name = argument.label >= 0 ? argument.label : argument.value.lowerBound + 1
            let isForeign = !argument.value.contains { self[$0].word == .ckRecord }
            declareRecord(name, isForeign ? Self.foreignVariable : Self.declaredVariable)
        }
    }

    mutating func forgetRecords(until count: Int) {
        while recordOrder.count > count, let hash = recordOrder.popLast() {
            recordsInSight[hash]?.removeLast()
            if recordsInSight[hash]?.isEmpty == true { recordsInSight[hash] = nil }
        }
    }

    /// Reads the assignment to a variable at the `=` at `index`.
    mutating func assignRecord() {
        let name = index - 1
        guard hasRecords, self[name].kind == .identifier, self[name - 1].kind != .dot, assigneeToken(index) == name,
            !bindings.suffix(8).contains(where: { $0.equals == index }), let variable = recordsInSight[hash(name)]?.last, variable >= 0
        else { return }
        if let call = newRecord(index + 1) { awaitedRecords[call] = variable } else { recordVariables[variable].isKnown = false }
    }

    /// Takes note that the variable of a name may be given anything.
    mutating func loseRecord(_ name: Int) {
        if hasRecords, let variable = recordsInSight[hash(name)]?.last, variable >= 0 { recordVariables[variable].isKnown = false }
    }

    /// Whether a value names `CKRecord` itself: a call that makes one, or a cast to one.
    private func holdsRecord(_ start: Int) -> Bool {
        (start..<max(start, endOfExpression(start, limit: 64))).contains { token in
            self[token].word == .ckRecord && (parenthesis(token) != nil || self[token - 1].word == .as)
        }
    }

    private mutating func addVariable() -> Int {
        recordVariables.append(RecordVariable())
        return recordVariables.count - 1
    }

    /// The `CKRecord` of an expression that makes one and nothing else.
    private func newRecord(_ start: Int) -> Int? {
        guard self[start].word == .ckRecord, let open = parenthesis(start) else { return nil }
        return endOfExpression(start) == Int(self[open].partner) + 1 ? start : nil
    }

    /// Gives the keys of records what became known of their variables.
    mutating func resolveRecords() {
        let types = recordVariables.map { variable -> (name: String, isSpelled: Bool)? in
            let uses = variable.isKnown ? variable.uses.map { facts.uses[$0] } : []
            guard let name = uses.first?.detail, uses.allSatisfy({ $0.detail == name }) else { return nil }
            return (name, uses.allSatisfy(\.isSpelled))
        }
        for (use, base, variable) in recordKeys {
            let isDeclared = variable != Self.unknownVariable && isDeclaredRecord(base)
            facts.uses[use].field?.isDeclared = isDeclared
            guard variable >= 0, let type = types[variable] else { continue }
            facts.uses[use].field?.recordType = type.name
            facts.uses[use].field?.isTypeSpelled = type.isSpelled
        }
    }

    // MARK: Keys

    /// Reads `record.setValue(value, forKey: key)` at the name of the method.
    mutating func readKeyedValue() {
        guard self[index - 1].kind == .dot, self[index + 1].kind == .openParenthesis, let base = baseName(index - 2) else { return }
        let list = arguments(index + 1)
        guard let key = list.first(where: { $0.label >= 0 && self[$0.label].word == .forKey }), let value = list.first?.value else {
            return
        }
        addRecordKey(key.value, base, value, isEncrypted: self[index - 2].word == .encryptedValues)
    }

    /// Reads `record[key] =` at the `=`.
    mutating func readSubscriptAssignment() {
        let close = index - 1
        let open = Int(self[close].partner)
        guard open > 0, !self[open].hasSpaceBefore, close - open > 1, close - open < 16, let base = baseName(open - 1) else { return }
        // A longer value tells nothing.
        let end = hasRecords ? endOfExpression(index + 1, limit: 64) : 0
        let value = index + 1..<(end - index > 64 ? index + 1 : max(index + 1, end))
        addRecordKey(open + 1..<close, base, value, isEncrypted: self[open - 1].word == .encryptedValues)
    }

    private mutating func addRecordKey(_ key: Range<Int>, _ base: Int, _ value: Range<Int>, isEncrypted: Bool) {
        // An index or a type is no key.
        guard let first = key.first, self[first].kind == .string || lastName(key) != nil else { return }
        addUse(.recordKey, detailOf: key, at: base)
        // `nil`, or `nil as String?`.
        let isNil = self[value.lowerBound].word == .nil && (value.count == 1 || self[value.lowerBound + 1].word == .as)
        facts.uses[facts.uses.count - 1].field = SwiftFacts.RecordField(
            valueTypes: fieldTypes(value), isEncrypted: isEncrypted, isRemoval: isNil, shape: shape(value, key: key))
        let variable = self[base - 1].kind == .dot ? Self.declaredVariable : recordsInSight[hash(base)]?.last ?? Self.declaredVariable
        recordKeys.append((facts.uses.count - 1, base, variable))
    }

    /// The name of the variable before a dot or bracket, without `encryptedValues` and the marks of optionals.
    private func baseName(_ token: Int) -> Int? {
        var token = token
        for _ in 0..<4 {
            if self[token].word == .question || self[token].word == .exclamation {
                token -= 1
            } else if self[token].word == .encryptedValues, self[token - 1].kind == .dot {
                token -= 2
            } else {
                break
            }
        }
        return self[token].kind == .identifier ? token : nil
    }

    // MARK: Values

    /// The types of a field that take the value at the head of an expression; nil where that does not tell.
    func typesOfHead(_ range: Range<Int>) -> Set<String>? {
        let cast = range.prefix(64).first { self[$0].word == .as }
        let value = range.lowerBound..<(cast ?? range.upperBound)
        guard let first = value.first, let last = value.last else { return nil }
        let head = self[first]
        switch head.kind {
        case .string where first == last: return ["STRING"]
        case .number where first == last: return isFraction(first) ? ["DOUBLE"] : ["INT64", "DOUBLE"]
        case .symbol where head.word == .minus && first + 1 == last && self[last].kind == .number:
            return isFraction(last) ? ["DOUBLE"] : ["INT64", "DOUBLE"]
        case .identifier where first == last && (head.word == .true || head.word == .false): return ["INT64", "DOUBLE"]
        case .openBracket where Int(head.partner) == last && value.count > 2:
            let isList = value.dropFirst().dropLast().allSatisfy { self[$0].kind == .string || self[$0].kind == .comma }
            return isList ? ["LIST<STRING>"] : nil
        case .identifier: break
        default: return nil
        }
        // A call of an initializer and nothing behind it.
        let text = name(first)
        if text == "Date", value.count == 3, name(last) == "now" { return ["TIMESTAMP"] }
        let open = text == "CKRecord" && spells(first + 2, "Reference") ? first + 3 : first + 1
        guard self[open].kind == .openParenthesis, Int(self[open].partner) == last else { return nil }
        return switch text {
        case "Date": ["TIMESTAMP"]
        case "String": ["STRING"]
        case "CKAsset": ["ASSET"]
        case "CKRecord": open > first + 1 ? ["REFERENCE"] : nil
        case "CLLocation": ["LOCATION"]
        default: nil
        }
    }

    private func isFraction(_ number: Int) -> Bool {
        let bytes = bytes[self[number].range]
        return bytes.contains(UInt8(ascii: ".")) && !bytes.contains(UInt8(ascii: "x"))
    }
}
