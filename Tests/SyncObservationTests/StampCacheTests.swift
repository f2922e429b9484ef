import ConflictAuditTesting
import SyncModel
import SyncOracle
import TemporaryDirectory
import Testing

@testable import SyncObservation

/// What stamps are made of without a look at the shadow.
struct StampCacheTests {
    private static let levels: [ObservationLevel] = [.recordStamp("stamp"), .fieldStamps(["title": "titleStamp", "note": "noteStamp"])]

    private func open(_ path: String, _ level: ObservationLevel, installation: String = "first") throws -> SyncObserver {
        var configuration = SyncObserver.Configuration(device: "phone", installation: installation)
        configuration.standardLevel = level
        return try SyncObserver(configuration, shadow: .file(path: path), sink: CollectingAuditSink())
    }

    private func key(_ number: Int) -> RecordKey { RecordKey(type: "Card", id: RecordID("card-\(number)")) }

    /// Another connection holds the file, so that whoever wanted to read it would wait, and fail in the end.
    @Test(arguments: levels) func preparedStampsNeedNoFile(level: ObservationLevel) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("shadow")
        let changes = (0..<1200).map { LocalChange(key($0), .put(["title": .string("Plan \($0)")]), isNew: true) }
        try open(path, level).saved(changes)
        let observer = try open(path, level)
        try observer.prepareStamps()
        let other = try DatabaseShadow(path: path)
        let edits =
            changes.map { LocalChange($0.key, .put(["note": "1"])) } + [LocalChange(key(-1), .put(["note": "1"]), isNew: true)]
        let stamps = try other.write(isDurable: true) { _ in try observer.stamps(for: edits) }
        #expect(stamps.map(\.count) == edits.map { _ in 1 })
    }

    @Test(arguments: levels) func preparedStampsAreThoseOfAShadowThatIsRead(level: ObservationLevel) throws {
        let directory = try TemporaryDirectory()
        var stamps: [[FieldMap]] = []
        for isPrepared in [false, true] {
            let path = directory.file("shadow-\(isPrepared)")
            let first = try open(path, level)
            try first.saved((0..<700).map { LocalChange(key($0), .put(["title": "a", "note": "b"]), isNew: true) }, transaction: 1)
            try first.exportBegan(.transactions(through: 1))
            try first.saved((0..<700).map { LocalChange(key($0), .put(["title": "c"])) }, transaction: 2)
            try first.arrived((0..<300).map { Arrival(key($0), .put(["note": "d", "noteStamp": "1tablet.7;=0"])) })
            let observer = try open(path, level)
            if isPrepared { try observer.prepareStamps() }
            stamps.append(try (0..<701).map { try observer.stamps(for: LocalChange(key($0), .put(["note": "e"]))) })
        }
        #expect(stamps[0].map { Set($0.map(\.name)) } == stamps[1].map { Set($0.map(\.name)) })
        for (read, prepared) in zip(stamps[0], stamps[1]) {
            for (one, other) in zip(read, prepared) {
                guard let one = one.value.string, let other = other.value.string else { continue }
                if case .recordStamp = level {
                    #expect(RecordStamp(one)?.entries == RecordStamp(other)?.entries)
                } else {
                    #expect(FieldStamp(one) == FieldStamp(other))
                }
            }
        }
    }

    /// Saves, arrivals, an emptied store and reading ahead at once leave stamps that a process makes which reads each record.
    @Test(.timeLimit(.minutes(10)), arguments: levels) func whatGoesOnAtOnceLeavesTheCacheRight(level: ObservationLevel) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("shadow")
        let observer = try open(path, level)
        try observer.saved((0..<1500).map { LocalChange(key($0), .put(["title": "a", "note": "b"]), isNew: true) })
        let reopened = try open(path, level)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<5 {
                group.addTask {
                    for round in 0..<12 {
                        let keys = (0..<60).map { self.key(($0 * 29 + round * 131 + worker * 7) % 1600) }
                        switch worker {
                        case 0: try reopened.prepareStamps()
                        case 1 where round == 6: try reopened.storeEmptied()
                        case 1, 2:
                            let puts = keys.map { LocalChange($0, .put(["title": .string("\(worker) \(round)")])) }
                            let stamped = zip(puts, try reopened.stamps(for: puts)).map { put, stamps in
                                guard case .put(var fields) = put.operation else { return put }
                                for stamp in stamps { fields[stamp.name] = stamp.value }
                                return LocalChange(put.key, .put(fields))
                            }
                            try reopened.saved(stamped)
                        default:
                            let stamp = FieldValue.string(
                                "1tablet.\(worker * 1000 + round + 1);=\(String(ValueHash("c").rawValue, radix: 36))")
                            try reopened.arrived(keys.map { Arrival($0, .put(["note": "c", "noteStamp": stamp])) })
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let reading = try open(path, level)
        var compared = 0
        for number in 0..<1700 {
            let put = LocalChange(key(number), .put(["title": "x", "note": "y"]))
            let (held, read) = (try reopened.stamps(for: put), try reading.stamps(for: put))
            #expect(held.map(\.name) == read.map(\.name))
            for (one, other) in zip(held, read) {
                guard let one = one.value.string, let other = other.value.string else { continue }
                compared += 1
                if case .recordStamp = level {
                    let (one, other) = (try #require(RecordStamp(one)).entries, try #require(RecordStamp(other)).entries)
                    #expect(one.mapValues { $0.vector.without("phone") } == other.mapValues { $0.vector.without("phone") })
                    #expect(one.mapValues(\.isFogged) == other.mapValues(\.isFogged))
                } else {
                    let (one, other) = (try #require(FieldStamp(one)), try #require(FieldStamp(other)))
                    #expect(one.vector.without("phone") == other.vector.without("phone"))
                    #expect(one.isFogged == other.isFogged)
                }
            }
        }
        #expect(compared >= 1700)
    }

    /// What is packed of a record says the same as the record.
    @Test(arguments: 0..<200) func packedRecordSaysWhatItsShadowKnows(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        func upTo(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
        func vector() -> VersionVector {
            VersionVector(
                (0..<upTo(4)).map { _ in
                    Dot(device: DeviceID("device \(upTo(5))"), sequence: max(1, random.next() >> UInt64(upTo(64))))
                })
        }
        func dot() -> Dot { Dot(device: DeviceID("device \(upTo(5))"), sequence: 1 + UInt64(upTo(300))) }
        var shadow = RecordShadow()
        (shadow.wasDeletedThere, shadow.isOlder) = (upTo(3) == 0, upTo(3) == 0)
        if upTo(2) == 0 { shadow.begun = Int64(upTo(10)) }
        if upTo(2) == 0 { shadow.ended = Int64(upTo(10)) }
        let names = ["a", "note", "title", "ö"].map { FieldName($0) }
        for name in names where upTo(4) > 0 {
            var field = FieldShadow(vector: vector(), isFogged: upTo(3) == 0)
            if upTo(4) > 0 {
                field.current = HeldVersion(
                    dot: upTo(4) > 0 ? dot() : nil, value: .string("\(random.next())"),
                    timestamp: HybridTimestamp(milliseconds: 1), vector: upTo(2) == 0 ? field.vector : vector(),
                    transaction: upTo(3) > 0 ? Int64(upTo(12)) : nil, receipt: nil)
            }
            field.shown = (0..<upTo(4)).map { _ in ShownVersion(dot: dot(), vector: vector()) }
            if upTo(4) == 0 { field.mergedIn = MergedVersion(hash: 1, vector: vector(), isFogged: upTo(2) == 0, number: 1) }
            shadow.fields[name] = field
        }
        var state = ObserverState(writer: "device 1", installation: "first")
        (state.begun, state.ended) = (Int64(upTo(10)), Int64(upTo(10)))

        for level in [ObservationLevel.recordStamp("stamp"), .fieldStamps(Dictionary(names.map { ($0, $0) }) { $1 })] {
            var words = StampWords()
            var packed = StampedFields(StampedRecord(shadow, level, &words), words)
            #expect(packed.mayHaveOthers == (shadow.wasDeletedThere || shadow.isOlder))
            for name in names {
                let known = packed.field(name)
                let field = shadow.fields[name]
                #expect((known == nil) == (field == nil))
                guard let known, let field else { continue }
                #expect(known.isFogged == (field.isFogged || field.mergedIn?.isFogged ?? false))
                #expect(packed.held(known, besides: "device 1") == field.held(while: nil).without("device 1"))
                switch level {
                case .fieldStamps:
                    for dot in field.shown.map(\.dot) + [field.current?.dot, dot()].compactMap({ $0 }) {
                        #expect(packed.held(known, while: dot, besides: "device 1") == field.held(while: dot).without("device 1"))
                    }
                default:
                    let waiting = packed.waiting(known, state)
                    let own = field.current.flatMap { version in
                        version.transaction.map { state.progress(of: $0, shadow) } == .waiting ? version : nil
                    }
                    #expect(waiting?.sequence == own?.dot?.sequence)
                    #expect(waiting?.vector == own.flatMap { $0.dot == nil ? nil : $0.vector.without("device 1") })
                    if let waiting, let own {
                        #expect(waiting.hash == ValueHash(own.value))
                        #expect(waiting.isFogged == field.isFogged)
                    }
                }
            }
        }
    }

    @Test func cacheKeepsWithinItsMemoryAndTakesNoRecordForNew() throws {
        var configuration = SyncObserver.Configuration(device: "phone", installation: "first")
        configuration.standardLevel = .recordStamp("stamp")
        var cache = StampCache(configuration)
        cache.numbers.reserved = 1 << 40
        _ = cache.keep([], isLast: true, since: cache.losses)
        var record = RecordShadow()
        for name in ["title", "note", "phone", "mail"] { record.fields[FieldName(name)] = FieldShadow(vector: ["phone": 300]) }
        for number in 0..<200_000 { _ = cache.keep([(key(number), record)], isLast: false, since: 0) }
        let bytes = cache.bytes
        #expect(bytes <= StampCache.maximumBytes)
        // Every record is known or read; none counts as one that the shadow has not.
        for number in stride(from: 0, to: 200_000, by: 97) {
            let change = LocalChange(key(number), .put(["title": "x"]), isNew: true)
            let time = WallTime(millisecondsSince1970: 0)
            let stamp = cache.stamps(for: [change], at: time) ?? cache.stamps(for: [change], reading: [key(number): record], at: time)
            #expect(stamp?.first?["stamp"]?.string.flatMap { RecordStamp($0)?.entries["title"] } != nil)
            let missing = cache.missing([LocalChange(key(-number - 1), .put(["title": "x"]))])
            #expect(missing.count == 1)
        }
    }

    @Test func recordsThatDoNotFitAreKnownByTheirNames() throws {
        var configuration = SyncObserver.Configuration(device: "phone", installation: "first")
        configuration.standardLevel = .recordStamp("stamp")
        var cache = StampCache(configuration)
        var record = RecordShadow()
        for number in 0..<9 { record.fields[FieldName("field \(number)")] = FieldShadow(vector: ["phone": .max, "tablet": .max]) }
        let losses = cache.losses
        for number in 0..<50_000 {
            let hasRoom = cache.keep([(key(number), record)], isLast: number == 49_999, since: losses)
            #expect(hasRoom)
        }
        let bytes = cache.bytes
        #expect(bytes <= StampCache.maximumBytes)
        func puts(_ numbers: Range<Int>) -> [LocalChange] { numbers.map { LocalChange(key($0), .put(["title": "x"])) } }
        let missing = (cache.missing(puts(0..<50_000)).count, cache.missing(puts(50_000..<50_100)).count)
        #expect((1...49_999).contains(missing.0))
        #expect(missing.1 == 0)
        let deletes = cache.missing([LocalChange(key(49_999), .delete)])
        #expect(deletes.isEmpty)
    }

    /// Names that stamps of other devices bring are no more than a megabyte; with more of them nothing is known of any record.
    @Test func wordsOfHostileStampsAreBounded() throws {
        var configuration = SyncObserver.Configuration(device: "phone", installation: "first")
        configuration.standardLevel = .fieldStamps(["title": "titleStamp"])
        var cache = StampCache(configuration)
        let losses = cache.losses
        for number in 0..<40 {
            var record = RecordShadow()
            record.fields["title"] = FieldShadow(
                vector: VersionVector((0..<50).map { Dot(device: DeviceID(String(repeating: "\(number) \($0)", count: 200)), sequence: 1) })
            )
            _ = cache.keep([(key(number), record)], isLast: number == 39, since: losses)
        }
        let (after, missing) = (cache.losses, cache.missing([LocalChange(key(-1), .put(["title": "x"]))]))
        #expect(after > losses)
        #expect(missing.count == 1)
        cache.numbers.reserved = 1000
        let stamps = cache.stamps(for: [LocalChange(key(39), .put(["title": "x"]))], at: WallTime(millisecondsSince1970: 0))
        #expect(stamps?.count == 1)
    }

    /// Models without stamps neither take numbers nor are looked for.
    @Test func recordsWithoutStampsCostNothing() throws {
        var configuration = SyncObserver.Configuration(device: "phone", installation: "first")
        configuration.levels["Note"] = .recordStamp("stamp")
        let cache = StampCache(configuration)
        let changes = (0..<1000).map { LocalChange(key($0), .put(["title": "x", "note": "y"])) }
        let note = LocalChange(RecordKey(type: "Note", id: "1"), .put(["title": "x"]))
        let (numbers, missing, withNote) = (cache.maximumNumbers(for: changes), cache.missing(changes), cache.missing(changes + [note]))
        #expect(numbers == 0)
        #expect(missing.isEmpty)
        #expect(withNote.count == 1)
    }

    @Test func recordsForgottenWhileOthersAreReadAreReadAgain() throws {
        var configuration = SyncObserver.Configuration(device: "phone", installation: "first")
        configuration.standardLevel = .recordStamp("stamp")
        var cache = StampCache(configuration)
        let losses = cache.losses
        _ = cache.keep([(key(1), RecordShadow())], isLast: false, since: losses)
        var changes = StampCache.Changes()
        changes.isEveryRecord = true
        cache.apply(changes)
        _ = cache.keep([(key(2), RecordShadow())], isLast: true, since: losses)
        let (needsReading, missing) = (cache.needsReading, cache.missing((1...3).map { LocalChange(key($0), .put(["title": "x"])) }))
        #expect(needsReading)
        #expect(missing.count == 2)
    }
}

extension VersionVector {
    fileprivate func without(_ device: DeviceID) -> VersionVector {
        VersionVector(entries.filter { $0.device != device }.map { Dot(device: $0.device, sequence: $0.sequence) })
    }
}
