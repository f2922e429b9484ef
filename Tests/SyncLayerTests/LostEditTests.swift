import ConflictAudit
import ConflictAuditTesting
import FleetHistories
import SyncLayerTesting
import SyncMerge
import SyncModel
import SyncOracle
import SyncSystem
import Testing

@testable import SyncLayer

/// The lost edits that a store keeps for the app, across launches.
@Suite struct LostEditTests {
    /// Two devices that put a field at once, the second later.
    private func clash(in world: World, on key: RecordKey = card, _ number: Int = 1) async throws {
        try await world.meet()
        try world.a.replica.put(["f": .string("mine \(number)")], to: key)
        world.wait(1)
        try world.b.replica.put(["f": .string("theirs \(number)")], to: key)
        try await world.meet()
    }

    private func world(rules: MergeRules = MergeRules(), limits: LostEditLimits = LostEditLimits()) throws -> World {
        try World(rules: rules) { configuration in
            configuration.lostEditLimits = limits
            configuration.auditRules.displayFieldsInAnyType = ["name"]
        }
    }

    @Test func aLostEditIsListedAfterARelaunchAsTheLogHasIt() async throws {
        let world = try world()
        try world.a.replica.put(["name": "Ann"], to: card)
        try await clash(in: world)
        for device in [world.a, world.b] {
            #expect(try device.replica.lostEdits == device.sink.conflicts)
            try device.restart()
            #expect(try device.replica.lostEdits == device.sink.conflicts)
        }
        let conflict = try #require(try world.a.replica.lostEdits.first)
        #expect(conflict.loser.value == "mine 1" && conflict.winner.value == "theirs 1" && conflict.name?.text == "Ann")
    }

    @Test func theStoreInAFileKeepsThem() async throws {
        try await withDirectory { directory in
            let clock = ManualClock()
            let hub = InMemoryHub(wallClock: clock.wallClock)
            let a = try Device("a", hub: hub, clock: clock, store: SQLiteStore(path: directory + "/a.db"))
            let b = try Device("b", hub: hub, clock: clock)
            for number in 1...3 {
                let key = RecordKey(type: "card", id: RecordID("\(number)"))
                for device in [a, b] { try device.replica.put(["f": .string("\(device.name)")], to: key) }
                for device in [b, a, b] { try await device.sync() }
            }
            let listed = try a.replica.lostEdits
            #expect(listed.map(\.key.id) == ["3", "2", "1"], "the latest first")
            #expect(Set(listed) == Set(a.sink.conflicts))
            #expect(try a.replica.lostEdits(limit: 2) == Array(listed.prefix(2)))
            try a.restart()
            #expect(try a.replica.lostEdits == listed)
        }
    }

    @Test func aRestoredEditLeavesTheListOfEveryDevice() async throws {
        let world = try world()
        try await clash(in: world)
        let conflict = try #require(try world.a.replica.lostEdits.first)
        try world.a.replica.restore(conflict)
        #expect(try world.a.replica.lostEdits == [])
        #expect(try world.b.replica.lostEdits.count == 1)
        try await world.meet()
        #expect(try world.b.replica.lostEdits == [])
        #expect(try world.shown(card)?["f"] == "mine 1")
        try world.a.restart()
        #expect(try world.a.replica.lostEdits == [])
    }

    @Test(arguments: [false, true]) func aValueThatIsWrittenAgainAndShownIsNotLost(hasSeen: Bool) async throws {
        let world = try world()
        try await world.meet()
        try world.a.replica.put(["f": "mine"], to: card)
        world.wait(1)
        try world.b.replica.put(["f": "theirs"], to: card)
        try await world.b.sync()
        world.wait(1)
        if hasSeen { try await world.meet() }
        try world.b.replica.put(["f": "mine", "g": 2], to: card)
        try await world.meet()
        for device in [world.a, world.b] {
            try device.restart()
            #expect(try device.replica.lostEdits == [], "\(device.name)")
        }
        #expect(world.a.sink.conflicts.contains { $0.losesEdit }, "it was lost until then")
    }

    @Test func anotherValueRestoresNothing() async throws {
        let world = try world()
        try await clash(in: world)
        try world.b.replica.put(["f": "later", "g": "mine 1"], to: card)
        try await world.meet()
        #expect(try world.a.replica.lostEdits.count == 1)
    }

