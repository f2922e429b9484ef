import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds every mutant of one source file.
final class MutantFinder: SyntaxVisitor {
    private let file: String
    private let bytes: [UInt8]
    private let lines: [Substring]
    private let converter: SourceLocationConverter
    private(set) var mutants: [Mutant] = []

    /// Returns every mutant of a file, in the order of the syntax tree.
    static func mutants(of file: String, source: String) -> [Mutant] {
        let parsed = Parser.parse(source: source)
        // An operator without a known precedence is left unfolded, and is then no operator that is changed.
        let tree = OperatorTable.standardOperators.foldAll(parsed) { _ in }
        let finder = MutantFinder(file: file, source: source, tree: tree)
        finder.walk(tree)
        return finder.mutants
    }

    private init(file: String, source: String, tree: Syntax) {
        self.file = file
        bytes = Array(source.utf8)
        lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        converter = SourceLocationConverter(fileName: file, tree: tree)
        super.init(viewMode: .sourceAccurate)
    }

    // MARK: Adding

    private func range(_ node: some SyntaxProtocol) -> Range<Int> {
        node.positionAfterSkippingLeadingTrivia.utf8Offset..<node.endPositionBeforeTrailingTrivia.utf8Offset
    }

    private func text(_ node: some SyntaxProtocol) -> String { node.trimmedDescription }

    private func add(_ mutation: String, at node: some SyntaxProtocol, _ form: Mutant.Form) {
        let line = converter.location(for: node.positionAfterSkippingLeadingTrivia).line
        let source = lines[line - 1].drop { $0 == " " }
        let words = mutation.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        mutants.append(Mutant(file: file, range: range(node), line: line, source: String(source), mutation: words, form: form))
    }

    private func makeTrue(_ node: some SyntaxProtocol) {
        add("always true: \(text(node))", at: node, .wrap("((", ") || \(Mutant.token))"))
    }

    private func makeFalse(_ node: some SyntaxProtocol) {
        add("always false: \(text(node))", at: node, .wrap("((", ") && !\(Mutant.token))"))
    }

    private func negate(_ node: some SyntaxProtocol) {
        add("negated: \(text(node))", at: node, .wrap("((", ") != \(Mutant.token))"))
    }

    private func choose(_ mutated: String, for node: some SyntaxProtocol) {
        add("\(text(node)) becomes \(mutated)", at: node, .choose(mutated))
    }

    // MARK: What is left alone

    /// Other platforms' branches, and conditions of compilation.
    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    /// The sentences of errors.
    override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: ThrowStmtSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: AttributeListSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    /// A public function's default cannot ask an internal question.
    override func visit(_ node: FunctionParameterClauseSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    /// A pattern is no expression.
    override func visit(_ node: SwitchCaseItemSyntax) -> SyntaxVisitorContinueKind {
        if let clause = node.whereClause { mutate(clause) }
        return .skipChildren
    }

    // MARK: Conditions

    override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
        let isLoop = node.parent?.parent?.is(WhileStmtSyntax.self) == true
        switch node.condition {
        case .expression(let condition):
            // A loop that never ends is noticed, slowly.
            if !isLoop { makeTrue(condition) }
            makeFalse(condition)
        case .matchingPattern, .optionalBinding:
            add("never: \(text(node.condition))", at: node.condition, .wrap("!\(Mutant.token), ", ""))
        default: return .skipChildren
        }
        return .visitChildren
    }

