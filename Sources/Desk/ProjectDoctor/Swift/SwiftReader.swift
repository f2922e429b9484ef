import FileFormats
import SyncBytes
import SyncModel

/// A reader of Swift sources that finds SwiftData models, containers, and the use of CloudKit.
///
/// It splits a file into tokens and follows declarations and braces; types of expressions are not worked out.
package enum SwiftReader {
    /// What a file says.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - flags: Compilation conditions of which it is known whether builds for users have them.
    /// - Complexity: O(*n*) in the bytes.
    package static func read(_ bytes: [UInt8], flags: [String: Bool] = [:]) -> SwiftFacts {
        var walker = SwiftWalker(SwiftTokens(bytes), flags: flags)
        walker.walk()
        return walker.finish()
    }
}

/// A walk over the tokens of a file, with the scopes around the token that is looked at.
struct SwiftWalker {
    let bytes: [UInt8]
    let tokens: [SwiftToken]
    var facts = SwiftFacts()
    /// The token that is looked at.
    var index = 0

    var scopes: [Scope] = []
    /// Bodies of declarations whose brace is still ahead, the next one last.
    var awaited: [(brace: Int, scope: Scope)] = []
    var conditions: [Condition] = []
    /// Properties of types and files whose value or body is not over, the innermost last.
    var members: [(name: Int, start: Int, end: Int)] = []
    /// Names with the token of the `=` after them.
    var bindings: [(equals: Int, name: Int)] = []

    /// The attributes and modifiers before the declaration that comes next.
    var prefix = Prefix()

    /// Local variables in sight, by the hashes of their names.
    var locals: [Int: Int] = [:]
    var localOrder: [Int] = []
    /// Parameters marked `inout` of the function whose body comes next.
    var inoutParameters: [Int] = []

    var schemas: [(name: Int, context: SwiftFacts.Context, models: [String], qualifiers: [String: String], version: [Int])] = []
    var plans: [(name: Int, context: SwiftFacts.Context, schemas: [String], stages: [Int])] = []
    /// Custom stages outside a plan.
    var looseStages: [Int] = []
    /// The numbers of schemas and plans by the hashes of their names.
    var schemaNumbers: [Int: Int] = [:]
    var planNumbers: [Int: Int] = [:]
    /// The tokens that make a container, and those that keep one out of CloudKit; nil until they are asked for.
    var containerTokens: ContainerTokens?
    /// The ends of calls and properties around `index` whose bytes are kept, the innermost last.
    var keptEnds: [Int] = []

    /// The names of the objects whose properties are counted up, by the numbers of the increments.
    var incremented: [(increment: Int, object: Int)] = []
    /// Bindings with the string literal that they hold, or the last name of another constant; -1 for any other value.
    var constants: [(name: Int, value: Int, isMember: Bool)] = []
    /// Uses whose detail is the name of a constant.
    var unresolved: [(use: Int, name: Int, isMember: Bool)] = []
    /// Uses that count only where a name is one of a record, with the variable that it is.
    var recordKeys: [(use: Int, base: Int, variable: Int)] = []
    /// The hashes of names that are declared as records.
    var recordNames: Set<Int> = []
    var namesRecords = false
    /// The local variables that may be records, those in sight by the hashes of their names, and the names in the order of their
    /// declaration.
    var recordVariables: [RecordVariable] = []
    var recordsInSight: [Int: [Int]] = [:]
    var recordOrder: [Int] = []
    /// The variable that is given the new record at a token.
    var awaitedRecords: [Int: Int] = [:]
    /// The token at which the last policy for saving ends.
    var policyEnd = 0
    /// Local names that are given an encoded value, with their functions.
    var encodedNames: Set<Int> = []
    /// Whether the file names `CKRecord` at all.
    let hasRecords: Bool

    /// Whether declarations are kept, for a file that is read again to follow values.
    let keepsDeclarations: Bool
    var declarations: [SwiftDeclaration] = []
    /// The tokens of branches that builds for users do not have, in order.
    var deadRanges: [Range<Int>] = []
    /// The tokens of `#Preview`s, in order.
    var previewRanges: [Range<Int>] = []
    /// Compilation conditions of which it is known whether builds for users have them.
    let flags: [String: Bool]

    static let depthLimit = 200

    init(_ source: SwiftTokens, flags: [String: Bool] = [:], keepsDeclarations: Bool = false) {
        (self.flags, self.keepsDeclarations) = (flags, keepsDeclarations)
        bytes = source.bytes
        tokens = source.tokens
        facts.problems = source.problems
        hasRecords = tokens.contains { $0.word == .ckRecord }
    }

