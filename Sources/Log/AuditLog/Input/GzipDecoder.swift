import CZlib

/// Decompresses gzip data piece by piece, with the system's zlib, in memory that depends neither on what comes in nor on what comes out.
///
/// Source of the format: RFC 1952. Several members after each other are one stream, and zeros after the last are padding.
@safe
final class GzipDecoder {
    /// The two bytes that begin every member; no JSON text begins so.
    static let magic: (UInt8, UInt8) = (0x1f, 0x8b)

    private static let inputSize = 64 * 1024
    /// The largest window that `deflate` knows, and a gzip header around it.
    ///
    /// Source: zlib manual, `inflateInit2`.
    private static let windowBits: Int32 = 15 + 16

    private enum State {
        case inMember
        case betweenMembers
        case padding
        case ended
        case failed(ReadingError)
    }

    // Both are allocated apart, since zlib keeps a pointer to the stream and the stream one to the input.
    private let stream: UnsafeMutablePointer<z_stream>
    private let input: UnsafeMutableRawBufferPointer
    private var state = State.inMember

    /// Whether bytes are those of gzip data.
    static func recognizes(_ start: UnsafeRawBufferPointer) -> Bool {
        unsafe start.count >= 2 && start[0] == magic.0 && start[1] == magic.1
    }

    /// Begins with what has been read already, at most 64 KiB of which are taken in one piece.
    init(start: UnsafeRawBufferPointer) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        unsafe input = .allocate(byteCount: max(Self.inputSize, start.count), alignment: 16)
        unsafe input.copyMemory(from: start)
        unsafe stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: Bytef.self)
        unsafe stream.pointee.avail_in = uInt(start.count)
        let code = unsafe inflateInit2_(stream, Self.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        if code != Z_OK { state = .failed(ReadingError(badData: "the gzip data cannot be read: zlib does not start (\(code))")) }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
        unsafe input.deallocate()
    }

    /// Whether there is input that has been read and not been decompressed, or output that has not been given.
    var holdsMore: Bool {
        switch state {
        // A full piece of output may not have been all.
        case .inMember: unsafe stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0
        case .betweenMembers, .padding: unsafe stream.pointee.avail_in > 0
        case .ended, .failed: false
        }
    }

    /// Fills some room from its front, and returns how many bytes it gave; 0 at the end.
    ///
    /// - Parameters:
    ///   - room: Where the bytes go.
    ///   - read: Gets more compressed bytes, 0 at their end.
    /// - Throws: ``ReadingError`` where the data are cut off or damaged, with this call and every later one; and what `read` throws.
    func decode(
        into room: UnsafeMutableRawBufferPointer, read: (UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int
    ) throws(ReadingError) -> Int {
        let size = min(room.count, Int(uInt.max))
        while true {
            if case .ended = state { return 0 }
            if case .failed(let error) = state { throw error }
            if unsafe stream.pointee.avail_in == 0, !holdsMore, unsafe try !refill(read) {
                try end()
                continue
            }
            switch state {
            case .inMember:
                let count = unsafe try inflate(into: room, size)
                if count > 0 { return count }
            case .betweenMembers, .padding: try startMember()
            case .ended, .failed: break
            }
        }
    }

    private func refill(_ read: (UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int) throws(ReadingError) -> Bool {
        let count = unsafe try read(input)
        unsafe stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: Bytef.self)
        unsafe stream.pointee.avail_in = uInt(count)
        return count > 0
    }

    private func inflate(into room: UnsafeMutableRawBufferPointer, _ size: Int) throws(ReadingError) -> Int {
        unsafe stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: Bytef.self)
        unsafe stream.pointee.avail_out = uInt(size)
        let code = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
        let count = unsafe size - Int(stream.pointee.avail_out)
        switch code {
        // Z_BUF_ERROR only says that there was nothing to do without more input.
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: state = .betweenMembers
        default:
            let words = unsafe stream.pointee.msg.map { unsafe ": " + String(cString: $0) } ?? ""
            let error = fail("the gzip data are damaged (zlib\(words)); the lines before were readable")
            // What came out before the fault is good data still.
            if count == 0 { throw error }
        }
        return count
    }

    /// Looks at what follows a member.
    private func startMember() throws(ReadingError) {
        guard let next = unsafe stream.pointee.next_in else { return }
        if unsafe next.pointee == 0 {
            // Padding, as tapes and some file systems need it.
            unsafe stream.pointee.next_in = next + 1
            unsafe stream.pointee.avail_in -= 1
            state = .padding
        } else if case .betweenMembers = state, unsafe next.pointee == Self.magic.0 {
            unsafe inflateReset(stream)
            state = .inMember
        } else {
            throw fail("after the gzip data stands something else, which was not read")
        }
    }

    private func end() throws(ReadingError) {
        if case .inMember = state { throw fail("the gzip data are cut off: the file is not complete; the lines before were readable") }
        state = .ended
    }

    private func fail(_ sentence: String) -> ReadingError {
        let error = ReadingError(badData: sentence)
        state = .failed(error)
        return error
    }
}
