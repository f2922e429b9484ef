/// A file of a project, by its path from the project's folder, and its bytes.
package struct SourceFile: Sendable {
    /// The path from the project's folder, parts joined by slashes.
    package let path: String
    /// What the file holds.
    package let bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    /// The location of a byte.
    ///
    /// - Complexity: O(*n*) in the offset: for what is reported, not for everything that is read.
    package func location(at offset: Int) -> SourceLocation {
        var (line, column) = (1, 1)
        for byte in bytes.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                (line, column) = (line + 1, 1)
            } else if byte & 0xc0 != 0x80 {
                column += 1
            }
        }
        return SourceLocation(path: path, line: line, column: column)
    }
}

/// A file, a line and a column.
package struct SourceLocation: Hashable, Comparable, Sendable {
    /// The path from the project's folder.
    package let path: String
    /// The line, from 1.
    package let line: Int
    /// The column in Unicode scalars, from 1.
    package let column: Int

    package init(path: String, line: Int = 1, column: Int = 1) {
        self.path = path
        self.line = line
        self.column = column
    }

    package static func < (left: SourceLocation, right: SourceLocation) -> Bool {
        (left.path, left.line, left.column) < (right.path, right.line, right.column)
    }
}
