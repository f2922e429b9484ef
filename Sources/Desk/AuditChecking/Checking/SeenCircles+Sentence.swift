import AuditAnalysis
import AuditLog
import SyncModel

extension [SeenCircles.Step] {
    /// Which writes name which, such as `write 1 of a names write 1 of b, which names write 1 of a`.
    package var sentence: String {
        guard let first else { return "" }
        var sentence = DecisionCheck.name(first.write)
        for (index, step) in prefix(Self.shown).enumerated() {
            let next = self[(index + 1) % count].write
            sentence += " names \(DecisionCheck.name(step.seen))"
            if step.seen != next { sentence += ", which came after its write \(next.sequence)" }
            if index + 1 < count { sentence += step.seen == next ? ", which" : ", and that" }
        }
        if count > Self.shown { sentence += " names another, and so on over \(HumanNumber.count(count, "write")) back to the first" }
        return sentence
    }

    private static var shown: Int { 4 }
}
