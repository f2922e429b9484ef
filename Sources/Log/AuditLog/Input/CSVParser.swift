import SyncBytes

/// Parses separated values as RFC 4180 defines them, one line at a time.
///
/// A value in quotes may hold separators, line breaks and, doubled, quotes. A quote inside a value that does not begin with one is a
/// character like any other. A line break is a line feed with or without a carriage return before it.
///
/// - Complexity: O(*n*) in the bytes; memory grows with the longest record, which is limited.
package struct CSVParser: Sendable {
    /// Why a line cannot be understood.
    package struct Problem: Error {
        /// What is wrong with it, without its full stop.
        package let sentence: String

        /// States what.
        package init(sentence: String) {
            self.sentence = sentence
        }
    }

    /// The longest record, in bytes.
    private let maximumLength: Int
    private let separator: UInt8
    /// The values of the record so far, one byte between two of them, and where each ends.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var length = 0
    /// Whether a value in quotes goes on with the next line.
    package private(set) var isInsideQuotes = false

    private static let quote = UInt8(ascii: "\"")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// A parser at the start of an input.
    ///
    /// - Parameters:
    ///   - separator: What separates values.
    ///   - maximumLength: The longest record, in bytes.
    package init(separator: UInt8, maximumLength: Int) {
        self.separator = separator
        self.maximumLength = maximumLength
    }

    /// What separates the values of an input: of the commas, semicolons and tabs of its first line the most frequent.
    package static func separator(ofHeader header: Span<UInt8>) -> UInt8 {
        var counts = [0, 0, 0, 0]
        let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]
        var isQuoted = false
        for index in header.indices {
            let byte = header[index]
            if byte == Self.quote { isQuoted.toggle() }
            if !isQuoted, let kind = separators.firstIndex(of: byte) { counts[kind] += 1 }
        }
        return separators[counts.firstIndex(of: counts.max() ?? 0) ?? 0]
    }

    /// Parses a line.
    ///
    /// - Returns: The values of the record that ends with the line; nil where none does, because the line is blank or ends inside quotes.
    package mutating func consume(_ line: Span<UInt8>) throws(Problem) -> [String]? {
        guard try read(line) else { return nil }
        return try withValues { (bytes, ends) throws(Problem) in
            var values: [String] = []
            values.reserveCapacity(ends.count)
            for index in ends.indices {
                values.append(try Self.text(bytes.extracting((index == 0 ? 0 : ends[index - 1] + 1)..<ends[index])))
            }
            return values
        }
    }

    /// Parses a line, and says whether a record ends with it, whose values are there until the next one begins.
    ///
    /// - Complexity: O(*n*), and no memory is asked for but where a record is longer than all before it.
    package mutating func read(_ line: Span<UInt8>) throws(Problem) -> Bool {
        var end = line.count
        if !isInsideQuotes {
            if end > 0, line[end - 1] == Self.carriageReturn { end -= 1 }
            if end == 0 { return false }
            length = 0
            bytes.removeAll(keepingCapacity: true)
            ends.removeAll(keepingCapacity: true)
        }
        length += line.count
        if length > maximumLength { throw Problem(sentence: "the row is longer than \(maximumLength) bytes, the most that is read") }
        return try read(line, upTo: end)
    }

    /// Looks at the values of the record that has been read: their bytes, and where each ends.
    package func withValues<Result, Failure: Error>(
        _ body: (Span<UInt8>, Span<Int>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(bytes.span, ends.span)
    }

    /// The text of a value's bytes.
    package static func text(_ bytes: Span<UInt8>) throws(Problem) -> String {
        guard let text = bytes.isEmpty ? "" : bytes.validText else {
            throw Problem(sentence: "the text is not UTF-8; convert the file, as 'iconv -t UTF-8' does")
        }
        return text
    }

    /// Begins anew with the next line, after one that cannot be understood.
    package mutating func reset() { self = CSVParser(separator: separator, maximumLength: maximumLength) }

    private mutating func read(_ line: Span<UInt8>, upTo lineEnd: Int) throws(Problem) -> Bool {
        var (index, end) = (0, lineEnd)
        var quote = line.position(of: Self.quote, from: 0) ?? line.count
        while true {
            if isInsideQuotes || index == quote && index < end {
                if !isInsideQuotes { index += 1 }
                isInsideQuotes = true
                guard try consumeQuoted(line, &index, &end) else { return false }
            } else {
                let plain = min(quote, end)
                appendPlain(line.extracting(index..<plain))
                index = plain
                // A quote that begins a value is looked at next.
                if index < end, index == 0 || line[index - 1] == separator { continue }
                while index < end, line[index] != separator {
                    bytes.append(line[index])
                    index += 1
                }
            }
            ends.append(bytes.count)
            if index == end { return true }
            bytes.append(separator)
            index += 1
            if quote < index { quote = line.position(of: Self.quote, from: index) ?? line.count }
        }
    }

    /// Takes bytes without quotes, and the ends of the values in them: the last value may go on.
    private mutating func appendPlain(_ span: Span<UInt8>) {
        let (offset, pattern) = (bytes.count, UInt64(separator) &* 0x0101_0101_0101_0101)
        span.append(0..<span.count, to: &bytes)
        var index = 0
        while index + 8 <= span.count {
            let other = span.word(at: index) ^ pattern
            // The highest bit of each byte that is a separator.
            var found = ~((other & 0x7f7f_7f7f_7f7f_7f7f) &+ 0x7f7f_7f7f_7f7f_7f7f | other | 0x7f7f_7f7f_7f7f_7f7f)
            while found != 0 {
                ends.append(offset + index + found.trailingZeroBitCount / 8)
                found &= found &- 1
            }
            index += 8
        }
        while index < span.count {
            if span[index] == separator { ends.append(offset + index) }
            index += 1
        }
    }

    /// Consumes the rest of a value in quotes up to what separates it from the next; false where the line ends inside the quotes.
    private mutating func consumeQuoted(_ line: Span<UInt8>, _ index: inout Int, _ end: inout Int) throws(Problem) -> Bool {
        while index < line.count {
            let quote = line.position(of: Self.quote, from: index) ?? line.count
            line.append(index..<quote, to: &bytes)
            index = quote
            guard index < line.count else { break }
            index += 1
            if index < line.count, line[index] == Self.quote {
                bytes.append(Self.quote)
                index += 1
            } else {
                isInsideQuotes = false
                end = line.count
                if end > index, line[end - 1] == Self.carriageReturn { end -= 1 }
                guard index == end || line[index] == separator else {
                    throw Problem(sentence: "a value goes on after the quote that closes it; inside quotes a quote is written twice")
                }
                return true
            }
        }
        bytes.append(UInt8(ascii: "\n"))
        return false
    }
}
