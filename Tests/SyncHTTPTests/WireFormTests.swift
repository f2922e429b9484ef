import ConflictAudit
import SyncHTTP
import SyncLayer
import SyncModel
import SyncOracle
import SyncSystem
import Testing

/// What a hub's caller says is what the hub hears, and the other way round.
@Suite struct WireFormTests {
    @Test(arguments: 0..<200 as Range<UInt64>)
    func requestsAndAnswersCrossTheWireUnchanged(seed: UInt64) async throws {
        var values = RandomValues(seed: seed)
        let answers = Answers(
            time: values.time(), outcomes: (0..<3).map { _ in values.outcome() }, page: values.page(), end: values.progress(),
            devices: (0..<3).map { _ in values.report(isOfList: true) }, settled: values.vector())
        let recorder = Recorder(answers)
        let service = HubService { _ in recorder }
        let hub = HTTPHub(space: "team", transport: InProcess(service: service))
        let push = PushRequest(
            device: values.name(), writes: (0..<3).map { _ in values.write(receipt: nil) }, acknowledged: values.number(),
            reached: values.progress())
        let pull = PullRequest(
            device: values.name(), cursor: values.number(), ownSequence: values.number(),
            limit: Int.random(in: 1...1000, using: &values.random),
            position: values.progress().position)
        let given = GivenBackWrites(
            device: values.name(), writes: (0..<2).map { _ in values.write(receipt: values.receipt()) }, acknowledged: values.number(),
            isLast: Bool.random(using: &values.random), awaitsPush: Bool.random(using: &values.random), reached: values.progress())
        let report = values.report()
        let lost = values.name()
        #expect(try await hub.now() == answers.time)
        #expect(try await hub.push(push) == answers.outcomes)
        #expect(try await hub.pull(pull) == answers.page)
        #expect(try await hub.giveBack(given) == answers.end)
        try await hub.report(report)
        #expect(try await hub.devices() == answers.devices)
        #expect(try await hub.settled() == answers.settled)
        try await hub.forget(lost)
        let heard = recorder.heard
        #expect(heard.push == [push] && heard.pull == [pull] && heard.given == [given], "seed \(seed)")
        #expect(heard.report == [report] && heard.lost == [lost], "seed \(seed)")
    }

    /// What is the server's own fault is none of the device's store.
    @Test func errorsKeepTheirCodeAndSentence() async {
        let codes: [(told: SyncLayerError.Code, heard: SyncLayerError.Code)] =
            [.invalidValue, .batchTooLarge, .hubReplaced, .deviceForgotten, .busy, .hubUnavailable].map { ($0, $0) }
            + [.diskFull, .damaged, .storage, .readOnly].map { ($0, .hubUnavailable) }
        var configuration = HTTPHubConfiguration()
        configuration.attempts = 1
        for (code, heard) in codes {
            let service = HubService { _ in throw SyncLayerError(code, "a sentence of \"\(code)\"") }
            let hub = HTTPHub(space: "team", transport: InProcess(service: service), configuration: configuration)
            await #expect {
                _ = try await hub.settled()
            } throws: {
                ($0 as? SyncLayerError)?.code == heard && ($0 as? SyncLayerError)?.description == "a sentence of \"\(code)\""
            }
        }
    }
}

/// What a hub answers.
private struct Answers: Sendable {
    let time: WallTime
    let outcomes: [PushOutcome]
    let page: PullPage
    let end: HubPlace
    let devices: [DeviceReport]
    let settled: VersionVector
}

/// A hub that gives prepared answers and remembers what it was told.
private final class Recorder: Hub {
    struct Heard {
        var push: [PushRequest] = []
        var pull: [PullRequest] = []
        var given: [GivenBackWrites] = []
        var report: [DeviceReport] = []
        var lost: [DeviceID] = []
    }

    private let answers: Answers
    private let state = Locked(Heard())

    init(_ answers: Answers) { self.answers = answers }

    var heard: Heard { state.withLock { $0 } }

    func now() async throws -> WallTime { answers.time }
    func push(_ request: PushRequest) async throws -> [PushOutcome] {
        state.withLock { $0.push.append(request) }
        return answers.outcomes
    }
    func pull(_ request: PullRequest) async throws -> PullPage {
        state.withLock { $0.pull.append(request) }
        return answers.page
    }
    func giveBack(_ given: GivenBackWrites) async throws -> HubPlace {
        state.withLock { $0.given.append(given) }
        return answers.end
    }
    func report(_ report: DeviceReport) async throws { state.withLock { $0.report.append(report) } }
    func devices() async throws -> [DeviceReport] { answers.devices }
    func settled() async throws -> VersionVector { answers.settled }
    func forget(_ device: DeviceID) async throws { state.withLock { $0.lost.append(device) } }
}

