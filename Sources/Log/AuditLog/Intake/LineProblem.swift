/// What is wrong with a line.
package struct LineProblem: Error, Hashable, Sendable {
    /// What a line is that is no event.
    package enum Kind: Hashable, Sendable {
        /// It cannot be understood.
        case broken
        /// It cannot be understood, for it ends before its value does.
        case cutOff
        /// Its file ends within it, as where a writer died. It is told of and counted, and no reason not to read the other lines.
        case torn
        /// A file of another sort begins with it.
        case foreign(ForeignFormat)
        /// It is a summary, where only lines are of use.
        case summary
    }

    /// A sentence that names the value and the remedy, without its full stop; file and line number come before it.
    package let sentence: String
    /// What the line is.
    package let kind: Kind

    /// A problem by its sentence.
    package init(sentence: String, kind: Kind = .broken) { (self.sentence, self.kind) = (sentence, kind) }

    /// The line has more bytes than are read.
    package static func tooLong(_ limit: Int = TextLines.maximumLength) -> LineProblem {
        LineProblem(sentence: "the line is longer than \(limit) bytes, the most that is read")
    }

    /// A summary is there instead of a line.
    static let summary = LineProblem(
        sentence: "this is a summary, as 'syncaudit report --format summary' writes it; only 'syncaudit report' reads it back",
        kind: .summary)

    /// Whether a reader that is lenient passes over the line where another one ends.
    var canBePassedOver: Bool { kind == .broken || kind == .cutOff }

    /// The problem of a line by its location in its file.
    ///
    /// A last line without a line break that breaks off, or is or ends in the zeros that a file system leaves after a power cut, is torn. A
    /// summary is not: it is all there is.
    ///
    /// - Parameter line: The line, without a byte order mark.
    func located(_ line: Span<UInt8>, isFirst: Bool, isUnfinished: Bool) -> LineProblem {
        if isUnfinished, line.indices.allSatisfy({ line[$0] == 0 }) {
            return LineProblem(sentence: "the last line is nothing but zeros, as a power cut leaves them", kind: .torn)
        }
        if isUnfinished, kind == .cutOff || line[line.count - 1] == 0, line[0] == UInt8(ascii: "{"), !LineReader.beginsSummary(line) {
            return LineProblem(
                sentence: "the last line breaks off: its writer may have died, or has not written all of it yet", kind: .torn)
        }
        guard isFirst, let format = ForeignFormat(line) else { return self }
        return LineProblem(sentence: format.sentence, kind: .foreign(format))
    }
}
