import AuditAnalysis
import SyncBytes
import SyncSystem

/// The file beside the output of a watched export in which it keeps what it has counted, for the one that is started after it.
///
/// It is written before the output, so that it never knows less than what was read off: a process that ends in between leaves an output
/// that is a little behind, and the next one catches up. One process at a time may have it. The lock is a file of its own, since this one
/// is replaced as a whole; it stays, because a process that deleted it could delete one that another has just locked.
final class CounterFile {
    /// Where it is.
    let path: String
    private let output: String
    private let lock: Int32

    /// Locks the file of an output; nil where the output is no regular file, which has none.
    ///
    /// - Throws: ``CommandError`` where another process has it.
    init?(besides output: String) throws(CommandError) {
        if Operands.isStream(output) { return nil }
        self.output = output
        path = output + ".counters"
        let name = path + ".lock"
        lock = unsafe open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard lock >= 0 else {
            throw CommandError(
                .inputOutput,
                "\(name.escaped(for: .terminal)), which keeps others from counting too, cannot be opened: \(Errno.last.sentence)")
        }
        let isMine: Bool
        do throws(Errno) {
            isMine = try lockExclusively(lock)
        } catch {
            throw CommandError(.inputOutput, "\(name.escaped(for: .terminal)) cannot be locked: \(error.sentence)")
        }
        guard isMine else {
            let digits = ((try? readBytes(lock, at: 0, count: 20)) ?? []).prefix { $0 != UInt8(ascii: "\n") }
            let holder = Int32(String(decoding: digits, as: UTF8.self)).map { "process \($0)" } ?? "another process"
            throw CommandError(
                .inputOutput,
                "\(output.escaped(for: .terminal)) is kept up to date by \(holder) already; stop that one, or name another file with --output"
            )
        }
        // For the sentence above only; a full disk may refuse it.
        if ftruncate(lock, 0) == 0 { _ = writeBytes(Array("\(getpid())\n".utf8), to: lock) }
    }

    deinit {
        if lock >= 0 { close(lock) }
    }

    /// What the exporter before this one counted; nil where there was none.
    ///
    /// - Throws: ``CommandError`` where it cannot be gone on with: who goes on without it lets totals fall, which is for a person to
    ///   decide.
    func load() throws(CommandError) -> CounterState? {
        guard let bytes = try bytes(of: path) else { return nil }
        do throws(CounterState.Problem) {
            return try CounterState(bytes)
        } catch {
            let (problem, remedy) =
                switch error {
                case .damaged(let problem): ("is damaged (\(problem))", "put it back from a backup")
                case .version(let version):
                    ("was written by another version (\(version), where this one reads \(CounterState.version))", "go on with that one")
                }
            throw CommandError(
                .badData,
                "\(path.escaped(for: .terminal)) \(problem), so that counting cannot go on from it; \(remedy), or remove it, and totals "
                    + "begin anew with the files that are there"
            )
        }
    }

    /// What the output is known to hold of what a state says of it.
    func written(_ state: CounterState) -> CounterState.Series {
        let output = (try? bytes(of: output)) ?? nil
        return output.map { FNV1a.hash($0.span) } == state.output ? state.series : state.seriesBefore
    }

    private func bytes(of path: String) throws(CommandError) -> [UInt8]? {
        var problem = "it is no regular file"
        do throws(Errno) {
            if let bytes = try contents(ofFile: path, atMost: .max) { return bytes }
        } catch {
            if error.number == ENOENT { return nil }
            problem = error.sentence
        }
        throw CommandError(
            .inputOutput,
            "\(path.escaped(for: .terminal)), which keeps what was counted, cannot be read: \(problem); mend that, or name another --output"
        )
    }

    /// Says that what was counted cannot be gone on with by other rules.
    func countsOtherwise() -> CommandError {
        CommandError(
            .inputOutput,
            "\(path.escaped(for: .terminal)) counts with other filters, or --all-copies was given to one and not to the other; give the "
                + "same, name another --output, or remove it, and totals begin anew"
        )
    }

    /// Keeps what was counted.
    func save(_ state: CounterState) throws {
        try AtomicFile.write(to: path) { try state.write(to: $0) }
    }
}
