import FileFormats

/// The brackets that are open while a file is split into tokens.
///
/// A branch of `#if` begins with the brackets that were open before the `#if`, and those of the first branch are open after the `#endif`:
/// both branches may open a brace that is closed once. Openers are linked to the one around them, so that going back costs nothing.
struct SwiftBrackets {
    private struct Opener {
        let token: Int
        /// The opener around it, -1 for none.
        let parent: Int
        /// How many braces are open, this one included.
        let braces: Int
    }

    private struct Condition {
        let token: Int
        let before: Int
        /// What was open at the end of the first branch, nil while that branch is not over.
        var afterFirst: Int?
        /// The opener count at which the branch began.
        var branch: Int
    }

    private var openers: [Opener] = []
    private var innermost = -1
    private var conditions: [Condition] = []
    private(set) var problems: [FormatError] = []

    private static let problemLimit = 100

    private mutating func report(_ offset: Int, _ sentence: String) {
        if problems.count < Self.problemLimit { problems.append(FormatError(at: offset, sentence)) }
    }

    mutating func open(_ index: Int, isBrace: Bool) {
        let braces = innermost >= 0 ? openers[innermost].braces : 0
        openers.append(Opener(token: index, parent: innermost, braces: braces + (isBrace ? 1 : 0)))
        innermost = openers.count - 1
    }

    /// Joins the last token, which is closing, with the opener that it ends.
    ///
    /// A brace ends everything inside it; another closer that does not fit is left without a partner.
    mutating func close(_ tokens: inout [SwiftToken], _ kind: SwiftToken.Kind) {
        let index = tokens.count - 1
        let opening: SwiftToken.Kind = kind == .closeBrace ? .openBrace : kind == .closeParenthesis ? .openParenthesis : .openBracket
        if kind == .closeBrace, innermost >= 0, openers[innermost].braces > 0 {
            while innermost >= 0, tokens[openers[innermost].token].kind != .openBrace {
                let unclosed = openers[innermost]
                tokens[unclosed.token].partner = Int32(index)
                report(tokens[unclosed.token].offset, "this bracket is not closed before the brace that ends it")
                innermost = unclosed.parent
            }
        }
        guard innermost >= 0, tokens[openers[innermost].token].kind == opening else {
            report(tokens[index].offset, "nothing is open that this bracket could close")
            return
        }
        let opener = openers[innermost]
        tokens[opener.token].partner = Int32(index)
        tokens[index].partner = Int32(opener.token)
        innermost = opener.parent
    }

    /// Goes on after the last token, which is `#if`, `#elseif`, `#else` or `#endif`.
    mutating func turn(_ tokens: inout [SwiftToken], _ word: SwiftWord) {
        let index = tokens.count - 1
        if word == .if {
            conditions.append(Condition(token: index, before: innermost, afterFirst: nil, branch: openers.count))
            return
        }
        guard var condition = conditions.popLast() else {
            report(tokens[index].offset, "no #if is open here")
            return
        }
        if condition.afterFirst != nil { end(&tokens, since: condition.branch, at: index) }
        if word == .endif {
            innermost = condition.afterFirst ?? innermost
            return
        }
        condition.afterFirst = condition.afterFirst ?? innermost
        condition.branch = openers.count
        innermost = condition.before
        conditions.append(condition)
    }

    /// Ends the openers that a branch after the first left open.
    private mutating func end(_ tokens: inout [SwiftToken], since branch: Int, at index: Int) {
        while innermost >= branch {
            tokens[openers[innermost].token].partner = Int32(index)
            innermost = openers[innermost].parent
        }
    }

    /// Ends everything that is open at the last token, the end of the file.
    mutating func finish(_ tokens: inout [SwiftToken]) {
        if let condition = conditions.first { report(tokens[condition.token].offset, "this #if has no #endif") }
        var outermost: Int?
        while innermost >= 0 {
            outermost = openers[innermost].token
            tokens[openers[innermost].token].partner = Int32(tokens.count - 1)
            innermost = openers[innermost].parent
        }
        if let outermost { report(tokens[outermost].offset, "this bracket is not closed") }
        // Those of a branch that no #endif ended.
        for opener in openers where tokens[opener.token].partner < 0 { tokens[opener.token].partner = Int32(tokens.count - 1) }
    }
}
