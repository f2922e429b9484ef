import SyncBytes
import SyncSystem

/// Reads whole lines from a pipe, a terminal, a compressed file or whatever else can only be read from front to back, as they come.
package struct StreamedLines: ~Copyable {
    /// The descriptor, to wait for.
    package var descriptor: Int32 { input.descriptor }

    /// Whether there may be more to read although nothing comes by the descriptor: what it gave and has not been decompressed.
    package var holdsMore: Bool { input.holdsMore }

    /// The name that lines and errors have.
    package let name: String

    private var input: InputBytes
    private let maximumLineLength: Int
    private var mark = ContentMark()
    private var count = 0
    private var isDone = false

    /// Reads from an open descriptor and leaves it open.
    package init(descriptor: Int32, name: String, maximumLineLength: Int = TextLines.maximumLength) {
        self.name = name
        input = InputBytes(descriptor: descriptor, ownsDescriptor: false)
        (input.readsAppleLog, input.readsOnce) = (true, true)
        self.maximumLineLength = maximumLineLength
    }

    /// Opens a path.
    ///
    /// - Parameter waits: Whether opening and reading a pipe wait for its writer; otherwise the caller waits until there is something to
    ///   read.
    /// - Throws: ``AuditLogError`` that names the path.
    package init(path: String, waits: Bool, maximumLineLength: Int = TextLines.maximumLength) throws(AuditLogError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK))
        guard descriptor >= 0 else {
            throw AuditLogError(.noInput, "\(path.escaped(for: .terminal)): cannot be read: \(Errno.last.sentence)")
        }
        name = path
        input = InputBytes(descriptor: descriptor, ownsDescriptor: true)
        (input.readsAppleLog, input.readsOnce) = (true, true)
        self.maximumLineLength = maximumLineLength
    }

    /// Whether there is at a path a file whose lines cannot be read from the end: compressed, or Apple's log, whose messages belong
    /// together.
    package static func mustBeStreamed(_ path: String) -> Bool {
        isCompressed(path) || AppleLogDetector.verdict(ofFileAt: path) != .other
    }

    /// Whether a file is Apple's log as it is printed for people, or one array, so that no line of it tells what it means by itself.
    package static func isPrintedLog(_ path: String) -> Bool {
        switch AppleLogDetector.verdict(ofFileAt: path) {
        case .log(.text), .log(.array): true
        case .log(.json), .other, .open: false
        }
    }

    /// Whether there is at a path a file that is compressed by gzip, so that its lines cannot be read from the end.
    package static func isCompressed(_ path: String) -> Bool {
        do throws(Errno) {
            let file = try ReadableFile(path: path)
            let start = file.isRegular ? try file.read(at: 0, count: 2) : []
            return unsafe start.withUnsafeBytes { unsafe GzipDecoder.recognizes($0) }
        } catch {
            return false
        }
    }

    /// Reads once.
    ///
    /// - Returns: The lines that were ended by what was read, and at the end of the stream the one that was not; nil after that.
    /// - Throws: ``AuditLogError`` that names the stream and the line.
    package mutating func read() throws(AuditLogError) -> [InputLine]? {
        if isDone { return nil }
        guard let bytes = try readPiece() else { return [] }
        isDone = bytes.isEmpty
        if isDone { return mark.lastLine.map { [nextLine($0, isUnfinished: true)] } }
        return mark.append(bytes[...], maximumLineLength: maximumLineLength).map { piece in
            if case .line(let line) = piece { nextLine(line) } else { nextLine(nil) }
        }
    }

    private mutating func nextLine(_ bytes: [UInt8]?, isUnfinished: Bool = false) -> InputLine {
        count += 1
        return InputLine(file: name, number: count, bytes: bytes, isFirst: count == 1, isUnfinished: isUnfinished)
    }

    /// The next bytes, none at the end; nil where there are none yet.
    private mutating func readPiece() throws(AuditLogError) -> [UInt8]? {
        var failure: ReadingError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 64 * 1024) { buffer, filled in
            do throws(ReadingError) {
                filled = unsafe try input.read(into: UnsafeMutableRawBufferPointer(buffer))
            } catch {
                failure = error
            }
        }
        guard let failure else { return bytes }
        if [EAGAIN, EWOULDBLOCK].contains(failure.number) { return nil }
        throw AuditLogError(failure.code, "\(name.escaped(for: .terminal)):\(count + 1): \(failure.sentence)")
    }
}
