// What tagging, merging and auditing cost, beside bare SQLite and in the same run.
//
//     swift run --package-path Samples/Benchmarks -c release sync-benchmarks            # everything, some minutes
//     swift run --package-path Samples/Benchmarks -c release sync-benchmarks writes     # or one of: writes, structs, sync, batch, growth, newcomer, arrivals, observer
//
// Figures of a busy machine are larger, ratios less so: both sides take turns. With --cpu, processor time is measured instead of the clock on
// the wall: without what waits for the disk or for a turn. Of writes and growth it is the writing thread's, of syncs that of all threads.

let parts: [(name: String, run: () async throws -> Void)] = [
    ("writes", { try WriteRatio(writes: 20_000, rounds: 7).run() }),
    ("structs", { try WriteRatio(writes: 20_000, rounds: 7, areTyped: true).run() }),
    ("sync", { try await SyncCost(records: 10_000, rounds: 15).run() }),
    ("batch", { try await SyncCost(records: 200, rounds: 60, bound: 0.05).run() }),
    ("growth", { try Growth(sizes: [1000, 10_000, 100_000, 1_000_000]).run() }),
    ("newcomer", { try await Newcomer(writes: 1_000_000, records: 10_000).run() }),
    ("arrivals", { try ArrivalCost(records: 200, rounds: 30, bound: 0.05).run() }),
    ("observer", { try ObserverCost(saves: 100, rounds: 7).run() }),
]
let wanted = CommandLine.arguments.dropFirst().filter { $0 != "--cpu" }
if let unknown = wanted.first(where: { name in !parts.contains { $0.name == name } }) {
    print("\(unknown) is none of the parts: \(parts.map(\.name).joined(separator: ", "))")
} else {
    for part in parts where wanted.isEmpty || wanted.contains(part.name) { try await part.run() }
}
