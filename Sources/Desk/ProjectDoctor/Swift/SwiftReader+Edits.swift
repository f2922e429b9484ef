extension SwiftWalker {
    private static let editLimit = 4096

    /// Reads `object.property = value` at the `=` at `index`.
    mutating func readEdit() {
        guard isOfForm else { return }
        if isNew(index + 1), let name = assigneeToken(index), let scope = scopes.last { return addEdit(name, nil, group: group(scope)) }
        let property = index - 1
        guard self[property].kind == .identifier, self[property - 1].kind == .dot else { return }
        var object = property - 2
        if self[object].word == .question || self[object].word == .exclamation { object -= 1 }
        guard self[object].kind == .identifier, self[object].word != .`self`, self[object - 1].kind != .colon,
            let scope = scopes.last, scope.kind != .type
        else { return }
        addEdit(object, property, group: group(scope))
    }

    private static let formFunctions: [[UInt8]] =
        ["save", "commit", "done", "submit", "edit", "apply", "toggle", "pin", "rename", "set"].map { Array($0.utf8) }

    /// Whether a person edits here, as far as names tell: a view's closures, and functions that save.
    ///
    /// What imports, restores or decodes a record sets all of it.
    private var isOfForm: Bool {
        guard let scope = scopes.last, scope.kind != .type else { return false }
        guard scope.member >= 0, !spells(scope.member, "body") else { return true }
        let member = bytes[self[scope.member].range]
        return Self.formFunctions.contains { member.starts(with: $0) }
    }

    /// The end of what is one group of edits: a function, but in a view's body each closure.
    private func group(_ scope: Scope) -> Int {
        let isBody = scope.member < 0 || spells(scope.member, "body")
        return isBody ? scope.end : scopes.last { $0.kind == .function }?.end ?? scope.end
    }

    /// Whether an expression makes an object: a call of what is named as a type is.
    private func isNew(_ start: Int) -> Bool {
        guard self[start].kind == .identifier, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[self[start].offset]) else {
            return false
        }
        var last = start
        while self[last + 1].kind == .dot, self[last + 2].kind == .identifier, last < start + 8 { last += 2 }
        return self[last + 1].kind == .openParenthesis
    }

    /// Reads `$object.property` at its first name at `index`: a control of a form.
    mutating func readBoundEdit() {
        // `$0` is a closure's argument.
        let first = self[index].offset + 1
        guard self[index].range.count > 1, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[first]), self[index + 1].kind == .dot,
            self[index + 2].kind == .identifier, self[index + 3].kind != .dot,
            let type = scopes.last(where: { $0.kind == .type })
        else { return }
        addEdit(index, index + 2, group: type.end)
    }

    private mutating func addEdit(_ object: Int, _ property: Int?, group: Int) {
        guard facts.edits.count < Self.editLimit else { return }
        facts.edits.append(
            SwiftFacts.Edit(
                object: name(object), property: property.map { name($0) }, group: self[group].offset, context: context(object)))
    }
}
