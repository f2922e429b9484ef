import SyncAudit
import Testing

@Suite struct DecidingSnippets {
    @Test func lettingTheAppDecide() async throws {
        let stage = try await PendingConflict()
        let replica = stage.replica
        var questions: [String] = []
        func ask(_ question: String) -> FieldValue {
            questions.append(question)
            return "both"
        }
        for conflict in replica.activeConflicts {
            let choice = ask("Keep \(conflict.winner.value ?? "nothing") or \(conflict.loser.value ?? "nothing")?")
            try replica.resolve(conflict.id, with: choice)
        }
        #expect(questions.count == 1)
        #expect(try replica.get(stage.key) == ["notes": "both"])
    }
}
