package import SyncBytes

extension JSONParser {
    /// Parses a text that holds one value and white space around it.
    package static func parse(_ bytes: Span<UInt8>) throws(JSONError) -> FieldValue {
        var nodes: [JSONOutline.Node] = []
        try outline(bytes, in: &nodes)
        return JSONOutline.value(at: 0, nodes, bytes)
    }

    /// Parses a text that holds one value and white space around it.
    package static func parse(_ text: String) throws(JSONError) -> FieldValue {
        try parse(Array(text.utf8).span)
    }
}

extension JSONOutline {
    /// The value itself.
    package func value(at index: Int) -> FieldValue { Self.value(at: index, nodes, bytes.span) }

    /// The value as an integer; nil where it is not a whole number that fits.
    package func integer(at index: Int) -> Int64? {
        let node = nodes[index]
        guard node.kind == .number else { return nil }
        let (span, range) = (bytes.span, node.range)
        let isNegative = span[range.lowerBound] == UInt8(ascii: "-")
        var number: Int64 = 0
        for index in (isNegative ? range.lowerBound + 1 : range.lowerBound)..<range.upperBound {
            let digit = span[index] &- 48
            guard digit <= 9, range.count <= 18 else { return JSONNumber(validated: span.extracting(range).text).integer }
            number = number * 10 + Int64(digit)
        }
        return isNegative ? -number : number
    }

    fileprivate static func value(at index: Int, _ nodes: [Node], _ bytes: Span<UInt8>) -> FieldValue {
        let node = nodes[index]
        switch node.kind {
        case .null: return .null
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .number: return .number(JSONNumber(validated: bytes.extracting(node.range).text))
        case .string: return .string(string(node, bytes))
        case .array:
            var elements: [FieldValue] = []
            var part = index + 1
            while part < node.next {
                elements.append(value(at: part, nodes, bytes))
                part = nodes[part].next
            }
            return .array(elements)
        case .object:
            var elements: [FieldMap.Element] = []
            var part = index + 1
            while part < node.next {
                elements.append(FieldMap.Element(name: name(nodes[part], bytes), value: value(at: part + 1, nodes, bytes)))
                part = nodes[part + 1].next
            }
            // No key occurs twice.
            return .object((try? FieldMap(unordered: elements)) ?? FieldMap())
        }
    }

    private static func name(_ node: Node, _ bytes: Span<UInt8>) -> FieldName {
        node.isEscaped ? FieldName(string(node, bytes)) : FieldName(bytes.extracting(node.range))
    }
}
