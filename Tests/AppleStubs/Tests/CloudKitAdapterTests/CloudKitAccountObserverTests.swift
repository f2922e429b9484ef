import CloudKit
import CloudKitAdapter
import ConflictAudit
import ConflictAuditTesting
import SyncModel
import SyncObservation
import Testing

@Suite(.timeLimit(.minutes(10))) struct CloudKitAccountObserverTests {
    private let sink = CollectingAuditSink()
    private let observer: SyncObserver
    private let container = CKContainer()
    private let key = RecordKey(type: "Card", id: "1")

    private final class Kept: @unchecked Sendable {
        // Sound in these tests: written by one check at a time.
        var user: String?
        var failures = 0
    }

    private let kept = Kept()

    init() throws {
        let configuration = SyncObserver.Configuration(device: "phone", installation: "1")
        observer = try SyncObserver(
            configuration, shadow: .memory, sink: sink, wallClock: { WallTime(millisecondsSince1970: 1_768_482_000_000) })
    }

    private func started() -> CloudKitAccountObserver {
        CloudKitAccountObserver(
            observer: observer, container: container, lastUser: kept.user, keepUser: { [kept] in kept.user = $0 },
            fails: { [kept] _ in kept.failures += 1 })
    }

    private var statuses: [String] {
        sink.events.compactMap { if case .account(let status) = $0.content { status } else { nil } }
    }

    /// Whether an arrival replaces what was saved before, and is a conflict with it.
    private func isKnown() throws -> Bool { try !observer.arrived([Arrival(key, .put(["title": "Theirs"]))]).isEmpty }

    private func save() throws { try observer.saved([LocalChange(key, .put(["title": "Plan"]))]) }

    @Test func theFirstAccountEmptiesNothing() async throws {
        try save()
        await started().check()
        #expect(statuses == ["available"])
        #expect(kept.user == "_user")
        #expect(try isKnown())
    }

    @Test func anotherAccountEmptiesTheStore() async throws {
        let account = started()
        await account.check()
        try save()
        container.user = CKRecord.ID(recordName: "_other")
        await account.check()
        #expect(statuses == ["available", "available"])
        #expect(kept.user == "_other")
        #expect(try !isKnown())
    }

    @Test func accountsThatWereSwitchedWhileTheAppDidNotRunAreToldApart() async throws {
        await started().check()
        try save()
        container.user = CKRecord.ID(recordName: "_other")
        await started().check()
        #expect(try !isKnown())
    }

    @Test func signingOutEmptiesTheStoreOnce() async throws {
        let account = started()
        await account.check()
        container.answer = .success(.noAccount)
        await account.check()
        #expect(kept.user == nil)
        try save()
        await account.check()
        container.answer = .success(.available)
        await account.check()
        #expect(statuses == ["available", "noAccount", "available"])
        // What was saved while nobody was signed in is the next account's.
        #expect(try isKnown())
    }

    @Test(arguments: [CKAccountStatus.restricted, .temporarilyUnavailable, .couldNotDetermine])
    func anAccountThatCannotBeUsedForNowIsTheSameAfterwards(status: CKAccountStatus) async throws {
        let account = started()
        await account.check()
        try save()
        container.answer = .success(status)
        await account.check()
        container.answer = .success(.available)
        await account.check()
        #expect(statuses.count == 3)
        #expect(try isKnown())
    }

    @Test func whatCannotBeLookedUpChangesNothing() async throws {
        let account = started()
        await account.check()
        container.answer = .failure(CKError(.networkFailure))
        await account.check()
        #expect(kept.failures == 1)
        #expect(statuses == ["available"])
    }

    @Test func everyChangeOfTheAccountIsLookedAt() async throws {
        let account = started()
        let running = Task { await account.run() }
        while kept.user == nil { await Task.yield() }
        container.user = CKRecord.ID(recordName: "_other")
        while kept.user != "_other" {
            NotificationCenter.default.post(name: .CKAccountChanged, object: nil)
            await Task.yield()
        }
        running.cancel()
    }
}
