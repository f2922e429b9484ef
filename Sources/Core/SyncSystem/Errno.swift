/// An error of the system by its number.
package struct Errno: Error, Hashable {
    /// The number, such as `ENOENT`.
    package let number: Int32

    package init(number: Int32) { self.number = number }

    /// The error of the call that just failed.
    ///
    /// Read before any other call.
    package static var last: Errno { Errno(number: errno) }

    /// The system's own words for it.
    package var sentence: String {
        guard let text = unsafe strerror(number) else { return "error \(number)" }
        return unsafe String(cString: text)
    }
}
