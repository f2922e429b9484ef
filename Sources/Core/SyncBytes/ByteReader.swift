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
}
