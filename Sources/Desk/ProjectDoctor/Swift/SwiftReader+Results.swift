import FileFormats

extension SwiftWalker {
    /// The facts, once the end of the file is reached.
    mutating func finish() -> SwiftFacts {
        if plans.count == 1 { plans[0].stages += looseStages }
        facts.schemas = schemas.map {
            SwiftFacts.SchemaVersion(
                name: name($0.name), context: $0.context, models: $0.models, qualifiers: $0.qualifiers, version: $0.version)
        }
        facts.plans = plans.map {
            SwiftFacts.MigrationPlan(name: name($0.name), context: $0.context, schemas: $0.schemas, customStages: $0.stages.sorted())
        }
        resolve()
        resolveRecords()
        dropForeignKeys()
        findMentions()
        findTypesOfIncrements()
        followCopies()
        facts.problems.sort { $0.offset < $1.offset }
        return facts
    }

    /// Fills in the details that are constants of the file.
    private mutating func resolve() {
        guard !unresolved.isEmpty else { return }
        /// Values by the hash of their name; nil where several differ or one is unknown.
        var all: [Int: Value?] = [:]
        var members: [Int: Value?] = [:]
        for constant in constants {
            let (hash, value) = (hash(constant.name), value(constant.value))
            // `let containerID = Constants.containerID` says nothing of its own.
            if value == .name(hash) { continue }
            Self.add(value, hash, to: &all)
            if constant.isMember { Self.add(value, hash, to: &members) }
        }
        for (use, name, isMember) in unresolved {
            var found = (isMember ? members : all)[hash(name)] ?? nil
            // A constant may be given another one; a few steps are enough and end where they go in a circle.
            for _ in 0..<4 {
                guard case .name(let hash)? = found else { break }
                found = members[hash] ?? nil
            }
            guard case .literal(let detail)? = found else { continue }
            facts.uses[use].detail = detail
        }
    }

    private mutating func findMentions() {
        var mentions: [UInt32] = []
        for token in tokens.indices.dropLast() where tokens[token].kind == .identifier && tokens[token].word != .`init` {
            let isCalled = tokens[token + 1].kind == .openParenthesis
            let before = self[token - 1].word
            let isType = before == .extension || before == .class || before == .enum || before == .struct
            if isCalled || isType || before == .func || before == .let || before == .var || self[token - 1].kind == .comma {
                mentions.append(UInt32(truncatingIfNeeded: hash(token)))
            }
        }
        facts.mentions = Set(mentions).sorted()
    }

    private enum Value: Equatable {
        case literal(String)
        /// The hash of a name.
        case name(Int)
    }

    private func value(_ token: Int) -> Value? {
        guard token >= 0 else { return nil }
        return self[token].kind == .identifier ? .name(hash(token)) : literal(token).map(Value.literal)
    }

    private static func add(_ value: Value?, _ hash: Int, to values: inout [Int: Value?]) {
        if let known = values[hash] {
            if known != value { values.updateValue(nil, forKey: hash) }
        } else {
            values.updateValue(value, forKey: hash)
        }
    }

    /// Leaves out keys of what is no record: the variable must be declared as one, or be named for it in a file about records.
    private mutating func dropForeignKeys() {
        let foreign = Set(recordKeys.filter { $0.variable == Self.foreignVariable || !isRecord($0.base) }.map(\.use))
        guard !foreign.isEmpty else { return }
        facts.uses = facts.uses.enumerated().filter { !foreign.contains($0.offset) }.map(\.element)
    }

    private func isRecord(_ base: Int) -> Bool {
        if isDeclaredRecord(base) { return true }
        guard namesRecords else { return false }
        return name(base).hasSuffix("ecord")
    }
}
