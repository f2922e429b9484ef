import ConflictAudit
import ConflictAuditTesting
import SyncModel
import SyncMonitoring
import SyncSQLite
import SyncSystem
import TemporaryDirectory
import Testing

@testable import SyncObservation

/// The lost edits that an observer keeps for the app, across launches.
struct LostEditTests {
    /// A phone whose unsent title was replaced by an arrival.
    private func phone(_ change: (inout SyncObserver.Configuration) -> Void = { _ in }) throws -> ObservedDevice {
        let phone = try ObservedDevice("phone", change)
        try lose(1, on: phone)
        return phone
    }

    private func lose(_ number: Int, on phone: ObservedDevice, _ key: RecordKey = card) throws {
        phone.clock.advance(by: 1000)
        try phone.save(["title": .string("mine \(number)")], of: key)
        phone.clock.advance(by: 1000)
        try phone.receive(["title": .string("theirs \(number)")], of: key)
    }

    @Test func aLostEditIsListedAfterARelaunchAsTheLogHasIt() throws {
        let phone = try phone { $0.auditRules.displayFieldsInAnyType = ["title"] }
        for _ in 0..<2 {
            #expect(try phone.observer.lostEdits == phone.sink.conflicts)
            #expect(try phone.observer.lostEdits.map(\.name?.text) == ["theirs 1"])
            try phone.restart()
        }
    }

    @Test func theShadowInAFileKeepsThem() throws {
        let directory = try TemporaryDirectory()
        func open() throws -> SyncObserver {
            try SyncObserver(
                SyncObserver.Configuration(device: "phone", installation: "first"), shadow: .file(path: directory.file("shadow")),
                sink: CollectingAuditSink())
        }
        var observer = try open()
        for number in 1...3 {
            let key = RecordKey(type: "Card", id: RecordID("\(number)"))
            try observer.saved([LocalChange(key, .put(["title": "mine"]), isNew: true)])
            try observer.arrived([Arrival(key, .put(["title": "theirs"]))])
        }
        observer = try open()
        #expect(try observer.lostEdits.map(\.key.id) == ["3", "2", "1"])
        #expect(try observer.lostEdits(limit: 1).map(\.key.id) == ["3"])
        try observer.dismiss(try observer.lostEdits[1])
        observer = try open()
        #expect(try observer.lostEdits.map(\.key.id) == ["3", "1"])
    }

    @Test(arguments: [false, true]) func aValueThatIsShownAgainIsNotLost(isSaved: Bool) throws {
        let phone = try phone()
        if isSaved { try phone.save(["title": "mine 1"]) } else { try phone.receive(["title": "mine 1"]) }
        #expect(try phone.observer.lostEdits == [])
        try phone.restart()
        #expect(try phone.observer.lostEdits == [])
    }

    @Test func anotherValueRestoresNothing() throws {
        let phone = try phone()
        try phone.save(["title": "other", "subtitle": "mine 1"])
        #expect(try phone.observer.lostEdits.count == 1)
    }

    /// An engine that keeps what waits shows it all along.
    @Test func whatIsShownAsBeforeIsNotShownAgain() throws {
        let phone = try phone { $0.pendingFields = .kept }
        #expect(try phone.observer.lostEdits.map(\.loser.value) == ["theirs 1"])
        try phone.save(["subtitle": "x"])
        #expect(try phone.observer.lostEdits.count == 1)
    }

    @Test func theAppRestoresAndTheEditLeavesTheList() throws {
        let phone = try phone()
        let conflict = try #require(try phone.observer.lostEdits.first)
        var applied: [FieldValue?] = []
        try phone.observer.restore(conflict) { applied.append($0.value) }
        #expect(applied == ["mine 1"])
        #expect(try phone.observer.lostEdits == [])
    }

    @Test func anAppThatFailsToRestoreHasItOnTheListStill() throws {
        struct Full: Error {}
        let phone = try phone()
        let conflict = try #require(try phone.observer.lostEdits.first)
        #expect(throws: Full.self) { try phone.observer.restore(conflict) { _ in throw Full() } }
        #expect(try phone.observer.lostEdits == [conflict])
    }

    @Test func whatHasMovedOnIsRefusedAndTold() throws {
        let phone = try phone()
        let conflict = try #require(try phone.observer.lostEdits.first)
        try phone.save(["title": "later"])
        var isApplied = false
        let error = #expect(throws: SyncObservationError.self) { try phone.observer.restore(conflict) { _ in isApplied = true } }
        #expect(error?.code == .superseded && !isApplied)
        #expect(error?.description.contains("what this device has saved since") == true, "\(String(describing: error))")
        try phone.observer.restore(conflict, force: true) { _ in isApplied = true }
        #expect(isApplied)
    }

