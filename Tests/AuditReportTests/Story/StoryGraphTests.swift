import SyncOracle
import Testing

@testable import AuditReport

@Suite struct StoryGraphTests {
    private func drawing(_ parents: [[Int]]) -> String {
        StoryGraph(parents: parents).rows.enumerated().flatMap { index, row in
            [row.above, "\(row.left)\(index) \(row.right)", row.below].compactMap(\.self)
        }.map { String($0.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
    }

    @Test(arguments: [
        ([[], [0], [1]], "0\n1\n2"),
        ([[], [0], [0], [2, 1]], "0\n├─╮\n│ 1\n2 │\n├─╯\n3"),
        ([[], [0], [0], [0]], "0\n├─┬─╮\n│ │ 1\n│ 2\n3"),
        ([[], [], [0, 1]], "0\n│ 1\n├─╯\n2"),
        ([[], [0], [0], [1], [2], [4, 3]], "0\n├─╮\n│ 1\n2 │\n│ 3\n4 │\n├─╯\n5"),
    ]) func linesPartAndMeet(_ parents: [[Int]], _ expected: String) {
        #expect(drawing(parents) == expected, "\(drawing(parents))")
    }

    /// Whoever follows the lines up from a write comes to those that it follows on and to no others.
    @Test func linesLeadToTheParentsAndNowhereElse() {
        var random = SplitMix64(seed: 7)
        for _ in 0..<300 {
            let count = Int.random(in: 1...14, using: &random)
            let parents = (0..<count).map { index -> [Int] in
                index == 0
                    ? []
                    : Array(Set((0..<Int.random(in: 0...3, using: &random)).map { _ in Int.random(in: 0..<index, using: &random) })).sorted(
                        by: >)
            }
            let graph = StoryGraph(parents: parents)
            if graph.rows.isEmpty { continue }
            #expect(LineWalk(graph).parents == parents.map { Set($0) }, "\(parents)\n\(drawing(parents))")
        }
    }

    @Test func soManyLinesThatNothingCouldBeSeenAreNotDrawn() {
        #expect(StoryGraph(parents: [[]] + (0..<40).map { _ in [0] }).rows.isEmpty)
    }
}

/// Walks along the lines of a drawing, knowing nothing of how it came to be.
private struct LineWalk {
    private var cells: [[Character]] = []
    private var marks: [Int: (row: Int, column: Int)] = [:]
    private(set) var parents: [Set<Int>] = []

    init(_ graph: StoryGraph) {
        for (index, row) in graph.rows.enumerated() {
            if let above = row.above { cells.append(Array(above)) }
            marks[index] = (cells.count, row.left.count)
            cells.append(Array(row.left + "* " + row.right))
            cells.append(Array(row.beside))
            if let below = row.below { cells.append(Array(below)) }
        }
        let steps = Dictionary(uniqueKeysWithValues: marks.map { ([$0.value.row, $0.value.column], $0.key) })
        for index in graph.rows.indices {
            guard let mark = marks[index] else { continue }
            var (found, seen, open) = (Set<Int>(), Set<[Int]>(), [(mark.row - 1, mark.column, Heading.up)])
            while let (row, column, heading) = open.popLast() {
                guard row >= 0, column >= 0, column < cells[row].count, seen.insert([row, column, heading.rawValue]).inserted else {
                    continue
                }
                if cells[row][column] == "*" {
                    if let step = steps[[row, column]] { found.insert(step) }
                    continue
                }
                for next in heading.turns(at: cells[row][column]) { open.append(next.move(row, column)) }
            }
            parents.append(found)
        }
    }

    private enum Heading: Int {
        case up, left, right

        func move(_ row: Int, _ column: Int) -> (Int, Int, Heading) {
            switch self {
            case .up: (row - 1, column, self)
            case .left: (row, column - 1, self)
            case .right: (row, column + 1, self)
            }
        }

        /// Where a line goes on that comes along a heading.
        func turns(at cell: Character) -> [Heading] {
            switch (self, cell) {
            case (.up, "│"): [.up]
            case (.up, "├"): [.up, .right]
            // Here lines part: the one they part from is to the left.
            case (.up, "╮"), (.up, "┬"): [.left]
            case (.left, "├"): [.up]
            case (.left, "┬"): [.left]
            // Here lines meet.
            case (.right, "╯"): [.up]
            case (.right, "┴"): [.up, self]
            // Past what is not touched.
            case (.left, "─"), (.right, "─"), (.left, "│"), (.right, "│"): [self]
            default: []
            }
        }
    }
}