    @Test func whatHasMovedOnIsRefusedAndTold() async throws {
        let world = try world()
        try await clash(in: world)
        let conflict = try #require(try world.a.replica.lostEdits.first)
        try world.b.replica.put(["f": "later"], to: card)
        try await world.meet()
        let error = #expect(throws: SyncLayerError.self) { try world.a.replica.restore(conflict) }
        #expect(error?.code == .superseded)
        #expect(error?.description.contains("write 2 of b is shown now") == true, "\(String(describing: error))")
        #expect(try world.a.replica.lostEdits.count == 1 && world.a.replica.get(card)?["f"] == "later")
        try world.a.replica.restore(conflict, force: true)
        #expect(try world.a.replica.lostEdits == [] && world.a.replica.get(card)?["f"] == "mine 1")
    }

    @Test func aConflictOfALogWithoutValuesIsRestoredFromTheList() async throws {
        let world = try world()
        try await clash(in: world)
        var conflict = try #require(try world.a.replica.lostEdits.first)
        conflict.loser.value = nil
        try world.a.replica.restore(conflict)
        #expect(try world.a.replica.get(card)?["f"] == "mine 1")
        #expect(throws: SyncLayerError.self) { try world.a.replica.restore(conflict, force: true) }
    }

    /// A log that holds no writes knows of it all the same.
    @Test func theLogTellsOfTheRestoringWrite() async throws {
        let world = try World { $0.reportsWrites = false }
        try await clash(in: world)
        let dot = try world.a.replica.restore(try #require(try world.a.replica.lostEdits.first))
        let writes = world.a.sink.events.compactMap { if case .write(let write) = $0.content { write.dot } else { nil } }
        #expect(writes == [dot])
    }

    @Test func severalRestorationsAreOneTransaction() async throws {
        let world = try world()
        for number in 1...2 { try await clash(in: world, on: RecordKey(type: "card", id: RecordID("\(number)"))) }
        let listed = try world.a.replica.lostEdits
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try world.a.replica.write { batch in
                for conflict in listed { try batch.restore(conflict) }
                throw Stop()
            }
        }
        #expect(try world.a.replica.lostEdits == listed)
        try world.a.replica.write { batch in for conflict in listed { try batch.restore(conflict) } }
        #expect(try world.a.replica.lostEdits == [])
    }

    @Test func aDismissedEditStaysAway() async throws {
        let world = try world()
        try await clash(in: world)
        let conflict = try #require(try world.a.replica.lostEdits.first)
        try world.a.replica.dismiss(conflict)
        for _ in 0..<2 {
            #expect(try world.a.replica.lostEdits == [])
            // Told once more, as where another write displaces it too.
            _ = try world.a.replica.transact { core, writer in try core.keepLostEdit(of: Self.again(conflict), called: nil, writer) }
            try world.a.restart()
        }
        #expect(try world.b.replica.lostEdits.count == 1, "on this device alone")
    }

    /// The edit loses to another write than in a conflict.
    private static func again(_ conflict: Conflict, isDelete: Bool = false) -> Finding {
        func write(_ side: Conflict.Side, _ dot: Dot) -> TaggedWrite {
            TaggedWrite(
                dot: dot, timestamp: side.timestamp, key: conflict.key,
                operation: isDelete && dot.device == "z" ? .delete : .put(["f": side.value ?? .null]), seen: [:])
        }
        return .decision(
            MergeDecision(
                contention: .sameRegister, field: "f", winner: write(conflict.winner, Dot(device: "z", sequence: isDelete ? 2 : 1)),
                loser: write(conflict.loser, conflict.loser.dot), didArrivingWin: true, reason: .newer, policy: "lastWriterWins",
                ancestor: nil, result: nil, isPending: false, edits: CarriedEdits()))
    }

    @Test func anEditThatLosesToSeveralWritesIsOneAndToldByTheGravest() async throws {
        let world = try world()
        try await clash(in: world)
        let first = try #require(try world.a.replica.lostEdits.first)
        for isDelete in [false, true] {
            try world.a.replica.transact { core, writer in
                try core.keepLostEdit(of: Self.again(first, isDelete: isDelete), called: nil, writer)
            }
        }
        let told = try #require(try world.a.replica.lostEdits.first)
        #expect(try world.a.replica.lostEdits.count == 1)
        #expect(told.severity == .destructive && told.loser == first.loser)
        try world.a.restart()
        #expect(try world.a.replica.lostEdits == [told])
        // It lost to what is shown, too.
        try world.a.replica.restore(first)
        #expect(try world.a.replica.lostEdits == [])
    }

