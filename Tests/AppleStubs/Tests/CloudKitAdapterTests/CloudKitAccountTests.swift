import CloudKit
import CloudKitAdapter
import SyncMonitoring
import Testing

@Suite(.timeLimit(.minutes(10))) struct CloudKitAccountTests {
    private let container = CKContainer()

    @Test(arguments: [
        (CKAccountStatus.available, AccountStatus.available), (.noAccount, .noAccount), (.restricted, .restricted),
        (.couldNotDetermine, .couldNotDetermine), (.temporarilyUnavailable, .temporarilyUnavailable),
    ]) func everyStatusHasItsWord(status: CKAccountStatus, word: AccountStatus) async throws {
        container.answer = .success(status)
        #expect(try await CloudKitAccount(container: container).accountStatus() == word)
    }

    @Test func whatKeepsItFromBeingKnownIsThrown() async {
        container.answer = .failure(CKError(.networkFailure))
        await #expect(throws: CKError.self) { try await CloudKitAccount(container: container).accountStatus() }
    }

    @Test func changesAreTold() async {
        var changes = CloudKitAccount(container: container).changes().makeAsyncIterator()
        NotificationCenter.default.post(name: .CKAccountChanged, object: nil)
        #expect(await changes.next() != nil)
    }
}
