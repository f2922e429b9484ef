import AuditLog
import SyncBytes
import SyncModel

/// Cuts a stream of bytes into the values of JSON that are rows: one on each line, over several lines, or the elements of one array.
///
/// - Complexity: linear in the bytes; memory grows with the longest value, which is limited.
struct JSONTexts: Sendable {
    /// The longest value, in bytes.
    static let maximumLength = TextLines.maximumLength

    private let input: InputChunks
    private var bytes: [UInt8] = []
    private var index = 0
    private var isAtEnd = false
    /// How many bytes of values have been read.
    private(set) var bytesRead = 0
    /// The number of the line of ``index``.
    private(set) var line = 1
    /// Whether the values are elements of an array.
    private(set) var isArray = false
    private var hasBegun = false
    /// Whether each value is on a line of its own, as the first was; nil before that is known.
    private var areLines: Bool?
    private var hasEnded = false

    /// The values of an input.
    init(_ input: InputChunks) { self.input = input }

    /// Reads more behind what is there, without what is behind us; false at the end.
    private mutating func fill(keepingFrom start: inout Int) throws(RowProblem) -> Bool {
        if isAtEnd { return false }
        if start > 0 {
            bytes.removeFirst(start)
            index -= start
            start = 0
        }
        do throws(ReadingError) {
            isAtEnd = try !input.append(to: &bytes)
        } catch {
            throw RowProblem(line: line, sentence: error.sentence, isFatal: true)
        }
        return !isAtEnd
    }

    /// The next byte that is no white space and no byte order mark; nil at the end.
    private mutating func skipSpace() throws(RowProblem) -> UInt8? {
        while true {
            while index < bytes.count {
                let byte = bytes[index]
                // RS separates values in RFC 7464.
                guard byte <= 0x20 || byte == 0xef || byte == 0xbb || byte == 0xbf else { return byte }
                if byte > 0x20, hasBegun || line > 1 { return byte }
                if byte == 0x0a { line += 1 }
                index += 1
            }
            var start = index
            guard try fill(keepingFrom: &start) else { return nil }
        }
    }

    /// The next value and the line on which it begins; nil at the end.
    ///
    /// - Throws: ``RowProblem``, not fatal where only one value cannot be understood.
    mutating func next() throws(RowProblem) -> (line: Int, value: FieldValue)? {
        if hasEnded { return nil }
        guard var byte = try skipSpace() else {
            if isArray { throw RowProblem(line: line, sentence: "the array does not end: the file is cut off", isFatal: true) }
            return nil
        }
        if !hasBegun {
            hasBegun = true
            if byte == UInt8(ascii: "[") {
                (isArray, index) = (true, index + 1)
                byte = try skipSpace() ?? UInt8(ascii: "]")
            }
        } else if byte == UInt8(ascii: ",") {
            index += 1
            byte = try skipSpace() ?? 0
        }
        if isArray, byte == UInt8(ascii: "]") {
            (hasEnded, index) = (true, index + 1)
            if let rest = try skipSpace() {
                throw RowProblem(
                    line: line, sentence: "there is \(String(decoding: [rest], as: UTF8.self).quoted) behind the end of the array",
                    isFatal: true)
            }
            return nil
        }
        while !isArray, byte == UInt8(ascii: "n"), try consumeNull() {
            guard let next = try skipSpace() else { return nil }
            byte = next
        }
        let start = line
        guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else {
            try skipLine()
            throw RowProblem(
                line: start, sentence: "the row is no JSON object; each must be one, with a key for each column", isFatal: isArray)
        }
        let text = try value()
        bytesRead += text.count
        do throws(JSONError) {
            return (start, try JSONParser.parse(text.span))
        } catch {
            throw RowProblem(line: start, sentence: Self.sentence(error.problem, text[...]))
        }
    }

    /// What is wrong with bytes, and how to export them where a quote behind two backslashes tells that both were escaped once more.
    private static func sentence(_ problem: String, _ bytes: ArraySlice<UInt8>) -> String {
        guard zip(zip(bytes, bytes.dropFirst()), bytes.dropFirst(2)).contains(where: { $0 == (0x5c, 0x5c) && $1 == 0x22 }) else {
            return problem
        }
        return problem + "; if COPY … TO STDOUT wrote this, it doubled the backslashes: psql -qAtX -c 'SELECT row_to_json(…) …' writes JSON"
    }

    /// Passes over a null, by which logs that are compacted mark keys that are gone; false where it is something else.
    private mutating func consumeNull() throws(RowProblem) -> Bool {
        while index + 4 >= bytes.count {
            var start = index
            guard try fill(keepingFrom: &start) else { break }
        }
        guard bytes[index...].starts(with: "null".utf8), index + 4 == bytes.count || bytes[index + 4] <= 0x20 else { return false }
        index += 4
        return true
    }

    private mutating func skipLine() throws(RowProblem) {
        while true {
            while index < bytes.count {
                if bytes[index] == 0x0a { return }
                index += 1
            }
            var start = index
            guard try fill(keepingFrom: &start) else { return }
        }
    }

    /// The bytes of an object or array that begins here.
    private mutating func value() throws(RowProblem) -> [UInt8] {
        var (start, depth, isInString, isEscaped) = (index, 0, false, false)
        let first = line
        while true {
            while index < bytes.count {
                let byte = bytes[index]
                index += 1
                if byte == 0x0a {
                    line += 1
                    // What is cut off ends with its line; no string goes over lines anyway.
                    if isInString || areLines == true {
                        throw RowProblem(
                            line: first,
                            sentence: Self.sentence("the value is cut off: it does not end with its line", bytes[start..<index]),
                            isFatal: isArray)
                    }
                }
                if isInString {
                    if isEscaped {
                        isEscaped = false
                    } else if byte == UInt8(ascii: "\\") {
                        isEscaped = true
                    } else if byte == UInt8(ascii: "\"") {
                        isInString = false
                    }
                    continue
                }
                switch byte {
                case UInt8(ascii: "\""): isInString = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    depth -= 1
                    if depth == 0 {
                        if areLines == nil { areLines = !isArray && line == first }
                        return Array(bytes[start..<index])
                    }
                default: break
                }
                if index - start > Self.maximumLength { throw tooLong(first) }
            }
            if index - start > Self.maximumLength { throw tooLong(first) }
            guard try fill(keepingFrom: &start) else {
                throw RowProblem(line: first, sentence: "the value is cut off: the object does not end", isFatal: true)
            }
        }
    }

    private func tooLong(_ line: Int) -> RowProblem {
        RowProblem(line: line, sentence: "the row is longer than \(Self.maximumLength) bytes, the most that is read", isFatal: true)
    }
}
