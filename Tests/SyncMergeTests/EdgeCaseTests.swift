import SyncMerge
import SyncModel
import SyncSystem
import Testing

/// Edge cases of the merge.
@Suite struct EdgeCaseTests {
    @Test func theCycleOfAWinnerOnlyRegisterIsAvoided() {
        let writes = [put("a", at: 10, ["x": "A"]), put("b", at: 5, ["x": "B"], saw: ["a": 1]), put("c", at: 7, ["x": "C"])]
        for order in permutations(writes) {
            let replica = OneRecord(order)
            #expect(replica.shown == ["x": "C"])
            #expect(replica.winner(of: "x") == "c:1")
        }
    }

    @Test func aLateAncestorOfAnArrivedWriteIsNoConflict() {
        let replica = OneRecord([put("b", at: 2, ["x": 2], saw: ["a": 1]), put("a", at: 1, ["x": 1])])
        #expect(replica.decisions == [])
        #expect(replica.shown == ["x": 2])
    }

    @Test func aLateAncestorOfASupersededWriteIsNoConflict() {
        let replica = OneRecord([
            put("c", at: 3, ["x": 3], saw: ["b": 1]), put("b", at: 2, ["x": 2], saw: ["a": 1]), put("a", at: 1, ["x": 1]),
        ])
        #expect(replica.decisions == [])
        #expect(replica.shown == ["x": 3])
    }

    @Test func aLateSupersededWriteTakesAwayWhatItHadSeen() {
        let replica = OneRecord([
            put("a", at: 9, ["x": "old"]), put("c", at: 3, ["x": "new"], saw: ["b": 1]), put("b", at: 2, ["x": "between"], saw: ["a": 1]),
        ])
        #expect(replica.decisions == ["x: a:1 over c:1, newer"])
        #expect(replica.shown == ["x": "new"])
    }

    @Test(arguments: DeletePolicy.allCases)
    func aPutThatHasSeenTheDeleteRecreatesWithoutTheOldFields(_ deletes: DeletePolicy) {
        let writes = [
            put("a", 1, at: 1, ["x": 1, "y": 1]), delete("b", at: 2, saw: ["a": 1]), put("a", 2, at: 3, ["x": 2], saw: ["a": 1, "b": 1]),
        ]
        for order in permutations(writes) {
            let replica = OneRecord(order, rules: MergeRules(deletes: deletes))
            #expect(replica.shown == ["x": 2])
            #expect(replica.decisions == [])
        }
    }

    @Test(arguments: DeletePolicy.allCases)
    func aDeleteThatSawDeleteAndUpdateIsNoConflict(_ deletes: DeletePolicy) {
        let first = delete("a", 1, at: 2)
        let update = put("b", at: 3, ["x": 1])
        let second = delete("a", 2, at: 1, saw: ["a": 1, "b": 1])
        for order in permutations([first, update, second]) {
            let replica = OneRecord(order, rules: MergeRules(deletes: deletes))
            #expect(replica.shown == nil)
            #expect(replica.winner(of: "x") == "a:2")
        }
        #expect(OneRecord([first, update, second], rules: MergeRules(deletes: deletes)).decisions.count == 1)
        #expect(OneRecord([second, first, update], rules: MergeRules(deletes: deletes)).decisions == [])
    }

    @Test func aFieldFirstNamedAfterADeleteIsDeletedUnlessItWasSeen() {
        let gone = delete("a", at: 1)
        let unaware = OneRecord([gone, put("b", at: 2, ["z": 1])])
        #expect(unaware.decisions == ["z: a:1 over b:1, delete_wins"])
        #expect(unaware.shown == nil)
        let aware = OneRecord([gone, put("b", at: 2, ["z": 1], saw: ["a": 1])])
        #expect(aware.decisions == [])
        #expect(aware.shown == ["z": 1])
        let editing = OneRecord([gone, put("b", at: 2, ["z": 1])], rules: MergeRules(deletes: .editWins))
        #expect(editing.decisions == ["z: b:1 over a:1, edit_wins"])
        #expect(editing.shown == ["z": 1])
    }

    @Test(
        arguments: [
            (["a", "b", "c"], ["x: b:1 over a:1, newer", "x: c:1 over b:1, newer"]),
            (["a", "c", "b"], ["x: c:1 over a:1, newer", "x: c:1 over b:1, newer"]),
            (["b", "a", "c"], ["x: b:1 over a:1, newer", "x: c:1 over b:1, newer"]),
            (["b", "c", "a"], ["x: c:1 over b:1, newer", "x: c:1 over a:1, newer"]),
            (["c", "a", "b"], ["x: c:1 over a:1, newer", "x: c:1 over b:1, newer"]),
            (["c", "b", "a"], ["x: c:1 over b:1, newer", "x: c:1 over a:1, newer"]),
        ] as [([String], [String])])
    func threeConcurrentWritesAreReportedInOrderOfArrival(order: [String], decisions: [String]) {
        let times: [String: Int64] = ["a": 1, "b": 2, "c": 3]
        let replica = OneRecord(order.map { put(DeviceID($0), at: times[$0] ?? 0, ["x": .string($0)]) })
        #expect(replica.decisions == decisions)
        #expect(replica.shown == ["x": "c"])
    }