    override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
        mutate(node)
        return .visitChildren
    }

    private func mutate(_ clause: WhereClauseSyntax) {
        makeTrue(clause.condition)
        makeFalse(clause.condition)
    }

    override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
        negate(node.condition)
        return .visitChildren
    }

    override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        if node.operator.text == "!", node.parent?.is(ConditionElementSyntax.self) != true { negate(node) }
        return .visitChildren
    }

    // MARK: Operators

    private static let exchanged = [
        "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "===": "!==", "!==": "===", "+": "-", "-": "+", "&+": "&-",
        "&-": "&+", "+=": "-=", "-=": "+=",
    ]

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard let name = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else { return .visitChildren }
        let (left, right) = (node.leftOperand, node.rightOperand)
        switch name {
        case "&&":
            makeTrue(left)
            makeTrue(right)
        case "||":
            makeFalse(left)
            makeFalse(right)
        case "??":
            if !text(right).hasPrefix("[") { choose(text(right), for: node) }
        case "+=", "-=":
            guard let other = Self.exchanged[name], node.parent?.is(CodeBlockItemSyntax.self) == true, !isOfText(node) else { break }
            let mutated = "\(text(left)) \(other) \(text(right))"
            add("\(text(node)) becomes \(mutated)", at: node, .wrap("if \(Mutant.token) { \(mutated) } else { ", " }"))
        default:
            guard let other = Self.exchanged[name], !isOfText(node) else { break }
            choose("\(text(left)) \(other) \(text(right))", for: node)
        }
        return .visitChildren
    }

    /// Strings and lists are appended, not added.
    private func isOfText(_ node: InfixOperatorExprSyntax) -> Bool {
        guard let name = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text, "+-&".contains(name.prefix(1)) else {
            return false
        }
        return text(node).contains { $0 == "\"" || $0 == "[" } || text(node).contains("String")
    }

    // MARK: Values

    override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        let isCapacity = node.parent?.as(LabeledExprSyntax.self)?.label?.text == "keepingCapacity"
        if !isCapacity { choose(node.literal.text == "true" ? "false" : "true", for: node) }
        return .skipChildren
    }

    override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        // One more of a size or a time is the same size or time.
        if let value = Int(node.literal.text.replacing("_", with: "")), value < 100 { choose("\(value + 1)", for: node) }
        return .skipChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let callee = text(node.calledExpression)
        if let other = ["max": "min", "min": "max"][callee] {
            choose(other + text(node).dropFirst(callee.count), for: node)
        } else if let member = node.calledExpression.as(MemberAccessExprSyntax.self), let base = member.base,
            let other = ["max": "min", "min": "max", "first": "last", "last": "first"][member.declName.baseName.text]
        {
            let rest = text(node).dropFirst(text(member).count)
            choose("\(text(base)).\(other)\(rest)", for: node)
        }
        if callee.hasSuffix("reserveCapacity") { return .skipChildren }
        let isSentence = ["SyncLayerError", "AuditLogError", "precondition", "preconditionFailure"].contains(callee)
        return isSentence ? .skipChildren : .visitChildren
    }

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        let name = node.declName.baseName.text
        if node.base == nil, let other = ["process": ".power", "power": ".process"][name] {
            choose(other, for: node)
        } else if let base = node.base, let other = ["first": "last", "last": "first"][name],
            node.parent?.is(FunctionCallExprSyntax.self) != true, node.parent?.is(OptionalChainingExprSyntax.self) != true
        {
            choose("\(text(base)).\(other)", for: node)
        }
        return .visitChildren
    }

    // MARK: Statements

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        switch node.item {
        case .expr(let expression):
            if isRemovable(expression), mayLack(node) {
                add("removed: \(text(expression))", at: expression, .wrap("if !\(Mutant.token) { ", " }"))
            } else if let type = returnType(of: node), !isStatement(expression) {
                mutateResult(expression, type: type)
            }
        case .stmt(let statement):
            if let deferred = statement.as(DeferStmtSyntax.self) {
                let body = deferred.body.statements
                add("removed: \(text(deferred))", at: body, .wrap("if !\(Mutant.token) { ", " }"))
            }
        default: break
        }
        return .visitChildren
    }

    override func visit(_ node: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
        guard let expression = node.expression, let type = enclosingReturnType(of: Syntax(node)) else { return .visitChildren }
        if type.is(OptionalTypeSyntax.self), !expression.is(NilLiteralExprSyntax.self) {
            add("returns nil: \(text(node))", at: node, .wrap("if \(Mutant.token) { return nil }; ", ""))
        } else if type.is(ArrayTypeSyntax.self), text(expression) != "[]" {
            add("returns []: \(text(node))", at: node, .wrap("if \(Mutant.token) { return [] }; ", ""))
        } else if text(type) == "Bool", !expression.is(BooleanLiteralExprSyntax.self), !isStatement(expression) {
            negate(expression)
        }
        return .visitChildren
    }

    private func mutateResult(_ expression: ExprSyntax, type: TypeSyntax) {
        if type.is(OptionalTypeSyntax.self), !expression.is(NilLiteralExprSyntax.self) {
            choose("nil", for: expression)
        } else if type.is(ArrayTypeSyntax.self), text(expression) != "[]" {
            choose("[]", for: expression)
        } else if text(type) == "Bool", !expression.is(BooleanLiteralExprSyntax.self) {
            negate(expression)
        }
    }

    private func isStatement(_ expression: ExprSyntax) -> Bool {
        expression.is(IfExprSyntax.self) || expression.is(SwitchExprSyntax.self) || expression.is(TryExprSyntax.self)
            || expression.is(UnsafeExprSyntax.self)
    }

    /// Whether an expression is there for its effect.
    private func isRemovable(_ expression: ExprSyntax) -> Bool {
        if let inner = expression.as(TryExprSyntax.self) { return isRemovable(inner.expression) }
        if let inner = expression.as(AwaitExprSyntax.self) { return isRemovable(inner.expression) }
        if let inner = expression.as(UnsafeExprSyntax.self) { return isRemovable(inner.expression) }
        if let chain = expression.as(FunctionCallExprSyntax.self) {
            let callee = text(chain.calledExpression)
            return !callee.hasSuffix("reserveCapacity") && !callee.hasSuffix(".init")
                && !["preconditionFailure", "fatalError"].contains(callee)
        }
        guard let infix = expression.as(InfixOperatorExprSyntax.self) else { return expression.is(OptionalChainingExprSyntax.self) }
        if let name = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text {
            return ["+=", "-=", "^=", "|=", "&="].contains(name)
        }
        // What an initializer does not set is no value.
        return infix.operator.is(AssignmentExprSyntax.self) && !isInInitializer(Syntax(infix))
    }

    private func isInInitializer(_ node: Syntax) -> Bool {
        var node = node
        while let parent = node.parent {
            if parent.is(InitializerDeclSyntax.self) { return true }
            if parent.is(FunctionDeclSyntax.self) || parent.is(ClosureExprSyntax.self) { return false }
            node = parent
        }
        return false
    }

    /// Whether what is around a statement does not need its value.
    private func mayLack(_ item: CodeBlockItemSyntax) -> Bool {
        guard let list = item.parent?.as(CodeBlockItemListSyntax.self), let around = list.parent else { return false }
        if list.count > 1 { return true }
        guard let owner = around.as(CodeBlockSyntax.self)?.parent else { return around.is(SwitchCaseSyntax.self) }
        if let function = owner.as(FunctionDeclSyntax.self) { return function.signature.returnClause == nil }
        if owner.is(IfExprSyntax.self) {
            return owner.parent?.is(ExpressionStmtSyntax.self) == true || owner.parent?.is(CodeBlockItemSyntax.self) == true
        }
        return owner.is(ForStmtSyntax.self) || owner.is(WhileStmtSyntax.self) || owner.is(DoStmtSyntax.self)
            || owner.is(CatchClauseSyntax.self)
    }

    /// The type that the only expression of a body gives.
    private func returnType(of item: CodeBlockItemSyntax) -> TypeSyntax? {
        guard let list = item.parent?.as(CodeBlockItemListSyntax.self), list.count == 1, let around = list.parent else { return nil }
        if let accessors = around.as(AccessorBlockSyntax.self) {
            return accessors.parent?.as(PatternBindingSyntax.self)?.typeAnnotation?.type
        }
        return around.as(CodeBlockSyntax.self)?.parent?.as(FunctionDeclSyntax.self)?.signature.returnClause?.type
    }

    private func enclosingReturnType(of node: Syntax) -> TypeSyntax? {
        var node = node
        while let parent = node.parent {
            if parent.is(ClosureExprSyntax.self) || parent.is(InitializerDeclSyntax.self) || parent.is(SubscriptDeclSyntax.self) {
                return nil
            }
            if let function = parent.as(FunctionDeclSyntax.self) { return function.signature.returnClause?.type }
            if let binding = parent.as(PatternBindingSyntax.self) { return binding.typeAnnotation?.type }
            node = parent
        }
        return nil
    }
}
