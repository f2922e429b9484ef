import AuditAnalysis
import AuditChecking
import AuditLog
import ConflictAudit
import SyncModel
import SyncOracle
import Testing

/// Devices that delete or overwrite much of what there is within one sync.
@Suite struct MassEffectTests {
    private static let start: Int64 = 1_768_485_600_000

    /// The sentences of a check of lines, the locations left out.
    private func sentences(_ lines: [AuditLine], share: Double? = nil) -> [String] {
        var checker = LogChecker(declared: nil, auditRules: AuditRules(), massShare: share)
        checker.begin(file: "f")
        for (index, line) in lines.enumerated() { checker.observe(line, at: index + 1) }
        return checker.finish().findings.filter { $0.kind == .massEffect }.map(\.sentence)
    }

    private func line(
        _ device: DeviceID, _ number: Int, _ record: Int, at seconds: Int, _ fields: FieldMap?, seen: VersionVector? = [:],
        received: Int? = nil, source: DeviceID? = nil
    ) -> AuditLine {
        let milliseconds = Self.start + Int64(seconds) * 1000
        let write = TaggedWrite(
            dot: Dot(device: device, sequence: UInt64(number)), timestamp: HybridTimestamp(milliseconds: milliseconds),
            key: RecordKey(type: "Card", id: RecordID("\(record)")), operation: fields.map { .put($0) } ?? .delete, seen: seen,
            receipt: received.map { TaggedWrite.Receipt(milliseconds: Self.start + Int64($0) * 1000) })
        return AuditLine(source: source, event: AuditEvent(at: milliseconds, .write(write)))
    }

    /// The phone's cards.
    private func cards(_ count: Int = 20) -> [AuditLine] {
        (1...count).map { line("phone", $0, $0, at: $0, ["name": .string("\($0)")]) }
    }