    /// What comes before the keyword of a declaration.
    struct Prefix {
        var isEmpty = true
        /// The last token of it.
        var end = -1
        var isModel = false
        var isTransient = false
        /// `@NSManaged`.
        var isManaged = false
        var isStatic = false
        var isLazy = false
        /// `private` or `fileprivate`, but not `private(set)`.
        var isPrivate = false
        /// `@Attribute` and `@Relationship`: the `@`, and the parenthesis after the name or -1.
        var arguments: [(word: SwiftWord, at: Int, open: Int)] = []
    }

    /// A token; the end of the file where there is none.
    subscript(index: Int) -> SwiftToken { index >= 0 && index < tokens.count ? tokens[index] : tokens[tokens.count - 1] }

    /// Whether the bytes of something that ends at a token are kept.
    ///
    /// What is nested in much that is kept already is passed over, or a file could ask for more memory than the square of its size.
    mutating func keeps(until end: Int) -> Bool {
        while let last = keptEnds.last, last <= index { keptEnds.removeLast() }
        guard keptEnds.count < 16 else { return false }
        keptEnds.append(end)
        return true
    }

    /// Adds a problem; of a file that has hundreds no more are kept.
    mutating func report(_ token: Int, _ sentence: String) {
        if facts.problems.count < 300 { facts.problems.append(FormatError(at: self[token].offset, sentence)) }
    }

    // MARK: The walk

    mutating func walk() {
        while index < tokens.count - 1 {
            let token = tokens[index]
            while let scope = scopes.last, index >= scope.end { leave() }
            var belongsToPrefix = index <= prefix.end
            switch token.kind {
            case .condition:
                turn(token.word)
                belongsToPrefix = true
            case .at:
                readAttribute()
                belongsToPrefix = true
            case .openBrace: enter()
            case .macro: readMacro(token.word)
            case .identifier:
                if token.word != .none {
                    belongsToPrefix = readWord(token.word) || belongsToPrefix
                } else if bytes[token.offset] == UInt8(ascii: "$") {
                    readBoundEdit()
                }
            case .string:
                // As long as the name in quotes.
                if token.range.count == 34, spells(index, "\"com.apple.coredata.cloudkit.zone\""), !isCompared {
                    addUse(.mirroredZone, nil, at: index)
                }
                if token.range.count == 11, spells(index, "\"/dev/null\"") { addUse(.inMemoryStore, nil, at: index) }
                // The key of remote changes that a constant keeps; that of an option itself was read at its label.
                if token.range.count == 52, self[index - 1].word == .assign, spells(index, "\"\(Self.remoteChangeKey)\"") {
                    addUse(.remoteChangeOption, nil, at: index)
                }
            case .symbol:
                if token.word != .none { readSymbol(token.word) }
            default: break
            }
            if !belongsToPrefix, !prefix.isEmpty { prefix = Prefix() }
            index += 1
        }
    }

    /// Reads the word at `index`; returns whether it is a modifier.
    private mutating func readWord(_ word: SwiftWord) -> Bool {
        let previous = self[index - 1]
        let isMember = previous.kind == .dot
        switch word {
        case _ where isMember: readUse(word)
        case .class:
            let next = self[index + 1]
            guard next.kind == .identifier else { return false }
            if next.word == .func || next.word == .var || next.word == .let || next.word == .subscript || next.word.isModifier {
                (prefix.isEmpty, prefix.isStatic) = (false, true)
                return true
            }
            readType(word)
        case .struct, .enum, .protocol, .extension: if self[index + 1].kind == .identifier { readType(word) }
        case .actor:
            let (name, after) = (self[index + 1], self[index + 2])
            if name.kind == .identifier, !name.isFirstOfLine, after.kind == .openBrace || after.kind == .colon || after.word == .less {
                readType(word)
            }
        case .func, .`init`, .subscript, .deinit: readFunction(word)
        case .var, .let: readBinding(isConstant: word == .let)
        case .import: readImport()
        case .typealias: readAlias()
        case .static:
            (prefix.isEmpty, prefix.isStatic) = (false, true)
            return true
        case .lazy:
            (prefix.isEmpty, prefix.isLazy) = (false, true)
            return true
        case .for:
            if self[index + 1].kind == .identifier, self[index + 2].word == .in {
                declareRecord(index + 1, Self.unknownVariable)
                declareElement(index + 1)
            }
        case .inout: if previous.kind == .colon { inoutParameters.append(index - 2) }
        case _ where word.isModifier:
            prefix.isEmpty = false
            // Such as `private(set)`.
            if self[index + 1].kind == .openParenthesis, !self[index + 1].hasSpaceBefore {
                prefix.end = Int(self[index + 1].partner)
            } else if word == .private || word == .fileprivate {
                prefix.isPrivate = true
            }
            return true
        default: readUse(word)
        }
        return false
    }

