import SyncBytes

/// A line as it was cut from a file or a stream, with what decides how it is read.
package struct InputLine: Hashable, Sendable {
    /// The name of the file that it was read from.
    package let file: String
    /// Its number in the file, from 1; nil where that is not known.
    package var number: Int?
    /// The line without its line break; nil where it is longer than what is read.
    package let bytes: [UInt8]?
    /// Whether its file begins with it.
    package let isFirst: Bool
    /// Whether its file ends with it, without a line break.
    package let isUnfinished: Bool

    /// A line.
    package init(file: String, number: Int? = nil, bytes: [UInt8]?, isFirst: Bool = false, isUnfinished: Bool = false) {
        (self.file, self.number, self.bytes, self.isFirst, self.isUnfinished) = (file, number, bytes, isFirst, isUnfinished)
    }

    /// The file's name, and with a colon the number where it is known; nothing in it acts on a terminal.
    package var location: String { file.escaped(for: .terminal) + (number.map { ":\($0)" } ?? "") }
}
