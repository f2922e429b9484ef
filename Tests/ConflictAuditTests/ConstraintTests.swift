import ConflictAudit
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// Declared constraints: one conflict for each newcomer, once for each reference.
@Suite struct ConstraintTests {
    private static let rules = AuditRules(
        uniqueFields: [ConflictStatistics.FieldKey(type: "card", field: "email")],
        references: [AuditRules.Reference(from: "call", field: "card", to: "card")])

    /// A trace in which each device counts its own writes.
    private struct Trace {
        var writes: [TaggedWrite] = []
        private var numbers: [DeviceID: UInt64] = [:]

        @discardableResult
        mutating func add(
            _ device: DeviceID, at milliseconds: Int, _ id: String, _ fields: FieldMap?, type: RecordType = "card", seen: [Dot] = []
        ) -> Dot {
            numbers[device, default: 0] += 1
            let dot = Dot(device: device, sequence: numbers[device, default: 0])
            var vector = VersionVector()
            for dot in seen { vector.insert(dot) }
            writes.append(
                TaggedWrite(
                    dot: dot, timestamp: HybridTimestamp(milliseconds: Int64(milliseconds)),
                    key: RecordKey(type: type, id: RecordID(id)), operation: fields.map(TaggedWrite.Operation.put) ?? .delete, seen: vector)
            )
            return dot
        }

        func conflicts(_ rules: AuditRules = ConstraintTests.rules) -> [Conflict] {
            var auditor = TraceAuditor(auditRules: rules)
            return writes.flatMap { auditor.observe($0) }.filter { $0.kind == .uniqueKey || $0.kind == .danglingReference }
        }
    }

    private static func describe(_ conflicts: [Conflict]) -> [String] {
        conflicts.map { "\($0.winner.dot.device):\($0.winner.dot.sequence)>\($0.loser.dot.device):\($0.loser.dot.sequence)" }
    }

    @Test(.timeLimit(.minutes(10)))
    func eachNewcomerToASharedValueIsOneConflictInAnyOrder() {
        var trace = Trace()
        let count = histories(1000, of: 20_000)
        for number in 0..<count { trace.add(DeviceID("d\(number)"), at: number, "\(number)", ["email": "x"]) }
        #expect(Self.describe(trace.conflicts()) == (1..<count).map { "d0:1>d\($0):1" })
        trace.writes.reverse()
        // Each newcomer is the earliest: it is held against the one that was.
        #expect(Self.describe(trace.conflicts()) == (0..<count - 1).reversed().map { "d\($0):1>d\($0 + 1):1" })
    }

    @Test func aSharedValueConflictsAsLongAsTwoRecordsShareIt() {
        var trace = Trace()
        let count = histories(300, of: 5000)
        for number in 0..<count { trace.add(DeviceID("d\(number)"), at: number, "\(number)", ["email": "x"]) }
        for number in 0..<count {
            let seen = [Dot(device: DeviceID("d\(number)"), sequence: 1)]
            trace.add(DeviceID("d\(number)"), at: 10_000 + number, "\(number)", ["email": .string("y\(number)")], seen: seen)
        }
        let found = Self.describe(trace.conflicts())
        #expect(found.count == 2 * count - 3)
        #expect(found.suffix(count - 2) == (1..<count - 1).map { "d\($0):1>d\($0 + 1):1" }[...])
    }

    @Test(arguments: ["", .null] as [FieldValue])
    func theEmptyStringNullAndARemovedFieldAreNoValue(_ value: FieldValue) {
        var trace = Trace()
        for device in ["a", "b", "c"] as [DeviceID] { trace.add(device, at: 1, device.rawValue, ["email": value]) }
        #expect(trace.conflicts() == [])
    }

    @Test func whoHadSeenTheHolderIsNoNewcomer() {
        var trace = Trace()
        let first = trace.add("a", at: 1, "1", ["email": "x"])
        trace.add("b", at: 2, "2", ["email": "x"], seen: [first])
        trace.add("c", at: 3, "3", ["email": "x"])
        #expect(Self.describe(trace.conflicts()) == ["a:1>c:1"])
    }

    @Test func aRecordSavedAgainKeepsItsValueAndItsRank() {
        var trace = Trace()
        let first = trace.add("a", at: 1, "1", ["email": "x", "n": 1])
        trace.add("b", at: 2, "2", ["email": "x"])
        trace.add("a", at: 3, "1", ["email": "x", "n": 2], seen: [first])
        trace.add("c", at: 4, "3", ["email": "x"])
        #expect(Self.describe(trace.conflicts()) == ["a:1>b:1", "a:2>c:1"])
    }

