extension FieldMap {
    /// The lengths of the values' JSON together, in bytes, as they were written.
    ///
    /// - Complexity: O(1) in what a trace brought; else O(*n*) in the length of the values.
    package var length: Int {
        switch values {
        case .parsed(let values): values.reduce(0) { $0.addingReportingOverflow($1.length(upTo: .max)).partialValue }
        case .texts(let texts): texts.length
        }
    }

    /// Whether one of the values may be an object whose first key begins with a prefix, as of ``WrittenValue/mayBeObject(withKeyPrefix:)``.
    package func mayHoldObject(withKeyPrefix prefix: StaticString) -> Bool {
        switch values {
        case .parsed(let values): values.contains { $0.object != nil }
        case .texts(let texts): texts.contains { $0.mayBeObject(withKeyPrefix: prefix) }
        }
    }
}

extension WrittenValue {
    /// The length of the value in bytes: of a string its own, of anything else its JSON's, as it was written.
    ///
    /// - Complexity: O(*n*) in the length of a string that is not parsed; nothing is allocated for it.
    package var length: Int {
        switch content {
        case .value(let value): value.length(upTo: .max)
        case .text(let texts, let index): texts.withText(at: index) { $0.stringLength ?? $0.count }
        }
    }

    /// Whether the value begins as an object does whose first key begins with a prefix; true also where that takes a closer look.
    package func mayBeObject(withKeyPrefix prefix: StaticString) -> Bool {
        switch content {
        case .value(let value): value.object != nil
        case .text(let texts, let index): texts.withText(at: index) { $0.mayBeObject(withKeyPrefix: prefix) }
        }
    }
}

extension Span<UInt8> {
    fileprivate func mayBeObject(withKeyPrefix prefix: StaticString) -> Bool {
        guard count > prefix.utf8CodeUnitCount + 2, self[0] == UInt8(ascii: "{") else { return false }
        // White space or an escape is for the closer look.
        guard self[1] == UInt8(ascii: "\""), self[2] != UInt8(ascii: "\\") else { return true }
        for index in 0..<prefix.utf8CodeUnitCount where unsafe prefix.utf8Start[index] != self[index + 2] { return false }
        return true
    }

    /// The bytes of the string that JSON, which has been checked, is of; nil where it is of something else.
    fileprivate var stringLength: Int? {
        guard count >= 2, self[0] == UInt8(ascii: "\"") else { return nil }
        var (length, index) = (0, 1)
        while index < count - 1 {
            guard self[index] == UInt8(ascii: "\\") else {
                (length, index) = (length + 1, index + 1)
                continue
            }
            guard self[index + 1] == UInt8(ascii: "u") else {
                (length, index) = (length + 1, index + 2)
                continue
            }
            let unit = (2..<6).reduce(0) { $0 << 4 | Int(self[index + $1].hexDigit) }
            // Each half of a pair is half of its four bytes.
            length += unit < 0x80 ? 1 : unit < 0x800 || 0xd800..<0xe000 ~= unit ? 2 : 3
            index += 6
        }
        return length
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit.
    fileprivate var hexDigit: UInt8 { self < UInt8(ascii: "A") ? self & 0xf : (self & 0xf) + 9 }
}

extension FieldValue {
    /// The length of the value: the bytes of a string, or of the JSON without its escapes.
    ///
    /// Stops counting once it is beyond the limit.
    package func length(upTo limit: Int) -> Int {
        switch self {
        case .null, .bool: return 4
        case .number(let number): return number.text.utf8.count
        case .string(let text): return text.utf8.count
        case .array(let elements):
            var size = 2
            for element in elements where size <= limit { size += element.length(upTo: limit - size) + 1 }
            return size
        case .object(let fields):
            var size = 2
            for field in fields where size <= limit { size += field.name.rawValue.utf8.count + 4 + field.value.length(upTo: limit - size) }
            return size
        }
    }
}
