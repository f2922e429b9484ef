import ConflictAudit
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// What declared constraints find, and what they leave alone.
@Suite struct DeclaredConstraintTests {
    private static let rules = AuditRules(
        uniqueFields: [.init(type: "person", field: "email")], references: [.init(from: "card", field: "person", to: "person")])

    /// What is found when writes arrive in this order, one line each.
    private func found(_ writes: TaggedWrite..., window: Int64 = 300_000, rules: AuditRules = Self.rules) -> [String] {
        var rules = rules
        rules.windowMilliseconds = window
        var auditor = TraceAuditor(auditRules: rules)
        return writes.flatMap { auditor.observe($0) }.filter { $0.kind == .uniqueKey || $0.kind == .danglingReference }.map {
            "\($0.kind.rawValue) \($0.key.id.rawValue).\($0.field?.rawValue ?? "") \($0.winner.dot) over \($0.loser.dot)"
        }
    }

    private func put(
        _ device: DeviceID, _ sequence: UInt64 = 1, at milliseconds: Int64 = 1000, to type: RecordType = "person", _ id: RecordID,
        _ fields: FieldMap, saw seen: VersionVector? = [:]
    ) -> TaggedWrite {
        TaggedWrite(
            dot: Dot(device: device, sequence: sequence), timestamp: HybridTimestamp(milliseconds: milliseconds),
            key: RecordKey(type: type, id: id), operation: .put(fields), seen: seen)
    }

    private func delete(
        _ device: DeviceID, _ sequence: UInt64 = 1, at milliseconds: Int64 = 1000, _ id: RecordID, saw seen: VersionVector? = [:]
    ) -> TaggedWrite {
        TaggedWrite(
            dot: Dot(device: device, sequence: sequence), timestamp: HybridTimestamp(milliseconds: milliseconds),
            key: RecordKey(type: "person", id: id), operation: .delete, seen: seen)
    }

    // MARK: Unique values

    @Test func theEarlierOfTwoWritesOfOneValueWinsWhicheverArrivesSecond() {
        let ann = put("a", at: 1000, "ann", ["email": "x@y"])
        let bob = put("b", at: 2000, "bob", ["email": "x@y"])
        #expect(found(ann, bob) == ["unique_key ann.email a:1 over b:1"])
        #expect(found(bob, ann) == ["unique_key ann.email a:1 over b:1"])
    }

    @Test func theDescriptionOfASharedValueNamesItsParts() throws {
        var auditor = TraceAuditor(auditRules: Self.rules)
        auditor.observe(put("a", at: 1000, "ann", ["email": "x@y"]))
        let conflict = try #require(auditor.observe(put("b", at: 1000, "bob", ["email": "x@y"])).first)
        #expect(conflict.related == RecordKey(type: "person", id: "bob"))
        #expect(conflict.severity == .merged)
        #expect(conflict.policy == "unique")
        #expect(conflict.reason == .policy)
        #expect(conflict.resolution == .manualPending)
        #expect(conflict.winner.value == "x@y")
        #expect(conflict.basis == .causal)
        #expect(auditor.activeConflicts.map(\.id) == [conflict.id])
    }

    @Test func noValueIsSharedWithARecordThatGaveItUpOrIsDeleted() {
        let ann = put("a", at: 1000, "ann", ["email": "x@y"])
        let bob = put("b", at: 3000, "bob", ["email": "x@y"])
        #expect(found(ann, put("a", 2, at: 2000, "ann", ["email": "z@y"], saw: ["a": 1]), bob) == [])
        #expect(found(ann, put("a", 2, at: 2000, "ann", ["email": .null], saw: ["a": 1]), bob) == [])
        #expect(found(ann, delete("a", 2, at: 2000, "ann", saw: ["a": 1]), bob) == [])
        #expect(found(ann, put("b", at: 3000, to: "card", "bob", ["email": "x@y"])) == [])
        #expect(found(ann, put("b", at: 3000, "bob", ["name": "x@y"])) == [])
        #expect(found(ann, put("b", at: 3000, "bob", ["email": "other@y"])) == [])
    }

