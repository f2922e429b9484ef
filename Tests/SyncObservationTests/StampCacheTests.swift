import ConflictAuditTesting
import FleetHistories
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
            stamps.append(
                try stride(from: 0, through: 700, by: 4).map { try observer.stamps(for: LocalChange(key($0), .put(["note": "e"]))) })
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

    /// More records and for longer, among the histories.
    @Test(.timeLimit(.minutes(10)), arguments: levels) func whatGoesOnAtOnceLeavesTheCacheRight(level: ObservationLevel) async throws {
        try await StampRaces.check(level, records: 600, rounds: 4)
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

    /// As large as caches are, among the histories.
    @Test func cacheKeepsWithinItsMemoryAndTakesNoRecordForNew() throws {
        try FullStampCache.checkKnownRecords(14_000, maximumBytes: 1 << 20)
    }

    @Test func recordsThatDoNotFitAreKnownByTheirNames() throws { try FullStampCache.checkNames(1600, maximumBytes: 1 << 18) }

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
