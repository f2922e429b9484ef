/// A line as it was cut from a file or a stream, with what decides how it is read.
package struct InputLine: Hashable, Sendable {
    /// The file that it was read from, and its number there.
    package var location: AuditLogReader.Location
    /// The line without its line break; nil where it is longer than what is read.
    package let bytes: [UInt8]?
    /// Whether its file begins with it.
    package let isFirst: Bool
    /// Whether its file ends with it, without a line break.
    package let isUnfinished: Bool

    /// A line.
    ///
    /// - Parameter number: Its number in the file, from 1; 0 where it is not known.
    package init(file: String, number: Int = 0, bytes: [UInt8]?, isFirst: Bool = false, isUnfinished: Bool = false) {
        location = AuditLogReader.Location(file: file, line: number)
        (self.bytes, self.isFirst, self.isUnfinished) = (bytes, isFirst, isUnfinished)
    }

    /// The file that it was read from.
    package var file: String { location.file }
}
