/// The lines of one file, for many locations in it.
package struct LineTable: Sendable {
    private let path: String
    private let bytes: [UInt8]
    /// The bytes at which lines begin.
    private var starts = [0]
    /// How many Unicode scalars begin before each multiple of the stride, so that a file of one long line costs no more than others.
    private var scalars: [Int] = []
    private static let stride = 1024

    /// - Complexity: O(*n*) in the length of the file.
    package init(_ file: SourceFile) {
        path = file.path
        bytes = file.bytes
        var count = 0
        for (index, byte) in bytes.enumerated() {
            if index % Self.stride == 0 { scalars.append(count) }
            if byte & 0xc0 != 0x80 { count += 1 }
            if byte == UInt8(ascii: "\n") { starts.append(index + 1) }
        }
        scalars.append(count)
    }

    /// The location of a byte, equal to `SourceFile.location(at:)`.
    ///
    /// - Complexity: O(log *n*) in the number of lines.
    package func location(at offset: Int) -> SourceLocation {
        let offset = min(max(offset, 0), bytes.count)
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        let column = scalarCount(before: offset) - scalarCount(before: starts[low]) + 1
        return SourceLocation(path: path, line: low + 1, column: column)
    }

    private func scalarCount(before offset: Int) -> Int {
        let slot = offset / Self.stride
        return scalars[slot] + bytes[(slot * Self.stride)..<offset].count { $0 & 0xc0 != 0x80 }
    }
}
