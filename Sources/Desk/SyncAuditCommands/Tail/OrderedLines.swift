/// Lines of several logs, in the order of their times.
///
/// Those of one log stay in their order, though an event may be dated before the line before it. Memory is bounded by the limit, however
/// many logs there are.
struct OrderedLines {
    /// How many of the last lines are kept.
    private let limit: Int
    private var lines: [(time: Int64, number: Int, bytes: [UInt8])] = []
    private var latest: [String: Int64] = [:]
    private var added = 0

    /// Keeps the last lines, all unless told otherwise.
    init(limit: Int = .max) { self.limit = limit }

    /// Whether so many are kept that they should be written before more come.
    var isFull: Bool { lines.count >= 10_000 }

    /// Adds a line of a log.
    ///
    /// - Complexity: O(log *n*) amortized where there is a limit.
    mutating func add(_ line: LinePrinter.Output, from log: String) {
        let time = max(line.milliseconds, latest[log] ?? .min)
        latest[log] = time
        lines.append((time, added, line.bytes))
        added += 1
        if lines.count / 2 >= max(limit, 1) { sort() }
    }

    /// Removes all lines and returns them, first line first; of equal times in the order in which they were added.
    mutating func popAll() -> [[UInt8]] {
        sort()
        defer { self = OrderedLines(limit: limit) }
        return lines.map(\.bytes)
    }

    private mutating func sort() {
        lines.sort { ($0.time, $0.number) < ($1.time, $1.number) }
        lines.removeFirst(max(0, lines.count - limit))
    }
}
