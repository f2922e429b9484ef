import SyncBytes
package import SyncModel

/// Bytes do not hold what they should: they are damaged, or a later version wrote them.
package struct CodingFailure: Error, Hashable {
    /// A sentence without its full stop.
    package let problem: String

    package init(_ problem: String) {
        self.problem = problem
    }
}

/// A reader of numbers and strings from bytes, one after the other.
///
/// No bytes make it fail other than by throwing.
package struct ByteReader: Sendable {
    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var isAtEnd: Bool { index == bytes.count }

    package mutating func byte() throws(CodingFailure) -> UInt8 {
        guard index < bytes.count else { throw CodingFailure("the bytes end too early") }
        index += 1
        return bytes[index - 1]
    }

    package mutating func number() throws(CodingFailure) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: 0 as UInt64, to: 64, by: 7) {
            let byte = try byte()
            if shift == 63, byte > 1 { break }
            number |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return number }
        }
        throw CodingFailure("a number is longer than 64 bits")
    }

    package mutating func signedNumber() throws(CodingFailure) -> Int64 {
        let number = try number()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    /// A count of things that take at least one byte each, so that no damaged count asks for more memory than the bytes are worth.
    package mutating func count() throws(CodingFailure) -> Int {
        let number = try number()
        guard number <= UInt64(bytes.count - index) else { throw CodingFailure("a count of \(number) is more than the bytes left hold") }
        return Int(clamping: number)
    }

    /// Bytes behind their count.
    package mutating func counted() throws(CodingFailure) -> [UInt8] {
        let range = try countedRange()
        return Array(bytes[range])
    }

    /// Lets a closure look at bytes behind their count.
    package mutating func withCounted<Result>(_ body: (Span<UInt8>) -> Result) throws(CodingFailure) -> Result {
        let range = try countedRange()
        return body(bytes.span.extracting(range))
    }

    private mutating func countedRange() throws(CodingFailure) -> Range<Int> {
        let count = try count()
        index += count
        return index - count..<index
    }

    package mutating func text() throws(CodingFailure) -> String {
        guard let text = try withCounted({ $0.validText }) else { throw CodingFailure("a string is not UTF-8") }
        return text
    }

    package mutating func fields() throws(CodingFailure) -> FieldMap {
        let count = try count()
        var names: [FieldName] = []
        var values: [FieldValue] = []
        // No more than a damaged count is worth.
        names.reserveCapacity(min(count, 64))
        values.reserveCapacity(min(count, 64))
        for _ in 0..<count {
            let name = FieldName(try text())
            if let last = names.last, !(last < name) { throw CodingFailure("the fields are out of order") }
            names.append(name)
            values.append(try value())
        }
        return FieldMap(sortedNames: names, values: values)
    }

    /// A number by the grammar of JSON and in its range, as every other that comes from outside.
    private mutating func decimal() throws(CodingFailure) -> JSONNumber {
        let text = try text()
        do throws(JSONError) {
            if case .number(let number) = try JSONParser.parse(text), number.text.utf8.count == text.utf8.count { return number }
        } catch {}
        throw CodingFailure("\(text.quoted) is no number")
    }

    package mutating func value() throws(CodingFailure) -> FieldValue {
        depth += 1
        defer { depth -= 1 }
        guard depth <= JSONParser.maximumDepth + 1 else { throw CodingFailure("a value is nested too deep") }
        switch try byte() {
        case ValueTag.null: return .null
        case ValueTag.false: return .bool(false)
        case ValueTag.true: return .bool(true)
        case ValueTag.number: return .number(try decimal())
        case ValueTag.integer: return .number(JSONNumber(try signedNumber()))
        case ValueTag.string: return .string(try text())
        case ValueTag.object: return .object(try fields())
        case ValueTag.array:
            var elements: [FieldValue] = []
            for _ in 0..<(try count()) { elements.append(try value()) }
            return .array(elements)
        case let tag: throw CodingFailure("a value has the unknown kind \(tag)")
        }
    }
}
