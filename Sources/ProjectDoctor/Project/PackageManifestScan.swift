import FileFormats

/// The calls with a leading period in a `Package.swift`, found by balanced parentheses outside of strings and comments.
struct PackageManifestScan {
    /// Such as `.target(name: "A", dependencies: ["B"])`.
    struct Call {
        let callee: String
        /// The byte of the period.
        let offset: Int
        /// Whether the call is inside the arguments of another call of a target, so that it is a dependency.
        let isDependency: Bool
        fileprivate(set) var arguments: [Argument] = []
    }

    /// An argument with the string literals and calls in it.
    struct Argument {
        let label: String
        let offset: Int
        /// All string literals at the top of the argument or in its list.
        fileprivate(set) var strings: [String] = []
        /// The names in it: the strings of its list, and the first string of each call in it.
        fileprivate(set) var dependencyNames: [String] = []
        /// Whether it is one string and nothing else.
        fileprivate(set) var isOneString = true

        var literal: String? { isOneString && strings.count == 1 ? strings[0] : nil }
    }

    private(set) var calls: [Call] = []
    /// The byte at which something begins that does not end; nil where all is balanced.
    private(set) var unclosed: Int?

    private let bytes: [UInt8]
    private var position = 0
    /// The brackets that are open, each with its call where it is that of one.
    private var open: [(close: UInt8, call: Int?, offset: Int)] = []

    /// How many calls of targets and products are open.
    private var openTargets = 0

