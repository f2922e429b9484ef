import SyncMerge
import SyncModel
import SyncSystem
import Testing

@Suite("Edge cases of the merge")
struct EdgeCaseTests {
    @Test("the cycle that a register of winners only would run into: A@10, B@5 saw A, C@7 saw neither")
    func cycleOfAWinnerOnlyRegister() {
        let writes = [put("a", at: 10, ["x": "A"]), put("b", at: 5, ["x": "B"], saw: ["a": 1]), put("c", at: 7, ["x": "C"])]
        for order in permutations(writes) {
            let replica = Replica(order)
            #expect(replica.shown == ["x": "C"])
            #expect(replica.winner(of: "x") == "c:1")
        }
    }

    @Test("a late ancestor of something that has arrived is no conflict")
    func lateAncestor() {
        let replica = Replica([put("b", at: 2, ["x": 2], saw: ["a": 1]), put("a", at: 1, ["x": 1])])
        #expect(replica.decisions == [])
        #expect(replica.shown == ["x": 2])
    }

    @Test("a late ancestor of a write that is itself superseded is no conflict either")
    func lateAncestorOfASupersededWrite() {
        let replica = Replica([
            put("c", at: 3, ["x": 3], saw: ["b": 1]), put("b", at: 2, ["x": 2], saw: ["a": 1]), put("a", at: 1, ["x": 1]),
        ])
        #expect(replica.decisions == [])
        #expect(replica.shown == ["x": 3])
    }

    @Test("a superseded write that arrives late takes away what it had seen")
    func supersededWriteClearsWhatItHadSeen() {
        let replica = Replica([
            put("a", at: 9, ["x": "old"]), put("c", at: 3, ["x": "new"], saw: ["b": 1]), put("b", at: 2, ["x": "between"], saw: ["a": 1]),
        ])
        #expect(replica.decisions == ["x: a:1 over c:1, newer"])
        #expect(replica.shown == ["x": "new"])
    }

    @Test("a put that has seen the delete re-creates the record, without the fields of before", arguments: DeletePolicy.allCases)
    func deleteThenRecreate(_ deletes: DeletePolicy) {
        let writes = [
            put("a", 1, at: 1, ["x": 1, "y": 1]), delete("b", at: 2, saw: ["a": 1]), put("a", 2, at: 3, ["x": 2], saw: ["a": 1, "b": 1]),
        ]
        for order in permutations(writes) {
            let replica = Replica(order, rules: MergeRules(deletes: deletes))
            #expect(replica.shown == ["x": 2])
            #expect(replica.decisions == [])
        }
    }

    @Test("delete, concurrent update, second delete that saw both: gone without a further conflict", arguments: DeletePolicy.allCases)
    func deleteUpdateDelete(_ deletes: DeletePolicy) {
        let first = delete("a", 1, at: 2)
        let update = put("b", at: 3, ["x": 1])
        let second = delete("a", 2, at: 1, saw: ["a": 1, "b": 1])
        for order in permutations([first, update, second]) {
            let replica = Replica(order, rules: MergeRules(deletes: deletes))
            #expect(replica.shown == nil)
            #expect(replica.winner(of: "x") == "a:2")
        }
        #expect(Replica([first, update, second], rules: MergeRules(deletes: deletes)).decisions.count == 1)
        #expect(Replica([second, first, update], rules: MergeRules(deletes: deletes)).decisions == [])
    }

    @Test("a field first named after a delete is deleted too, unless its writer had seen the delete")
    func fieldFirstNamedAfterADelete() {
        let gone = delete("a", at: 1)
        let unaware = Replica([gone, put("b", at: 2, ["z": 1])])
        #expect(unaware.decisions == ["z: a:1 over b:1, delete_wins"])
        #expect(unaware.shown == nil)
        let aware = Replica([gone, put("b", at: 2, ["z": 1], saw: ["a": 1])])
        #expect(aware.decisions == [])
        #expect(aware.shown == ["z": 1])
        let editing = Replica([gone, put("b", at: 2, ["z": 1])], rules: MergeRules(deletes: .editWins))
        #expect(editing.decisions == ["z: b:1 over a:1, edit_wins"])
        #expect(editing.shown == ["z": 1])
    }