    @Test func anEmptyStoreThatWipesTheOthersIsProven() {
        let wipe = (1...20).map { line("pad", $0, $0, at: 3600, nil) }
        #expect(
            sentences(cards() + wipe) == [
                "f:21: pad deleted 20 of the 20 records there were in one sync, 2026-01-15 15:00:00 UTC; the writes prove that it had not "
                    + "seen what it replaced in any of them, as of a store that was empty or put back"
            ])
    }

    @Test func aPersonWhoEmptiesAListHasSeenIt() {
        let wipe = (1...20).map { line("pad", $0, $0, at: 3600, nil, seen: ["phone": UInt64($0)]) }
        #expect(sentences(cards() + wipe).first?.hasSuffix("; it had seen all that it replaced") == true)
        #expect(sentences(cards() + wipe.prefix(10)) == [], "no more than half")
        #expect(sentences(cards() + wipe.prefix(10), share: 0.4).count == 1)
        #expect(sentences(cards() + wipe.prefix(9), share: 0.1) == [], "too few to matter")
    }

    /// A record that was deleted and put again without a field is there.
    @Test func aRecordWithoutFieldsIsOneToo() {
        let gone = line("pad", 1, 7, at: 1, nil)
        let put = (1...10).map { number in
            let fields: FieldMap = number == 7 ? [:] : ["name": "x"]
            return line("phone", number, number, at: 60 + number, fields, seen: ["pad": 1])
        }
        let wipe = (1...10).map { line("pad", 1 + $0, $0, at: 3600, nil, seen: ["pad": UInt64($0), "phone": 10]) }
        #expect(sentences([gone] + put + wipe).first?.contains("pad deleted 10 of the 10 records") == true)
    }

    /// One record of which each put names another field, beside a burst that is looked at.
    @Test(.timeLimit(.minutes(1))) func fieldsWithoutEndCostNoMoreThanTheyAre() {
        let put = (1...10).map { line("phone", $0, $0, at: $0, ["name": "x"]) }
        let others = (1...4000).map { number in
            let fields: FieldMap? = number % 2 == 0 ? nil : [FieldName("f\(number)"): 1]
            let seen: VersionVector = ["pad": UInt64(number - 1)]
            return line("pad", number, 99, at: 60 + number, fields, seen: seen)
        }
        #expect(sentences(put + others) == [])
    }

    @Test func withoutACausalContextNothingIsProven() {
        let wipe = (1...20).map { line("pad", $0, $0, at: 60, nil, seen: nil) }
        #expect(sentences(cards() + wipe).first?.hasSuffix("; whether it had seen what it replaced is not known of any of them") == true)
    }

    @Test func whatIsWrittenAnewWithOtherValuesIsOverwritten() {
        let same = (1...20).map { line("pad", $0, $0, at: 3600, ["name": .string("\($0)")]) }
        #expect(sentences(cards() + same) == [], "equal values replace nothing")
        let other = (1...20).map { line("pad", $0, $0, at: 3600, ["name": ""]) }
        #expect(sentences(cards() + other).first?.contains("pad overwrote 20 of the 20 records") == true)
        let older = (1...20).map { line("pad", $0, $0, at: -5, ["name": ""], received: 3600) }
        #expect(sentences(cards() + older) == [], "an older edit loses to the last writer")
        let field = (1...20).map { line("pad", $0, $0, at: 3600, ["phone": "1"]) }
        #expect(sentences(cards() + field) == [], "another field replaces nothing")
    }

    @Test func deletesOfAnHourThatTheHubReceivedInOneGoAreOneSync() {
        let slow = { (received: Int?) in
            (1...20).map { self.line("pad", $0, $0, at: 600 + $0 * 100, nil, seen: ["phone": UInt64($0)], received: received) }
        }
        #expect(sentences(cards() + slow(nil)) == [])
        #expect(sentences(cards() + slow(9000)).count == 1)
    }

    @Test func exportsInTheDevicesLogPartItsSyncs() {
        let export = AuditLine(
            source: "pad",
            event: AuditEvent(
                at: Self.start, .sync(SyncActivity(phase: .export, state: .succeeded, writes: 1, bytes: 1, duration: .zero))))
        let theirs = (1...20).map { line("phone", $0, $0, at: $0, ["name": .string("\($0)")], source: "pad") }
        let slow = (1...20).map { line("pad", $0, $0, at: 600 + $0 * 100, nil, seen: ["phone": UInt64($0)], source: "pad") }
        #expect(sentences(theirs + [line("pad", 21, 21, at: 1, ["a": 1], source: "pad")] + slow) == [])
        // One export before and one after: all between went out together.
        let first = line("pad", 1, 99, at: 500, ["a": 1], source: "pad")
        let later = (1...20).map { line("pad", $0 + 1, $0, at: 600 + $0 * 100, nil, seen: ["phone": UInt64($0)], source: "pad") }
        #expect(sentences(theirs + [first, export] + later + [export]).count == 1)
        var parted = theirs + [first, export]
        for range in [0..<7, 7..<14, 14..<20] { parted += later[range] + [export] }
        #expect(sentences(parted) == [])
    }

    @Test func onePersonsRecordsAreHeldAgainstTheirOwnAlone() {
        let crowd = (1...500).map { line(DeviceID("user\($0 % 50)"), ($0 - 1) / 50 + 1, 1000 + $0, at: $0, ["a": 1]) }
        let wipe = (1...20).map { line("pad", $0, $0, at: 3600, nil, seen: ["phone": UInt64($0)]) }
        #expect(sentences(crowd + cards() + wipe).first?.contains("20 of the 20 records") == true)
    }

    /// Each kind of context, by devices of which none had seen what another did.
    @Test(arguments: [true, false], [10_000, 1]) func manyConcurrentDeletesOfOneRecordTakeLinearTime(hasContexts: Bool, devices: Int) {
        let count = histories(3_000, of: 100_000)
        let key = RecordKey(type: "Card", id: "1")
        var writes: [TaggedWrite] = []
        for number in 0..<2 * count {
            let device = DeviceID("\(number < count ? "d" : "p")\(number % devices)")
            writes.append(
                TaggedWrite(
                    dot: Dot(device: device, sequence: UInt64(number % count / devices + 1)),
                    timestamp: HybridTimestamp(milliseconds: Self.start + Int64(number)), key: key,
                    operation: number < count ? .delete : .put(["a": 1]), seen: hasContexts ? [:] : nil))
        }
        let indices = writes.indices.map(Int32.init)
        let time = processorTime { #expect(MassEffects(writes).find(indices).isEmpty) }
        #expect(time < .seconds(histories(3, of: 20)))
    }

    @Test func massesAndAlternationsAreMeasures() {
        #expect(CheckLimit("massEffects>0")?.exceeded(by: LogChecker.Counts(), totals: [.massEffect: 2]) == 2)
        #expect(CheckLimit("warnings>0")?.exceeded(by: LogChecker.Counts(), totals: [.massEffect: 2, .size: 1]) == 3)
        #expect(CheckLimit("alternations>0")?.exceeded(by: LogChecker.Counts(), totals: [.massEffect: 2]) == nil)
    }

    @Test func randomHistoriesAgreeWithBruteForce() {
        var (found, blind, unknown) = (0, 0, 0)
        for seed in 1...UInt64(histories(15, of: 60)) {
            let writes = MassHistory(seed: seed).writes
            let limit = MassEffects.Limit(share: 0.3)
            let effects = MassEffects(writes, limit: limit).find(writes.indices.map(Int32.init))
            let expected = MassOracle(writes).effects(limit)
            #expect(Set(effects) == Set(expected), "seed \(seed)")
            #expect(effects.count == expected.count, "seed \(seed)")
            found += effects.count
            blind += effects.count { $0.isOfEmptyStore }
            unknown += effects.count { $0.unknown > 0 }
        }
        #expect(found > 5 && blind > 0 && unknown > 0, "\(found), \(blind), \(unknown)")
    }
}

