#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Reads whole lines from a pipe, a terminal or whatever else can only be read from front to back, as they come.
package struct StreamedLines: ~Copyable {
    /// What one reading gave.
    package struct Batch {
        /// The lines, without their line breaks, in order; nil for one that is longer than what is read.
        package let lines: [[UInt8]?]
        /// Whether the last line has no line break: the stream ends within it.
        package var isUnfinished = false
    }

    /// The descriptor, to wait for.
    package let descriptor: Int32

    private let isOwner: Bool
    private let maximumLineLength: Int
    private var mark = ContentMark()
    private var isDone = false

    /// Reads from an open descriptor and leaves it open.
    package init(descriptor: Int32, maximumLineLength: Int = 16 << 20) {
        self.descriptor = descriptor
        isOwner = false
        self.maximumLineLength = maximumLineLength
    }

    /// Opens a path.
    ///
    /// - Parameter waits: Whether opening and reading a pipe wait for its writer; otherwise the caller waits until there is something to read.
    /// - Throws: ``AuditLogError`` that names the path.
    package init(path: String, waits: Bool, maximumLineLength: Int = 16 << 20) throws(AuditLogError) {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK))
        guard descriptor >= 0 else { throw AuditLogError(.noInput, "\(path.harmless):1: cannot be read: \(Errno(number: errno).sentence)") }
        isOwner = true
        self.maximumLineLength = maximumLineLength
    }

    deinit {
        if isOwner { close(descriptor) }
    }

    /// Reads once.
    ///
    /// - Returns: The lines that were ended by what was read, and at the end of the stream the one that was not; nil after that.
    /// - Throws: ``AuditLogError``, without a name.
    package mutating func read() throws(AuditLogError) -> Batch? {
        if isDone { return nil }
        var failure: Errno?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 64 * 1024) { buffer, filled in
            let count = unsafe Self.read(descriptor, buffer)
            if count < 0 { failure = Errno(number: errno) }
            filled = max(0, count)
        }
        if let failure {
            if [EINTR, EAGAIN, EWOULDBLOCK].contains(failure.number) { return Batch(lines: []) }
            throw AuditLogError(.inputOutput, "reading failed: \(failure.sentence)")
        }
        if bytes.isEmpty {
            isDone = true
            return mark.unfinished.isEmpty ? nil : Batch(lines: [mark.unfinished], isUnfinished: true)
        }
        let pieces = mark.take(bytes[...], maximumLineLength: maximumLineLength)
        return Batch(lines: pieces.map { if case .line(let line) = $0 { line } else { nil } })
    }

    private static func read(_ descriptor: Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        #if canImport(Glibc)
            unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
            unsafe Musl.read(descriptor, buffer.baseAddress, buffer.count)
        #else
            unsafe Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
    }
}
