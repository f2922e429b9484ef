package import SyncModel

/// The values of a map as the JSON in which they were written, with what reads and writes it.
private final class JSONValues: ValueTexts.Storage {
    override func parse(_ text: Span<UInt8>) -> FieldValue {
        do throws(JSONError) {
            return try JSONParser.parse(text)
        } catch {
            preconditionFailure("the text was checked when it was read")
        }
    }
}

extension ValueTexts {
    /// Copies values out of a line.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - ranges: Where each value is in it, checked by ``ValueScanner``.
    ///   - order: Which of the ranges comes first, second and so on; nil where they are in order.
    init(_ line: Span<UInt8>, _ ranges: Span<Range<Int>>, order: [Int]?) {
        let header = 4 * ranges.count
        var size = header
        for index in ranges.indices { size += ranges[index].count }
        let storage = unsafe unsafeDowncast(JSONValues.create(minimumCapacity: size) { _ in size }, to: JSONValues.self)
        unsafe line.withUnsafeBytes { line in
            unsafe storage.withUnsafeMutablePointerToElements { target in
                let target = unsafe UnsafeMutableRawBufferPointer(start: target, count: size)
                var start = header
                for index in ranges.indices {
                    let range = ranges[order?[index] ?? index]
                    unsafe target.storeBytes(of: UInt32(start).littleEndian, toByteOffset: 4 * index, as: UInt32.self)
                    unsafe UnsafeMutableRawBufferPointer(rebasing: target[start..<size]).copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: line[range]))
                    start += range.count
                }
            }
        }
        self.init(storage)
    }

    /// Appends the value at an index as ``JSONText`` writes it.
    func append(at index: Int, to buffer: inout LineBuffer) {
        let isAppended = withText(at: index) { text in
            guard text.isPlainValue else { return false }
            buffer.append(text)
            return true
        }
        if !isAppended { JSONText.append(value(at: index), to: &buffer) }
    }
}

extension WrittenValue {
    /// Appends the value as ``JSONText`` writes it.
    package func append(to buffer: inout LineBuffer) {
        switch content {
        case .value(let value): JSONText.append(value, to: &buffer)
        case .text(let texts, let index): texts.append(at: index, to: &buffer)
        }
    }
}