/// Devices that write, and now and then send all they have and fetch the rest; sometimes one begins with an empty store.
private struct MassHistory {
    private(set) var writes: [TaggedWrite] = []

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let names: [DeviceID] = ["a", "b", "c", "a~00000001"]
        let records = 15 + random.below(20)
        let hasContexts = !random.percent(25)
        var now: Int64 = 0
        var hub: [TaggedWrite] = []
        var (fetched, pending, counts) = ([0, 0, 0, 0], [[TaggedWrite]](repeating: [], count: 4), [UInt64](repeating: 0, count: 4))
        // What each has merged of a record, and the latest time it knows.
        var known = [[Int: VersionVector]](repeating: [:], count: 4)
        for _ in 0..<40 {
            let device = random.below(4)
            let isMass = random.percent(25)
            let isDelete = random.percent(isMass ? 50 : 10)
            for record in random.shuffled(Array(0..<records)).prefix(isMass ? records : 3) {
                now += 1 + Int64(random.below(100))
                counts[device] += 1
                let fields: FieldMap = random.percent(50) ? ["x": .number(JSONNumber(Int64(random.below(3))))] : ["y": "1", "x": "2"]
                let dot = Dot(device: names[device], sequence: counts[device])
                pending[device].append(
                    TaggedWrite(
                        dot: dot, timestamp: HybridTimestamp(milliseconds: now), key: RecordKey(type: "R", id: RecordID("\(record)")),
                        operation: isDelete ? .delete : .put(fields),
                        seen: hasContexts ? known[device][record] ?? [:] : nil))
                known[device][record, default: [:]].insert(dot)
            }
            now += Int64(random.below(30_000))
            guard random.percent(70) else { continue }
            hub += pending[device].map { $0.received(TaggedWrite.Receipt(milliseconds: now)) }
            pending[device] = []
            if random.percent(60) {
                for write in hub[fetched[device]...] {
                    let record = Int(write.key.id.rawValue) ?? 0
                    known[device][record, default: [:]].insert(write.dot)
                    if let seen = write.seen { known[device][record, default: [:]].formUnion(seen) }
                }
                fetched[device] = hub.count
            }
            now += 1
        }
        writes = random.shuffled(hub)
    }
}

/// The definition, by looking at everything that came before, over and over.
private struct MassOracle {
    private let arrived: [TaggedWrite]
    private let indices: [Dot: Int32]
    private let byRecord: [RecordKey: [Int]]
    private let rule = IntervalRule()

    init(_ writes: [TaggedWrite]) {
        indices = Dictionary(uniqueKeysWithValues: writes.enumerated().map { ($1.dot, Int32($0)) })
        arrived = writes.sorted { left, right in
            let (first, second) = (left.receipt?.milliseconds ?? 0, right.receipt?.milliseconds ?? 0)
            return first == second ? left.dot < right.dot : first < second
        }
        let sorted = arrived
        byRecord = Dictionary(grouping: sorted.indices) { sorted[$0].key }
    }

