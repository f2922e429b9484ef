import AuditSamples
import SyncOracle
import Testing

/// The rows of simulated servers and users, held against what each save really took away.
@Suite struct SavedRowsHistoryTests {
    private static let shapes = SavedForms.measured.map(\.shape)

    @Test(arguments: shapes.indices) func whereEveryBaseIsToldAllIsFoundAndNothingElse(shape: Int) {
        for sends in [SavedForms.Form.whole, .someFields, .editedFields] {
            for seed in 0..<UInt64(histories(1, of: 100)) {
                var (shape, result) = (Self.shapes[shape], SavedFormsScore())
                (shape.told, shape.sends) = (1, sends)
                result.add(shape, seed: seed)
                #expect(result.right == result.happened && result.right == result.found, "\(sends), seed \(seed): \(result)")
            }
        }
    }

    /// What is reached without any base that is told; the bounds are those of the hardest table, with some room.
    @Test(arguments: shapes.indices) func rowsTellTheirBasesThemselves(shape: Int) {
        var (nothing, most) = (SavedFormsScore(), SavedFormsScore())
        for seed in 0..<UInt64(histories(2, of: 60)) {
            var shape = Self.shapes[shape]
            nothing.add(shape, seed: seed)
            shape.told = 0.6
            most.add(shape, seed: seed)
        }
        // Counters arrive at the values of old rows by themselves.
        let right = Self.shapes[shape].counters > 0 ? 0.93 : 0.95
        #expect(nothing.precision >= right && nothing.recall >= 0.5, "\(nothing)")
        #expect(most.precision >= 0.96 && most.recall >= 0.75, "\(most)")
    }

    @Test(arguments: [0.0, 0.6, 1]) func underAServerThatMergesNothingIsPutBack(told: Double) {
        var result = SavedFormsScore()
        for seed in 0..<UInt64(histories(2, of: 60)) { result.add(.init(merges: true, told: told), seed: seed) }
        #expect(result.putBack == 0 && result.precision >= 0.97 && result.recall >= told * 0.8, "\(result)")
    }
}