    @Test(
        "three concurrent writes, each order reports by its arrival",
        arguments: [
            (["a", "b", "c"], ["x: b:1 over a:1, newer", "x: c:1 over b:1, newer"]),
            (["a", "c", "b"], ["x: c:1 over a:1, newer", "x: c:1 over b:1, newer"]),
            (["b", "a", "c"], ["x: b:1 over a:1, newer", "x: c:1 over b:1, newer"]),
            (["b", "c", "a"], ["x: c:1 over b:1, newer", "x: c:1 over a:1, newer"]),
            (["c", "a", "b"], ["x: c:1 over a:1, newer", "x: c:1 over b:1, newer"]),
            (["c", "b", "a"], ["x: c:1 over b:1, newer", "x: c:1 over a:1, newer"]),
        ] as [([String], [String])])
    func threeConcurrentWrites(order: [String], decisions: [String]) {
        let times: [String: Int64] = ["a": 1, "b": 2, "c": 3]
        let replica = Replica(order.map { put(DeviceID($0), at: times[$0] ?? 0, ["x": .string($0)]) })
        #expect(replica.decisions == decisions)
        #expect(replica.shown == ["x": "c"])
    }

    @Test(
        "equal timestamps are decided by the bytes of the device's name",
        arguments: [
            ("a", "b"), ("B", "a"), ("phone", "phone2"), ("z", "\u{e9}"), ("e\u{301}", "\u{e9}"), ("\u{ffff}", "\u{1f600}"), ("", "a"),
        ])
    func tieOnEqualTimestamps(smaller: String, larger: String) {
        let one = put(DeviceID(smaller), at: 1, ["x": "smaller"])
        let other = put(DeviceID(larger), at: 1, ["x": "larger"])
        for order in [[one, other], [other, one]] {
            let replica = Replica(order)
            #expect(replica.shown == ["x": "larger"])
            #expect(replica.decisions == ["x: \(larger):1 over \(smaller):1, tie_break"])
        }
    }

    @Test("names that differ by Unicode normalisation only are different devices: neither has seen the other's write")
    func normalisationMakesNoDeviceEqual() {
        let composed = put("\u{e9}", 1, at: 1, ["x": 1])
        let decomposed = put("e\u{301}", 2, at: 2, ["x": 2], saw: ["e\u{301}": 1])
        #expect(Replica([composed, decomposed]).decisions.count == 1)
        #expect(Replica([composed, put("b", at: 2, ["x": 2], saw: ["e\u{301}": 1])]).decisions.count == 1)
        #expect(Replica([composed, put("b", at: 2, ["x": 2], saw: ["\u{e9}": 1])]).decisions == [])
    }

    @Test("the same dot twice changes and decides nothing")
    func sameDotTwice() {
        let mine = put("a", at: 1, ["x": 1])
        let theirs = put("b", at: 2, ["x": 2])
        var replica = Replica([mine, theirs])
        let before = replica.decisions
        for write in [theirs, mine, theirs] { replica.merge(write) }
        #expect(replica.decisions == before)
        #expect(replica.decisions.count == 1)
        #expect(replica.shown == ["x": 2])
    }

    @Test("null against a value: a removal wins and loses like any other write")
    func nullAgainstValue() {
        let value = put("a", at: 1, ["x": 1, "y": 1])
        #expect(Replica([value, put("b", at: 2, ["x": .null])]).shown == ["y": 1])
        #expect(Replica([value, put("b", at: 0, ["x": .null])]).shown == ["x": 1, "y": 1])
        #expect(Replica([value, put("b", at: 2, ["x": .null])]).decisions == ["x: b:1 over a:1, newer"])
    }

    @Test("a removal never beats a value by its size", arguments: [true, false])
    func nullIsNoMinimum(isMaximum: Bool) {
        let rules = MergeRules(standard: .fields(isMaximum ? .maximum : .minimum))
        for order in permutations([put("a", at: 1, ["x": 1]), put("b", at: 2, ["x": .null])]) {
            #expect(Replica(order, rules: rules).shown == ["x": 1])
        }
    }

    @Test("the order of one device's numbers beats its clock")
    func sequenceBeatsClock() {
        let first = put("a", 1, at: 100_000_000, ["x": 1], saw: nil)
        let second = put("a", 2, at: 5, ["x": 2], saw: nil)
        for order in [[first, second], [second, first]] {
            let replica = Replica(order)
            #expect(replica.decisions == [])
            #expect(replica.shown == ["x": 2])
        }
    }

    @Test("without version vectors the edge of the window counts as concurrent", arguments: [(300_000, 1), (300_001, 0), (0, 1)])
    func windowIsInclusive(gap: Int, conflicts: Int) {
        let early = put("a", at: 1000, ["x": 1], saw: nil)
        let late = put("b", at: 1000 + Int64(gap), ["x": 2], saw: nil)
        for order in [[early, late], [late, early]] {
            #expect(Replica(order).decisions.count == conflicts)
            #expect(Replica(order).shown == ["x": 2])
        }
    }

