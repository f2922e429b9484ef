import SyncModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Writes to standard output in large pieces.
struct StandardOutput {
    private static let pieceSize = 1 << 20

    /// Writes what a buffer holds, once it is worth a call, and empties it.
    static func write(_ buffer: inout LineBuffer, isLast: Bool = false) {
        guard isLast || buffer.count >= pieceSize else { return }
        unsafe buffer.withBytes { unsafe write($0) }
        buffer.truncate(to: 0)
    }

    /// Writes bytes; where that fails there is nothing to measure.
    static func write(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        var written = 0
        while written < bytes.count {
            #if canImport(Glibc)
                let count = unsafe Glibc.write(STDOUT_FILENO, base + written, bytes.count - written)
            #elseif canImport(Musl)
                let count = unsafe Musl.write(STDOUT_FILENO, base + written, bytes.count - written)
            #else
                let count = unsafe Darwin.write(STDOUT_FILENO, base + written, bytes.count - written)
            #endif
            guard count >= 0 else { exit(74) }
            written += count
        }
    }
}