    @Test(
        arguments: [
            ("a", "b"), ("B", "a"), ("phone", "phone2"), ("z", "\u{e9}"), ("e\u{301}", "\u{e9}"), ("\u{ffff}", "\u{1f600}"), ("", "a"),
        ])
    func equalTimestampsAreDecidedByTheBytesOfTheDevicesName(smaller: String, larger: String) {
        let one = put(DeviceID(smaller), at: 1, ["x": "smaller"])
        let other = put(DeviceID(larger), at: 1, ["x": "larger"])
        for order in [[one, other], [other, one]] {
            let replica = OneRecord(order)
            #expect(replica.shown == ["x": "larger"])
            #expect(replica.decisions == ["x: \(larger):1 over \(smaller):1, tie_break"])
        }
    }

    @Test func namesThatDifferByNormalisationAreDifferentDevices() {
        let composed = put("\u{e9}", 1, at: 1, ["x": 1])
        let decomposed = put("e\u{301}", 2, at: 2, ["x": 2], saw: ["e\u{301}": 1])
        #expect(OneRecord([composed, decomposed]).decisions.count == 1)
        #expect(OneRecord([composed, put("b", at: 2, ["x": 2], saw: ["e\u{301}": 1])]).decisions.count == 1)
        #expect(OneRecord([composed, put("b", at: 2, ["x": 2], saw: ["\u{e9}": 1])]).decisions == [])
    }

    @Test func theSameDotTwiceChangesAndDecidesNothing() {
        let mine = put("a", at: 1, ["x": 1])
        let theirs = put("b", at: 2, ["x": 2])
        var replica = OneRecord([mine, theirs])
        let before = replica.decisions
        for write in [theirs, mine, theirs] { replica.merge(write) }
        #expect(replica.decisions == before)
        #expect(replica.decisions.count == 1)
        #expect(replica.shown == ["x": 2])
    }

    @Test func aRemovalWinsAndLosesLikeAnyOtherWrite() {
        let value = put("a", at: 1, ["x": 1, "y": 1])
        #expect(OneRecord([value, put("b", at: 2, ["x": .null])]).shown == ["y": 1])
        #expect(OneRecord([value, put("b", at: 0, ["x": .null])]).shown == ["x": 1, "y": 1])
        #expect(OneRecord([value, put("b", at: 2, ["x": .null])]).decisions == ["x: b:1 over a:1, newer"])
    }

    @Test(arguments: [true, false])
    func aRemovalIsNeitherTheLargestNorTheSmallestValue(isMaximum: Bool) {
        let rules = MergeRules(standard: .fields(isMaximum ? .maximum : .minimum))
        for order in permutations([put("a", at: 1, ["x": 1]), put("b", at: 2, ["x": .null])]) {
            #expect(OneRecord(order, rules: rules).shown == ["x": 1])
        }
    }

    @Test func theOrderOfOneDevicesNumbersBeatsItsClock() {
        let first = put("a", 1, at: 100_000_000, ["x": 1], saw: nil)
        let second = put("a", 2, at: 5, ["x": 2], saw: nil)
        for order in [[first, second], [second, first]] {
            let replica = OneRecord(order)
            #expect(replica.decisions == [])
            #expect(replica.shown == ["x": 2])
        }
    }

    @Test(arguments: [(300_000, 1), (300_001, 0), (0, 1)])
    func withoutVersionVectorsTheEdgeOfTheWindowIsConcurrent(gap: Int, conflicts: Int) {
        let early = put("a", at: 1000, ["x": 1], saw: nil)
        let late = put("b", at: 1000 + Int64(gap), ["x": 2], saw: nil)
        for order in [[early, late], [late, early]] {
            #expect(OneRecord(order).decisions.count == conflicts)
            #expect(OneRecord(order).shown == ["x": 2])
        }
    }

    @Test func writesToDifferentFieldsAreBothKeptAndReported() {
        let replica = OneRecord([put("b", at: 2, ["y": 2]), put("a", at: 1, ["x": 1])])
        #expect(replica.decisions == ["record: b:1 over a:1, newer"])
        #expect(replica.shown == ["x": 1, "y": 2])
    }

    @Test func timestampsAtTheEndsOfTheRangeDoNotOverflow() {
        let early = put("a", at: .min, ["x": 1], saw: nil)
        let late = put("b", at: .max, ["x": 2], saw: nil)
        for order in [[early, late], [late, early]] {
            #expect(OneRecord(order).decisions == [])
            #expect(OneRecord(order).shown == ["x": 2])
        }
    }

