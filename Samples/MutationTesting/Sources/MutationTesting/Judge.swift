import Foundation
import Synchronization

/// Runs the tests against one mutant after another.
final class Judge: Sendable {
    private let workspace: Workspace
    /// How long the tests take without a mutant, by their filter.
    private let usual: [String: Double]
    /// What survives a target's own tests is tried against these.
    private let others: Target.Tests?

    /// Runs all tests without a mutant: they must pass, and show how long they take.
    init(workspace: Workspace, targets: [Target], others: Target.Tests?) throws {
        (self.workspace, self.others) = (workspace, others)
        var usual: [String: Double] = [:]
        for tests in targets.flatMap(\.tests) + (others.map { [$0] } ?? []) {
            let key = Self.key(tests)
            if usual[key] != nil { continue }
            let output = "\(workspace.directory)/baseline.log"
            try? FileManager.default.removeItem(atPath: output)
            let began = ContinuousClock.now
            guard try workspace.run(tests, mutant: 0, output: output, seconds: 1800) == .succeeded else {
                throw Failure("\(tests.filter) fails without a mutant; \(output) says why")
            }
            let seconds = Double((ContinuousClock.now - began).components.seconds) + 1
            say("\(tests.filter): \(Int(seconds)) s")
            usual[key] = seconds
        }
        self.usual = usual
    }

    private static func key(_ tests: Target.Tests) -> String { "\(tests.filter) without \(tests.skip ?? "")" }

    /// Judges every mutant, several at a time.
    func judge(_ mutants: [(target: Target, mutant: Mutant)], workers: Int) -> [Judged] {
        let state = Mutex((next: 0, judged: [Int: Judged]()))
        let group = DispatchGroup()
        for _ in 0..<workers {
            group.enter()
            Thread.detachNewThread { [self] in
                while true {
                    let number = state.withLock { state in
                        state.next += 1
                        return state.next
                    }
                    if number > mutants.count { break }
                    let (target, mutant) = mutants[number - 1]
                    let judged = judge(number, mutant, of: target)
                    say("\(number)/\(mutants.count) \(judged.outcome) \(mutant.file):\(mutant.line): \(mutant.mutation)")
                    if !judged.witness.isEmpty { say("    \(judged.witness)") }
                    state.withLock { $0.judged[number] = judged }
                }
                group.leave()
            }
        }
        group.wait()
        return state.withLock { state in state.judged.sorted { $0.key < $1.key }.map(\.value) }
    }

    private func judge(_ number: Int, _ mutant: Mutant, of target: Target) -> Judged {
        for tests in target.tests {
            if let witness = witness(number, tests) {
                return Judged(target: target.name, mutant: mutant, outcome: .killedByOwn, witness: witness)
            }
        }
        if let others, let witness = witness(number, others) {
            return Judged(target: target.name, mutant: mutant, outcome: .killedByOthers, witness: witness)
        }
        return Judged(target: target.name, mutant: mutant, outcome: .survived, witness: "")
    }

    /// The test that notices, nil where none does.
    private func witness(_ number: Int, _ tests: Target.Tests) -> String? {
        let output = "\(workspace.directory)/mutant-\(number).log"
        try? FileManager.default.removeItem(atPath: output)
        defer { try? FileManager.default.removeItem(atPath: output) }
        // Ten times as long, and a minute for a machine that is busy with something else.
        let end = try? workspace.run(tests, mutant: number, output: output, seconds: 60 + 10 * (usual[Self.key(tests)] ?? 0))
        switch end {
        case .succeeded: return nil
        case .timedOut: return "no end"
        default:
            let printed = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
            return printed.split(separator: "\n").first { $0.contains("✘") || $0.contains("Fatal") }.map { String($0.prefix(120)) }
                ?? "crashed"
        }
    }
}
