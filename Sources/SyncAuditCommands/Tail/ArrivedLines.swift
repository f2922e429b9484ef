/// Lines that came from several logs at once, in the order of their times.
///
/// Those of one log stay in their order, though an event may be dated before the line before it.
struct ArrivedLines {
    private var lines: [(time: Int64, bytes: [UInt8])] = []
    private var latest: [String: Int64] = [:]

    /// Whether so many are kept that they should be written before more come.
    var isFull: Bool { lines.count >= 10_000 }

    /// Adds a line of a log.
    mutating func add(_ line: LinePrinter.Output, from log: String) {
        let time = max(line.milliseconds, latest[log] ?? .min)
        latest[log] = time
        lines.append((time, line.bytes))
    }

    /// Removes all lines and returns them, first line first; of equal times in the order in which they were added.
    mutating func popAll() -> [[UInt8]] {
        defer { self = ArrivedLines() }
        return lines.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element.bytes)
    }
}
