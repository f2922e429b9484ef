/// Lines of several logs, in the order of their times.
///
/// Those of one log stay in their order, though an event may be dated before the line before it. A conflict of which several logs tell is
/// one line, that of the first of them. Memory is bounded by the limit, however many logs there are.
struct OrderedLines {
    private struct Entry {
        let time: Int64
        let number: Int
        var line: LinePrinter.Output
        /// The logs that tell of it.
        var logs: Set<String>
    }

    /// How many of the last lines are kept.
    private let limit: Int
    private var lines: [Entry] = []
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
        lines.append(Entry(time: time, number: added, line: line, logs: line.telling == nil ? [] : [log]))
        added += 1
        if lines.count / 2 >= max(limit, 1) { sort() }
    }

    /// Removes all lines and returns them, first line first; of equal times in the order in which they were added.
    mutating func popAll() -> [LinePrinter.Output] {
        sort()
        defer { self = OrderedLines(limit: limit) }
        return lines.map { entry in
            var line = entry.line
            line.logs = max(entry.logs.count, 1)
            return line
        }
    }

    private mutating func sort() {
        lines.sort { ($0.time, $0.number) < ($1.time, $1.number) }
        var firsts: [LinePrinter.Output.Telling: Int] = [:]
        var kept: [Entry] = []
        for entry in lines {
            if let telling = entry.line.telling {
                if let first = firsts[telling] {
                    kept[first].logs.formUnion(entry.logs)
                    continue
                }
                firsts[telling] = kept.count
            }
            kept.append(entry)
        }
        lines = kept.suffix(limit)
    }
}
