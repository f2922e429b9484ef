/// How far a file has been read, and enough of what it held to tell its growth from its replacement.
///
/// Pure: what it is told about the file comes from elsewhere.
struct ContentMark: Hashable, Sendable {
    /// What a second look at a file means.
    enum Verdict: Hashable {
        /// It holds what it held; what comes after the mark is new.
        case continues
        /// It now ends before the mark; ``ContentMark/cutBack(found:)`` tells whether only a line that was begun has been taken back.
        case isShorter
        /// It holds something else.
        case isReplaced
    }

    /// What was cut from the bytes of a file.
    enum Piece: Hashable {
        /// A whole line, without its line break.
        case line([UInt8])
        /// A line that is longer than what is read, so that it was passed over.
        case tooLong
    }

    /// How much is remembered of what came before the mark, in bytes: more than one line in all but the rarest logs.
    static let witnessLength = 1024

    /// How the file begins.
    private(set) var fingerprint = Fingerprint()

    /// How many bytes of it have been read.
    private(set) var position: Int64 = 0

    /// The line that has been begun but not ended.
    private(set) var unfinished: [UInt8] = []

    /// The bytes just before the mark.
    private(set) var recent: [UInt8] = []

    private var isSkipping = false

    /// The mark of a file that is read from its start.
    init() {}

    /// The mark of a file of which the part up to a line's end counts as read.
    init(fingerprint: Fingerprint, position: Int64, recent: [UInt8]) {
        self.fingerprint = fingerprint
        self.position = position
        self.recent = recent.suffix(Self.witnessLength)
    }

    /// Where the bytes before the mark begin that must still be there.
    var witnessStart: Int64 { position - Int64(recent.count) }

    /// What it means that a file begins with some fingerprint and holds some bytes where ``recent`` was.
    ///
    /// - Parameter found: As many bytes as there are from ``witnessStart`` on, at most as many as `recent` has.
    func verdict(fingerprint now: Fingerprint, found: some Collection<UInt8>) -> Verdict {
        if found.count < recent.count { return .isShorter }
        return fingerprint.canGrow(into: now) && found.elementsEqual(recent) ? .continues : .isReplaced
    }

    /// Where the bytes begin that ``cutBack(found:)`` needs.
    var longWitnessStart: Int64 { position - Int64(longWitness.count) }

    private var longWitness: [UInt8] { unfinished.count > recent.count ? unfinished : recent }

    /// Removes the end of an unfinished line where that is all the file has lost, as a writer does whose disk was full in the middle of a
    /// line.
    ///
    /// - Parameter found: What the file holds from ``longWitnessStart`` on.
    /// - Returns: Whether that is so; otherwise nothing is changed, and the file holds something else.
    mutating func cutBack(found: [UInt8]) -> Bool {
        let lost = longWitness.count - found.count
        guard lost > 0, lost <= unfinished.count, !found.isEmpty, longWitness.starts(with: found) else { return false }
        unfinished.removeLast(lost)
        position -= Int64(lost)
        recent = found.suffix(Self.witnessLength)
        return true
    }

    /// Appends the bytes that follow the mark and cuts them into lines.
    mutating func append(_ bytes: ArraySlice<UInt8>, maximumLineLength: Int) -> [Piece] {
        fingerprint.extend(with: bytes)
        position += Int64(bytes.count)
        recent = (bytes.count < Self.witnessLength ? recent + bytes : Array(bytes)).suffix(Self.witnessLength)
        var pieces: [Piece] = []
        var rest = bytes
        while let end = rest.span.newline(from: 0).map({ rest.startIndex + $0 }) {
            let line = rest[..<end]
            rest = rest[(end + 1)...]
            if isSkipping {
                isSkipping = false
            } else if unfinished.count + line.count > maximumLineLength {
                pieces.append(.tooLong)
            } else {
                pieces.append(.line(Self.withoutHole(unfinished + line)))
            }
            unfinished.removeAll()
        }
        if !isSkipping { unfinished += rest }
        if unfinished.count > maximumLineLength {
            pieces.append(.tooLong)
            isSkipping = true
            unfinished.removeAll()
        }
        return pieces
    }

    /// The line that has been begun, as it is where nothing follows any more; nil where none has been begun.
    ///
    /// Zeros alone are no hole then: there is no line for them to be before.
    var lastLine: [UInt8]? { unfinished.contains { $0 != 0 } ? Self.withoutHole(unfinished) : unfinished.isEmpty ? nil : unfinished }

    /// Whether the line that is read next, or has been begun, is the first of the file.
    var isAtFirstLine: Bool { position == Int64(unfinished.count) }

    /// A writer that does not append goes on at its old place after its file was emptied, and leaves a hole of zeros before its next line.
    private static func withoutHole(_ line: [UInt8]) -> [UInt8] {
        line.first == 0 ? Array(line.drop { $0 == 0 }) : line
    }
}
