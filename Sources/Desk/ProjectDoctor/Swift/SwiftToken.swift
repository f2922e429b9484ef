/// A token of a Swift source: which kind it is and which bytes it has.
struct SwiftToken {
    enum Kind: UInt8 {
        case identifier, number, string, regex, symbol
        case openBrace, closeBrace, openParenthesis, closeParenthesis, openBracket, closeBracket
        case comma, colon, semicolon, dot, at, backslash
        /// `#name`: a macro, or a directive that is no condition.
        case macro
        /// `#if`, `#elseif`, `#else` and `#endif`.
        case condition
        /// The end of the file.
        case end
    }

    let start: Int32
    let end: Int32
    /// Of a bracket the index of the one that it belongs to; of an opening one without a partner the token that ends it.
    var partner: Int32 = -1
    let kind: Kind
    /// Which word or symbol it is, of those that the reader looks for; of macros and conditions the word after `#`.
    let word: SwiftWord
    /// Whether it is the first token of its line.
    let isFirstOfLine: Bool
    /// Whether white space or a comment comes before it.
    let hasSpaceBefore: Bool

    /// The byte at which it begins.
    var offset: Int { Int(start) }
    var range: Range<Int> { Int(start)..<Int(end) }

    var isOpening: Bool { kind == .openBrace || kind == .openParenthesis || kind == .openBracket }
    var isClosing: Bool { kind == .closeBrace || kind == .closeParenthesis || kind == .closeBracket }
}
