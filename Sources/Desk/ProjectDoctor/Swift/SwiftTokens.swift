import FileFormats

/// The tokens of a Swift source, comments left out.
///
/// A string with all that is interpolated into it is one token. Nothing is copied: a token is a range of bytes.
///
/// - Complexity: O(*n*) in the bytes.
struct SwiftTokens {
    let bytes: [UInt8]
    private(set) var tokens: [SwiftToken] = []
    private(set) var problems: [FormatError] = []
    /// The byte that is looked at.
    var position = 0
    /// Searches for an end that once came to the end of the file in vain, and are not begun again.
    var isHopeless: Set<Hopeless> = []

    private var brackets = SwiftBrackets()
    private let words = SwiftWordTable.shared
    private var isFirstOfLine = true
    private var hasSpace = true

    /// What has no end in the rest of the file.
    enum Hopeless: Hashable { case multilineString(hashes: Int), interpolation, multilineRegex, comment }

    private static let problemLimit = 100

    init(_ bytes: [UInt8]) {
        // Offsets are kept in 32 bits.
        self.bytes = bytes.count < Int(Int32.max) ? bytes : []
        if bytes.count >= Int(Int32.max) { report(0, "the file is larger than two gigabytes") }
        tokens.reserveCapacity(self.bytes.count / 5 + 4)
        if byte(0) == 0xef, byte(1) == 0xbb, byte(2) == 0xbf { position = 3 }
        if byte(position) == UInt8(ascii: "#"), byte(position + 1) == UInt8(ascii: "!") { skipLine() }
        while position < self.bytes.count { scan() }
        append(.end, .none, position, position)
        brackets.finish(&tokens)
        problems += brackets.problems
    }

    /// A byte, 0 after the last.
    func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

    /// The last token, nil at the beginning of the file.
    var last: SwiftToken? { tokens.last }

    /// Whether the token that begins at `position` is the first of its line.
    var isLineStart: Bool { isFirstOfLine }
    /// Whether white space comes before it.
    var isAfterSpace: Bool { hasSpace }

    mutating func report(_ offset: Int, _ sentence: String) {
        if problems.count < Self.problemLimit { problems.append(FormatError(at: offset, sentence)) }
    }

    mutating func append(_ kind: SwiftToken.Kind, _ word: SwiftWord, _ start: Int, _ end: Int) {
        tokens.append(
            SwiftToken(
                start: Int32(start), end: Int32(end), kind: kind, word: word, isFirstOfLine: isFirstOfLine, hasSpaceBefore: hasSpace))
        (isFirstOfLine, hasSpace) = (false, false)
        position = end
    }

    func word(_ start: Int, _ end: Int) -> SwiftWord { start < end ? words.word(bytes, start..<end) : .none }