    @Test func whatTheAppDecidesIsLostFromThenOn() async throws {
        let world = try world(rules: MergeRules(fields: ["card": ["f": .manual]]))
        try await clash(in: world)
        #expect(try world.a.replica.lostEdits == [])
        let pending = try #require(world.a.replica.activeConflicts.first)
        try world.a.replica.resolve(pending.id, with: try #require(pending.winner.value))
        #expect(try world.a.replica.lostEdits.map(\.resolution) == [.manualResolved])
        try await world.meet()
        let other = try #require(try world.b.replica.lostEdits.first)
        #expect(other.id == pending.id && other.result == pending.winner.value)
    }

    @Test func nothingIsLostWhereTheAppDecidesForTheLoser() async throws {
        let world = try world(rules: MergeRules(fields: ["card": ["f": .manual]]))
        try await clash(in: world)
        let pending = try #require(world.a.replica.activeConflicts.first)
        try world.a.replica.resolve(pending.id, with: try #require(pending.loser.value))
        try await world.meet()
        #expect(try world.a.replica.lostEdits == [] && world.b.replica.lostEdits == [])
    }

    @Test func anEditThatIsShownAgainIsNotLost() async throws {
        let world = try world(rules: MergeRules(fields: ["card": ["f": .maximum]]))
        try await world.meet()
        try world.a.replica.put(["f": 5], to: card)
        try world.b.replica.put(["f": 9], to: card)
        try await world.b.sync()
        #expect(try await world.a.sync().pulled > 0)
        #expect(try world.a.replica.lostEdits.map(\.loser.value) == [5])
        // It has seen the 9 and not the 5, which is the highest now.
        let b = try world.b.replica.put(["f": 3], to: card)
        try await world.meet()
        #expect(try world.shown(card)?["f"] == 5)
        for device in [world.a, world.b] { #expect(try device.replica.lostEdits.map(\.loser.dot) == [b], "\(device.name)") }
    }

    // MARK: Limits

    private func keys(_ replica: Replica) throws -> [RecordID] { try replica.lostEdits.map(\.key.id) }

    private func notes(_ device: Device) -> [LogNote] {
        device.sink.events.compactMap { if case .log(let note) = $0.content { note } else { nil } }
    }

    @Test func theOldestAreForgottenAndTheLogSaysHowMany() async throws {
        let world = try world(limits: LostEditLimits(count: 2))
        for number in 1...4 { try await clash(in: world, on: RecordKey(type: "card", id: RecordID("\(number)"))) }
        #expect(try keys(world.a.replica) == ["4", "3"])
        #expect(notes(world.a) == [.forgotten(1), .forgotten(1)])
        try world.a.restart()
        #expect(try keys(world.a.replica) == ["4", "3"])
        #expect(notes(world.a).count == 2)
    }

    @Test func bytesAreLimitedAndTheLatestIsKeptWhateverItTakes() async throws {
        let world = try world(limits: LostEditLimits(bytes: 100))
        for number in 1...2 { try await clash(in: world, on: RecordKey(type: "card", id: RecordID("\(number)"))) }
        #expect(try keys(world.a.replica) == ["2"])
    }

    @Test func whatIsOldIsForgottenWhenTheStoreIsOpened() async throws {
        let world = try world(limits: LostEditLimits(age: .seconds(86_400)))
        try await clash(in: world)
        world.wait(24 * 60 - 10)
        try await clash(in: world, on: RecordKey(type: "card", id: "2"))
        #expect(try keys(world.a.replica) == ["2", "1"])
        world.wait(60)
        try world.a.restart()
        #expect(try keys(world.a.replica) == ["2"])
        #expect(notes(world.a) == [.forgotten(1)])
    }

    @Test func noneIsKeptWhereNoneIsAllowed() async throws {
        let world = try world(limits: LostEditLimits(count: 0))
        try await clash(in: world)
        #expect(try world.a.replica.lostEdits == [] && notes(world.a) == [])
    }

    // MARK: Processes

    @Test func anExtensionsLossesAndRestorationsAreTheAppsToo() async throws {
        let world = try World()
        let store = InMemoryStore()
        let app = try Device("phone", hub: world.hub, clock: world.clock, store: store)
        let appExtension = try Device("phone", hub: world.hub, clock: world.clock, store: store) { $0.sink = nil }
        let changes = Locked(0)
        let observation = app.replica.observeLostEdits { changes.withLock { $0 += 1 } }
        try app.replica.put(["f": "mine"], to: card)
        world.wait(1)
        try world.b.replica.put(["f": "theirs"], to: card)
        try await world.b.sync()
        try await appExtension.sync()
        #expect(try app.replica.lostEdits.count == 1)
        try app.replica.put(["g": 1], to: card)
        #expect(changes.withLock { $0 } == 1)
        try appExtension.replica.restore(try #require(try app.replica.lostEdits.first))
        try app.replica.put(["g": 2], to: card)
        #expect(try app.replica.lostEdits == [] && changes.withLock { $0 } == 2)
        withExtendedLifetime(observation) {}
    }

    @Test func whoeverObservesIsToldUntilItLetsGo() async throws {
        let world = try world()
        let changes = Locked(0)
        var observation: LostEditObservation? = world.a.replica.observeLostEdits { changes.withLock { $0 += 1 } }
        try world.a.replica.put(["f": 1], to: card)
        #expect(changes.withLock { $0 } == 0)
        try await clash(in: world)
        #expect(changes.withLock { $0 } == 1)
        try world.a.replica.dismiss(try #require(try world.a.replica.lostEdits.first))
        #expect(changes.withLock { $0 } == 2)
        withExtendedLifetime(observation) {}
        observation = nil
        try await clash(in: world, on: RecordKey(type: "card", id: "2"))
        #expect(changes.withLock { $0 } == 2)
    }

    @Test func aDamagedRowIsNamed() async throws {
        let world = try world()
        try await clash(in: world)
        let store = world.a.store
        let row = try #require(try store.read { try $0.rows(in: .lostEdits, startingWith: [], after: [], limit: 1) }.first)
        try store.write(.process) { try $0.setRow(StoreRow(key: row.key, content: row.content.dropLast()), in: .lostEdits) }
        let error = #expect(throws: SyncLayerError.self) { try world.a.replica.lostEdits }
        #expect(error?.code == .damaged && error?.description.contains("the list of lost edits") == true)
        #expect(throws: SyncLayerError.self) { try world.a.restart() }
    }

    /// The phone's unsent write lost, or won, before its store was found to be a copy: it goes on under another name.
    @Test(arguments: [false, true], [false, true]) func theListFollowsTheWritesToTheirNewNames(wins: Bool, isDismissed: Bool) async throws {
        let world = try World()
        let store = InMemoryStore()
        let one = try Device("phone", hub: world.hub, clock: world.clock, store: store)
        try one.replica.put(["x": 1], to: card)
        try await one.sync()
        let copy = try Device("phone", hub: world.hub, clock: world.clock, store: InMemoryStore(copyOf: store))
        try one.replica.put(["x": 2], to: RecordKey(type: "note", id: "1"))
        if !wins { try copy.replica.put(["f": "mine"], to: card) }
        world.wait(1)
        try world.b.replica.put(["f": "theirs"], to: card)
        world.wait(1)
        if wins { try copy.replica.put(["f": "mine"], to: card) }
        try await world.b.sync()
        // Merged by hand, so that the sync that finds the copy comes later.
        let page = try await world.hub.pull(PullRequest(device: "phone", cursor: 1, limit: 100))
        _ = try copy.replica.merge(page)
        let before = try #require(try copy.replica.lostEdits.first)
        if isDismissed { try copy.replica.dismiss(before) }
        try await one.sync()
        try await copy.sync()
        let writer = try copy.replica.writer
        try #require(writer != "phone")
        try copy.restart()
        let listed = try copy.replica.lostEdits
        #expect(listed.count == (isDismissed ? 0 : 1))
        guard let after = listed.first else { return }
        #expect((wins ? after.winner : after.loser).dot.device == writer)
        #expect(copy.sink.conflicts.contains { $0.id == after.id })
        try copy.replica.restore(after)
        #expect(try copy.replica.lostEdits == [])
    }

    /// In any history: what is listed was told, is not what is shown, and what was told and is not listed was written again.
    @Test(arguments: 0..<24 as Range<UInt64>) func theListIsWhatTheEventsSay(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let clock = ManualClock()
        let hub = InMemoryHub(wallClock: clock.wallClock)
        let devices = try (["a", "b", "c"] as [DeviceID]).map { try Device($0, hub: hub, clock: clock) }
        for _ in 0..<60 {
            let device = devices[Int(random.below(3))]
            let key = RecordKey(type: "card", id: RecordID("\(random.below(2))"))
            clock.advance(by: .seconds(1))
            switch random.below(12) {
            case 0..<6: try device.replica.put([random.below(2) == 0 ? "f" : "g": .number(JSONNumber(Int(random.below(4))))], to: key)
            case 6: try device.replica.delete(key)
            case 7: try device.restart()
            case 8: if let lost = try device.replica.lostEdits.first { _ = try? device.replica.restore(lost) }
            default: try await device.sync()
            }
        }
        for device in devices + devices { try await device.sync() }
        for device in devices {
            try device.restart()
            let listed = try device.replica.lostEdits
            let told = device.sink.conflicts.filter(\.losesEdit)
            let writes = device.sink.events.compactMap { if case .write(let write) = $0.content { write } else { nil } }
            #expect(Set(listed.map(\.discardedEdit)).isSubset(of: told.map(\.discardedEdit)))
            #expect(Set(listed.map(\.discardedEdit)).count == listed.count)
            for conflict in listed where conflict.loser.operation == .put {
                let shown = try conflict.field.flatMap { try device.replica.get(conflict.key)?[$0] }
                #expect(shown != conflict.loser.value, "seed \(seed): \(conflict.short) on \(device.name)")
                #expect(!writes.contains { conflict.isRestored(by: $0) }, "seed \(seed): \(conflict.short) on \(device.name)")
            }
            for conflict in told where !listed.contains(where: { $0.discardedEdit == conflict.discardedEdit }) {
                let isWrittenAgain = writes.contains { $0.dot != conflict.loser.dot && conflict.isRepeated(by: $0) }
                // A delete that is gone itself, for somebody has made the record anew, lets be shown what it had hidden.
                let mayBeShownAgain = told.contains { $0.key == conflict.key && $0.winner.operation == .delete }
                #expect(isWrittenAgain || mayBeShownAgain, "seed \(seed): \(conflict.short) on \(device.name)")
            }
        }
    }

    // MARK: Crashes

    /// Wherever the program ends, the list says what the merge has lost.
    @Test(arguments: [false, true]) func noEndOfTheProgramLosesOrInventsOne(isAfterCommit: Bool) async throws {
        var transactions = 0
        while true {
            let clock = ManualClock()
            let hub = InMemoryHub(wallClock: clock.wallClock)
            let b = try Device("b", hub: hub, clock: clock)
            let memory = InMemoryStore()
            _ = try Device("a", hub: hub, clock: clock, store: memory)
            let stopping = StoppingStore(memory, after: transactions, isAfterCommit: isAfterCommit)
            do {
                let a = try Device("a", hub: hub, clock: clock, store: stopping)
                try await b.sync()
                for number in 1...3 {
                    let key = RecordKey(type: "card", id: RecordID("\(number)"))
                    try a.replica.put(["f": "mine"], to: key)
                    clock.advance(by: .seconds(1))
                    try b.replica.put(["f": "theirs"], to: key)
                    try await b.sync()
                    try await a.sync()
                    if number == 2 { try a.replica.restore(try #require(try a.replica.lostEdits.first)) }
                    if number == 3 { try a.replica.dismiss(try #require(try a.replica.lostEdits.first)) }
                }
            } catch is Killed {}
            let ended = stopping.isStopped
            let a = try Device("a", hub: hub, clock: clock, store: memory)
            let lost = try Set(a.replica.lostEdits.map(\.key.id.rawValue))
            for number in 1...3 {
                let key = RecordKey(type: "card", id: RecordID("\(number)"))
                let isOverwritten = try a.replica.get(key)?["f"] == "theirs"
                // The last is dismissed, if that is what was committed last.
                let mayBeDismissed = number == 3 && isOverwritten
                if !mayBeDismissed { #expect(lost.contains("\(number)") == isOverwritten, "\(number) after \(transactions)") }
            }
            if !ended { break }
            transactions += 1
        }
        #expect(transactions > 10)
    }

    @Test func aKilledProcessKeepsWhatItsMergesHaveLost() async throws { try await KilledDevice.checkLostEdits(round: 5) }
}

extension Conflict {
    /// Whether a write does what the losing one did.
    fileprivate func isRepeated(by write: TaggedWrite) -> Bool {
        switch restoringOperation {
        case .delete: write.key == key && write.isDelete
        case .put(let lost): write.key == key && lost.allSatisfy { write.fields?[$0.name] == $0.value }
        case nil: false
        }
    }
}