    @Test("writes to different fields are kept both, and reported as such")
    func disjointPuts() {
        let replica = Replica([put("b", at: 2, ["y": 2]), put("a", at: 1, ["x": 1])])
        #expect(replica.decisions == ["record: b:1 over a:1, newer"])
        #expect(replica.shown == ["x": 1, "y": 2])
    }

    @Test("timestamps at the ends of the range do not overflow")
    func extremeTimestamps() {
        let early = put("a", at: .min, ["x": 1], saw: nil)
        let late = put("b", at: .max, ["x": 2], saw: nil)
        for order in [[early, late], [late, early]] {
            #expect(Replica(order).decisions == [])
            #expect(Replica(order).shown == ["x": 2])
        }
    }

    @Test("another write under a name that is taken is told from the first, the only maximal one or one of several", arguments: [1, 2, 40])
    func dotCollisions(count: Int) {
        var state = RecordState(key: RecordKey(type: "note", id: "1"))
        var lists = NameLists()
        let writes = (0..<count).map { put(DeviceID("d\($0)"), at: Int64($0), ["x": 1]) }
        for write in writes + writes {
            #expect(!state.mergeChecked(write, rules: MergeRules(), sharing: &lists).isDotCollision)
        }
        let other = put("d0", at: 0, ["x": 2])
        #expect(state.mergeChecked(other, rules: MergeRules(), sharing: &lists).isDotCollision)
    }

    @Test("so it is where few are left of many")
    func misnamedAmongTheRest() {
        var state = RecordState(key: RecordKey(type: "note", id: "1"))
        var lists = NameLists()
        let seen = VersionVector((0..<30).map { Dot(device: DeviceID("d\($0)"), sequence: 1) })
        var writes = (0..<40).map { put(DeviceID("d\($0)"), at: Int64($0), ["x": 1]) }
        writes += [put("e", at: 50, ["x": 1], saw: seen), put("f", at: 51, ["x": 1])]
        for write in writes { #expect(!state.mergeChecked(write, rules: MergeRules(), sharing: &lists).isDotCollision) }
        #expect(state.maximalWrites(of: nil, rules: MergeRules()).count == 12)
        for device in ["d30", "e", "f"] as [DeviceID] {
            let other = put(device, at: 60, ["x": 2])
            #expect(state.mergeChecked(other, rules: MergeRules(), sharing: &lists).isDotCollision, "\(device)")
        }
    }

    @Test("an app's own rule is not asked where there is nothing to choose")
    func customRuleOfOneWrite() {
        let asked = Locked(0)
        let custom = CustomPolicy(name: "joined") { context in
            asked.withLock { $0 += 1 }
            return .value(.array(context.candidates.map { $0.value(of: "x") ?? .null }))
        }
        var replica = Replica([put("a", at: 1, ["x": 1])], rules: MergeRules(standard: .fields(.custom(custom))))
        #expect(replica.shown == ["x": 1] && replica.winner(of: "x") == "a:1")
        replica.merge(put("a", 2, at: 2, ["x": 2], saw: ["a": 1]))
        #expect(replica.winner(of: "x") == "a:2" && asked.withLock { $0 } == 0)
        replica.merge(put("b", at: 3, ["x": 3]))
        #expect(replica.shown == ["x": [2, 3]] && asked.withLock { $0 } > 0)
    }

    /// Writes without a number are ordered by their clocks, and by when the hub had them.
    @Test("of a device that does not number its writes the earlier is known as seen, whichever comes first")
    func unnumberedWritesOutOfOrder() {
        func bare(_ device: DeviceID, _ line: UInt64, at hour: Int64, received: Int64, _ value: FieldValue) -> TaggedWrite {
            TaggedWrite(
                dot: Dot(device: device, sequence: line), isNumbered: false, timestamp: HybridTimestamp(milliseconds: hour * 3_600_000),
                key: RecordKey(type: "note", id: "1"), operation: .put(["x": value]), seen: nil,
                receipt: TaggedWrite.Receipt(milliseconds: received * 3_600_000))
        }
        // The laptop had seen the phone's later write, and not yet the earlier one, which reached the hub last.
        let later = bare("phone", 1, at: 13, received: 13, 2)
        let laptop = bare("laptop", 1, at: 14, received: 14, 3)
        let earlier = bare("phone", 2, at: 12, received: 20, 1)
        let replica = Replica([later, laptop, earlier])
        #expect(replica.decisions == [] && replica.shown == ["x": 3])
        // One that is gone and older still does not take the later one's turn.
        let oldest = bare("phone", 3, at: 11, received: 21, 0)
        let other = Replica([later, laptop, oldest, earlier])
        #expect(other.decisions == [] && other.shown == ["x": 3])
    }
}