    @Test(arguments: [1, 2, 40])
    func aDotCollisionIsFoundAmongOneOrSeveralMaximalWrites(count: Int) {
        var state = RecordState(key: RecordKey(type: "note", id: "1"))
        var (lists, memory) = (NameLists(), RecordMemory.ofReplica)
        let writes = (0..<count).map { put(DeviceID("d\($0)"), at: Int64($0), ["x": 1]) }
        for write in writes + writes {
            #expect(!state.mergeChecked(write, rules: MergeRules(), &memory, sharing: &lists).isDotCollision)
        }
        for number in [0, count - 1] {
            let other = put(DeviceID("d\(number)"), at: 0, ["x": 2])
            #expect(state.mergeChecked(other, rules: MergeRules(), &memory, sharing: &lists).isDotCollision, "\(number)")
        }
    }

    @Test func aDotCollisionIsFoundAmongTheRestOfMany() {
        var state = RecordState(key: RecordKey(type: "note", id: "1"))
        var (lists, memory) = (NameLists(), RecordMemory.ofReplica)
        let seen = VersionVector((0..<30).map { Dot(device: DeviceID("d\($0)"), sequence: 1) })
        var writes = (0..<40).map { put(DeviceID("d\($0)"), at: Int64($0), ["x": 1]) }
        writes += [put("e", at: 50, ["x": 1], saw: seen), put("f", at: 51, ["x": 1])]
        for write in writes { #expect(!state.mergeChecked(write, rules: MergeRules(), &memory, sharing: &lists).isDotCollision) }
        #expect(state.maximalWrites(of: nil, rules: MergeRules()).count == 12)
        for device in ["d30", "e", "f"] as [DeviceID] {
            let other = put(device, at: 60, ["x": 2])
            #expect(state.mergeChecked(other, rules: MergeRules(), &memory, sharing: &lists).isDotCollision, "\(device)")
        }
    }

    @Test func aFieldThatIsNewBetweenOthersTakesNoAncestorFromThem() {
        let first = put("a", at: 1, ["x": 1, "z": 1])
        var record = OneRecord([first, put("b", at: 2, ["x": 2, "y": 2, "z": 2], saw: ["a": 1])]).record
        let decisions = record.merge(put("c", at: 3, ["z": 3], saw: ["a": 1]), rules: MergeRules())
        #expect(decisions.map(\.ancestor) == [first])
    }

    /// Of the write that both sides had seen a replica knows that its writer had been shown nothing.
    @Test func whoRemovesAFieldThatWasNeverThereEditsNothing() {
        let rules = MergeRules(standard: .record(.lastWriterWins))
        var record = OneRecord([put("a", at: 1, ["x": 1]), put("b", at: 2, ["x": 1, "y": .null], saw: ["a": 1])], rules: rules).record
        let decisions = record.merge(put("c", at: 3, ["x": 2], saw: ["a": 1]), rules: rules)
        #expect(decisions.map(\.edits.isLoserKnown) == [true])
    }

    @Test func aRecordIsAnInsertAloneWhereNothingCameBeforeIt() {
        // The second says that its writer had seen nothing, and is of the same device all the same.
        let (first, second) = (put("a", 1, at: 1, ["x": 1]), put("a", 2, at: 2, ["x": 2]))
        #expect(OneRecord([first]).record.onlyInsert == first)
        #expect(OneRecord([first, second]).record.onlyInsert == nil)
    }

    @Test func aCustomRuleIsNotAskedWhereThereIsNothingToChoose() {
        let asked = Locked(0)
        let custom = CustomPolicy(name: "joined") { context in
            asked.withLock { $0 += 1 }
            return .value(.array(context.candidates.map { $0.value(of: "x") ?? .null }))
        }
        var replica = OneRecord([put("a", at: 1, ["x": 1])], rules: MergeRules(standard: .fields(.custom(custom))))
        #expect(replica.shown == ["x": 1] && replica.winner(of: "x") == "a:1")
        replica.merge(put("a", 2, at: 2, ["x": 2], saw: ["a": 1]))
        #expect(replica.winner(of: "x") == "a:2" && asked.withLock { $0 } == 0)
        replica.merge(put("b", at: 3, ["x": 3]))
        #expect(replica.shown == ["x": [2, 3]] && asked.withLock { $0 } > 0)
    }

    /// Writes without a number are ordered by their clocks, and by when the hub had them.
    @Test func theEarlierOfTwoUnnumberedWritesOfADeviceIsSeen() {
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
        let replica = OneRecord([later, laptop, earlier])
        #expect(replica.decisions == [] && replica.shown == ["x": 3])
        // One that is gone and older still does not take the later one's turn.
        let oldest = bare("phone", 3, at: 11, received: 21, 0)
        let other = OneRecord([later, laptop, oldest, earlier])
        #expect(other.decisions == [] && other.shown == ["x": 3])
    }
}
