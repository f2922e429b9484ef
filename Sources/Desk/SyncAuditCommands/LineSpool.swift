import AuditAnalysis
import AuditLog
import SyncLines
import SyncModel
import SyncSystem

/// The lines of a trace in a file that has no name, to be read in another order.
///
/// Safe to use from several threads.
final class LineSpool: Sendable {
    private struct State {
        var order: CausalOrder
        /// Where each line ends in the file, its line break included.
        var ends: [Int64] = []
        /// What is not in the file yet.
        var pending: [UInt8] = []
        /// What is to be read next.
        var next = 0
    }

    private let descriptor: Int32
    private let state: Locked<State>

    /// Makes the file.
    ///
    /// - Parameter reading: What is taken besides the format itself.
    init(_ reading: LineReading, _ context: CommandContext) throws(CommandError) {
        state = Locked(State(order: CausalOrder(reading: reading)))
        descriptor = try ScratchFile.make(for: "a trace that is not in causal order has to be put in order", context)
    }

    deinit { close(descriptor) }

    /// Appends all lines that a reader has left; those that are too long to be read are none.
    func append(_ lines: inout LineReader) throws {
        while true {
            switch try lines.next() {
            case .end: return
            case .tooLong: continue
            case .bytes(let range): try lines.withBytes(range) { bytes throws(CommandError) in try append(bytes) }
            }
        }
    }

    private func append(_ line: Span<UInt8>) throws(CommandError) {
        let error = state.withLock { state -> Errno? in
            state.order.append(line)
            for index in line.indices { state.pending.append(line[index]) }
            state.pending.append(UInt8(ascii: "\n"))
            state.ends.append((state.ends.last ?? 0) + Int64(line.count) + 1)
            return state.pending.count < 1 << 18 ? nil : flush(&state)
        }
        if let error { throw Self.failure(error) }
    }

    private func flush(_ state: inout State) -> Errno? {
        defer { state.pending.removeAll(keepingCapacity: true) }
        return writeBytes(state.pending, to: descriptor)
    }

    /// Makes the lines in causal order, for one reading; nil where that is the order in which they were taken.
    func ordered() throws(CommandError) -> LineProducer? {
        let (order, error) = state.withLock { state in (state.order, flush(&state)) }
        if let error { throw Self.failure(error) }
        let lines = order.lines()
        if lines.elementsEqual(lines.indices) { return nil }
        return { [self] bytes throws(ReadingError) in
            let (next, ends) = state.withLock { state in
                defer { state.next = min(state.next + 256, lines.count) }
                return (state.next, state.ends)
            }
            for line in lines[next...].prefix(256) {
                let start = line == 0 ? 0 : ends[line - 1]
                do throws(Errno) {
                    bytes += try readBytes(descriptor, at: start, count: Int(clamping: ends[line] - start))
                } catch {
                    throw ReadingError(badData: "the temporary file with the trace cannot be read: \(error.sentence)")
                }
            }
            return next + 256 < lines.count
        }
    }

    private static func failure(_ error: Errno) -> CommandError {
        CommandError(
            .inputOutput,
            "the temporary file in which the trace is put in order cannot be written: \(error.sentence); make room there, name another directory "
                + "in TMPDIR, or let --in-line-order take the writes as they come")
    }
}