    @Test func aTargetDeletedOftenIsReportedOnceForEachReference() {
        var trace = Trace()
        let count = histories(200, of: 2000)
        for number in 0..<count { trace.add("r", at: number, "\(number)", ["card": "1"], type: "call") }
        var last: [Dot] = []
        for cycle in 0..<count {
            last = [trace.add("t", at: 10_000 + 2 * cycle, "1", ["email": "x"], seen: last)]
            last = [trace.add("t", at: 10_001 + 2 * cycle, "1", nil, seen: last)]
        }
        #expect(Self.describe(trace.conflicts()) == (0..<count).sorted { "\($0)" < "\($1)" }.map { "t:2>r:\($0 + 1)" })
    }

    @Test func aReferenceDanglesByTheDeletionThatHadNotSeenItAlone() {
        var trace = Trace()
        let made = trace.add("t", at: 1, "1", ["email": "x"])
        let reference = trace.add("r", at: 2, "7", ["card": "1"], type: "call")
        let deletion = trace.add("t", at: 3, "1", nil, seen: [made, reference])
        let again = trace.add("t", at: 4, "1", ["email": "x"], seen: [deletion])
        trace.add("t", at: 5, "1", nil, seen: [again])
        #expect(trace.conflicts() == [])
        trace.writes.removeLast()
        trace.add("u", at: 6, "1", nil, seen: [made])
        #expect(Self.describe(trace.conflicts()) == ["u:1>r:1"])
    }

    /// Two at most of each thing that matters, drawn at random, so that short histories meet every case.
    @Test(arguments: 0..<histories(40, of: 400))
    func uniqueValuesAgreeWithATableMadeAnewAfterEveryWrite(seed: Int) {
        var random = SplitMix64(seed: UInt64(90_000_000 + seed))
        var trace = Trace()
        var known: [[Dot]] = Array(repeating: [], count: 4)
        for step in 0..<40 {
            let writer = random.below(4)
            if random.percent(30) { known[writer] += known[random.below(4)] }
            let value: FieldValue = [.string("x"), .string("y"), .string(""), .null][random.below(4)]
            let fields: FieldMap? = random.percent(15) ? nil : ["email": value]
            known[writer].append(trace.add(DeviceID("d\(writer)"), at: step / 2, "\(random.below(6))", fields, seen: known[writer]))
        }
        trace.writes = random.percent(50) ? trace.writes : random.shuffled(trace.writes)
        #expect(Self.describe(trace.conflicts()) == Self.expected(trace.writes), "seed \(seed)")
    }

    /// The same by brute force: what is shown after each write decides, by the documented words alone.
    private static func expected(_ writes: [TaggedWrite]) -> [String] {
        func saw(_ one: TaggedWrite, _ other: TaggedWrite) -> Bool {
            one.dot.device == other.dot.device ? other.dot.sequence < one.dot.sequence : one.seen?.covers(other.dot) ?? false
        }
        func order(_ one: TaggedWrite, _ other: TaggedWrite) -> Bool { (one.timestamp, one.dot) < (other.timestamp, other.dot) }
        var arrived: [TaggedWrite] = []
        var shown: [RecordKey: (value: FieldValue, since: TaggedWrite, put: TaggedWrite)] = [:]
        var told: Set<Set<Dot>> = []
        var found: [String] = []
        func holders(_ value: FieldValue) -> [TaggedWrite] {
            shown.values.filter { $0.value == value }.sorted { order($0.since, $1.since) }.map(\.put)
        }
        func tell(_ one: TaggedWrite, _ other: TaggedWrite) {
            guard one.dot.device != other.dot.device, !saw(one, other), !saw(other, one), told.insert([one.dot, other.dot]).inserted else {
                return
            }
            let (winner, loser) = order(one, other) ? (one, other) : (other, one)
            found.append("\(winner.dot.device):\(winner.dot.sequence)>\(loser.dot.device):\(loser.dot.sequence)")
        }
        for write in writes {
            arrived.append(write)
            let mine = arrived.filter { $0.key == write.key }
            let maximal = mine.filter { one in !mine.contains { saw($0, one) } }
            let deletes = maximal.filter(\.isDelete)
            let put = deletes.isEmpty ? maximal.max(by: order) : nil
            let value = put.flatMap { $0.fields?["email"] }.flatMap { $0 == .null || $0 == "" ? nil : $0 }
            let old = shown[write.key]
            if let put, let value {
                if let old, old.value == value {
                    shown[write.key] = (value, old.since, put)
                    continue
                }
                if let holder = holders(value).first { tell(put, holder) }
                shown[write.key] = (value, put, put)
            } else {
                shown[write.key] = nil
            }
            if let old, case let rest = holders(old.value), rest.count > 1 { tell(rest[1], rest[0]) }
        }
        return found
    }
}
