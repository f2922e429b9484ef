/// The lines of an input of any format of lines, plain or compressed by gzip.
package enum TextLines {
    /// The longest line, in bytes, and the most that should be kept of lines that belong together.
    package static let maximumLength = 16 << 20

    /// Passes on each line of a file without its line feed, and without the byte order mark that a file may begin with.
    ///
    /// - Throws: ``AuditLogError`` and what `body` throws.
    package static func read(path: String, _ body: (Span<UInt8>, AuditLogReader.Location) throws -> Void) throws {
        var lines = try LineReader(path: path, maximumLength: maximumLength)
        try read(&lines, name: path, body)
    }

    /// Passes on each line of an open descriptor, and leaves it open; see ``read(path:_:)``.
    package static func read(descriptor: Int32, name: String, _ body: (Span<UInt8>, AuditLogReader.Location) throws -> Void) throws {
        var lines = LineReader(descriptor: descriptor, maximumLength: maximumLength)
        try read(&lines, name: name, body)
    }

    private static func read(
        _ lines: inout LineReader, name: String, _ body: (Span<UInt8>, AuditLogReader.Location) throws -> Void
    ) throws {
        var location = AuditLogReader.Location(file: name, line: 1)
        while true {
            let line: LineReader.Line
            do throws(ReadingError) {
                line = try lines.next()
            } catch {
                throw AuditLogError(error.code, "\(location): \(error.sentence)")
            }
            switch line {
            case .end: return
            case .tooLong:
                throw AuditLogError(.tooLong(maximumLength), at: location)
            case .bytes(let range):
                try lines.withBytes(range) { bytes in
                    try body(location.line == 1 && bytes.hasByteOrderMark ? bytes.extracting(3...) : bytes, location)
                }
            }
            location = AuditLogReader.Location(file: name, line: location.line + 1)
        }
    }
}
