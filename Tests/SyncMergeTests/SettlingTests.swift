import SyncCoding
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// What is settled is forgotten, and nothing shows that it was.
@Suite struct SettlingTests {
    /// A history's writes to one record in order of arrival, each once, and what is known of those still to come.
    fileprivate struct Arrivals {
        let writes: [TaggedWrite]
        /// A write that nobody waits for: it comes late, whatever its writer had seen.
        var late: TaggedWrite?

        /// The numbers up to which all of the first so many writes have arrived.
        func arrived(_ count: Int) -> VersionVector {
            vector { device in writes[count...].filter { $0.dot.device == device }.map(\.dot.sequence).min() }
        }

        /// The writes that have arrived and that every write still to come has seen.
        func settled(_ count: Int) -> VersionVector {
            let (past, future) = (writes[..<count], writes[count...])
            return vector { device in
                let waitedFor = future.filter { $0.dot != late?.dot }
                let unsettled = past.filter { write in !waitedFor.allSatisfy { $0.hasSeen(write, intervals: IntervalRule()) } } + future
                return unsettled.filter { $0.dot.device == device }.map(\.dot.sequence).min()
            }
        }

        private func vector(before first: (DeviceID) -> UInt64?) -> VersionVector {
            VersionVector(
                Set(writes.map(\.dot.device)).compactMap { device in
                    let last = (first(device) ?? 1000) - 1
                    return last > 0 ? Dot(device: device, sequence: last) : nil
                })
        }
    }

    /// Merges histories with and without forgetting, and holds what both show against each other after each arrival.
    ///
    /// - Returns: How often something was forgotten.
    private func compare(
        _ seeds: Range<UInt64>, _ rules: MergeRules, mode: RandomHistory.Mode, values: (@Sendable (Int, inout SplitMix64) -> FieldValue)?,
        hasLate: Bool = false, forget: (inout RecordState, Arrivals, Int) -> Bool
    ) throws -> Int {
        var forgotten = 0
        for seed in seeds {
            let history = RandomHistory(seed: seed, mode: mode, values: values)
            for key in Set(history.writes.map(\.key)) {
                var known: Set<Dot> = []
                // In the order in which they were made, every other time: only then much is settled before the end.
                let source = seed % 2 == 0 ? history.writes : history.arrivals
                var arrivals = Arrivals(writes: source.filter { $0.key == key && known.insert($0.dot).inserted })
                if hasLate { arrivals = arrivals.withLate(Int(seed / 2)) }
                var (whole, small) = (RecordState(key: key), RecordState(key: key))
                for (index, write) in arrivals.writes.enumerated() {
                    let asSent = arrivals.late?.dot == write.dot ? write.whole(in: whole, rules: rules) : write
                    _ = whole.merge(write, rules: rules)
                    _ = small.merge(asSent, rules: rules)
                    if (seed + UInt64(index)) % 3 != 0 {
                        small.prepareToShow(rules: rules)
                        if forget(&small, arrivals, index + 1) { forgotten += 1 }
                    }
                    var encoder = StateEncoder(key: key)
                    small.encode(into: &encoder)
                    var decoder = try StateDecoder(encoder.bytes, key: key)
                    let read = try RecordState(key: key, from: &decoder)
                    func story() -> Comment { Comment(rawValue: RandomHistory.story(seed, arrivals.writes) + " at \(index)") }
                    #expect(small.shown(rules: rules) == whole.shown(rules: rules), story())
                    #expect(read.shown(rules: rules) == whole.shown(rules: rules), story())
                    if index % 4 == 3 { small = read }
                }
            }
        }
        return forgotten
    }

    @Test(arguments: RandomHistory.Mode.allCases, DeletePolicy.allCases)
    func removedElementsAreForgottenOnceSettled(_ mode: RandomHistory.Mode, deletes: DeletePolicy) throws {
        let rules = MergeRules(standard: .fields(.set), deletes: deletes)
        let seeds = 70_000_000..<70_000_000 + UInt64(histories(8, of: 200))
        let forgotten = try compare(seeds, rules, mode: mode, values: RandomValues.set) { state, arrivals, count in
            let before = state.devicesRemovedFrom
            _ = state.forgetRemovals(arrived: arrivals.arrived(count))
            return state.devicesRemovedFrom != before
        }
        #expect(![.causal, .mixed].contains(mode) || forgotten > histories(2, of: 100), "\(forgotten)")
    }

