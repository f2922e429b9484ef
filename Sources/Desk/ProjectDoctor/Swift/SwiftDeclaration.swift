/// A function, variable or type that expressions may name, by the tokens of its file.
struct SwiftDeclaration {
    enum Kind { case function, variable, type }

    let kind: Kind
    /// The token of the name; `init` is that of an initializer.
    let name: Int
    /// The names of the types around it, outermost first; of a type itself included.
    let types: [String]
    /// The types that a type names after its colon.
    var conforms: [String] = []
    /// Empty where it has none.
    let type: Range<Int>
    /// The initial value, empty where there is none.
    let value: Range<Int>
    /// The braces of a function, a getter or a type, and what is between them; empty where there are none.
    let body: Range<Int>
    /// The parenthesis of the parameters, -1 where there is none.
    let parameters: Int
    /// Of a name in a tuple its position, else -1.
    var element = -1
    /// The token that ends where it is in sight.
    let end: Int
    /// Whether it is declared in a function.
    let isLocal: Bool
    let isPreview: Bool
    /// Whether no build for users has it.
    let isDead: Bool

    /// The tokens in which its parameters and local variables are in sight.
    var extent: Range<Int> { body.isEmpty ? value : body }
}

extension SwiftWalker {
    /// Keeps a declaration, where the file is read for them.
    mutating func declare(
        _ name: Int, _ kind: SwiftDeclaration.Kind, type: Range<Int>? = nil, value: Range<Int>? = nil, body: Range<Int>? = nil,
        parameters: Int = -1, types: [String]? = nil, conforms: [String] = [], element: Int = -1
    ) {
        guard keepsDeclarations else { return }
        let scope = scopes.last
        declarations.append(
            SwiftDeclaration(
                kind: kind, name: name, types: types ?? scope?.types ?? [], conforms: conforms, type: type ?? 0..<0, value: value ?? 0..<0,
                body: body ?? 0..<0, parameters: parameters, element: element, end: scope?.end ?? tokens.count, isLocal: !isTypeLevel,
                isPreview: scope?.isPreview ?? false, isDead: isDead))
    }

    mutating func declareType(_ name: Int, _ types: [String], _ conforms: [Int], _ body: Int) {
        guard keepsDeclarations else { return }
        declare(name, .type, body: body..<Int(self[body].partner) + 1, types: types, conforms: conforms.map { self.name($0) })
    }

    /// Keeps the variable of a loop, which is one of what it goes through.
    mutating func declareElement(_ name: Int) {
        guard keepsDeclarations else { return }
        var brace = name + 2
        while self[brace].kind != .openBrace, !self[brace].isClosing, self[brace].kind != .end, brace < name + 256 {
            brace = self[brace].isOpening ? max(brace, Int(self[brace].partner)) + 1 : brace + 1
        }
        if self[brace].kind == .openBrace { declare(name, .variable, value: name + 2..<brace) }
    }

    /// Keeps the names of `let (first, second) = value`, whose parenthesis is a token.
    mutating func declareTuple(_ open: Int) {
        let equals = Int(self[open].partner) + 1
        guard keepsDeclarations, self[equals].word == .assign else { return }
        let value = equals + 1..<max(equals + 1, endOfExpression(equals + 1))
        for (position, argument) in arguments(open).prefix(16).enumerated() where argument.value.count == 1 {
            declare(argument.value.lowerBound, .variable, value: value, element: position)
        }
    }
}
