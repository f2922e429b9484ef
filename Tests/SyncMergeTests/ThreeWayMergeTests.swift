import SyncMerge
import SyncModel
import Testing

/// Ancestor, client and server versions of a record, as a server hands them over.
@Suite struct ThreeWayMergeTests {
    private typealias Version = ThreeWayMerge.Version

    private static func entry(_ value: FieldValue, _ moment: Int64, _ device: DeviceID) -> ThreeWayMerge.Entry {
        ThreeWayMerge.Entry(value, at: HybridTimestamp(milliseconds: moment), by: device)
    }

    private let key = RecordKey(type: "Card", id: "1")

    private func merge(
        _ field: FieldName = "f", ancestor: FieldValue?, _ client: (FieldValue, Int64), _ server: (FieldValue, Int64),
        policy: MergePolicy = .lastWriterWins, swapped: Bool = false
    ) -> (entry: ThreeWayMerge.Entry?, decisions: [MergeDecision]) {
        let merge = ThreeWayMerge(key: key, rules: MergeRules(standard: .fields(policy)))
        let mine = Version.record([field: Self.entry(client.0, client.1, "client")])
        let theirs = Version.record([field: Self.entry(server.0, server.1, "server")])
        let outcome = merge.merge(
            ancestor: ancestor.map { [field: Self.entry($0, 0, "origin")] }, client: swapped ? theirs : mine,
            server: swapped ? mine : theirs)
        guard case .record(let fields) = outcome.version else { return (nil, outcome.decisions) }
        return (fields[field], outcome.decisions)
    }

    static let canonical: [(client: (String, Int64), server: (String, Int64), value: String, moment: Int64, bothChanged: Bool)] = [
        (("foo", 0), ("foo", 0), "foo", 0, false),
        (("bar", 100), ("foo", 0), "bar", 100, false),
        (("foo", 0), ("baz", 200), "baz", 200, false),
        (("bar", 100), ("baz", 200), "baz", 200, true),
        (("bar", 100), ("baz", 50), "bar", 100, true),
        (("bar", 100), ("baz", 100), "baz", 100, true),
        (("bar", 100), ("bar", 200), "bar", 200, true),
    ]

    @Test(arguments: canonical, [false, true])
    func canonicalCases(
        expected: (client: (String, Int64), server: (String, Int64), value: String, moment: Int64, bothChanged: Bool), swapped: Bool
    ) {
        let (entry, decisions) = merge(
            ancestor: "foo", (.string(expected.client.0), expected.client.1), (.string(expected.server.0), expected.server.1),
            swapped: swapped)
        #expect(entry?.value == .string(expected.value))
        #expect(entry?.timestamp.milliseconds == expected.moment)
        #expect(decisions.count == (expected.bothChanged ? 1 : 0))
    }

    @Test func aTieIsDecidedByTheTotalOrderAndSaysSo() {
        #expect(merge(ancestor: "foo", ("bar", 100), ("baz", 100)).decisions.first?.reason == .tieBreak)
        #expect(merge(ancestor: "foo", ("bar", 100), ("baz", 100)).decisions.first?.winner.dot.device == "server")
    }

    @Test(arguments: [false, true]) func theNewerSideWinsOverTheOlderAndSaysSo(swapped: Bool) {
        let decision = merge(ancestor: "foo", ("bar", 100), ("baz", 200), swapped: swapped).decisions.first
        #expect(decision?.reason == .newer)
        #expect(decision?.winner.dot.device == "server")
        #expect(decision?.loser.dot.device == "client")
        #expect(decision?.didArrivingWin == !swapped)
    }

    @Test func aTieWithinOneDeviceIsDecidedByValueOnBothSides() {
        let merge = ThreeWayMerge(key: key)
        let one = Version.record(["f": Self.entry("bar", 100, "same")])
        let other = Version.record(["f": Self.entry("baz", 100, "same")])
        let ancestor = ["f": Self.entry("foo", 0, "same")] as [FieldName: ThreeWayMerge.Entry]
        #expect(merge.merge(ancestor: ancestor, client: one, server: other).version == other)
        #expect(merge.merge(ancestor: ancestor, client: other, server: one).version == other)
    }

