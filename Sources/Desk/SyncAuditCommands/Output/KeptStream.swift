import AuditLog
import SyncBytes
import SyncSystem

/// A stream, copied to a temporary file that has no name, to be read more than once.
final class KeptStream: Sendable {
    private let descriptor: Int32
    /// What kept the stream from being read to its end.
    private let failure: ReadingError?

    /// Copies a stream to its end.
    ///
    /// - Parameters:
    ///   - purpose: What needs the file: the beginning of the sentence where none can be made.
    ///   - remedy: What helps where the file cannot be written, behind "make room there".
    init(_ stream: InputChunks, _ input: CommandInput, for purpose: String, remedy: String = "", _ context: CommandContext) throws {
        descriptor = try ScratchFile.make(for: purpose, context)
        var block: [UInt8] = []
        var failure: ReadingError?
        while true {
            do throws(ReadingError) {
                guard try stream.append(to: &block) else { break }
            } catch {
                failure = error
                break
            }
            if let error = writeBytes(block, to: descriptor) {
                let folder = ScratchFile.folder(context).quoted
                throw CommandError(
                    .inputOutput,
                    "\(input.name): what is read cannot be kept in a temporary file in \(folder): \(error.sentence); make room there"
                        + (remedy.isEmpty ? " or name another directory in TMPDIR" : ", name another directory in TMPDIR, or \(remedy)"))
            }
            block.removeAll(keepingCapacity: true)
        }
        self.failure = failure
    }

    deinit { close(descriptor) }

    /// Its lines from the first on, and behind them what kept it from being read further; one reading after the other.
    func lines(onRead: ReadingObserver? = nil) -> LineProducer {
        lseek(descriptor, 0, SEEK_SET)
        let copy = InputChunks(descriptor: descriptor, onRead: onRead)
        return { bytes throws(ReadingError) in
            if try copy.append(to: &bytes) { return true }
            if let failure = self.failure { throw failure }
            return false
        }
    }
}
