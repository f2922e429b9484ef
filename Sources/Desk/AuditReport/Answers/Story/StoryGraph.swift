/// The forks and merges of a story's writes, drawn in columns from the first write down to the last.
///
/// It is laid out from the last write up, as a history that goes back is: a column waits for one write, and columns that wait for the same
/// one meet there.
struct StoryGraph {
    /// What is drawn beside one write.
    struct Row: Equatable {
        /// The line between this write and the one above, where columns meet; nil where none do.
        var above: String?
        /// The columns beside the write, up to its mark.
        var left = ""
        /// The columns behind its mark.
        var right = ""
        /// The columns beside the further lines that tell of the write.
        var beside = ""
        /// The line below those, where columns part; nil where none do.
        var below: String?
    }

    /// The rows, first write first; empty where so many columns would be needed that nothing could be seen.
    private(set) var rows: [Row] = []
    /// The columns that the widest row takes.
    private(set) var width = 0

    /// The most columns of writes side by side.
    private static let limit = 12

    /// - Parameter parents: For each write the indices of those it follows on, all of them before it.
    init(parents: [[Int]]) {
        var lanes: [Int?] = []
        // A column that has just come to an end: what begins there in the next line would look like a part of it.
        var ended: Int?
        for step in parents.indices.reversed() {
            var row = Row()
            let waiting = lanes.indices.filter { lanes[$0] == step }
            let lane = waiting.first ?? Self.free(in: &lanes, after: -1, but: ended)
            if waiting.count > 1 { row.below = Self.junction(of: lane, with: waiting.dropFirst(), ending: "╮", "┬", in: lanes) }
            for other in waiting.dropFirst() { lanes[other] = nil }
            row.left = Self.columns(lanes[..<lane])
            row.right = Self.columns(lanes[(lane + 1)...])
            row.beside = row.left + (waiting.isEmpty ? "  " : "│ ") + row.right
            lanes[lane] = parents[step].first
            ended = parents[step].isEmpty ? lane : nil
            var joined: [Int] = []
            for parent in parents[step].dropFirst() {
                // Never one that another write has: who follows the lines up from there would come here too.
                let other = Self.free(in: &lanes, after: lane, but: nil)
                lanes[other] = parent
                joined.append(other)
            }
            if !joined.isEmpty { row.above = Self.junction(of: lane, with: joined[...], ending: "╯", "┴", in: lanes) }
            while let last = lanes.last, last == nil { lanes.removeLast() }
            guard lanes.count <= Self.limit else {
                rows = []
                return
            }
            rows.append(row)
        }
        rows.reverse()
        width = rows.map { [$0.above ?? "", $0.left + "  " + $0.right, $0.beside, $0.below ?? ""].map(\.count).max() ?? 0 }.max() ?? 0
    }

    /// The first column behind another that waits for nothing, a new one where all do.
    private static func free(in lanes: inout [Int?], after lane: Int, but ended: Int?) -> Int {
        if let free = lanes.indices.first(where: { $0 > lane && $0 != ended && lanes[$0] == nil }) { return free }
        lanes.append(nil)
        if lanes.count - 1 == ended { lanes.append(nil) }
        return lanes.count - 1
    }

    private static func columns(_ lanes: ArraySlice<Int?>) -> String { lanes.map { $0 == nil ? "  " : "│ " }.joined() }

    /// A line on which a column meets others.
    ///
    /// - Parameters:
    ///   - end: What is drawn where the last of them ends.
    ///   - passed: What is drawn where one ends that the line goes on behind.
    private static func junction(
        of lane: Int, with others: ArraySlice<Int>, ending end: String, _ passed: String, in lanes: [Int?]
    ) -> String {
        let last = others.max() ?? lane
        let line = lanes.indices.map { index in
            let isOpen = lanes[index] != nil
            if index < lane || index > last { return isOpen ? "│ " : "  " }
            let space = index == last ? " " : "─"
            if index == lane { return "├" + space }
            if others.contains(index) { return (index == last ? end : passed) + space }
            // A line that only passes is not touched.
            return (isOpen ? "│" : "─") + space
        }.joined()
        return String(line.reversed().drop { $0 == " " }.reversed())
    }
}
