import AuditLog
import SyncModel
import SyncSystem
import TraceImport

/// Copies the lines that tables become, without the blank ones, while they are audited.
///
/// Safe to use from several threads: the sink is used under the lock alone, and by nobody else meanwhile.
final class TraceCopy: Sendable {
    /// Sound: reached between lock and unlock of `hasFailed` alone.
    private nonisolated(unsafe) let sink: any ByteSink
    private let hasFailed = Locked(false)

    init(_ sink: any ByteSink) {
        unsafe self.sink = sink
    }

    /// Appends the lines of some rows, and copies them; false at the end, and once copying has failed, as the sink says when it is flushed.
    func append(_ trace: RowTrace, to bytes: inout [UInt8]) throws(ReadingError) -> Bool {
        let start = bytes.count
        let goesOn = try trace.append(to: &bytes)
        var copy: [UInt8] = []
        var previous = UInt8(ascii: "\n")
        for byte in bytes[start...] {
            if byte != UInt8(ascii: "\n") || previous != byte { copy.append(byte) }
            previous = byte
        }
        let goesWrong = hasFailed.withLock { hasFailed in
            do throws(CommandError) {
                if !hasFailed { try unsafe sink.write(copy) }
            } catch {
                hasFailed = true
            }
            return hasFailed
        }
        return goesOn && !goesWrong
    }
}
