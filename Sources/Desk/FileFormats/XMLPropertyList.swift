import SyncBytes

/// Property lists in XML, as by Apple's `PropertyList-1.0.dtd`.
package enum XMLPropertyList {
    static let maximumCount = 4_000_000

    /// Parses a property list in XML alone.
    ///
    /// - Complexity: O(*n*) in the length.
    package static func parse(_ bytes: [UInt8]) throws(FormatError) -> PropertyList {
        var reader = XMLReader(bytes)
        var builder = PropertyListBuilder(maximumCount: maximumCount)
        var hasWrapper = false
        while let event = try reader.next() {
            switch event {
            case .text(let text, let offset):
                guard text.utf8.allSatisfy(isWhiteSpace) else {
                    throw FormatError(at: offset, "characters between the values of a property list")
                }
            case .end(let name, let offset): if name != "plist" { try builder.close(at: offset) }
            case .start("plist", _, let offset):
                guard !hasWrapper else { throw FormatError(at: offset, "a property list inside another") }
                hasWrapper = true
            case .start("key", _, let offset):
                guard builder.needsKey else { throw FormatError(at: offset, "a key where a value is expected") }
                builder.key(try content(&reader), at: offset)
            case .start(let name, _, let offset):
                guard !builder.needsKey else { throw FormatError(at: offset, "the element \(name.quoted) where a key is expected") }
                switch name {
                case "dict", "array": try builder.open(isDictionary: name == "dict", at: offset)
                case "string": try builder.append(.string(content(&reader)), at: offset)
                case "true", "false":
                    _ = try content(&reader)
                    try builder.append(.bool(name == "true"), at: offset)
                case "date": try builder.append(.date(content(&reader)), at: offset)
                case "integer", "real": try builder.append(.number(number(try content(&reader), at: offset)), at: offset)
                case "data": try builder.append(.data(content(&reader)), at: offset)
                default: throw FormatError(at: offset, "the element \(name.quoted) is no value of a property list")
                }
            }
        }
        guard let result = builder.result else { throw FormatError(at: bytes.count, "the property list holds no value") }
        return result
    }

    /// The characters up to the end of an element that holds no other.
    private static func content(_ reader: inout XMLReader) throws(FormatError) -> String {
        var all = ""
        while let event = try reader.next() {
            switch event {
            case .text(let text, _): all += text
            case .end: return all
            case .start(let name, _, let offset): throw FormatError(at: offset, "the element \(name.quoted) inside a value")
            }
        }
        // Never reached: the reader reports an element without its end.
        return all
    }

    private static func number(_ text: String, at offset: Int) throws(FormatError) -> String {
        let trimmed = text.trimmed
        let digits = trimmed.hasPrefix("-") || trimmed.hasPrefix("+") ? trimmed.dropFirst() : trimmed[...]
        let isHexadecimal = digits.hasPrefix("0x") && UInt64(digits.dropFirst(2), radix: 16) != nil
        guard isHexadecimal || Double(trimmed) != nil else { throw FormatError(at: offset, "\(trimmed.quoted) is no number") }
        return trimmed
    }
}

extension StringProtocol where UTF8View: BidirectionalCollection {
    /// The string without white space at its ends.
    package var trimmed: String {
        let bytes = utf8
        guard let first = bytes.firstIndex(where: { !isWhiteSpace($0) }), let last = bytes.lastIndex(where: { !isWhiteSpace($0) })
        else { return "" }
        return String(self[first...last])
    }
}
