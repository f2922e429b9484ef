extension SwiftTokens {
    // MARK: Comments

    /// Goes to the end of the line.
    mutating func skipLine() { position = endOfLine(position) }

    func endOfLine(_ start: Int) -> Int {
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "\n"), bytes[end] != UInt8(ascii: "\r") { end += 1 }
        return end
    }

    /// Goes behind a comment, those nested in it included; to the end of the file where it has no end.
    mutating func skipComment() {
        let start = position
        guard let end = endOfComment(start) else {
            report(start, "this comment is not closed")
            position = bytes.count
            return
        }
        position = end
    }

    private func endOfComment(_ start: Int) -> Int? {
        var depth = 1
        var index = start + 2
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "*"), byte(index + 1) == UInt8(ascii: "/") {
                depth -= 1
                index += 2
                if depth == 0 { return index }
            } else if bytes[index] == UInt8(ascii: "/"), byte(index + 1) == UInt8(ascii: "*") {
                depth += 1
                index += 2
            } else {
                index += 1
            }
        }
        return nil
    }

    // MARK: Strings

    private struct StringState {
        let hashes: Int
        let isMultiline: Bool
        /// How many parentheses are open in the interpolation that is being read; 0 outside one.
        var parentheses = 0
    }

    /// Appends the string literal at `position`, whose quote comes after as many `#`.
    mutating func scanString(hashes: Int) {
        let start = position
        let quote = start + hashes
        let isMultiline = isMultilineQuote(quote, hashes: hashes)
        let state = StringState(hashes: hashes, isMultiline: isMultiline)
        let kind = Hopeless.multilineString(hashes: min(hashes, 3))
        if isMultiline, isHopeless.contains(kind) {
            append(.string, .none, start, endOfLine(start))
            return
        }
        let (end, isClosed) = endOfString(state, quote + (isMultiline ? 3 : 1))
        if isClosed {
            append(.string, .none, start, end)
            return
        }
        report(start, "this string is not closed")
        if isMultiline { isHopeless.insert(kind) }
        append(.string, .none, start, isMultiline ? endOfLine(start) : end)
    }

    /// The end of a string whose first quote is read, and whether it has one.
    ///
    /// Strings in interpolations of strings are kept in a list, so no file is nested too deeply.
    private mutating func endOfString(_ first: StringState, _ start: Int) -> (Int, Bool) {
        var around: [StringState] = []
        var state = first
        var index = start
        /// The end of the first line inside an interpolation of the outermost string.
        var firstLine: Int?
        while index < bytes.count {
            let byte = bytes[index]
            if state.parentheses == 0 {
                switch byte {
                case UInt8(ascii: "\\"):
                    let next = index + 1 + state.hashes
                    guard hasHashes(state.hashes, at: index + 1) else {
                        index += 1
                        continue
                    }
                    if self.byte(next) == UInt8(ascii: "(") {
                        state.parentheses = 1
                        index = next + 1
                    } else {
                        index = Self.isNewline(self.byte(next)) ? next : next + 1
                    }
                case UInt8(ascii: "\""):
                    let width = state.isMultiline ? 3 : 1
                    let isQuote = !state.isMultiline || self.byte(index + 1) == byte && self.byte(index + 2) == byte
                    guard isQuote, hasHashes(state.hashes, at: index + width) else {
                        index += 1
                        continue
                    }
                    index += width + state.hashes
                    guard let outer = around.popLast() else { return (index, true) }
                    state = outer
                case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                    if state.isMultiline {
                        index += 1
                    } else if let outer = around.popLast() {
                        report(index, "a string in an interpolation is not closed on its line")
                        state = outer
                    } else {
                        return (index, false)
                    }
                default: index += 1
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "("):
                state.parentheses += 1
                index += 1
            case UInt8(ascii: ")"):
                state.parentheses -= 1
                index += 1
            case UInt8(ascii: "\""), UInt8(ascii: "#"):
                var quote = index
                while self.byte(quote) == UInt8(ascii: "#") { quote += 1 }
                guard self.byte(quote) == UInt8(ascii: "\"") else {
                    index = quote
                    continue
                }
                let isMultiline = isMultilineQuote(quote, hashes: quote - index)
                around.append(state)
                state = StringState(hashes: quote - index, isMultiline: isMultiline)
                index = quote + (isMultiline ? 3 : 1)
            case UInt8(ascii: "/") where self.byte(index + 1) == UInt8(ascii: "*") && !isHopeless.contains(.comment):
                if let end = endOfComment(index) {
                    index = end
                } else {
                    isHopeless.insert(.comment)
                    index += 2
                }
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                if firstLine == nil, !first.isMultiline {
                    firstLine = index
                    if isHopeless.contains(.interpolation) { return (index, false) }
                }
                index += 1
            default: index += 1
            }
        }
        if !first.isMultiline { isHopeless.insert(.interpolation) }
        return (firstLine ?? bytes.count, false)
    }

    /// Whether a quote is the first of the three that begin a string of several lines.
    ///
    /// A raw string that is closed on its line is one of a single line, such as `#"""#`, which is a quotation mark.
    private func isMultilineQuote(_ quote: Int, hashes: Int) -> Bool {
        guard byte(quote + 1) == UInt8(ascii: "\""), byte(quote + 2) == UInt8(ascii: "\"") else { return false }
        guard hashes > 0 else { return true }
        var index = quote + 1
        while index < bytes.count, !Self.isNewline(bytes[index]) {
            if bytes[index] == UInt8(ascii: "\""), hasHashes(hashes, at: index + 1) { return false }
            index += 1
        }
        return true
    }

    private func hasHashes(_ count: Int, at index: Int) -> Bool {
        for step in 0..<count where byte(index + step) != UInt8(ascii: "#") { return false }
        return true
    }

    private static func isNewline(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

    // MARK: Regular expressions

    /// Appends the `/regex/` at `position`, where an expression can begin there and it is closed on its line.
    mutating func scanRegex() -> Bool {
        let start = position
        guard canBeginExpression, byte(start + 1) != UInt8(ascii: " "), byte(start + 1) != UInt8(ascii: "\t"),
            let end = endOfRegex(start + 1, isBare: true), end > start + 2,
            byte(end - 2) != UInt8(ascii: " "), byte(end - 2) != UInt8(ascii: "\t")
        else { return false }
        append(.regex, .none, start, end)
        return true
    }

    /// Whether a slash here begins an expression, and is no division.
    private var canBeginExpression: Bool {
        guard let last else { return true }
        switch last.kind {
        case .openBrace, .openParenthesis, .openBracket, .comma, .colon, .semicolon, .condition: return true
        case .symbol: return isAfterSpace || last.word != .question && last.word != .exclamation && last.word != .greater
        case .identifier where last.word.takesExpression: return true
        case .identifier, .number, .string, .regex, .closeBrace, .closeParenthesis, .closeBracket: return isLineStart
        case .dot, .at, .backslash, .macro, .end: return false
        }
    }

    /// The end of a regular expression on its line; of a bare one only if its parentheses are balanced.
    private func endOfRegex(_ start: Int, isBare: Bool, hashes: Int = 0) -> Int? {
        var index = start
        var parentheses = 0
        var isInClass = false
        while index < bytes.count, !Self.isNewline(bytes[index]) {
            switch bytes[index] {
            case UInt8(ascii: "\\"): index += Self.isNewline(byte(index + 1)) ? 1 : 2
            case UInt8(ascii: "/") where hasHashes(hashes, at: index + 1):
                return isBare && parentheses != 0 ? nil : index + 1 + hashes
            case UInt8(ascii: "[") where !isInClass:
                isInClass = true
                index += 1
            case UInt8(ascii: "]"):
                isInClass = false
                index += 1
            case UInt8(ascii: "(") where !isInClass:
                parentheses += 1
                index += 1
            case UInt8(ascii: ")") where !isInClass:
                parentheses -= 1
                if isBare, parentheses < 0 { return nil }
                index += 1
            default: index += 1
            }
        }
        return nil
    }

    /// Appends the `#/regex/#` at `position`: on one line, or on several where its first line ends after the slash.
    mutating func scanExtendedRegex(hashes: Int) {
        let start = position
        let body = start + hashes + 1
        if let end = endOfRegex(body, isBare: false, hashes: hashes) {
            append(.regex, .none, start, end)
            return
        }
        var rest = body
        while byte(rest) == UInt8(ascii: " ") || byte(rest) == UInt8(ascii: "\t") { rest += 1 }
        if Self.isNewline(byte(rest)), !isHopeless.contains(.multilineRegex) {
            var index = rest
            while index < bytes.count {
                if bytes[index] == UInt8(ascii: "\\") {
                    index += 2
                } else if bytes[index] == UInt8(ascii: "/"), hasHashes(hashes, at: index + 1) {
                    append(.regex, .none, start, index + 1 + hashes)
                    return
                } else {
                    index += 1
                }
            }
            isHopeless.insert(.multilineRegex)
        }
        report(start, "this regular expression is not closed")
        append(.regex, .none, start, endOfLine(start))
    }
}