    @Test func aValueThatComesBackIsSharedAgain() {
        let writes = [
            put("a", 1, at: 1000, "ann", ["email": "x@y"]), put("a", 2, at: 2000, "ann", ["email": "z@y"], saw: ["a": 1]),
            put("a", 3, at: 3000, "ann", ["email": "x@y"], saw: ["a": 2]),
        ]
        #expect(
            found(writes[0], writes[1], writes[2], put("b", at: 4000, "bob", ["email": "x@y"])) == ["unique_key ann.email a:3 over b:1"])
    }

    @Test func aValueIsNotSharedWhereOneWriterHadSeenTheOther() {
        let ann = put("a", at: 1000, "ann", ["email": "x@y"])
        #expect(found(ann, put("b", at: 2000, "bob", ["email": "x@y"], saw: ["a": 1])) == [])
        #expect(found(put("b", at: 2000, "bob", ["email": "x@y"], saw: ["a": 1]), ann) == [])
        #expect(found(ann, put("a", 2, at: 2000, "bob", ["email": "x@y"], saw: [:])) == [])
        #expect(found(ann, put("b", at: 2000, "bob", ["email": "x@y"], saw: ["c": 9])) != [])
    }

    @Test func aSharedValueIsFoundOnceHoweverOftenTheWritesArrive() {
        let (ann, bob) = (put("a", at: 1000, "ann", ["email": "x@y"]), put("b", at: 2000, "bob", ["email": "x@y"]))
        #expect(found(ann, bob, ann, bob, put("b", 2, at: 3000, "bob", ["name": "Bob"], saw: ["b": 1])).count == 1)
    }

    @Test(arguments: [(300_000, 1), (300_001, 0), (0, 1)] as [(Int64, Int)])
    func withoutACausalContextTheWindowDecidesWhoHadSeenWhom(distance: Int64, count: Int) {
        let ann = put("a", at: 1000, "ann", ["email": "x@y"], saw: nil)
        let bob = put("b", at: 1000 + distance, "bob", ["email": "x@y"], saw: nil)
        #expect(found(ann, bob).count == count)
        #expect(found(bob, ann).count == count)
    }

    @Test func aCausalContextIsBelievedHoweverMuchLaterTheWriteIs() {
        let ann = put("a", at: 1000, "ann", ["email": "x@y"], saw: nil)
        #expect(found(ann, put("b", at: 9_000_000, "bob", ["email": "x@y"])).count == 1)
    }

    /// Of those that share a value, the two that have it longest; each pair of writes once.
    @Test(arguments: 0..<30 as Range<UInt64>)
    func recordsMayComeToAValueAndLeaveItInAnyOrder(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var auditor = TraceAuditor(auditRules: Self.rules)
        var holders: [Int: TaggedWrite] = [:]
        var numbers: [Int: UInt64] = [:]
        var reported: Set<Set<Dot>> = []
        for step in 0..<150 {
            let id = random.below(12)
            numbers[id, default: 0] += 1
            let isLeaving = holders[id] != nil
            let write = put(
                DeviceID("d\(id)"), numbers[id, default: 0], at: Int64(random.below(1000) * 1000 + step), RecordID("\(id)"),
                ["email": isLeaving ? .string("\(id)") : "shared"])
            var longest: [TaggedWrite] = holders.values.min { $0.precedes($1) }.map { [$0, write] } ?? []
            holders[id] = isLeaving ? nil : write
            if isLeaving { longest = Array(holders.values.sorted { $0.precedes($1) }.prefix(2)) }
            longest.sort { $0.precedes($1) }
            let pair = longest.map(\.dot)
            let isNew = pair.count == 2 && reported.insert(Set(pair)).inserted
            let found = auditor.observe(write).filter { $0.kind == .uniqueKey }
            #expect(found.map { [$0.winner.dot, $0.loser.dot] } == (isNew ? [pair] : []), "seed \(seed), step \(step)")
        }
    }

    // MARK: References

    @Test func aReferenceToADeletedRecordDanglesWhicheverArrivesFirst() throws {
        let person = put("a", 1, "ann", ["name": "Ann"])
        let card = put("b", at: 3000, to: "card", "c1", ["person": "ann"])
        let gone = delete("a", 2, at: 2000, "ann", saw: ["a": 1])
        #expect(found(person, card, gone) == ["dangling_reference c1.person a:2 over b:1"])
        #expect(found(person, gone, card) == ["dangling_reference c1.person a:2 over b:1"])
        #expect(found(person, gone, card, gone, card).count == 1)
        var auditor = TraceAuditor(auditRules: Self.rules)
        for write in [person, gone] { auditor.observe(write) }
        let conflict = try #require(auditor.observe(card).first)
        #expect(conflict.related == RecordKey(type: "person", id: "ann"))
        #expect(conflict.severity == .lossy)
        #expect(conflict.policy == "reference")
        #expect(conflict.reason == .deleteWins)
        #expect(conflict.resolution == .manualPending)
        #expect(conflict.restoringOperation == nil)
    }

    @Test func everyReferenceToADeletedRecordDanglesInOrderOfTheRecords() {
        let cards = ["c2", "c1", "c3"].enumerated().map { index, id in
            put("b", UInt64(index + 1), at: 3000, to: "card", RecordID(id), ["person": "ann"])
        }
        #expect(
            found(put("a", 1, "ann", ["name": "Ann"]), cards[0], cards[1], cards[2], delete("a", 2, at: 2000, "ann", saw: ["a": 1])) == [
                "dangling_reference c1.person a:2 over b:2", "dangling_reference c2.person a:2 over b:1",
                "dangling_reference c3.person a:2 over b:3",
            ])
    }

    @Test func aReferenceThatWasChangedOrDeletedDoesNotDangle() {
        let person = put("a", 1, "ann", ["name": "Ann"])
        let card = put("b", at: 1500, to: "card", "c1", ["person": "ann"])
        let gone = delete("a", 2, at: 9000, "ann", saw: ["a": 1])
        #expect(found(person, card, put("b", 2, at: 2000, to: "card", "c1", ["person": "bob"], saw: ["b": 1]), gone) == [])
        #expect(found(person, card, put("b", 2, at: 2000, to: "card", "c1", ["person": .null], saw: ["b": 1]), gone) == [])
        #expect(found(person, put("b", to: "card", "c1", ["note": "ann"]), gone) == [])
        #expect(found(person, put("b", to: "memo", "c1", ["person": "ann"]), gone) == [])
        #expect(found(person, card) == [])
        #expect(found(gone, put("b", to: "card", "c1", ["person": 7])) == [])
        // The record is there again, by a writer who knew that it was gone.
        #expect(found(person, gone, put("a", 3, at: 9500, "ann", ["name": "Ann"], saw: ["a": 2]), card) == [])
    }

    @Test func theOtherOfTwoReferencesDanglesAfterOneWasChanged() {
        let person = put("a", 1, "ann", ["name": "Ann"])
        let cards = [put("b", 1, to: "card", "c1", ["person": "ann"]), put("b", 2, to: "card", "c2", ["person": "ann"])]
        let change = put("b", 3, at: 2000, to: "card", "c1", ["person": "bob"], saw: ["b": 2])
        let gone = delete("a", 2, at: 3000, "ann", saw: ["a": 1])
        #expect(found(person, cards[0], cards[1], change, gone) == ["dangling_reference c2.person a:2 over b:2"])
    }

    @Test func noReferenceDanglesWhereOneWriterHadSeenTheOther() {
        let person = put("a", 1, "ann", ["name": "Ann"])
        let gone = delete("a", 2, at: 2000, "ann", saw: ["a": 1])
        #expect(found(person, gone, put("b", at: 3000, to: "card", "c1", ["person": "ann"], saw: ["a": 2])) == [])
        #expect(found(person, gone, put("b", at: 3000, to: "card", "c1", ["person": "ann"], saw: ["a": 1])) != [])
        #expect(
            found(person, put("b", at: 1500, to: "card", "c1", ["person": "ann"]), delete("a", 2, at: 2000, "ann", saw: ["b": 1])) == [])
        #expect(found(person, put("a", 3, at: 1500, to: "card", "c1", ["person": "ann"]), gone) == [])
    }

    @Test func aReferenceToADeletedRecordDanglesWhenThatIsDeletedAgain() {
        let person = put("a", 1, "ann", ["name": "Ann"])
        let gone = delete("a", 2, at: 2000, "ann", saw: ["a": 1])
        let card = put("b", at: 3000, to: "card", "c1", ["person": "ann"], saw: ["a": 2])
        let (back, again) = (put("a", 3, at: 4000, "ann", ["name": "Ann"], saw: ["a": 2]), delete("a", 4, at: 5000, "ann", saw: ["a": 3]))
        for start in [[person, card, gone], [person, gone, card]] {
            #expect(found(start[0], start[1], start[2]) == [])
            #expect(found(start[0], start[1], start[2], back, again) == ["dangling_reference c1.person a:4 over b:1"])
        }
    }

    @Test func onlyOneOfTheTwoConstraintsMayBeDeclared() {
        let (ann, bob) = (put("a", at: 1000, "ann", ["email": "x@y"]), put("b", at: 2000, "bob", ["email": "x@y"]))
        #expect(found(ann, bob, rules: AuditRules(uniqueFields: Self.rules.uniqueFields)).count == 1)
        #expect(found(ann, bob, rules: AuditRules(references: Self.rules.references)) == [])
        let (card, gone) = (put("c", at: 3000, to: "card", "c1", ["person": "ann"]), delete("a", 2, at: 4000, "ann", saw: ["a": 1]))
        #expect(found(ann, card, gone, rules: AuditRules(references: Self.rules.references)).count == 1)
        #expect(found(ann, card, gone, rules: AuditRules(uniqueFields: Self.rules.uniqueFields)) == [])
        #expect(found(ann, bob, card, gone, rules: AuditRules()) == [])
    }
}
