/// A JSON text and where its values are in it: each is made when it is asked for.
///
/// What is asked for by an index is a value, or the key of a member, which comes before its value. The whole is at index 0. A value type.
///
/// - Complexity: parsing is that of ``JSONParser``; memory grows by 16 bytes for each value and each key, and is used again by the next
///   text.
package struct JSONOutline: Sendable {
    /// What a value is.
    package enum Kind: UInt8, BitwiseCopyable, Sendable {
        case null, `true`, `false`, number, string, array, object
    }

    /// A value, or the key of a member.
    package struct Node: BitwiseCopyable, Sendable {
        private let start: UInt32
        private let end: UInt32
        private let following: UInt32
        package let kind: Kind
        /// Whether it is a string with escapes.
        package let isEscaped: Bool
        /// Of a key without escapes, a hash of its first bytes and its length, by which most others are told apart.
        var tag: UInt16 = 0

        init(_ kind: Kind, _ range: Range<Int>, next: Int, isEscaped: Bool) {
            (start, end) = (UInt32(truncatingIfNeeded: range.lowerBound), UInt32(truncatingIfNeeded: range.upperBound))
            following = UInt32(truncatingIfNeeded: next)
            (self.kind, self.isEscaped) = (kind, isEscaped)
        }

        /// Where it is in the text; of a string without its quotes.
        package var range: Range<Int> { Int(start)..<Int(end) }
        /// The index of what comes behind it and its parts.
        package var next: Int { Int(following) }

        /// The tag of a key.
        @inline(__always) static func tag(of name: Span<UInt8>) -> UInt16 {
            let word = name.word(at: 0, atMost: name.count) &+ UInt64(truncatingIfNeeded: name.count)
            return UInt16(truncatingIfNeeded: (word &* 0x9e37_79b9_7f4a_7c15) >> 48)
        }
    }

    /// The text.
    package private(set) var bytes: [UInt8] = []
    /// Its values and keys.
    package private(set) var nodes: [Node] = []

    /// Of more bytes the memory is not kept for the next text.
    private static let keptLength = 1 << 20

    /// No text.
    package init() {}

    /// Parses a text that holds one value and white space around it, in the memory of the text before.
    package mutating func parse(_ text: Span<UInt8>) throws(JSONError) {
        if bytes.capacity > Self.keptLength { self = JSONOutline() }
        bytes.removeAll(keepingCapacity: true)
        text.append(0..<text.count, to: &bytes)
        try JSONParser.outline(text, in: &nodes)
    }

    /// What a value is.
    package func kind(at index: Int) -> Kind { nodes[index].kind }

    /// The index of the value of a key in an object; nil where the object has no such key.
    ///
    /// - Complexity: O(*n*) in the keys of the object.
    package func value(of key: StaticString, in object: Int) -> Int? {
        let name = unsafe Span(_unsafeStart: key.utf8Start, count: key.utf8CodeUnitCount)
        let (tag, end) = (Node.tag(of: name), nodes[object].next)
        var index = object + 1
        while index < end {
            let node = nodes[index]
            if node.isEscaped
                ? Self.string(node, bytes.span) == key.description
                : node.tag == tag && bytes.span.holdsSame(in: node.range, as: name, in: 0..<name.count)
            {
                return index + 1
            }
            index = nodes[index + 1].next
        }
        return nil
    }

    /// Calls a body with the indices of the parts: an array's elements, or an object's keys and values in turn.
    package func forEachPart<Failure: Error>(of index: Int, _ body: (Int) throws(Failure) -> Void) throws(Failure) {
        var part = index + 1
        while part < nodes[index].next {
            try body(part)
            part = nodes[part].next
        }
    }

    /// The string at an index.
    ///
    /// - Precondition: It is one.
    package func string(at index: Int) -> String { Self.string(nodes[index], bytes.span) }

    /// Milliseconds since 1970 of a string by RFC 3339; nil where the value is none.
    package func time(at index: Int) -> Int64? {
        let node = nodes[index]
        guard node.kind == .string, !node.isEscaped else { return nil }
        return RFC3339.milliseconds(bytes.span.extracting(node.range))
    }

    /// The keys of an object, in the order of the text.
    static func keys(of object: Int, _ nodes: [Node], _ bytes: Span<UInt8>) -> [IdentifierBytes] {
        var keys: [IdentifierBytes] = []
        var part = object + 1
        while part < nodes[object].next {
            let key = nodes[part]
            keys.append(key.isEscaped ? IdentifierBytes(string(key, bytes)) : IdentifierBytes(bytes.extracting(key.range)))
            part = nodes[part + 1].next
        }
        return keys
    }

    /// The string of a value or a key that is one.
    package static func string(_ node: Node, _ bytes: Span<UInt8>) -> String {
        node.isEscaped ? JSONParser.unescaped(bytes, from: node.range.lowerBound) : bytes.extracting(node.range).text
    }
}
