import AuditSamples
import GoldenFiles
import Testing

/// The tables of the page about servers that keep whole records, measured anew.
@Suite struct SavedRowsGoldenTests {
    /// The scores of all tables, in their order.
    private static func scores(
        hidesTimes: Bool = false, _ habits: (inout SavedForms.Shape) -> Void = { _ in }
    ) -> [SavedFormsScore] {
        SavedForms.measured.map { _, shape in
            var (shape, score) = (shape, SavedFormsScore())
            // A debug build has seconds; the histories measure longer tables.
            shape.steps /= 2
            habits(&shape)
            score.add(shape, seed: 1, hidesTimes: hidesTimes)
            return score
        }
    }

    @Test func whatIsFoundIsWhatThePageSays() {
        let (rows, told) = (Self.scores(), Self.scores { $0.told = 0.6 })
        var lines = [
            "| what is known | edits lost | reported | right, of what is reported | found, of what was lost |", "|---|---|---|---|---|",
        ]
        func row(_ name: String, _ scores: [SavedFormsScore]) {
            let sum = scores.reduce(into: SavedFormsScore()) { $0 += $1 }
            lines.append("| \(name) | \(sum.happened) | \(sum.found) | \(sum.cells) |")
        }
        row("nothing but the rows", Self.scores(hidesTimes: true))
        row("the rows and two clocks", rows)
        row("60 % of the devices tell the base", told)
        row("all tell it", Self.scores { $0.told = 1 })
        row("rows that hold the edited fields alone, and two clocks", Self.scores { $0.sends = .editedFields })
        row("the same, and all tell the base", Self.scores { ($0.sends, $0.told) = (.editedFields, 1) })
        row("a server that merges, the rows and two clocks", Self.scores { $0.merges = true })
        row("the same, and all tell the base", Self.scores { ($0.merges, $0.told) = (true, 1) })
        lines += ["", "| table | edits lost | right | found | right, 60 % told | found, 60 % told |", "|---|---|---|---|---|---|"]
        for ((name, _), (rows, told)) in zip(SavedForms.measured, zip(rows, told)) {
            lines.append("| \(name) | \(rows.happened) | \(rows.cells) | \(told.cells) |")
        }
        let problem = GoldenFile("saved-rows.md").problem(with: lines.joined(separator: "\n") + "\n")
        #expect(problem == nil)
    }
}
