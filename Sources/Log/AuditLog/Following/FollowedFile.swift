import SyncSystem

/// One file of a followed log, open, with a mark of how far it was read.
final class FollowedFile {
    /// What a look at the file gave.
    enum Outcome {
        /// What was cut from the bytes that are new, and whether there may be more.
        case pieces([ContentMark.Piece], isMore: Bool)
        /// The file holds something else than it held, though it is the same file.
        case isReplaced
        /// The system's error.
        case failed(Errno)
    }

    /// The open file.
    let file: ReadableFile
    /// The name that it was opened by.
    let path: String
    /// How far it was read.
    private(set) var mark: ContentMark
    /// What tells of changes to it.
    var watch: Int32?
    /// How many paths have it among their files.
    var paths = 0
    /// How it begins, where it can be found by that.
    var recordedContent: Fingerprint?

    /// The most that is read at once, in bytes.
    private static let pieceLength = 256 * 1024

    /// A file that is read from its mark on.
    init(_ file: ReadableFile, path: String, mark: ContentMark = ContentMark()) {
        self.file = file
        self.path = path
        self.mark = mark
    }

    /// Goes on where another file with the same content was left.
    func adopt(_ mark: ContentMark) {
        self.mark = mark
    }

    /// Reads what has come since the last look, at most so much that memory stays bounded.
    func read(maximumLineLength: Int) -> Outcome {
        do throws(Errno) {
            // The fingerprint comes first: what is read after it is checked by what it is read with, in one call.
            let fingerprint = try file.fingerprint()
            let witnessLength = mark.recent.count
            let length = Int(clamping: min(max(0, file.size - mark.position), Int64(Self.pieceLength)))
            let bytes = try file.read(at: mark.witnessStart, count: witnessLength + length)
            switch mark.verdict(fingerprint: fingerprint, found: bytes.prefix(witnessLength)) {
            case .continues: break
            case .isShorter:
                let start = mark.longWitnessStart
                let isCutBack = mark.cutBack(found: try file.read(at: start, count: Int(clamping: mark.position - start)))
                return isCutBack ? .pieces([], isMore: true) : .isReplaced
            case .isReplaced: return .isReplaced
            }
            let pieces = mark.append(bytes[witnessLength...], maximumLineLength: maximumLineLength)
            return .pieces(pieces, isMore: length == Self.pieceLength)
        } catch {
            return .failed(error)
        }
    }

    /// Whether another file holds all that was read of this one, in the same place.
    func isContained(in other: ReadableFile) -> Bool {
        guard mark.position > 0, let fingerprint = try? other.fingerprint(),
            let found = try? other.read(at: mark.witnessStart, count: mark.recent.count)
        else { return false }
        return mark.verdict(fingerprint: fingerprint, found: found) == .continues
    }

    /// How much of this file another one holds so far where it holds nothing else, in bytes; nil where it holds something else, or more
    /// than was read of this one.
    func lengthCopied(to other: ReadableFile) -> Int64? {
        let size = other.size
        let start = max(0, size - Int64(ContentMark.witnessLength))
        guard size > 0, size < mark.position, let end = try? other.read(at: start, count: Int(clamping: size - start)),
            let original = try? file.read(at: start, count: Int(clamping: size - start)), end == original
        else { return nil }
        return size
    }
}

extension ReadableFile {
    /// The mark of everything up to a place, nil where no line ends there.
    func mark(at position: Int64) throws(Errno) -> ContentMark? {
        let start = max(0, position - Int64(ContentMark.witnessLength))
        let recent = try read(at: start, count: Int(clamping: position - start))
        guard position > 0, recent.last == UInt8(ascii: "\n"), recent.count == Int(clamping: position - start) else { return nil }
        return ContentMark(fingerprint: try fingerprint(), position: position, recent: recent)
    }
}