    @Test(
        arguments: [MergePolicy.lastWriterWins, .firstWriterWins, .preferDevices(["b", "c"]), .manual], DeletePolicy.allCases)
    func writesUnderARecordLevelPolicyAreForgottenOnceSettled(_ policy: MergePolicy, deletes: DeletePolicy) throws {
        let rules = MergeRules(standard: .record(policy), deletes: deletes)
        let seeds = 71_000_000..<71_000_000 + UInt64(histories(12, of: 240))
        let forgotten = try compare(seeds, rules, mode: .causal, values: nil) { state, arrivals, count in
            state.forgetHistory(settled: arrivals.settled(count), rules: rules).isSmaller
        }
        #expect(forgotten > histories(1, of: 60), "\(forgotten)")
    }

    @Test(
        arguments: [MergePolicy.lastWriterWins, .firstWriterWins, .preferDevices(["b", "c"]), .manual], DeletePolicy.allCases)
    func anUnexpectedPutOfEveryFieldShowsAllThatItsWriterSaw(_ policy: MergePolicy, deletes: DeletePolicy) throws {
        let rules = MergeRules(standard: .record(policy), deletes: deletes)
        let seeds = 72_000_000..<72_000_000 + UInt64(histories(12, of: 300))
        let forgotten = try compare(seeds, rules, mode: .causal, values: nil, hasLate: true) { state, arrivals, count in
            state.forgetHistory(settled: arrivals.settled(count), rules: rules).isSmaller
        }
        #expect(forgotten > histories(1, of: 60), "\(forgotten)")
    }

    @Test(arguments: [1, 9] as [Int64])
    func aWriteThatHadSeenNothingIsJudgedAsIfNothingWasForgotten(at time: Int64) {
        let rules = MergeRules(standard: .record(.lastWriterWins))
        let chain = [
            put("a", 1, at: 1, ["x": 0]), put("a", 2, at: 2, ["x": 1, "y": 1]), put("a", 3, at: 3, ["x": 2]), put("a", 4, at: 4, ["z": 3]),
        ]
        var (whole, small) = (RecordState(key: chain[0].key), RecordState(key: chain[0].key))
        for write in chain {
            _ = whole.merge(write, rules: rules)
            _ = small.merge(write, rules: rules)
        }
        let forgotten = small.forgetHistory(settled: ["a": 4], rules: rules)
        #expect(forgotten == (isSmaller: true, isDone: true))
        #expect(small.history.map(\.dot) == [chain[2].dot, chain[3].dot])
        #expect(small.history[0].fields == ["x": 2] && small.history[0].carried == ["y": 1])
        #expect(small.shown(rules: rules) == ["x": 2, "y": 1, "z": 3])
        for write in [put("n", 1, at: time, ["w": 1]), put("n", 2, at: time + 10, ["v": 1], saw: ["a": 4])] {
            _ = whole.merge(write, rules: rules)
            _ = small.merge(write, rules: rules)
            #expect(small.shown(rules: rules) == whole.shown(rules: rules))
        }
        let decisions = small.merge(chain[0], rules: rules)
        #expect(decisions.isEmpty, "one that was forgotten arrives again")
        #expect(small.shown(rules: rules) == whole.shown(rules: rules))
    }

    @Test func oneSettledWriteIsNotFolded() {
        let rules = MergeRules(standard: .record(.lastWriterWins))
        let (first, second) = (put("a", 1, at: 1, ["x": 1]), put("a", 2, at: 2, ["y": 2]))
        var record = RecordState(key: first.key)
        for write in [first, second] { _ = record.merge(write, rules: rules) }
        #expect(record.forgetHistory(settled: ["a": 1], rules: rules) == (isSmaller: false, isDone: true))
        #expect(record.history.count == 2)
    }

