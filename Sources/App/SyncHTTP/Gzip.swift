import CZlib

/// A body in gzip's format, by the system's zlib.
///
/// Source of the format: RFC 1952.
enum Gzip {
    enum Failure: Error { case damaged, cutOff, tooLarge }

    /// A window of 32 KiB, and the header of gzip around the data.
    ///
    /// Source: zlib manual, `deflateInit2`.
    private static let windowBits: Int32 = 15 + 16
    private static let pieceSize = 64 << 10

    /// Whether bytes are gzip data; no text of this wire begins so.
    static func recognizes(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1f, 0x8b]) }

    /// Bytes in gzip's format.
    ///
    /// - Throws: ``Failure`` where zlib does not start.
    static func compressed(_ bytes: [UInt8]) throws -> [UInt8] {
        unsafe try withStream { stream in
            let code = unsafe deflateInit2_(
                stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size))
            guard code == Z_OK else { throw Failure.damaged }
            defer { unsafe deflateEnd(stream) }
            return unsafe try run(stream, bytes, limit: .max) { unsafe deflate($0, Z_FINISH) }
        }
    }

    /// The bytes of gzip data: one member, and nothing behind it.
    ///
    /// - Parameter limit: The most bytes that may come out.
    static func decompressed(_ bytes: [UInt8], limit: Int) throws -> [UInt8] {
        unsafe try withStream { stream in
            guard unsafe inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
                throw Failure.damaged
            }
            defer { unsafe inflateEnd(stream) }
            return unsafe try run(stream, bytes, limit: limit) { unsafe inflate($0, Z_NO_FLUSH) }
        }
    }

    /// A stream in memory of its own, since zlib keeps a pointer to it.
    private static func withStream(_ body: (UnsafeMutablePointer<z_stream>) throws -> [UInt8]) throws -> [UInt8] {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        defer { unsafe stream.deallocate() }
        return unsafe try body(stream)
    }

    /// Runs all bytes through a stream, with room for some of what comes out at a time.
    private static func run(
        _ stream: UnsafeMutablePointer<z_stream>, _ bytes: [UInt8], limit: Int, _ step: (UnsafeMutablePointer<z_stream>) -> Int32
    ) throws -> [UInt8] {
        guard bytes.count <= Int(uInt.max) else { throw Failure.tooLarge }
        var (input, room) = (bytes, [UInt8](repeating: 0, count: pieceSize))
        var (output, code) = ([UInt8](), Z_OK)
        unsafe stream.pointee.avail_in = uInt(input.count)
        while code == Z_OK {
            let given = unsafe input.withUnsafeMutableBufferPointer { input in
                unsafe room.withUnsafeMutableBufferPointer { room in
                    unsafe stream.pointee.next_in = input.baseAddress.map { unsafe $0 + (input.count - Int(stream.pointee.avail_in)) }
                    unsafe stream.pointee.next_out = room.baseAddress
                    unsafe stream.pointee.avail_out = uInt(room.count)
                    code = unsafe step(stream)
                    return unsafe room.count - Int(stream.pointee.avail_out)
                }
            }
            if output.count + given > limit { throw Failure.tooLarge }
            output += room[..<given]
        }
        // There is nothing left to read, and no end of the stream.
        if code == Z_BUF_ERROR { throw Failure.cutOff }
        guard code == Z_STREAM_END, unsafe stream.pointee.avail_in == 0 else { throw Failure.damaged }
        return output
    }
}
