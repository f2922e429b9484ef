/// What became of a mutant.
enum Outcome {
    case killedByOwn
    case killedByOthers
    case survived
}

/// A mutant and what became of it.
struct Judged {
    let target: String
    let mutant: Mutant
    let outcome: Outcome
    /// The test that noticed.
    let witness: String
}

/// Prints what a run found.
struct Report {
    let judged: [Judged]
    let equivalents: Equivalents

    func print() {
        say("| target | mutants | killed by own tests | by others | survived | killed |")
        say("|---|---|---|---|---|---|")
        for name in Target.all.map(\.name) { row(name, judged.filter { $0.target == name }) }
        row("all", judged)
        say("\n\(equivalents.reasons.count) mutants more are said to change nothing.")
        for one in judged where one.outcome == .survived {
            say("\nSurvived: \(one.mutant.file):\(one.mutant.line): \(one.mutant.source)\n    \(one.mutant.mutation)")
            if let reason = equivalents.reasons[one.mutant.identity] { say("    \(reason)") }
        }
    }

    private func row(_ name: String, _ judged: [Judged]) {
        guard !judged.isEmpty else { return }
        func count(_ outcome: Outcome) -> Int { judged.count { $0.outcome == outcome } }
        let percent = Double((judged.count - count(.survived)) * 1000 / judged.count) / 10
        say("| \(name) | \(judged.count) | \(count(.killedByOwn)) | \(count(.killedByOthers)) | \(count(.survived)) | \(percent) % |")
    }
}