    @Test func aRecordIsDoneWhereItKeepsNoHistoryThatSomeoneMayNeed() {
        let rules = MergeRules(standard: .record(.lastWriterWins))
        let first = put("a", 1, at: 1, ["x": 1])
        var record = RecordState(key: first.key)
        _ = record.merge(first, rules: rules)
        #expect(record.forgetHistory(settled: ["a": 1], rules: rules) == (isSmaller: false, isDone: true))
        for write in [put("b", 1, at: 1, ["x": 1], saw: nil), put("a", 2, at: 100_000, ["x": 2], saw: ["a": 1, "b": 1])] {
            _ = record.merge(write, rules: rules)
        }
        #expect(record.history.count == 3 && record.maximalWrites(of: nil, rules: rules).count == 1)
        #expect(record.forgetHistory(settled: ["a": 2, "b": 1], rules: rules) == (isSmaller: false, isDone: false))
        #expect(record.history.count == 3)
    }

    @Test func aRemovalIsRememberedUntilTheAdditionHasArrived() {
        let rules = MergeRules(standard: .fields(.set))
        let added = put("a", at: 1, ["tags": SetWrite(added: ["red"]).value])
        let removed = put("b", at: 2, ["tags": SetWrite(removed: ["red"]).value], saw: ["a": 1])
        var record = RecordState(key: added.key)
        _ = record.merge(removed, rules: rules)
        #expect(record.forgetRemovals(arrived: ["b": 1]).isEmpty)
        #expect(record.devicesRemovedFrom == ["a", "b"])
        _ = record.merge(added, rules: rules)
        #expect(record.shown(rules: rules) == ["tags": []])
        #expect(record.forgetRemovals(arrived: ["a": 1, "b": 1]) == [removed])
        #expect(record.devicesRemovedFrom.isEmpty && record.shown(rules: rules) == ["tags": []])
    }

    @Test func elementsStayInOrderThroughChangesOfAnySize() {
        let rules = MergeRules(standard: .fields(.set))
        var (kept, plain) = (RecordState(key: card), RecordState(key: card))
        var random = SplitMix64(seed: 7)
        for number in 1...histories(100, of: 300) {
            let count = number % 50 == 0 ? 200 : random.below(4)
            let elements = (0..<count).map { _ in FieldValue.number(JSONNumber(Int64(random.below(150)))) }
            let change = random.percent(50) ? SetWrite(added: elements) : SetWrite(removed: elements)
            let value: FieldValue = number % 97 == 0 ? .array(elements) : change.value
            let write = TaggedWrite(
                dot: Dot(device: "a", sequence: UInt64(number)), timestamp: HybridTimestamp(milliseconds: Int64(number)), key: card,
                operation: .put(["tags": value]), seen: ["a": UInt64(number - 1)])
            _ = kept.merge(write, rules: rules)
            _ = plain.merge(write, rules: rules)
            kept.prepareToShow(rules: rules)
            #expect(kept.shown(rules: rules) == plain.shown(rules: rules))
        }
    }

    private let card = RecordKey(type: "card", id: "1")
}

extension SettlingTests.Arrivals {
    /// One of the later half of the puts moved to the end, sometimes as the latest of all, with those that have seen it after it.
    fileprivate func withLate(_ choice: Int) -> Self {
        let puts = writes.indices.filter { !writes[$0].isDelete }
        guard !puts.isEmpty else { return self }
        let chosen = writes[puts[puts.count / 2 + choice % (puts.count - puts.count / 2)]]
        let after = writes.filter { $0.dot != chosen.dot && $0.hasSeen(chosen, intervals: IntervalRule(window: .zero)) }
        let moved = Set(after.map(\.dot)).union([chosen.dot])
        let latest = writes.map(\.timestamp.milliseconds).max() ?? 0
        let late = TaggedWrite(
            dot: chosen.dot, timestamp: choice % 2 == 0 ? chosen.timestamp : HybridTimestamp(milliseconds: latest + 1), key: chosen.key,
            operation: chosen.operation, seen: chosen.seen)
        return Self(writes: writes.filter { !moved.contains($0.dot) } + [late] + after, late: late)
    }
}

extension TaggedWrite {
    /// The write with all that its writer knew of.
    fileprivate func whole(in state: RecordState, rules: MergeRules) -> TaggedWrite {
        state.whole(self, rules: rules)
    }
}