/// Values such as apps and devices have, and such as nobody should have.
private struct RandomValues {
    var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private static let texts = [
        "a", "iPhone von Jörg", "a&b=c?d#e/f%g+h", "../../etc", "line\nbreak\u{2028}", "\u{0}", "e\u{301}", "\u{e9}", "😀", "\"quoted\"\\",
        "~", " ",
        String(repeating: "long ", count: 300),
    ]

    mutating func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: values.indices, using: &random)] }
    mutating func name() -> DeviceID { DeviceID(pick(Self.texts)) }
    mutating func number() -> UInt64 { pick([0, 1, 7, 1 << 53]) }
    mutating func time() -> WallTime {
        WallTime(millisecondsSince1970: pick([0, 1_768_482_000_123, 253_402_300_799_999, -62_167_219_200_000]))
    }
    mutating func position() -> HubPosition {
        HubPosition(epoch: pick([1, 99, UInt64(Int64.max)]), fingerprint: pick([0, 5, UInt64(Int64.max)]))
    }
    mutating func progress() -> HubPlace { HubPlace(cursor: number(), position: Bool.random(using: &random) ? position() : nil) }
    mutating func vector() -> VersionVector {
        var vector = VersionVector()
        for _ in 0..<3 { vector.insert(Dot(device: name(), sequence: max(1, number()))) }
        return vector
    }
    mutating func receipt() -> TaggedWrite.Receipt { TaggedWrite.Receipt(time: time(), hubSequence: max(1, number())) }
    mutating func outcome() -> PushOutcome { pick([.accepted(receipt()), .numberTaken, .refused(pick(Self.texts))]) }

    mutating func value(depth: Int = 0) -> FieldValue {
        switch Int.random(in: 0..<(depth < 3 ? 7 : 5), using: &random) {
        case 0: .null
        case 1: .bool(Bool.random(using: &random))
        case 2: .string(pick(Self.texts))
        case 3: pick([0, -1, 3.25, 1e300, 123_456_789_012])
        case 4: .string("")
        case 5: .array((0..<2).map { _ in value(depth: depth + 1) })
        default: .object([FieldName(pick(Self.texts)): value(depth: depth + 1)])
        }
    }

    mutating func write(receipt: TaggedWrite.Receipt?) -> TaggedWrite {
        let dot = Dot(device: name(), sequence: pick([1, 9, 1 << 53]))
        let seen = vector()
        let isDelete = Bool.random(using: &random)
        let fields: FieldMap = [FieldName(pick(Self.texts)): value(), "other": value()]
        return TaggedWrite(
            dot: dot, timestamp: HybridTimestamp(milliseconds: time().millisecondsSince1970, counter: pick([0, 3, .max])),
            key: RecordKey(type: RecordType(pick(Self.texts)), id: RecordID(pick(Self.texts + [""]))),
            operation: isDelete ? .delete : .put(fields), seen: seen[dot.device] > dot.sequence ? [:] : seen, receipt: receipt,
            app: Bool.random(using: &random) ? "3.1 (β)" : nil)
    }

    mutating func page() -> PullPage {
        PullPage(
            writes: (0..<2).map { _ in write(receipt: receipt()) }, bytes: 99, cursor: number(), hasMore: true, leftOut: pick([0, 4]),
            skipped: [
                SkippedWrite(
                    hubSequence: 4, dot: Bool.random(using: &random) ? Dot(device: name(), sequence: 2) : nil, reason: pick(Self.texts))
            ],
            rulesVersion: pick([0, 3]), position: Bool.random(using: &random) ? position() : nil,
            latestNumber: Bool.random(using: &random) ? number() : nil, isWhole: Bool.random(using: &random),
            compacted: Bool.random(using: &random)
                ? CompactedWrites() : compacted())
    }

    private mutating func compacted() -> CompactedWrites {
        let dot = Dot(device: name(), sequence: pick([1, 1 << 53]))
        return CompactedWrites(
            count: 3, latest: VersionVector([dot]),
            own: [OwnCompactedWrite(dot: dot, fingerprint: pick([1, 1 << 53 - 1]), receipt: receipt())])
    }

    /// - Parameter isOfList: Whether it is one that a hub lists, without position and predecessor.
    mutating func report(isOfList: Bool = false) -> DeviceReport {
        let device = name()
        return DeviceReport(
            device: device, cursor: number(), position: isOfList ? nil : position(),
            clock: Bool.random(using: &random)
                ? ClockMeasurement(device: device, offset: .milliseconds(pick([-5000, 0, 12])), uncertainty: .milliseconds(7)) : nil,
            predecessor: !isOfList && Bool.random(using: &random) ? name() : nil, rulesVersion: pick([0, 2]),
            rulesFingerprint: pick([nil, 1, 1 << 53 - 1]))
    }
}
