/// The last lines of several logs, in the order of their times.
///
/// Memory is bounded by the number of lines asked for, however many logs there are and however long they are.
struct LastLines {
    private struct Entry {
        let time: Int64
        let bytes: [UInt8]
    }

    private let count: Int
    private var entries: [Entry] = []

    /// Keeps the last `count` lines.
    init(count: Int) {
        self.count = count
    }

    /// Adds the last lines of one log, in their order.
    ///
    /// Within a log lines stay in their order, though an event may be dated before the line before it.
    mutating func add(_ lines: some Sequence<LinePrinter.Output>) {
        var latest = Int64.min
        var merged: [Entry] = []
        var rest = entries[...]
        for line in lines {
            latest = max(latest, line.milliseconds)
            while let entry = rest.first, entry.time <= latest {
                merged.append(entry)
                rest.removeFirst()
            }
            merged.append(Entry(time: latest, bytes: line.bytes))
        }
        entries = (merged + rest).suffix(count)
    }

    /// The lines, first line first.
    var lines: some Sequence<[UInt8]> { entries.lazy.map(\.bytes) }
}
