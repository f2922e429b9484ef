import CZlib

/// One gzip member that holds some bytes.
public func compressed(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let input = Array(bytes)
    var stream = unsafe z_stream()
    let version = ZLIB_VERSION
    precondition(
        unsafe deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, version, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    )
    defer { unsafe deflateEnd(&stream) }
    var copy = input
    return unsafe copy.withUnsafeMutableBufferPointer { source in
        unsafe stream.next_in = source.baseAddress
        unsafe stream.avail_in = uInt(source.count)
        let capacity = unsafe Int(deflateBound(&stream, uLong(source.count)))
        return unsafe [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
            unsafe stream.next_out = output.baseAddress
            unsafe stream.avail_out = uInt(capacity)
            precondition(unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END)
            count = unsafe capacity - Int(stream.avail_out)
        }
    }
}
