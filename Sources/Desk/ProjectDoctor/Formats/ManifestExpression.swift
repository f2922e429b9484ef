import FileFormats

/// A value that a manifest in Swift writes out; whatever would need to be evaluated is unknown.
struct ManifestExpression {
    indirect enum Value {
        case string(String)
        case list([ManifestExpression])
        case dictionary([(key: ManifestExpression, value: ManifestExpression)])
        /// `.name`, `.name(…)` or `Type(…)`, by its last name; nil and Booleans too.
        case call(String, [Argument])
        case unknown
    }

    struct Argument {
        /// Empty where there is none.
        let label: String
        let value: ManifestExpression
        /// The byte at which it begins, with its label.
        let offset: Int
    }

    let value: Value
    /// The byte at which it begins.
    let offset: Int
    fileprivate let tokens: Range<Int>

    var string: String? { if case .string(let text) = value { text } else { nil } }
    var elements: [ManifestExpression] { if case .list(let elements) = value { elements } else { [] } }
    var entries: [(key: ManifestExpression, value: ManifestExpression)] { if case .dictionary(let entries) = value { entries } else { [] } }
    /// The name of a call or member.
    var name: String? { if case .call(let name, _) = value { name } else { nil } }
    var arguments: [Argument] { if case .call(_, let arguments) = value { arguments } else { [] } }
    var isUnknown: Bool { if case .unknown = value { true } else { false } }

    func argument(_ label: String) -> Argument? { arguments.first { $0.label == label } }

    subscript(label: String) -> ManifestExpression? { argument(label)?.value }
}

/// Reads the calls of a manifest, with the constants that it gives names to.
struct ManifestReader {
    private let source: SwiftTokens
    private var tokens: [SwiftToken] { source.tokens }
    /// The tokens of the value of each constant; empty where several have the name.
    private var constants: [String: Range<Int>] = [:]
    /// How many values may still be read: constants that name each other would otherwise make them without end.
    private var remaining = 200_000

    private static let maximumDepth = 64

    init(_ bytes: [UInt8]) {
        source = SwiftTokens(bytes)
        for index in source.tokens.indices where isConstant(at: index) {
            let start = source.tokens[index + 2].kind == .colon ? endOfType(index + 3) : index + 2
            guard start + 1 < tokens.count, text(start) == "=" else { continue }
            let first = start + 1
            let end = tokens[first].isOpening ? Int(tokens[first].partner) + 1 : first + 1
            let isWhole = end >= tokens.count || tokens[end].isFirstOfLine || tokens[end].kind == .semicolon || tokens[end].kind == .end
            let name = text(index + 1)
            let isKnown = constants[name] != nil || !isWhole || end <= first
            constants[name] = isKnown ? 0..<0 : first..<end
        }
    }

    private func isConstant(at index: Int) -> Bool {
        index + 3 < tokens.count && text(index) == "let" && tokens[index + 1].kind == .identifier
    }

    /// The token behind the type that begins at an index, at most a few tokens on.
    private func endOfType(_ start: Int) -> Int {
        var index = start
        while index < tokens.count, index < start + 16, text(index) != "=", !tokens[index].isFirstOfLine { index += 1 }
        return index
    }

    private func text(_ index: Int) -> String { String(decoding: source.bytes[tokens[index].range], as: UTF8.self) }

    /// Whether a module is imported.
    func imports(_ module: String) -> Bool {
        tokens.indices.contains { $0 + 1 < tokens.count && text($0) == "import" && text($0 + 1) == module }
    }

    /// The first string, comment or bracket that does not end; nil where all do.
    var problem: FormatError? { source.problems.first }

    /// The calls of some names, such as `.target(…)`, outermost ones alone.
    ///
    /// - Parameter isMember: Whether only calls after a period are meant, which then begin with it.
    mutating func calls(_ names: Set<String>, isMember: Bool = false) -> [ManifestExpression] {
        var result: [ManifestExpression] = []
        var index = 0
        while index + 1 < tokens.count {
            guard tokens[index].kind == .identifier, tokens[index + 1].kind == .openParenthesis, names.contains(text(index)),
                !isMember || index > 0 && tokens[index - 1].kind == .dot
            else {
                index += 1
                continue
            }
            let end = Int(tokens[index + 1].partner)
            result.append(expression((isMember ? index - 1 : index)..<min(end + 1, tokens.count), depth: 0))
            index = max(end, index + 1)
        }
        return result
    }

    /// The strings of a list, and the name of each call in it; of a value that is not known those of the lists that it is made of.
    mutating func names(_ expression: ManifestExpression, depth: Int = 0) -> [String] {
        switch expression.value {
        case .string(let text): return [text]
        case .list(let elements): return elements.flatMap { names($0, depth: depth) }
        case .call(_, let arguments):
            return arguments.first { $0.label == "name" || $0.label.isEmpty }?.value.string.map { [$0] } ?? []
        case .dictionary: return []
        case .unknown:
            guard depth < 4 else { return [] }
            let lists = top(expression.tokens, .openBracket).map { $0..<min(Int(tokens[$0].partner) + 1, expression.tokens.upperBound) }
            return lists.filter { $0 != expression.tokens }.flatMap { names(self.expression($0, depth: 0), depth: depth + 1) }
        }
    }

    // MARK: Expressions

