import ConflictAudit
import ConflictAuditTesting
import SyncModel
import SyncSystem
import TemporaryDirectory
import Testing

@testable import SyncObservation

/// A shadow in a file, and processes that end between its steps.
struct ShadowTests {
    private struct Ended: Error {}

    private func open(
        _ path: String, _ sink: CollectingAuditSink, endingAt step: SyncObserver.Step? = nil,
        _ change: (inout SyncObserver.Configuration) -> Void = { _ in }
    ) throws -> SyncObserver {
        var configuration = SyncObserver.Configuration(device: "phone", installation: "first")
        change(&configuration)
        return try SyncObserver(
            configuration, path: path, sink: sink, wallClock: { WallTime(millisecondsSince1970: 1_768_485_600_000) },
            interruption: { reached in if reached == step { throw Ended() } })
    }

    @Test func shadowOutlastsTheProcess() throws {
        let directory = try TemporaryDirectory()
        let (path, sink) = (directory.file("shadow"), CollectingAuditSink())
        try open(path, sink).saved([LocalChange(card, .put(["title": "Plan"]), isNew: true)], transaction: 3)
        let observer = try open(path, sink)
        #expect(try observer.lastTransaction == 3)
        #expect(try observer.arrived([Arrival(card, .put(["title": "Draft"]))]).map(\.doubt) == [nil])
    }

    /// Ends the process at a step of a call, and lets the next one hear the same again.
    private func interrupt(
        at step: SyncObserver.Step, _ path: String, _ sink: CollectingAuditSink, _ call: (SyncObserver) throws -> Void
    ) throws {
        #expect(throws: Ended.self) { try call(open(path, sink, endingAt: step)) }
        try call(open(path, sink))
    }

    @Test(arguments: SyncObserver.Step.allCases)
    func processThatEndsAtAnyStepMissesNothing(step: SyncObserver.Step) throws {
        let directory = try TemporaryDirectory()
        let (path, sink) = (directory.file("shadow"), CollectingAuditSink())
        try interrupt(at: step, path, sink) { try $0.saved([LocalChange(card, .put(["title": "Plan"]), isNew: true)], transaction: 1) }
        try interrupt(at: step, path, sink) {
            try $0.arrived([Arrival(card, .put(["title": "Draft"]), transaction: 9)])
        }
        #expect(Set(sink.conflicts.map(\.id)).count == 1)
        #expect(sink.conflicts.count == (step == .afterTelling || step == .afterConfirming ? 2 : 1))
        let dots = sink.events.compactMap { if case .write(let write) = $0.content { write.dot } else { nil } }
        #expect(Set(dots).count == 1)
        #expect(sink.conflicts.allSatisfy { $0.basis == .causal && $0.loser.dot == dots.first })
    }

    @Test func exportThatBeganIsKnownAfterTheProcessEnded() throws {
        let directory = try TemporaryDirectory()
        let (path, sink) = (directory.file("shadow"), CollectingAuditSink())
        let observer = try open(path, sink)
        try observer.saved([LocalChange(card, .put(["title": "Plan"]), isNew: true)], transaction: 1)
        try observer.exportBegan(.transactions(through: 1))
        #expect(try open(path, sink).arrived([Arrival(card, .put(["title": "Draft"]))]).map(\.doubt) == [.exportBegun])
    }

