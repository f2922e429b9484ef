/// The values of a map as the JSON in which they were written, checked when they were read and parsed when they are asked for.
///
/// Most values of a trace never are: only those in conflict, and those still shown at the end. One allocation, whatever the number of values.
struct ValueTexts: Sendable {
    /// For each value four bytes, lowest first, with the index at which its text starts; then the texts.
    private let bytes: [UInt8]

    /// The longest line whose values fit.
    static let maximumLineLength = 1 << 30

    /// Copies values out of a line.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - ranges: Where each value stands in it, checked by ``ValueScanner``.
    ///   - order: Which of the ranges comes first, second and so on; nil where they are in order.
    init(_ line: Span<UInt8>, _ ranges: [Range<Int>], order: [Int]?) {
        var bytes: [UInt8] = []
        var start = 4 * ranges.count
        bytes.reserveCapacity(ranges.reduce(start) { $0 + $1.count })
        for index in ranges.indices {
            for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: start >> shift)) }
            start += ranges[order?[index] ?? index].count
        }
        for index in ranges.indices { line.append(ranges[order?[index] ?? index], to: &bytes) }
        self.bytes = bytes
    }

    /// The value at an index.
    func value(at index: Int) -> FieldValue {
        let end = 4 * (index + 1) < start(of: 0) ? start(of: index + 1) : bytes.count
        do throws(JSONError) {
            return try JSONParser.parse(bytes.span.extracting(start(of: index)..<end))
        } catch {
            preconditionFailure("the text was checked when it was read")
        }
    }

    private func start(of index: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[4 * index + $1]) << (8 * $1) }
    }
}
