import Dispatch
import SyncSystem
import Testing

@testable import SyncAuditCommands

/// A value that another thread changes.
@Suite struct BackgroundValueTests {
    @Test func changesAreMadeInTheirOrderAndAllBeforeTheValueIsLookedAt() {
        let value = BackgroundValue([Int]())
        for number in 0..<500 { value.change { $0.append(number) } }
        #expect(value.withValue { $0 } == Array(0..<500))
        value.change { $0 = [] }
        #expect(value.withValue { $0.isEmpty })
    }

    @Test func fourChangesAreHandedOverBeforeTheFirstIsMadeAndNeverMore() {
        let handedOver = Locked(0)
        let handingOver = DispatchSemaphore(value: 0)
        let value = BackgroundValue((done: 0, mostWaiting: 0))
        for number in 0..<50 {
            value.change { state in
                if number == 0 { for _ in 0..<4 { handingOver.wait() } }
                state.mostWaiting = max(state.mostWaiting, handedOver.withLock { $0 } - state.done)
                state.done += 1
            }
            handedOver.withLock { $0 += 1 }
            handingOver.signal()
        }
        let state = value.withValue { $0 }
        #expect(state.done == 50)
        #expect(state.mostWaiting == 4)
    }
}
