import AuditLog
import SyncModel

/// What of a trace is larger than CloudKit takes: how often, and where first.
struct OversizedWrites: Sendable {
    private var check = SizeCheck()
    private var found: [SizeProblem.Kind: (count: Int, first: String)] = [:]

    /// Looks at a write of a trace.
    mutating func observe(_ write: TaggedWrite, _ location: @autoclosure () -> AuditLogReader.Location) {
        for problem in check.problems(with: write, isOfTrace: true) {
            found[problem.kind, default: (0, "\(location()): \(problem.sentence)")].count += 1
        }
    }

    /// A sentence for each sort, without its full stop.
    var sentences: [String] {
        SizeProblem.Kind.allCases.compactMap { kind in
            guard let (count, first) = found[kind] else { return nil }
            let what =
                switch kind {
                case .record: HumanNumber.count(count, "write") + " larger than a record"
                case .asset: HumanNumber.count(count, "asset") + " larger than one may be"
                case .queue: "too much waited " + (count == 1 ? "once" : "\(HumanNumber.count(count)) times")
                }
            return "\(what) (first at \(first))"
        }
    }
}
