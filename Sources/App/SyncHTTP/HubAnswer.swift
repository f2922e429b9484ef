import ConflictAudit
import SyncBytes
public import SyncLayer
import SyncLines
public import SyncModel

/// The answer to a ``HubCall``, as it crosses a network; <doc:TheWire> is the page of its forms.
///
/// ```swift
/// let answer = HubAnswer.time(WallTime(millisecondsSince1970: 1_768_485_600_000))
/// print(answer.response.status)  // 200
/// ```
public enum HubAnswer: Hashable, Sendable {
    /// The answer to ``HubCall/time``.
    case time(WallTime)
    /// The answer to ``HubCall/push(_:)``.
    case outcomes([PushOutcome])
    /// The answer to ``HubCall/pull(_:wait:)``.
    case page(PullPage)
    /// The answer to ``HubCall/giveBack(_:)``.
    case end(HubPlace)
    /// The answer to ``HubCall/devices``.
    case devices([DeviceReport])
    /// The answer to ``HubCall/settled``.
    case settled(VersionVector)
    /// The answer to ``HubCall/report(_:)`` and ``HubCall/forget(_:)``.
    case done

    /// The response that states it.
    public var response: WireResponse {
        func object(_ body: (inout LineBuffer) -> Void) -> WireResponse {
            var buffer = LineBuffer()
            buffer.object(body)
            return WireResponse(status: 200, headers: ["Content-Type": WireBody.json, "Cache-Control": "no-store"], body: buffer.array)
        }
        switch self {
        case .done: return WireResponse(status: 204)
        case .time(let time): return object { $0.date("time", time.millisecondsSince1970) }
        case .settled(let settled):
            return object { buffer in
                buffer.key("settled")
                WriteLine.append(settled, to: &buffer)
            }
        case .end(let reached):
            return object { buffer in
                buffer.field("cursor", reached.cursor)
                if let position = reached.position { buffer.field("position", position.text) }
            }
        case .devices(let reports):
            return object { buffer in
                buffer.list("devices", reports) { buffer, report in
                    buffer.object { buffer in
                        buffer.field("device", report.device.rawValue)
                        report.append(to: &buffer)
                    }
                }
            }
        case .outcomes(let outcomes):
            return Self.lines { buffer in
                for outcome in outcomes {
                    buffer.object(outcome.append)
                    buffer.append(UInt8(ascii: "\n"))
                }
            }
        case .page(let page):
            return Self.lines { buffer in
                buffer.append(WireBody.lines(of: page.writes))
                buffer.object(page.appendEnd)
                buffer.append(UInt8(ascii: "\n"))
            }
        }
    }

    private static func lines(_ body: (inout LineBuffer) -> Void) -> WireResponse {
        var buffer = LineBuffer()
        body(&buffer)
        return WireResponse(status: 200, headers: ["Content-Type": WireBody.lines, "Cache-Control": "no-store"], body: buffer.array)
    }

    /// Reads a response.
    ///
    /// - Parameters:
    ///   - response: Its body may be gzip data.
    ///   - call: What was asked.
    ///   - limit: The most bytes that the body may have, decompressed.
    /// - Throws: ``/SyncLayer/SyncLayerError``: what the response states; or ``/SyncLayer/SyncLayerError/Code/hubUnavailable`` where it was
    ///   cut off, and ``/SyncLayer/SyncLayerError/Code/hubAtFault`` where it is no answer to the call.
    public init(_ response: WireResponse, to call: HubCall, limit: Int = 256 << 20) throws(SyncLayerError) {
        if let failure = WireFailure(response, limit: limit) { throw failure.error }
        // Who stands between, such as a hotel's network, answers with a page of its own.
        guard response.status == (call.isAnsweredEmptily ? 204 : 200) else {
            throw SyncLayerError(.hubUnavailable, "status \(response.status) is no answer of a hub to this call")
        }
        do {
            self = try Self.answer(to: call, in: response.body, limit: limit)
        } catch let error as CutOff {
            throw SyncLayerError(.hubUnavailable, "the hub's answer was cut off: \(error.problem)")
        } catch {
            throw SyncLayerError(.hubAtFault, "the hub's answer cannot be understood: \(WireFailure(any: error).message)")
        }
    }

    private static func answer(to call: HubCall, in body: [UInt8], limit: Int) throws -> HubAnswer {
        switch call {
        case .report, .forget: return .done
        case .time: return .time(WallTime(millisecondsSince1970: try WireBody.object(body, limit: limit).date("time")))
        case .settled: return .settled(try WireBody.object(body, limit: limit).versionVector("settled") ?? VersionVector())
        case .giveBack:
            let object = try WireBody.object(body, limit: limit)
            return .end(HubPlace(cursor: UInt64(try object.integer("cursor")), position: try object.position()))
        case .devices:
            var reports: [DeviceReport] = []
            try WireBody.object(body, limit: limit).forEachObject("devices") { fields throws(LineError) in
                reports.append(try DeviceReport(fields, device: DeviceID(try fields.name("device"))))
            }
            return .devices(reports)
        case .push(let request):
            var outcomes: [PushOutcome] = []
            try WireBody.forEachObject(body, limit: limit) { outcomes.append(try PushOutcome($0)) }
            if outcomes.count < request.writes.count {
                throw CutOff(problem: "it tells of \(outcomes.count) of \(request.writes.count) writes")
            }
            if outcomes.count > request.writes.count {
                throw LineError("it tells of \(outcomes.count) writes, and \(request.writes.count) were pushed")
            }
            return .outcomes(outcomes)
        case .pull:
            var (writes, page) = ([TaggedWrite](), (page: PullPage, count: Int)?.none)
            try WireBody.forEachObject(body, limit: limit) { fields in
                switch try fields.string("event") {
                case "write": writes.append(try WireBody.write(fields))
                case "page": page = (try PullPage(end: fields, writes: writes), Int(clamping: try fields.integer("writes")))
                // A later version may say more.
                default: break
                }
            }
            guard let (page, count) = page else { throw CutOff(problem: "the line that ends a page is missing") }
            if count != page.writes.count { throw CutOff(problem: "\(page.writes.count) of \(count) writes are there") }
            return .page(page)
        }
    }
}

