/// Takes output.
package protocol ByteSink: AnyObject {
    /// Takes bytes; they may be kept until ``flush()``.
    func write(_ bytes: [UInt8]) throws(CommandError)

    /// Passes on all that is kept.
    func flush() throws(CommandError)

    /// Whether ``takeBack()`` can be called: nobody sees what is written before the end.
    var canBeTakenBack: Bool { get }

    /// Takes back all that was written.
    func takeBack() throws(CommandError)
}

extension ByteSink {
    package var canBeTakenBack: Bool { false }
    package func takeBack() throws(CommandError) { preconditionFailure("what others may have read is not taken back") }

    /// Takes a text as UTF-8.
    package func write(_ text: String) throws(CommandError) {
        try write(Array(text.utf8))
    }
}