    @Test func bothCountersCount() {
        let (entry, decisions) = merge(ancestor: 0, (2, 100), (3, 50), policy: .counter)
        #expect(entry?.value == 5)
        #expect(decisions.first?.result == 5)
        #expect(merge(ancestor: 10, (8, 100), (13, 50), policy: .counter, swapped: true).entry?.value == 11)
        #expect(merge(ancestor: nil, (2, 100), (3, 50), policy: .counter).entry?.value == 5)
    }

    @Test(arguments: [false, true]) func bothSidesChangeASet(swapped: Bool) {
        let (entry, _) = merge(
            ancestor: ["hobby", "travel"], (["hobby", "travel", "photography"], 100), (["hobby", "tech"], 50), policy: .set,
            swapped: swapped)
        #expect(entry?.value == ["hobby", "photography", "tech"])
    }

    @Test(arguments: [(100, 200), (200, 100)] as [(Int64, Int64)])
    func differentFieldsKeepBothValuesAndTheirOwnTimestamps(client: Int64, server: Int64) {
        let ancestor: [FieldName: ThreeWayMerge.Entry] = [
            "email": Self.entry("old", 1, "o"), "phone": Self.entry("0000", 1, "o"), "name": Self.entry("John", 1, "o"),
        ]
        // The client's and the server's timestamps are those of the whole record: what did not change has them too.
        let outcome = ThreeWayMerge(key: key).merge(
            ancestor: ancestor,
            client: .record([
                "email": Self.entry("new", client, "c"), "phone": Self.entry("0000", client, "c"), "name": Self.entry("John", client, "c"),
            ]),
            server: .record([
                "email": Self.entry("old", server, "s"), "phone": Self.entry("1234", server, "s"), "name": Self.entry("John", server, "s"),
            ]))
        #expect(outcome.decisions.isEmpty)
        #expect(
            outcome.version
                == .record([
                    "email": Self.entry("new", client, "c"), "phone": Self.entry("1234", server, "s"), "name": Self.entry("John", 1, "o"),
                ]))
    }

    @Test func everyPolicyDecides() {
        func winner(_ policy: MergePolicy) -> FieldValue? { merge(ancestor: 5, (7, 100), (6, 200), policy: policy).entry?.value }
        #expect(winner(.lastWriterWins) == 6)
        #expect(winner(.firstWriterWins) == 7)
        // What the client is about to send has yet to arrive.
        #expect(winner(.lastArrivalWins) == 7)
        #expect(winner(.maximum) == 7)
        #expect(winner(.minimum) == 6)
        #expect(winner(.preferDevices(["client"])) == 7)
        #expect(winner(.manual) == 6)
        #expect(merge(ancestor: 5, (7, 100), (6, 200), policy: .manual).decisions.first?.isPending == true)
        #expect(winner(.custom(CustomPolicy(name: "joined") { .value(.array($0.candidates.compactMap { $0.value(of: "f") })) })) == [7, 6])
    }

    @Test(arguments: [
        (DeletePolicy.deleteWins, 200, true), (.editWins, 50, false), (.lastWriterWins, 50, true), (.lastWriterWins, 200, false),
    ])
    func aDeleteMeetsAnEdit(deletes: DeletePolicy, editedAt: Int64, isDeleted: Bool) {
        let merge = ThreeWayMerge(key: key, rules: MergeRules(deletes: deletes))
        let edited = Version.record(["f": Self.entry("new", editedAt, "s"), "g": Self.entry("same", editedAt, "s")])
        let ancestor = ["f": Self.entry("old", 0, "o"), "g": Self.entry("same", 0, "o")] as [FieldName: ThreeWayMerge.Entry]
        let deletion = Version.deleted(at: HybridTimestamp(milliseconds: 100), by: "c")
        for (client, server) in [(deletion, edited), (edited, deletion)] {
            let outcome = merge.merge(ancestor: ancestor, client: client, server: server)
            #expect(outcome.version == (isDeleted ? deletion : edited))
            #expect(outcome.decisions.map(\.field) == ["f"])
        }
    }

    @Test func aDeleteOfAnUntouchedRecordIsNoConflict() {
        let ancestor = ["f": Self.entry("old", 0, "o")] as [FieldName: ThreeWayMerge.Entry]
        let deletion = Version.deleted(at: HybridTimestamp(milliseconds: 100), by: "c")
        let outcome = ThreeWayMerge(key: key).merge(
            ancestor: ancestor, client: deletion, server: .record(["f": Self.entry("old", 300, "s")]))
        #expect(outcome.version == deletion)
        #expect(outcome.decisions.isEmpty)
    }

    @Test func recordLevelKeepsOneSideWhole() {
        let ancestor = ["f": Self.entry("old", 0, "o"), "g": Self.entry("old", 0, "o")] as [FieldName: ThreeWayMerge.Entry]
        let client = Version.record(["f": Self.entry("new", 100, "c"), "g": Self.entry("old", 0, "o")])
        let server = Version.record(["f": Self.entry("old", 0, "o"), "g": Self.entry("new", 200, "s")])
        let outcome = ThreeWayMerge(key: key, rules: MergeRules(standard: .record(.lastWriterWins)))
            .merge(ancestor: ancestor, client: client, server: server)
        #expect(outcome.version == server)
        #expect(outcome.decisions.map(\.loser.dot.device) == ["c"])
    }

    /// A merges a removal of its own with an untouched server version; what comes of it meets an older edit of another device.
    @Test(arguments: [false, true]) func aRemovalKeepsItsTimestampForTheNextMerge(swapped: Bool) throws {
        let merge = ThreeWayMerge(key: key)
        let ancestor = ["f": Self.entry("old", 0, "o"), "g": Self.entry("same", 0, "o")] as [FieldName: ThreeWayMerge.Entry]
        let removal = Version.record(["f": Self.entry(.null, 200, "a"), "g": Self.entry("same", 200, "a")])
        let first = merge.merge(ancestor: ancestor, client: removal, server: .record(ancestor)).version
        #expect(first == .record(["f": Self.entry(.null, 200, "a"), "g": Self.entry("same", 0, "o")]))
        let edit = Version.record(["f": Self.entry("new", 100, "b"), "g": Self.entry("same", 0, "o")])
        let second = merge.merge(ancestor: ancestor, client: swapped ? edit : first, server: swapped ? first : edit)
        #expect(second.version == first)
        #expect(second.decisions.map(\.winner.timestamp.milliseconds) == [200])
    }

    @Test(arguments: [nil, "old"] as [FieldValue?], [false, true]) func theLaterOfTwoRemovalsIsKept(ancestor: FieldValue?, swapped: Bool) {
        let (entry, decisions) = merge(ancestor: ancestor, (.null, 100), (.null, 200), swapped: swapped)
        #expect(entry == Self.entry(.null, 200, "server"))
        #expect(decisions.count == (ancestor == nil ? 0 : 1))
    }

    @Test(arguments: [false, true]) func aRemovalThatOnlyOneSideDatesKeepsThatDate(swapped: Bool) {
        let ancestor = ["f": Self.entry("old", 0, "o")] as [FieldName: ThreeWayMerge.Entry]
        let (dated, undated) = (Version.record(["f": Self.entry(.null, 100, "a")]), Version.record([:]))
        let outcome = ThreeWayMerge(key: key).merge(
            ancestor: ancestor, client: swapped ? undated : dated, server: swapped ? dated : undated)
        #expect(outcome.version == dated)
        #expect(ThreeWayMerge(key: key).merge(ancestor: ancestor, client: undated, server: undated).version == undated)
    }
}