    private static let targetCalls = productCalls.union(["target", "executableTarget", "testTarget", "macro", "plugin"])
    /// The calls that make products of targets.
    static let productCalls: Set<String> = ["library", "executable", "iOSApplication"]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        run()
    }

    private mutating func run() {
        while position < bytes.count, unclosed == nil {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "/") where follows("//"): skipLine()
            case UInt8(ascii: "/") where follows("/*"): skipComment()
            case UInt8(ascii: "\""), UInt8(ascii: "#"): string()
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): openBracket(byte)
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                if let last = open.last, last.close == byte {
                    if let call = last.call, Self.targetCalls.contains(calls[call].callee) { openTargets -= 1 }
                    open.removeLast()
                }
                position += 1
            default:
                if isIdentifier(byte) { identifier() } else { operatorByte(byte) }
            }
        }
        if unclosed == nil, let last = open.last { unclosed = last.offset }
    }

    private func follows(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private func isIdentifier(_ byte: UInt8) -> Bool {
        isNameByte(byte) && byte != UInt8(ascii: "-") && byte != UInt8(ascii: ".") && byte != UInt8(ascii: ":")
    }

    private mutating func skipLine() {
        while position < bytes.count, bytes[position] != 0x0a { position += 1 }
    }

    private mutating func skipComment() {
        let start = position
        var depth = 0
        repeat {
            if follows("/*") {
                depth += 1
                position += 2
            } else if follows("*/") {
                depth -= 1
                position += 2
            } else {
                position += 1
            }
        } while depth > 0 && position < bytes.count
        if depth > 0 { unclosed = start }
    }

    private mutating func openBracket(_ byte: UInt8) {
        let close = byte == UInt8(ascii: "(") ? UInt8(ascii: ")") : byte == UInt8(ascii: "[") ? UInt8(ascii: "]") : UInt8(ascii: "}")
        var call: Int?
        if byte == UInt8(ascii: "("), let (name, offset) = callee() {
            calls.append(Call(callee: name, offset: offset, isDependency: openTargets > 0))
            call = calls.count - 1
            if Self.targetCalls.contains(name) { openTargets += 1 }
        }
        if let argument = innermostArgument { change(argument.call) { $0.isOneString = false } }
        open.append((close, call, position))
        position += 1
    }

    /// The name with a leading period before the position, such as `target`.
    private func callee() -> (String, offset: Int)? {
        var start = position
        while start > 0, isIdentifier(bytes[start - 1]), position - start < 64 { start -= 1 }
        guard start < position, start > 0, bytes[start - 1] == UInt8(ascii: ".") else { return nil }
        return (String(decoding: bytes[start..<position], as: UTF8.self), start - 1)
    }

    /// The call whose argument is being read, and how many brackets are open inside it.
    private var innermostArgument: (call: Int, depth: Int)? {
        for (depth, bracket) in open.reversed().prefix(8).enumerated() {
            if let call = bracket.call, Self.targetCalls.contains(calls[call].callee), !calls[call].isDependency {
                return calls[call].arguments.isEmpty ? nil : (call, depth)
            }
        }
        return nil
    }

    private mutating func change(_ call: Int, _ body: (inout Argument) -> Void) {
        let last = calls[call].arguments.count - 1
        if last >= 0 { body(&calls[call].arguments[last]) }
    }

    private mutating func identifier() {
        let start = position
        while position < bytes.count, isIdentifier(bytes[position]) { position += 1 }
        var next = position
        while next < bytes.count, isWhiteSpace(bytes[next]) { next += 1 }
        let isLabel = next < bytes.count && bytes[next] == UInt8(ascii: ":")
        if isLabel, let bracket = open.last, let call = bracket.call {
            let label = String(decoding: bytes[start..<position], as: UTF8.self)
            calls[call].arguments.append(Argument(label: label, offset: start))
            position = next + 1
        } else if let argument = innermostArgument {
            change(argument.call) { $0.isOneString = false }
        }
    }

    private mutating func operatorByte(_ byte: UInt8) {
        if !isWhiteSpace(byte), byte != UInt8(ascii: ","), byte != UInt8(ascii: "."), let argument = innermostArgument {
            change(argument.call) { $0.isOneString = false }
        }
        position += 1
    }

    /// A string literal, with its number signs; one with an interpolation has no value.
    private mutating func string() {
        let start = position
        var signs = 0
        while position < bytes.count, bytes[position] == UInt8(ascii: "#") {
            signs += 1
            position += 1
        }
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return }
        let quotes = bytes[position...].prefix(3).allSatisfy { $0 == UInt8(ascii: "\"") } && position + 2 < bytes.count ? 3 : 1
        let end = [UInt8](repeating: UInt8(ascii: "\""), count: quotes) + [UInt8](repeating: UInt8(ascii: "#"), count: min(signs, 64))
        position += quotes
        let begin = position
        var isPlain = quotes == 1 && signs == 0
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "\""), bytes[position...].starts(with: end) {
                let text = isPlain ? String(decoding: bytes[begin..<position], as: UTF8.self) : nil
                position += end.count
                return found(text)
            }
            if bytes[position] == UInt8(ascii: "\\"), signs == 0 {
                isPlain = false
                position += 1
                if position < bytes.count, bytes[position] == UInt8(ascii: "(") { skipInterpolation() }
            } else if quotes == 1, bytes[position] == 0x0a {
                break
            }
            position += 1
        }
        unclosed = start
    }

    /// Goes to the closing parenthesis of an interpolation, in which strings may hold others.
    private mutating func skipInterpolation() {
        var (depth, isInString) = (0, false)
        while position < bytes.count, bytes[position] != 0x0a {
            switch bytes[position] {
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: "("): if !isInString { depth += 1 }
            case UInt8(ascii: ")"): if !isInString { depth -= 1 }
            default: break
            }
            if depth == 0 { return }
            position += 1
        }
    }

    private mutating func found(_ text: String?) {
        guard let argument = innermostArgument else { return }
        let isInCall = open.last?.call.map { $0 != argument.call } ?? false
        // Of `.product(name: "A", package: "B")` only the first string is a name.
        let isFirst = open.last?.call.map { calls[$0].arguments.last?.label == "name" || calls[$0].arguments.isEmpty } ?? true
        change(argument.call) {
            guard let text else {
                $0.isOneString = false
                return
            }
            if !isInCall { $0.strings.append(text) }
            if !isInCall || isFirst, argument.depth <= 2 { $0.dependencyNames.append(text) }
        }
    }
}
