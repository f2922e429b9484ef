/// Why a file is not what its format asks for.
package struct FormatError: Error, Hashable, Sendable {
    /// The byte at which reading stopped.
    package let offset: Int
    /// A sentence that names what was found, without its full stop.
    package let sentence: String

    package init(at offset: Int, _ sentence: String) {
        self.offset = offset
        self.sentence = sentence
    }
}