/// An answer that ends too early.
struct CutOff: Error {
    let problem: String
}

extension HubCall {
    fileprivate var isAnsweredEmptily: Bool {
        switch self {
        case .report, .forget: true
        case .time, .push, .pull, .giveBack, .devices, .settled: false
        }
    }
}

extension PushOutcome {
    /// Appends the keys of an outcome.
    func append(to buffer: inout LineBuffer) {
        switch self {
        case .accepted(let receipt):
            buffer.field("outcome", "accepted")
            if let milliseconds = receipt.milliseconds { buffer.date("received", milliseconds) }
            if let number = receipt.hubSequence { buffer.field("hubSequence", number) }
        case .numberTaken: buffer.field("outcome", "numberTaken")
        case .refused(let reason):
            buffer.field("outcome", "refused")
            buffer.field("reason", reason)
        }
    }

    init(_ fields: LineFields) throws(LineError) {
        switch try fields.string("outcome") {
        case "accepted":
            self = .accepted(try TaggedWrite.Receipt(fields))
        case "numberTaken": self = .numberTaken
        case "refused": self = .refused(try fields.string("reason"))
        case let other: throw LineError("\"outcome\" is \(other.quoted); accepted, numberTaken or refused is expected")
        }
    }
}

extension TaggedWrite.Receipt {
    fileprivate init(_ fields: LineFields) throws(LineError) {
        self.init(
            milliseconds: try fields.optionalDate("received"), hubSequence: try fields.optionalInteger("hubSequence").map(UInt64.init))
    }
}

extension PullPage {
    /// Appends the keys of the line behind the page's writes, which says that they are all.
    func appendEnd(to buffer: inout LineBuffer) {
        buffer.field("event", "page")
        buffer.field("writes", writes.count)
        buffer.field("cursor", cursor)
        buffer.field("hasMore", hasMore)
        buffer.field("bytes", bytes)
        if leftOut != 0 { buffer.field("leftOut", leftOut) }
        if compacted.count != 0 {
            buffer.field("compacted", compacted.count)
            buffer.key("compactedUpTo")
            WriteLine.append(compacted.latest, to: &buffer)
            if !compacted.own.isEmpty {
                buffer.list("compactedOwn", compacted.own) { buffer, write in
                    buffer.object { buffer in
                        buffer.field("device", write.dot.device.rawValue)
                        buffer.field("n", write.dot.sequence)
                        buffer.field("fingerprint", write.fingerprint)
                        if let milliseconds = write.receipt.milliseconds { buffer.date("received", milliseconds) }
                        if let number = write.receipt.hubSequence { buffer.field("hubSequence", number) }
                    }
                }
            }
        }
        if !skipped.isEmpty {
            buffer.list("skipped", skipped) { buffer, write in
                buffer.object { buffer in
                    buffer.field("hubSequence", write.hubSequence)
                    if let dot = write.dot {
                        buffer.field("device", dot.device.rawValue)
                        buffer.field("n", dot.sequence)
                    }
                    buffer.field("reason", write.reason)
                }
            }
        }
        buffer.field("rulesVersion", rulesVersion)
        if let position { buffer.field("position", position.text) }
        if let latestNumber { buffer.field("latestNumber", latestNumber) }
        buffer.field("isWhole", isWhole)
    }

    init(end fields: LineFields, writes: [TaggedWrite]) throws(LineError) {
        var skipped: [SkippedWrite] = []
        try fields.forEachObject("skipped") { fields throws(LineError) in
            let device = try fields.optionalString("device").map { DeviceID($0) }
            let number = try fields.optionalInteger("n", in: 1 ... .max).map(UInt64.init)
            let dot = device.flatMap { device in number.map { Dot(device: device, sequence: $0) } }
            skipped.append(
                SkippedWrite(hubSequence: UInt64(try fields.integer("hubSequence")), dot: dot, reason: try fields.string("reason")))
        }
        var own: [OwnCompactedWrite] = []
        try fields.forEachObject("compactedOwn") { fields throws(LineError) in
            own.append(
                OwnCompactedWrite(
                    dot: Dot(device: DeviceID(try fields.name("device")), sequence: UInt64(try fields.integer("n", in: 1 ... .max))),
                    fingerprint: UInt64(try fields.integer("fingerprint")), receipt: try TaggedWrite.Receipt(fields)))
        }
        self.init(
            writes: writes, bytes: Int(clamping: try fields.integer("bytes")), cursor: UInt64(try fields.integer("cursor")),
            hasMore: try fields.bool("hasMore"), leftOut: Int(clamping: try fields.optionalInteger("leftOut") ?? 0), skipped: skipped,
            rulesVersion: Int(clamping: try fields.integer("rulesVersion")), position: try fields.position(),
            latestNumber: try fields.optionalInteger("latestNumber").map(UInt64.init), isWhole: try fields.bool("isWhole"),
            compacted: CompactedWrites(
                count: Int(clamping: try fields.optionalInteger("compacted") ?? 0),
                latest: try fields.versionVector("compactedUpTo") ?? VersionVector(), own: own))
    }
}
