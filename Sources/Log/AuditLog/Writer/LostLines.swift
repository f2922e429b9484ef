import SyncBytes
import SyncModel
import SyncSystem

/// Which lines a writer has numbered and could not write: what the next opening of the log has to tell of where this process ends first.
struct LostLines: Hashable, Sendable {
    /// The number of the last line in the log.
    let written: UInt64
    /// The number of the last line recorded.
    let recorded: UInt64

    /// How many lines are missing behind the last line of a log.
    func count(behind last: UInt64) -> Int { Int(clamping: recorded - min(recorded, max(written, last))) }
}

/// The count of lost lines, kept in the lock file: room for it is reserved when the log is opened, since a full disk has none to give
/// later.
///
/// Rewriting bytes that are there needs no room on file systems that write in place, such as ext4, XFS and tmpfs. One that copies on write
/// may refuse; then only the memory of the writer knows. It outlives the process, however that ends, but not a loss of power.
///
/// Thread-safe.
final class LostLinesRecord: Sendable {
    private struct State: ~Copyable {
        var descriptor: Int32 = -1
        var content: LostLines?
    }

    private let path: String
    private let calls: SystemCalls
    private let state = Locked(State())

    init(path: String, calls: SystemCalls) {
        self.path = path
        self.calls = calls
    }

    deinit {
        state.withLock { if $0.descriptor >= 0 { calls.close($0.descriptor) } }
    }

    /// Reserves the room, in the lock file as it is now.
    ///
    /// - Returns: What an earlier writer has left there.
    @discardableResult
    func open() -> LostLines? {
        state.withLock { state in
            if state.descriptor >= 0 { calls.close(state.descriptor) }
            state.descriptor = (try? calls.openForUpdating(path)) ?? -1
            guard state.descriptor >= 0 else { return nil }
            let left = Self.parse((try? calls.read(state.descriptor, at: Int64(LogLock.processLength), count: Self.length)) ?? [])
            // Also where there is something already: an old file may be shorter.
            if state.content == nil { state.content = left }
            write(state.content, to: state.descriptor)
            return left
        }
    }

    /// Records what is lost if the process ends now; nil where nothing is.
    func set(_ lost: LostLines?) {
        state.withLock { state in
            // Of two threads the one that comes late may know less.
            if let lost, let known = state.content, lost.recorded <= known.recorded { return }
            guard state.content != lost else { return }
            state.content = lost
            if state.descriptor >= 0 { write(lost, to: state.descriptor) }
        }
    }

    private func write(_ lost: LostLines?, to descriptor: Int32) {
        var line = LineBuffer()
        if let lost {
            line.append(decimal: lost.written)
            line.append(UInt8(ascii: " "))
            line.append(decimal: lost.recorded)
        }
        while line.count < Self.length - 1 { line.append(UInt8(ascii: " ")) }
        line.append(UInt8(ascii: "\n"))
        unsafe line.withBytes { _ = unsafe calls.overwrite(descriptor, $0, at: Int64(LogLock.processLength)) }
    }

    /// Two numbers of twenty digits, a space between them and a line break.
    private static let length = 42

    private static func parse(_ bytes: [UInt8]) -> LostLines? {
        let numbers = String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }.map { UInt64($0) }
        guard bytes.count == length, numbers.count == 2, let written = numbers[0], let recorded = numbers[1], written < recorded,
            // What nobody could have numbered is none of ours.
            recorded - written <= UInt64(1) << 50, recorded <= UInt64(1) << 62
        else { return nil }
        return LostLines(written: written, recorded: recorded)
    }
}