    private mutating func scan() {
        let start = position
        switch bytes[start] {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), 0, 0x0b, 0x0c:
            position += 1
            hasSpace = true
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
            position += 1
            (isFirstOfLine, hasSpace) = (true, true)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "$"),
            0x80...0xff:
            let end = endOfName(start)
            append(.identifier, words.word(bytes, start..<end), start, end)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): append(.number, .none, start, endOfNumber(start))
        case UInt8(ascii: "`"): scanEscapedName()
        case UInt8(ascii: "\""): scanString(hashes: 0)
        case UInt8(ascii: "#"): scanHash()
        case UInt8(ascii: "{"): open(.openBrace)
        case UInt8(ascii: "("): open(.openParenthesis)
        case UInt8(ascii: "["): open(.openBracket)
        case UInt8(ascii: "}"): close(.closeBrace)
        case UInt8(ascii: ")"): close(.closeParenthesis)
        case UInt8(ascii: "]"): close(.closeBracket)
        case UInt8(ascii: ","): append(.comma, .none, start, start + 1)
        case UInt8(ascii: ":"): append(.colon, .none, start, start + 1)
        case UInt8(ascii: ";"): append(.semicolon, .none, start, start + 1)
        case UInt8(ascii: "@"): append(.at, .none, start, start + 1)
        case UInt8(ascii: "\\"): append(.backslash, .none, start, start + 1)
        case UInt8(ascii: "."):
            var end = start + 1
            while byte(end) == UInt8(ascii: ".") || byte(end) == UInt8(ascii: "<") && end > start + 1 { end += 1 }
            append(end == start + 1 ? .dot : .symbol, .none, start, end)
        case UInt8(ascii: "/") where byte(start + 1) == UInt8(ascii: "/"):
            skipLine()
            hasSpace = true
        case UInt8(ascii: "/") where byte(start + 1) == UInt8(ascii: "*"):
            skipComment()
            hasSpace = true
        case UInt8(ascii: "/") where scanRegex(): break
        case let byte where Self.isOperator(byte): scanOperator()
        default: position += 1
        }
    }

    private mutating func open(_ kind: SwiftToken.Kind) {
        append(kind, .none, position, position + 1)
        brackets.open(tokens.count - 1, isBrace: kind == .openBrace)
    }

    private mutating func close(_ kind: SwiftToken.Kind) {
        append(kind, .none, position, position + 1)
        brackets.close(&tokens, kind)
    }

    static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xff:
            true
        default: false
        }
    }

    static func isOperator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "!"), UInt8(ascii: "*"),
            UInt8(ascii: "%"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "^"),
            UInt8(ascii: "~"), UInt8(ascii: "?"):
            true
        default: false
        }
    }

    func endOfName(_ start: Int) -> Int {
        var end = start
        while end < bytes.count, Self.isName(bytes[end]) { end += 1 }
        return end
    }

    /// The end of a number: a fraction only where a digit comes after the point, so that `1...2` and `pair.0.1` are several tokens.
    private func endOfNumber(_ start: Int) -> Int {
        var end = endOfName(start)
        let isHex = byte(start) == UInt8(ascii: "0") && byte(start + 1) == UInt8(ascii: "x")
        if last?.kind != .dot, byte(end) == UInt8(ascii: "."), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte(end + 1)) {
            end = endOfName(end + 1)
        }
        let exponent = byte(end - 1) | 0x20
        if exponent == (isHex ? UInt8(ascii: "p") : UInt8(ascii: "e")), [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(byte(end)) {
            end = endOfName(end + 1)
        }
        return end
    }

    /// A name in grave accents, which is no keyword.
    private mutating func scanEscapedName() {
        var end = position + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "`"), bytes[end] != UInt8(ascii: "\n") { end += 1 }
        if byte(end) == UInt8(ascii: "`") {
            end += 1
        } else {
            report(position, "this escaped name has no end on its line")
        }
        append(.identifier, .none, position, end)
    }

    /// `#name`, `#"string"#` or `#/regex/#`.
    private mutating func scanHash() {
        let start = position
        var end = start
        while byte(end) == UInt8(ascii: "#") { end += 1 }
        let hashes = end - start
        switch byte(end) {
        case UInt8(ascii: "\""): scanString(hashes: hashes)
        case UInt8(ascii: "/"): scanExtendedRegex(hashes: hashes)
        case let byte where hashes == 1 && Self.isName(byte):
            let name = end
            end = endOfName(name)
            let word = words.word(bytes, name..<end)
            let isCondition = word == .if || word == .elseif || word == .else || word == .endif
            append(isCondition ? .condition : .macro, word, start, end)
            if isCondition { brackets.turn(&tokens, word) }
        default: append(.symbol, .none, start, end)
        }
    }

    /// An operator; each angle bracket by itself, and marks of optionals apart from what comes after them.
    private mutating func scanOperator() {
        let start = position
        let first = bytes[start]
        var end = start + 1
        let isPostfix = !hasSpace && (first == UInt8(ascii: "?") || first == UInt8(ascii: "!"))
        let isAngle = first == UInt8(ascii: "<") || first == UInt8(ascii: ">")
        if isAngle {
            if byte(end) == UInt8(ascii: "=") { end += 1 }
        } else if !isPostfix || byte(end) == UInt8(ascii: "=") {
            while end < bytes.count, Self.isOperator(bytes[end]) {
                // A comment ends an operator.
                if bytes[end] == UInt8(ascii: "/"), byte(end + 1) == UInt8(ascii: "/") || byte(end + 1) == UInt8(ascii: "*") { break }
                // `->` before the angle bracket of a type.
                if bytes[end] == UInt8(ascii: "<") { break }
                end += 1
            }
        }
        append(.symbol, words.word(bytes, start..<end), start, end)
    }
}
