/// Takes output.
package protocol ByteSink: AnyObject {
    /// Takes bytes; they may be kept until ``flush()``.
    func write(_ bytes: [UInt8]) throws(CommandError)

    /// Passes on all that is kept.
    func flush() throws(CommandError)
}

extension ByteSink {
    /// Takes a text as UTF-8.
    package func write(_ text: String) throws(CommandError) {
        try write(Array(text.utf8))
    }
}
