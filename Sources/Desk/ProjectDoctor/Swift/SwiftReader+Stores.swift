extension SwiftWalker {
    /// Reads the call of `NSPersistentStoreDescription` at `index`.
    mutating func readDescription() { addSetting(.description, assignee(index - 1)) }

    /// Reads the assignment to a property of a description or of a container at its name.
    mutating func readStoreSetting(_ word: SwiftWord) {
        guard self[index - 1].kind == .dot, self[index + 1].word == .assign else { return }
        let value = index + 2
        var base = index - 2
        if self[base].word == .question || self[base].word == .exclamation { base -= 1 }
        let name = self[base].kind == .identifier && self[base - 1].kind != .dot ? name(base) : nil
        switch word {
        case .cloudKitContainerOptions: addSetting(.cloudKit(self[value].word != .nil), name)
        case .configuration: if name != nil { addSetting(.configuration(literal(value)), name) }
        default:
            let isList = self[value].kind == .openBracket && endOfExpression(value) == Int(self[value].partner) + 1
            let elements = isList ? arguments(value).map { $0.value.count == 1 ? lastName($0.value).map { self.name($0) } : nil } : [nil]
            addSetting(.list(elements.contains(nil) ? nil : elements.compactMap(\.self)), nil)
        }
    }

    private mutating func addSetting(_ kind: SwiftFacts.StoreSetting.Kind, _ name: String?) {
        // The body of a function, or of a property.
        let isBody = scopes.last?.kind == .function || scopes.last?.kind == .block && scopes.dropLast().last?.kind == .type
        let isUnconditional = isBody && conditions.isEmpty
        facts.storeSettings.append(
            SwiftFacts.StoreSetting(kind: kind, name: name, isUnconditional: isUnconditional, context: context(index)))
    }
}