    private mutating func readMacro(_ word: SwiftWord) {
        switch word {
        case .preview:
            var next = index + 1
            if self[next].kind == .openParenthesis { next = Int(self[next].partner) + 1 }
            guard self[next].kind == .openBrace else { return }
            var scope = blockScope(at: next)
            scope.isPreview = true
            awaited.append((next, scope))
            if keepsDeclarations { previewRanges.append(next..<scope.end) }
        case .unique: readUnique()
        default: break
        }
    }

    private mutating func readImport() {
        var next = index + 1
        // Such as `import struct Module.Name`.
        if self[next].word.beginsDeclaration { next += 1 }
        guard self[next].kind == .identifier else { return }
        if conditions.isEmpty, scopes.isEmpty {
            var last = next
            while self[last + 1].kind == .dot, self[last + 2].kind == .identifier { last += 2 }
            facts.imports.append(SwiftFacts.Import(module: name(next), end: Int(self[last].end)))
        }
        guard name(next).hasPrefix("SyncObservation") else { return }
        addUse(.observer, name(next), at: index)
    }

    // MARK: Text

    /// The name that a token spells, without grave accents.
    func name(_ token: Int) -> String {
        let range = nameRange(token)
        return String(decoding: bytes[range], as: UTF8.self)
    }

    private func nameRange(_ token: Int) -> Range<Int> {
        let range = self[token].range
        guard range.count > 2, bytes[range.lowerBound] == UInt8(ascii: "`"), bytes[range.upperBound - 1] == UInt8(ascii: "`")
        else { return range }
        return range.lowerBound + 1..<range.upperBound - 1
    }

    /// A number that equal names share.
    func hash(_ token: Int) -> Int { Int(truncatingIfNeeded: FNV1a.hash(bytes.span.extracting(nameRange(token)))) }

    /// The number that a name has.
    static func hash(_ name: String) -> Int {
        var hash = FNV1a()
        name.withBytes { hash.combine($0) }
        return Int(truncatingIfNeeded: hash.value)
    }

    func spells(_ token: Int, _ text: String) -> Bool { bytes[self[token].range].elementsEqual(text.utf8) }

    /// The white space before a token that is the first of its line.
    func indent(_ token: Int) -> String {
        let end = self[token].offset
        var start = end
        while start > 0, bytes[start - 1] == UInt8(ascii: " ") || bytes[start - 1] == UInt8(ascii: "\t") { start -= 1 }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// The bytes of several tokens, with what is between them.
    func text(_ range: Range<Int>) -> String {
        guard !range.isEmpty else { return "" }
        let bytes = bytes[self[range.lowerBound].offset..<max(Int(self[range.upperBound - 1].end), self[range.lowerBound].offset)]
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Several tokens without white space and comments; words that meet keep one space.
    func compactText(_ range: Range<Int>) -> String {
        var text: [UInt8] = []
        for token in range.prefix(1024) {
            let piece = bytes[self[token].range]
            if let last = text.last, let first = piece.first, SwiftTokens.isName(last), SwiftTokens.isName(first) {
                text.append(UInt8(ascii: " "))
            }
            text += piece
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// What a string literal says; nil where something is interpolated, and for literals of several lines.
    func literal(_ token: Int) -> String? {
        guard self[token].kind == .string else { return nil }
        let all = bytes[self[token].range]
        let hashes = all.prefix { $0 == UInt8(ascii: "#") }.count
        guard all.count >= 2 * hashes + 2 else { return nil }
        let body = all.dropFirst(hashes + 1).dropLast(hashes + 1)
        let quote = UInt8(ascii: "\"")
        guard all.dropFirst(hashes).first == quote, all.dropLast(hashes).last == quote, body.first != quote else { return nil }
        // An escape is rare in names: a text with one is not decoded but passed over.
        if hashes == 0, body.contains(UInt8(ascii: "\\")) { return nil }
        if hashes > 0, body.contains(UInt8(ascii: "\\")), body.contains(UInt8(ascii: "(")) { return nil }
        return String(decoding: body, as: UTF8.self)
    }
}