    @Test func stampNumbersAreNeverGivenTwice() throws {
        let directory = try TemporaryDirectory()
        let (path, sink) = (directory.file("shadow"), CollectingAuditSink())
        var dots: Set<Dot> = []
        for _ in 0..<3 {
            let observer = try open(path, sink) { $0.standardLevel = .fieldStamps(["title": "stamp"]) }
            let stamps = try observer.stamps(for: LocalChange(card, .put(["title": "Plan"])))
            dots.insert(try #require(stamps["stamp"]?.string.flatMap { FieldStamp($0) }).dot)
        }
        #expect(dots.count == 3)
    }

    @Test(arguments: [ObservationLevel.fieldStamps(["title": "stamp"]), .recordStamp("stamp")])
    func savesTheStoreKeptTellTheNumbersAPowerFailureTook(level: ObservationLevel) throws {
        let directory = try TemporaryDirectory()
        var change = LocalChange(card, .put(["title": "Plan"]), isNew: true)
        let stamps = try open(directory.file("before"), CollectingAuditSink()) { $0.standardLevel = level }.stamps(for: change)
        change.operation = .put(["title": "Plan", "stamp": stamps["stamp"] ?? .null])
        let observer = try open(directory.file("after"), CollectingAuditSink()) { $0.standardLevel = level }
        try observer.saved([change], transaction: 1)
        let next = try observer.stamps(for: LocalChange(card, .put(["title": "Plan B"])))
        #expect(level.stamps(in: next).dots.map(\.sequence).max() == 2)
    }

    @Test func oldestLostValuesGoFirst() throws {
        let directory = try TemporaryDirectory()
        let observer = try open(directory.file("shadow"), CollectingAuditSink()) { $0.maximumLostValues = 2 }
        var found: [ConflictID] = []
        for number in 1...3 {
            try observer.saved([LocalChange(card, .put(["title": .string("mine \(number)")]))])
            found += try observer.arrived([Arrival(card, .put(["title": .string("theirs \(number)")]))]).map(\.conflict.id)
        }
        #expect(throws: SyncObservationError.self) { try observer.proposedChange(restoring: found[0]) }
        #expect(try observer.proposedChange(restoring: found[2]).value == "mine 3")
    }

    @Test func foreignFileIsRefusedUnchanged() throws {
        let directory = try TemporaryDirectory()
        try directory.create("shadow", "no database")
        let error = #expect(throws: SyncObservationError.self) { try open(directory.file("shadow"), CollectingAuditSink()) }
        #expect(error?.code == .damaged)
        #expect(directory.content("shadow") == "no database")
    }

    @Test func everyRecordIsReadBack() throws {
        let version = HeldVersion(
            dot: Dot(device: "phone", sequence: 3), value: ["a": [1, .null, "x"]], timestamp: HybridTimestamp(milliseconds: 5, counter: 2),
            vector: ["phone": 3, "tablet": 1], transaction: .min, receipt: TaggedWrite.Receipt(milliseconds: nil, hubSequence: 7))
        var record = RecordShadow(isLive: false, begun: 4, ended: 2, saved: 5, arrived: 9, serverNumber: 77, reported: [1, 2])
        record.deletion = version
        record.wasDeletedThere = true
        (record.everyFieldArrived, record.deletionArrived) = (3, .max)
        record.isOlder = true
        var field = FieldShadow(current: version, pending: version, vector: ["phone": 3], isFogged: true)
        field.shown = [ShownVersion(dot: Dot(device: "tablet", sequence: 1), vector: ["tablet": 1])]
        field.earlier = [5, 6]
        field.exported = [
            ExportedValue(transaction: 3, hash: 9, number: 4, arrived: 5), ExportedValue(transaction: 4, hash: 8, number: nil, arrived: 0),
        ]
        field.mergedIn = MergedVersion(hash: 4, vector: ["tablet": 2], isFogged: true, number: 3)
        (field.lastArrived, field.arrived) = (6, 12)
        record.fields = ["title": field, "note": FieldShadow()]
        #expect(try RecordShadow(encoded: record.encoded) == record)
    }

    @Test func damagedRecordIsAnErrorAndNoCrash() throws {
        var record = RecordShadow()
        record.fields["title"] = FieldShadow(vector: ["phone": 3])
        let bytes = record.encoded
        for index in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[index] ^= 1 << bit
                _ = try? RecordShadow(encoded: damaged)
            }
            // What a shadow of an earlier version holds does not end with whether the record is older.
            if index < bytes.count - 1 {
                #expect(throws: (any Error).self) { try RecordShadow(encoded: Array(bytes.prefix(index))) }
            }
        }
        #expect(try RecordShadow(encoded: Array(bytes.dropLast())) == record)
    }
}
