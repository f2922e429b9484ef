extension SwiftWalker {
    /// An argument of a call: the tokens of its label and of its value.
    struct Argument {
        /// The token of the label, -1 where there is none.
        let label: Int
        let value: Range<Int>
    }

    /// The arguments between the parentheses of which the first is a token.
    func arguments(_ open: Int) -> [Argument] {
        let close = Int(self[open].partner)
        var list: [Argument] = []
        var start = open + 1
        var next = start
        while next <= close {
            let token = self[next]
            if next == close || token.kind == .comma {
                if next > start {
                    let isLabelled = self[start].kind == .identifier && self[start + 1].kind == .colon && start + 1 < next
                    list.append(Argument(label: isLabelled ? start : -1, value: (isLabelled ? start + 2 : start)..<next))
                }
                start = next + 1
            } else if token.isOpening {
                // What is not closed ends where the call does.
                next = min(Int(token.partner), close)
                if next == close { continue }
            } else if token.word == .less, !token.hasSpaceBefore {
                // The comma of `Pair<First, Second>` separates no arguments.
                let end = skipAngles(next, limit: 64)
                if end < close, self[end - 1].word == .greater { next = end - 1 }
            }
            next += 1
        }
        return list
    }

    /// The last name of a chain of names such as `Type.member` at the end of a range; nil for anything else.
    func lastName(_ range: Range<Int>) -> Int? {
        guard let last = range.last, self[last].kind == .identifier else { return nil }
        return last
    }

    private func label(_ argument: Argument) -> String? { argument.label >= 0 ? name(argument.label) : nil }

    // MARK: Attributes of properties

    /// `@Attribute(…)` with what another one before it says.
    func attribute(_ arguments: [Argument], _ at: Int, _ before: SwiftFacts.Attribute?) -> SwiftFacts.Attribute {
        var options = before?.options ?? []
        var transformer = before?.transformer
        var originalName = before?.originalName
        for argument in arguments {
            switch label(argument) {
            case "originalName"?: originalName = self.string(argument.value)
            case nil:
                // The name before the arguments, if any: `.transformable(by: …)`.
                let open = argument.value.first { self[$0].kind == .openParenthesis }
                guard let option = lastName(argument.value.lowerBound..<(open ?? argument.value.upperBound)) else { continue }
                options.append(name(option))
                if let open, let first = self.arguments(open).first { transformer = transformerName(first.value) }
            default: break
            }
        }
        return SwiftFacts.Attribute(
            offset: before?.offset ?? self[at].offset, options: options, transformer: transformer, originalName: originalName)
    }

    private func transformerName(_ range: Range<Int>) -> String {
        if let text = string(range) { return text }
        if range.count > 2, self[range.upperBound - 1].word == .`self`, self[range.upperBound - 2].kind == .dot {
            return compactText(range.dropLast(2))
        }
        return compactText(range)
    }

    /// The string literal that a range of tokens consists of.
    func string(_ range: Range<Int>) -> String? { range.count == 1 ? literal(range.lowerBound) : nil }

    /// `@Relationship(…)`.
    func relationship(_ arguments: [Argument], _ at: Int) -> SwiftFacts.Relationship {
        var deleteRule: String?
        var inverse: String?
        var originalName: String?
        for argument in arguments {
            let last = lastName(argument.value)
            switch label(argument) {
            case "deleteRule"?: deleteRule = last.map { name($0) }
            // The spelling of the first beta.
            case nil:
                if let last, ["cascade", "nullify", "deny", "noAction"].contains(name(last)) { deleteRule = name(last) }
            case "inverse"?: inverse = argument.value.last { self[$0].kind == .identifier }.map { name($0) }
            case "originalName"?: originalName = string(argument.value)
            default: break
            }
        }
        return SwiftFacts.Relationship(
            offset: self[at].offset, deleteRule: deleteRule, inverse: inverse, originalName: originalName)
    }

    // MARK: Constraints

    /// Reads the `#Unique<Type>([\.first, \.second], …)` at `index`.
    mutating func readUnique() {
        guard let scope = scopes.last, scope.kind == .type, scope.model >= 0 else { return }
        var open = index + 1
        if self[open].word == .less { open = skipAngles(open) }
        guard self[open].kind == .openParenthesis else {
            report(index, "the key paths of this #Unique could not be read")
            return
        }
        for argument in arguments(open) {
            let first = argument.value.lowerBound
            let paths = self[first].kind == .openBracket ? arguments(first).map(\.value) : [argument.value]
            let names = paths.compactMap(keyPath)
            if !names.isEmpty { facts.models[scope.model].unique.append((names: names, offset: self[index].offset)) }
        }
    }

    /// The names of a key path without the types before them.
    private func keyPath(_ range: Range<Int>) -> String? {
        guard self[range.lowerBound].kind == .backslash else { return nil }
        let names = range.filter { self[$0].kind == .identifier }.map { name($0) }
        let properties = names.drop { $0.first?.isUppercase ?? false }
        return properties.isEmpty ? names.last : properties.joined(separator: ".")
    }

    // MARK: Schemas and plans

    /// Gives the scope of a type the versioned schema or migration plan that it is, or that it extends.
    mutating func openSchema(
        _ scope: inout Scope, _ nameToken: Int, _ context: SwiftFacts.Context, isExtension: Bool, isSchema: Bool, isPlan: Bool
    ) {
        let hash = isExtension || isSchema || isPlan ? hash(nameToken) : 0
        if isExtension, let number = schemaNumbers[hash] {
            scope.schema = number
        } else if isSchema {
            scope.schema = schemas.count
            schemaNumbers[hash] = schemas.count
            schemas.append((nameToken, context, [], [:], []))
        }
        if isExtension, let number = planNumbers[hash] {
            scope.plan = number
        } else if isPlan {
            scope.plan = plans.count
            planNumbers[hash] = plans.count
            plans.append((nameToken, context, [], []))
        }
    }

    /// Reads what a member of a versioned schema or a migration plan is set to.
    mutating func readSchemaMember(_ member: Int, _ range: Range<Int>, _ scope: Scope) {
        switch self[member].word {
        case .models where scope.schema >= 0:
            schemas[scope.schema].models += typeNames(range, "model classes")
            for token in range where self[token].word == .`self` && self[token - 1].kind == .dot && self[token - 3].kind == .dot {
                schemas[scope.schema].qualifiers[name(token - 2)] = name(token - 4)
            }
        case .schemas where scope.plan >= 0: plans[scope.plan].schemas += typeNames(range, "schemas")
        case .versionIdentifier where scope.schema >= 0:
            let numbers = range.prefix(64).compactMap { self[$0].kind == .number ? Int(name($0)) : nil }
            schemas[scope.schema].version = numbers
            if numbers.isEmpty { report(member, "the numbers of this version could not be read") }
        default: break
        }
    }

    /// The last names before each `.self` of a range.
    private mutating func typeNames(_ range: Range<Int>, _ kind: String) -> [String] {
        var names: [String] = []
        var isUnknown = false
        for token in range where self[token].kind == .identifier && self[token + 1].kind != .dot {
            if self[token].word == .`self`, self[token - 1].kind == .dot, self[token - 2].kind == .identifier {
                names.append(name(token - 2))
            } else if self[token].word != .return, self[token].word != .get {
                isUnknown = true
            }
        }
        if isUnknown { report(range.lowerBound, "not all \(kind) of this list could be read") }
        return names
    }

    /// Reads the `custom` at `index`, which comes after a dot.
    mutating func readCustomStage() {
        guard self[index + 1].kind == .openParenthesis, self[index + 2].word == .fromVersion else { return }
        let start = self[index - 2].kind == .identifier && !self[index - 1].hasSpaceBefore ? index - 2 : index - 1
        if let plan = scopes.last?.plan, plan >= 0 {
            plans[plan].stages.append(self[start].offset)
        } else {
            looseStages.append(self[start].offset)
        }
    }
}