    @Test func aDeletedRecordIsToldToBe() throws {
        let phone = try phone()
        let conflict = try #require(try phone.observer.lostEdits.first)
        try phone.delete()
        let error = #expect(throws: SyncObservationError.self) { try phone.observer.restore(conflict) { _ in } }
        #expect(error?.description.contains("it was deleted") == true)
    }

    @Test func anEditThatADeleteDiscardsIsLostUntilTheRecordShowsItAgain() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "mine"], isNew: true)
        try phone.receiveDelete()
        let conflict = try #require(try phone.observer.lostEdits.first)
        #expect(conflict.severity == .destructive)
        try phone.save(["title": "mine"], isNew: true)
        #expect(try phone.observer.lostEdits == [])
    }

    @Test func theOldestAreForgottenAndTheLogSaysHowMany() throws {
        let phone = try phone { $0.lostEditLimits = LostEditLimits(count: 2) }
        for number in 2...3 { try lose(number, on: phone, RecordKey(type: "Card", id: RecordID("\(number)"))) }
        #expect(try phone.observer.lostEdits.map(\.loser.value) == ["mine 3", "mine 2"])
        #expect(phone.sink.events.contains { $0.content == .log(.forgotten(1)) })
        phone.clock.advance(by: 91 * 86_400_000)
        try phone.restart()
        #expect(try phone.observer.lostEdits == [])
        #expect(phone.sink.events.contains { $0.content == .log(.forgotten(2)) })
    }

    @Test func anotherAccountDoesNotSeeThem() throws {
        let phone = try phone()
        try phone.observer.storeEmptied()
        #expect(try phone.observer.lostEdits == [])
    }

    @Test func aMonitorShowsThoseOfAllLaunches() throws {
        let phone = try phone()
        try phone.restart()
        let monitor = ConflictMonitor()
        monitor.show(phone.observer)
        #expect(monitor.summary == "1 edit lost")
        try lose(2, on: phone, RecordKey(type: "Card", id: "2"))
        #expect(monitor.summary == "2 edits lost")
        try monitor.dismiss(try #require(monitor.lostEdits.first))
        #expect(try phone.observer.lostEdits.map(\.loser.value) == ["mine 1"])
    }

    /// Wherever a step of the observer ends, the list says what the shadow does.
    @Test(arguments: SyncObserver.Step.allCases) func aProcessThatEndsLosesAndInventsNone(step: SyncObserver.Step) throws {
        struct Ended: Error {}
        let directory = try TemporaryDirectory()
        let path = directory.file("shadow")
        func open(endingAt end: SyncObserver.Step? = nil) throws -> SyncObserver {
            try SyncObserver(
                SyncObserver.Configuration(device: "phone", installation: "first"), path: path, sink: CollectingAuditSink(),
                wallClock: { WallTime(millisecondsSince1970: 1_768_485_600_000) }, interruption: { if $0 == end { throw Ended() } })
        }
        try open().saved([LocalChange(card, .put(["title": "mine"]), isNew: true)], transaction: 1)
        #expect(throws: Ended.self) { try open(endingAt: step).arrived([Arrival(card, .put(["title": "theirs"]), transaction: 2)]) }
        #expect(try open().lostEdits.count == (step == .beforeCommit ? 0 : 1))
        try open().arrived([Arrival(card, .put(["title": "theirs"]), transaction: 2)])
        #expect(try open().lostEdits.map(\.loser.value) == ["mine"])
    }

    /// A shadow of before there was a list.
    @Test func anEarlierShadowIsMigratedAndBeginsWithNone() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("shadow")
        func open() throws -> SyncObserver {
            try SyncObserver(
                SyncObserver.Configuration(device: "phone", installation: "first"), shadow: .file(path: path), sink: CollectingAuditSink())
        }
        let schema = SQLiteDatabase.Schema(
            applicationID: DatabaseShadow.applicationID, migrations: Array(DatabaseShadow.migrations.prefix(1)))
        do { _ = try SQLiteDatabase(path: path, schema: schema, busyTimeout: 1000, maximumBytes: nil) }
        try open().saved([LocalChange(card, .put(["title": "mine"]), isNew: true)], transaction: 1)
        let observer = try open()
        #expect(try observer.lostEdits == [] && observer.lastTransaction == 1)
        try observer.arrived([Arrival(card, .put(["title": "theirs"]))])
        #expect(try observer.lostEdits.count == 1)
    }
}
