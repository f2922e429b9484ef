import AuditAnalysis
import AuditLog
import AuditReport
import SyncModel
import SyncSystem

/// How far the reading has come, drawn on the terminal behind standard error in one line that is taken back at the end.
///
/// Work that is done within a second shows nothing. Safe to use from several threads.
final class ProgressBar: Sendable {
    /// How long nothing is shown, and how long after that until it is drawn anew, in milliseconds.
    static let (patience, pause): (Int64, Int64) = (1000, 100)

    private struct State {
        var bytes: Int64 = 0
        var lastDrawn: Int64?
        var isCleared = false
    }

    private let state = Locked(State())
    private let start: Int64
    /// The bytes to be read; nil where nobody knows.
    private let total: Int64?
    private let width: Int
    private let show: @Sendable (String) -> Void
    private let now: @Sendable () -> Int64

    /// A bar for the reading of some inputs; nil where there is no terminal to show it on.
    convenience init?(_ inputs: [CommandInput], _ context: CommandContext) {
        // Where a person types the lines, a bar would only stand in the way.
        guard let show = context.progressText, !(inputs.contains(.standardInput) && context.terminals.input) else { return nil }
        let sizes = inputs.map { Self.size(of: $0, context) }
        let total = sizes.contains(nil) ? nil : sizes.reduce(0) { $0 + ($1 ?? 0) }
        self.init(total: total, width: context.width, show: show, now: Self.milliseconds)
    }

    /// A bar for the reading of a number of bytes; nil where there is no terminal to show it on.
    convenience init?(total: Int64, _ context: CommandContext) {
        guard let show = context.progressText else { return nil }
        self.init(total: total, width: context.width, show: show, now: Self.milliseconds)
    }

    /// A bar.
    init(total: Int64?, width: Int, show: @escaping @Sendable (String) -> Void, now: @escaping @Sendable () -> Int64) {
        self.total = total
        self.width = width
        self.show = show
        self.now = now
        start = now()
    }

    /// Has to be told of every reading.
    var observer: ReadingObserver { { [self] count in advance(by: count) } }

    private func advance(by count: Int) {
        let time = now()
        let text = state.withLock { state -> String? in
            state.bytes += Int64(count)
            let isDue = time - start >= Self.patience && time - (state.lastDrawn ?? .min / 2) >= Self.pause
            guard isDue, !state.isCleared else { return nil }
            state.lastDrawn = time
            return Self.line(bytes: state.bytes, total: total, elapsed: time - start, width: width)
        }
        if let text { show("\r" + text + "\u{1b}[K") }
    }

    /// Takes the bar back, for good.
    func clear() {
        let wasDrawn = state.withLock { state in
            defer { state.isCleared = true }
            return state.lastDrawn != nil && !state.isCleared
        }
        if wasDrawn { show("\r\u{1b}[K") }
    }

    /// What is shown, no wider than the terminal.
    static func line(bytes: Int64, total: Int64?, elapsed: Int64, width: Int) -> String {
        let read = HumanNumber.bytes(Int(clamping: bytes))
        // A file may grow while it is read.
        guard let total, total > 0 else { return TerminalText.truncated("  \(read) read", to: width - 1) }
        let share = min(Double(bytes) / Double(total), 1)
        let percent = String(Int(share * 100))
        var words = "\(read) of \(HumanNumber.bytes(Int(clamping: max(total, bytes))))"
        if share > 0.02 {
            let left = Int64(Double(elapsed) * (1 - share) / share)
            words += ", \(HumanNumber.duration(milliseconds: (left + 999) / 1000 * 1000)) left"
        }
        let room = min(40, width - words.count - 12)
        let bar = room < 8 ? "" : TerminalText.padded(Chart.bar(share, width: room), to: room, alignment: .left) + "  "
        return TerminalText.truncated("\(String(repeating: " ", count: 4 - percent.count))\(percent) %  \(bar)\(words)", to: width - 1)
    }

    /// The size of a regular file; nil for everything else.
    private static func size(of input: CommandInput, _ context: CommandContext) -> Int64? {
        let status =
            switch input {
            case .standardInput: try? FileStatus(descriptor: context.standardInput)
            case .file(let path): try? FileStatus(path: path)
            }
        return status.flatMap { $0.isRegular ? $0.size : nil }
    }

    /// A clock that nobody sets.
    private static func milliseconds() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
