import SyncSystem

/// Reads the lines of a file from the last to the first, in memory that does not grow with the file.
package struct BackwardLines {
    /// A line.
    package enum Line: Hashable {
        /// The line's bytes without the line break, and where it begins in the file.
        case bytes([UInt8], offset: Int64)
        /// The line was longer than the limit and has been passed over.
        case tooLong(offset: Int64)

        /// Where it begins in the file.
        package var offset: Int64 {
            switch self {
            case .bytes(_, let offset), .tooLong(let offset): offset
            }
        }

        /// Its bytes; nil where it was passed over.
        package var bytes: [UInt8]? {
            switch self {
            case .bytes(let bytes, _): bytes
            case .tooLong: nil
            }
        }
    }

    /// Where the last line ends, its line break included.
    let end: Int64

    /// Whether the line that ``next()`` returned last ends with the file and not with a line break.
    package private(set) var isUnfinished = false

    private static let pieceLength = 64 * 1024

    private let file: ReadableFile
    private let maximumLineLength: Int
    /// The bytes of the file from `start` on that are not yet cut into lines.
    private var rest: [UInt8] = []
    private var start: Int64
    private var isDone = false

    /// Starts behind the last line of the file at a path, whether or not that line has been ended.
    ///
    /// - Throws: ``AuditLogError``, without the path.
    package init(path: String, maximumLineLength: Int = 16 << 20) throws(AuditLogError) {
        let file: ReadableFile
        do throws(Errno) {
            file = try ReadableFile(path: path)
        } catch {
            let problem =
                switch FileSighting(error) {
                case .nothing, .file: "there is no such file"
                case .obstacle(let sentence): sentence
                }
            throw AuditLogError(.noInput, problem)
        }
        try self.init(file, includesUnfinished: true, maximumLineLength: maximumLineLength)
    }

    /// Starts behind the last line.
    ///
    /// - Parameters:
    ///   - file: The file; what is written to it from now on is not looked at.
    ///   - includesUnfinished: Whether a line without a line break at the end counts as one.
    ///   - maximumLineLength: The longest line read, in bytes.
    /// - Throws: ``AuditLogError``, without the file's name.
    init(_ file: ReadableFile, includesUnfinished: Bool, maximumLineLength: Int) throws(AuditLogError) {
        self.file = file
        self.maximumLineLength = maximumLineLength
        start = file.size
        guard !includesUnfinished else {
            end = start
            return
        }
        // Only the place of the last line break is wanted, so nothing is kept on the way to it.
        while start > 0 {
            let from = max(0, start - Int64(Self.pieceLength))
            let bytes = try Self.read(file, from, Int(clamping: start - from))
            start = from
            if let index = bytes.lastIndex(of: UInt8(ascii: "\n")) {
                start += Int64(index) + 1
                break
            }
        }
        end = start
    }

    /// The line before the one that was given last, or nil before the first.
    ///
    /// Ends early where the file is emptied meanwhile.
    ///
    /// - Throws: ``AuditLogError``, without the file's name.
    package mutating func next() throws(AuditLogError) -> Line? {
        var isTooLong = false
        var scanned = 0
        isUnfinished = false
        if isDone { return nil }
        // The line break at the very end ends the last line and begins none.
        if start == end, rest.isEmpty {
            try fill()
            if rest.last == UInt8(ascii: "\n") { rest.removeLast() } else { isUnfinished = true }
        }
        while true {
            if let index = rest[..<(rest.count - scanned)].lastIndex(of: UInt8(ascii: "\n")) {
                let line = Array(rest[(index + 1)...])
                rest.removeSubrange(index...)
                let offset = start + Int64(index) + 1
                return isTooLong || line.count > maximumLineLength ? .tooLong(offset: offset) : .bytes(line, offset: offset)
            }
            if rest.count > maximumLineLength {
                isTooLong = true
                rest.removeAll()
            }
            scanned = rest.count
            if start == 0 { break }
            try fill()
            if isDone { return nil }
        }
        isDone = true
        if isTooLong || rest.count > maximumLineLength { return .tooLong(offset: 0) }
        // Nothing at all is no line.
        return end == 0 ? nil : .bytes(rest, offset: 0)
    }

    /// The number of the line that begins at an offset, from 1.
    ///
    /// - Throws: ``AuditLogError``, without the file's name.
    /// - Complexity: O(*n*) in the bytes before the offset, which are read once more.
    package func number(ofLineAt offset: Int64) throws(AuditLogError) -> Int {
        var (number, start) = (1, Int64(0))
        while start < offset {
            let bytes = try Self.read(file, start, Int(clamping: min(offset - start, 1 << 20)))
            if bytes.isEmpty { break }
            number += bytes.count { $0 == UInt8(ascii: "\n") }
            start += Int64(bytes.count)
        }
        return number
    }

    /// Reads what lies before.
    private mutating func fill() throws(AuditLogError) {
        guard start > 0 else { return }
        // Twice as much each time, or a long line would be moved once for each piece of it.
        let from = max(0, start - Int64(max(Self.pieceLength, rest.count)))
        let bytes = try Self.read(file, from, Int(clamping: start - from))
        isDone = Int64(bytes.count) < start - from
        rest = bytes + rest
        start = from
    }

    private static func read(_ file: ReadableFile, _ offset: Int64, _ count: Int) throws(AuditLogError) -> [UInt8] {
        do throws(Errno) {
            return try file.read(at: offset, count: count)
        } catch {
            throw AuditLogError(.inputOutput, "reading failed: \(error.sentence)")
        }
    }
}
