import AuditAnalysis
import ConflictAudit
import SyncModel
import SyncOracle
import Testing

/// The rows of simulated servers and users, held against what each save really took away.
@Suite struct SavedRowsHistoryTests {
    private static let shapes: [SavedForms.Shape] = [
        .init(), .init(fields: 20, devices: 40), .init(fields: 8, switches: 5), .init(devices: 3, records: 10), .init(jumps: true),
        .init(isOnline: 0.6), .init(fields: 2, records: 5, steps: 800),
    ]

    private struct Score {
        var right = 0
        var found = 0
        var happened = 0
        var putBack = 0

        var precision: Double { found == 0 ? 1 : Double(right) / Double(found) }
        var recall: Double { happened == 0 ? 1 : Double(right) / Double(happened) }
    }

    private func score(_ shape: SavedForms.Shape, seed: UInt64, into score: inout Score) {
        let forms = SavedForms(shape, seed: seed)
        var audit = SavedRowsAudit()
        for (index, row) in forms.rows.enumerated() { audit.observe(row, line: index) }
        let found = audit.finish().conflicts.compactMap { conflict, line -> SavedForms.Loss? in
            guard let record = Int(conflict.key.id.rawValue), let field = conflict.field.flatMap({ Int($0.rawValue.dropFirst()) }),
                let versions = conflict.versions
            else { return nil }
            if conflict.isStale { score.putBack += 1 }
            return SavedForms.Loss(record: record, field: field, loser: versions.rows.lost, save: line)
        }
        score.found += found.count
        score.happened += forms.truth.count
        score.right += Set(found).intersection(forms.truth).count
    }

    @Test(arguments: shapes.indices) func whereEveryBaseIsToldAllIsFoundAndNothingElse(shape: Int) {
        for isPart in [false, true] {
            for seed in 0..<UInt64(histories(1, of: 100)) {
                var (shape, result) = (Self.shapes[shape], Score())
                (shape.told, shape.sendsPart) = (1, isPart)
                score(shape, seed: seed, into: &result)
                #expect(result.right == result.happened && result.right == result.found, "seed \(seed): \(result)")
            }
        }
    }

    /// What is reached without any base that is told; the bounds are those that a simple table of notes needs, with some room.
    @Test(arguments: shapes.indices) func rowsTellTheirBasesThemselves(shape: Int) {
        var (nothing, most) = (Score(), Score())
        for seed in 0..<UInt64(histories(2, of: 60)) {
            var shape = Self.shapes[shape]
            score(shape, seed: seed, into: &nothing)
            shape.told = 0.6
            score(shape, seed: seed, into: &most)
        }
        #expect(nothing.precision >= 0.97 && nothing.recall >= 0.65, "\(nothing)")
        #expect(most.precision >= 0.99 && most.recall >= 0.8, "\(most)")
    }

    @Test(arguments: [0.0, 0.6, 1]) func underAServerThatMergesNothingIsPutBack(told: Double) {
        var result = Score()
        for seed in 0..<UInt64(histories(2, of: 60)) { score(.init(merges: true, told: told), seed: seed, into: &result) }
        #expect(result.putBack == 0 && result.precision >= 0.97 && result.recall >= told * 0.8, "\(result)")
    }
}
