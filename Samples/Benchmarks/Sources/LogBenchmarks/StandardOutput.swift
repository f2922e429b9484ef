#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Writes to standard output.
struct StandardOutput {
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
