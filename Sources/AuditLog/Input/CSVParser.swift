import SyncModel

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
    /// The finished values of a record whose last line has not come.
    private var values: [String] = []
    private var value: [UInt8] = []
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
        var counts = [0, 0, 0]
        let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
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
        var end = line.count
        var index = 0
        if !isInsideQuotes {
            if end > 0, line[end - 1] == Self.carriageReturn { end -= 1 }
            if end == 0 { return nil }
            length = 0
        }
        length += line.count
        if length > maximumLength { throw Problem(sentence: "the row is longer than \(maximumLength) bytes, the most that is read") }
        while true {
            if !isInsideQuotes, value.isEmpty, index < end, line[index] == Self.quote {
                isInsideQuotes = true
                index += 1
            }
            if isInsideQuotes {
                guard try consumeQuoted(line, &index, &end) else { return nil }
                try finishValue()
            } else {
                let start = index
                while index < end, line[index] != separator { index += 1 }
                guard let text = start == index ? "" : line.extracting(start..<index).validText else { throw Self.notUTF8 }
                values.append(text)
            }
            if index == end { break }
            index += 1
        }
        let record = values
        values = []
        // The next one has as many values, as a rule.
        values.reserveCapacity(record.count)
        return record
    }

    /// Begins anew with the next line, after one that cannot be understood.
    package mutating func reset() { self = CSVParser(separator: separator, maximumLength: maximumLength) }

    /// Consumes the rest of a value in quotes up to what separates it from the next; false where the line ends inside the quotes.
    private mutating func consumeQuoted(_ line: Span<UInt8>, _ index: inout Int, _ end: inout Int) throws(Problem) -> Bool {
        while index < line.count {
            let start = index
            while index < line.count, line[index] != Self.quote { index += 1 }
            append(line.extracting(start..<index))
            guard index < line.count else { break }
            index += 1
            if index < line.count, line[index] == Self.quote {
                value.append(Self.quote)
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
        value.append(UInt8(ascii: "\n"))
        return false
    }

    private mutating func append(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe value.append(contentsOf: $0) }
    }

    private static let notUTF8 = Problem(sentence: "the text is not UTF-8; convert the file, as 'iconv -t UTF-8' does")

    private mutating func finishValue() throws(Problem) {
        guard let text = value.span.validText else { throw Self.notUTF8 }
        values.append(text)
        value.removeAll(keepingCapacity: true)
    }
}