    private mutating func expression(_ range: Range<Int>, depth: Int) -> ManifestExpression {
        let offset = range.isEmpty ? 0 : tokens[range.lowerBound].offset
        remaining -= 1
        let value = range.isEmpty || depth > Self.maximumDepth || remaining < 0 ? .unknown : value(range, depth: depth + 1)
        return ManifestExpression(value: value, offset: offset, tokens: range)
    }

    private mutating func value(_ range: Range<Int>, depth: Int) -> ManifestExpression.Value {
        let first = tokens[range.lowerBound]
        switch first.kind {
        case .string where range.count == 1: return string(range.lowerBound, depth: depth).map { .string($0) } ?? .unknown
        case .openBracket where Int(first.partner) == range.upperBound - 1: return list(inside(range), depth: depth)
        case .identifier where range.count == 1:
            let name = text(range.lowerBound)
            if let constant = constants[name], !constant.isEmpty { return expression(constant, depth: depth).value }
            return ["nil", "true", "false"].contains(name) ? .call(name, []) : .unknown
        case .identifier, .dot: return call(range, depth: depth)
        default: return .unknown
        }
    }

    /// What is between the brackets at the ends of a range.
    private func inside(_ range: Range<Int>) -> Range<Int> { (range.lowerBound + 1)..<max(range.lowerBound + 1, range.upperBound - 1) }

    private mutating func call(_ range: Range<Int>, depth: Int) -> ManifestExpression.Value {
        // Names and periods in turn, then perhaps arguments.
        var index = range.lowerBound
        var name: String?
        while index < range.upperBound, tokens[index].kind == .dot || tokens[index].kind == .identifier {
            if tokens[index].kind == .identifier {
                if name != nil, tokens[index - 1].kind != .dot { return .unknown }
                name = text(index)
            }
            index += 1
        }
        guard let name else { return .unknown }
        if index == range.upperBound { return .call(name, []) }
        guard tokens[index].kind == .openParenthesis, Int(tokens[index].partner) == range.upperBound - 1 else { return .unknown }
        let arguments = parts(inside(index..<range.upperBound)).map { part -> ManifestExpression.Argument in
            let isLabeled = part.count > 1 && tokens[part.lowerBound].kind == .identifier && tokens[part.lowerBound + 1].kind == .colon
            let start = isLabeled ? part.lowerBound + 2 : part.lowerBound
            return .init(
                label: isLabeled ? text(part.lowerBound) : "", value: expression(start..<part.upperBound, depth: depth),
                offset: tokens[part.lowerBound].offset)
        }
        return .call(name, arguments)
    }

    private mutating func list(_ range: Range<Int>, depth: Int) -> ManifestExpression.Value {
        var elements: [ManifestExpression] = []
        var entries: [(key: ManifestExpression, value: ManifestExpression)] = []
        for part in parts(range) {
            if let colon = top(part, .colon).first {
                if colon == part.lowerBound { continue }
                entries.append((expression(part.lowerBound..<colon, depth: depth), expression((colon + 1)..<part.upperBound, depth: depth)))
            } else {
                elements.append(expression(part, depth: depth))
            }
        }
        return entries.isEmpty ? .list(elements) : .dictionary(entries)
    }

    /// The parts between the commas of a range, those in brackets left whole.
    private func parts(_ range: Range<Int>) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = range.lowerBound
        for comma in top(range, .comma) + [range.upperBound] {
            if start < comma { parts.append(start..<comma) }
            start = comma + 1
        }
        return parts
    }

    /// The tokens of a kind that are in no brackets of a range.
    private func top(_ range: Range<Int>, _ kind: SwiftToken.Kind) -> [Int] {
        var result: [Int] = []
        var index = range.lowerBound
        while index < range.upperBound {
            if tokens[index].kind == kind { result.append(index) }
            index = tokens[index].isOpening ? max(Int(tokens[index].partner), index) + 1 : index + 1
        }
        return result
    }

    // MARK: Strings

    /// What a string literal of one line holds, with the constants in it; nil where another expression is in it.
    private mutating func string(_ index: Int, depth: Int) -> String? {
        let literal = source.bytes[tokens[index].range]
        guard literal.count >= 2, literal.first == UInt8(ascii: "\""), literal.last == UInt8(ascii: "\""),
            !literal.starts(with: "\"\"\"".utf8)
        else { return nil }
        let body = literal.dropFirst().dropLast()
        var result: [UInt8] = []
        var position = body.startIndex
        while position < body.endIndex {
            guard body[position] == UInt8(ascii: "\\") else {
                result.append(body[position])
                position += 1
                continue
            }
            guard position + 1 < body.endIndex else { return nil }
            let next = body[position + 1]
            if next == UInt8(ascii: "\\") || next == UInt8(ascii: "\"") {
                result.append(next)
                position += 2
                continue
            }
            guard next == UInt8(ascii: "("), let end = body[position...].firstIndex(of: UInt8(ascii: ")")) else { return nil }
            let name = String(decoding: body[(position + 2)..<end], as: UTF8.self)
            guard let constant = constants[name], !constant.isEmpty, let value = expression(constant, depth: depth).string,
                result.count + value.utf8.count <= 4096
            else { return nil }
            result += Array(value.utf8)
            position = end + 1
        }
        return String(decoding: result, as: UTF8.self)
    }
}