    private func hasSeen(_ one: TaggedWrite, _ other: TaggedWrite) -> Bool { one.hasSeen(other, intervals: rule) }

    /// What a field shows after so many writes: of those that no other had seen a delete, or else the last.
    private func shown(_ count: Int, _ key: RecordKey, _ field: FieldName) -> TaggedWrite? {
        let all = (byRecord[key] ?? []).prefix { $0 < count }.map { arrived[$0] }.filter { $0.isDelete || $0.value(of: field) != nil }
        let maximal = all.filter { write in !all.contains { $0.dot != write.dot && hasSeen($0, write) } }
        return maximal.contains(where: \.isDelete) ? nil : maximal.max { $0.precedes($1) }
    }

    private func latest(_ count: Int, _ key: RecordKey) -> TaggedWrite? {
        ["x", "y"].compactMap { shown(count, key, $0) }.max { $0.precedes($1) }
    }

    private func isLive(_ count: Int, _ key: RecordKey) -> Bool { latest(count, key) != nil }

    func effects(_ limit: MassEffects.Limit) -> [MassEffects.Effect] {
        let keys = Array(Set(arrived.map(\.key)))
        // All devices share records here, or else nothing is found.
        var effects: [MassEffects.Effect] = []
        for device in Set(arrived.map(\.dot.device)) {
            let mine = arrived.indices.filter { arrived[$0].dot.device == device }
            var bursts: [[Int]] = []
            for index in mine {
                let time = arrived[index].receipt?.milliseconds ?? 0
                if let last = bursts.last?.last, time - (arrived[last].receipt?.milliseconds ?? 0) <= 10_000 {
                    bursts[bursts.count - 1].append(index)
                } else {
                    bursts.append([index])
                }
            }
            for burst in bursts {
                if let effect = effect(burst, device, keys.count { isLive(burst[0], $0) }, limit) { effects.append(effect) }
            }
        }
        return effects
    }

    private func effect(_ burst: [Int], _ device: DeviceID, _ records: Int, _ limit: MassEffects.Limit) -> MassEffects.Effect? {
        let times = burst.map { arrived[$0].timestamp.milliseconds }
        var effect = MassEffects.Effect(device: device, records: records, times: (times.min() ?? 0)...(times.max() ?? 0))
        var first: Int?
        for key in Set(burst.map { arrived[$0].key }) {
            let all = burst.filter { arrived[$0].key == key }
            guard isLive(all[0], key) else { continue }
            var (isDeleted, isOverwritten, replaced) = (false, false, [(TaggedWrite, TaggedWrite)]())
            for index in all {
                let write = arrived[index]
                if write.isDelete {
                    guard let last = latest(index, key), !isLive(index + 1, key) else { continue }
                    isDeleted = true
                    replaced.append((last, write))
                } else if isLive(index + 1, key) {
                    isDeleted = false
                    for field in write.fieldNames ?? [] {
                        guard let old = shown(index, key, field), shown(index + 1, key, field)?.dot == write.dot,
                            old.dot.device != device, old.value(of: field) != write.value(of: field)
                        else { continue }
                        isOverwritten = true
                        replaced.append((old, write))
                    }
                }
                if isDeleted || isOverwritten { first = min(first ?? index, index) }
            }
            guard isDeleted || isOverwritten else { continue }
            if isDeleted { effect.deleted += 1 } else { effect.overwritten += 1 }
            let pairs = replaced.filter { $0.0.dot.device != device }
            if pairs.contains(where: { $1.hasCausalContext && $0.hasCausalContext && !hasSeen($1, $0) }) {
                effect.unseen += 1
            } else if pairs.contains(where: { !$1.hasCausalContext || !$0.hasCausalContext && !hasSeen($1, $0) }) {
                effect.unknown += 1
            }
        }
        effect.records = max(records, effect.affected)
        effect.first = first.flatMap { indices[arrived[$0].dot] } ?? -1
        effect.isOfEmptyStore = Double(effect.unseen) > limit.share * Double(effect.records) && effect.unseen >= 10
        return Double(effect.affected) > limit.share * Double(effect.records) && effect.affected >= 10 ? effect : nil
    }
}
