#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A system's error by its number.
struct SystemError: Error, Hashable {
    let number: Int32

    /// The error of the call that just failed.
    ///
    /// Read before any other call.
    static var last: SystemError { SystemError(number: errno) }

    /// The system's own words for it.
    var sentence: String {
        guard let text = unsafe strerror(number) else { return "error \(number)" }
        return unsafe String(cString: text)
    }
}
