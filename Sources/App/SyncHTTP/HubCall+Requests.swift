import ConflictAudit
import SyncBytes
import SyncLayer
import SyncLines
import SyncModel

// The requests, there and back: what the client writes is what the server reads. Each call has its method and its path here.

extension HubCall {
    /// The request that makes the call.
    ///
    /// - Parameter space: The set of data.
    public func request(space: SpaceName) -> WireRequest {
        func request(_ method: String, _ name: String, _ query: KeyValuePairs<String, String?> = [:]) -> WireRequest {
            WireRequest(method: method, path: "/v1/spaces/\(space)/\(name)\(WireQuery.encoded(query))")
        }
        switch self {
        case .time: return request("GET", "time")
        case .devices: return request("GET", "devices")
        case .settled: return request("GET", "settled")
        case .forget(let device): return request("DELETE", "devices", ["device": device.rawValue])
        case .report(let report):
            let query: KeyValuePairs<String, String?> = [
                "device": report.device.rawValue, "predecessor": report.predecessor?.rawValue,
            ]
            return request("PUT", "devices", query).sending(report.object, WireBody.json)
        case .pull(let pull, let wait):
            return request(
                "GET", "writes",
                [
                    "device": pull.device.rawValue, "after": String(pull.cursor),
                    "own": pull.ownSequence > 0 ? String(pull.ownSequence) : nil, "limit": String(pull.limit),
                    "position": pull.position?.text, "wait": wait > .zero ? String(wait.wholeSeconds) : nil,
                ])
        case .push(let push):
            return request(
                "POST", "writes",
                [
                    "device": push.device.rawValue, "acknowledged": String(push.acknowledged), "reached": String(push.reached.cursor),
                    "position": push.reached.position?.text,
                ]
            ).sending(push.writes)
        case .giveBack(let given):
            return request(
                "POST", "given-back",
                [
                    "device": given.device.rawValue, "acknowledged": String(given.acknowledged), "reached": String(given.reached.cursor),
                    "position": given.reached.position?.text, "last": given.isLast ? "1" : nil,
                    "awaitsPush": given.awaitsPush ? "1" : nil,
                ]
            ).sending(given.writes)
        }
    }
}

/// A request as a server understands it.
struct ParsedCall {
    let space: SpaceName
    /// The call; before the body is read, without what that brings: the writes, and of a report all but the names.
    private(set) var call: HubCall
    /// The lines that should be writes; nil for one that is none.
    private var lines: [TaggedWrite?] = []
    /// Why they are none, in their order.
    private var faults: [String] = []

    /// Reads all but the body of a request, which may be anybody's.
    ///
    /// - Throws: What ``WireFailure/init(any:)`` has a status for.
    init(_ request: WireRequest) throws {
        let query = try WireQuery(request.path)
        guard query.segments.count == 4, query.segments[0] == "v1", query.segments[1] == "spaces" else {
            throw WireFailure(
                404, "there is nothing at \(request.path.shortened.quoted): paths are /v1/spaces/, a space's name and a call's")
        }
        guard let space = SpaceName(named: query.segments[2]) else {
            throw WireFailure(
                404, "\(query.segments[2].shortened.quoted) cannot be the name of a space: 1 to 64 small letters, digits, - and _")
        }
        self.space = space
        let name = query.segments[3]
        switch (request.method, name) {
        case ("GET", "time"): call = .time
        case ("GET", "devices"): call = .devices
        case ("GET", "settled"): call = .settled
        case ("DELETE", "devices"): call = .forget(try query.device())
        case ("PUT", "devices"):
            let predecessor = query.string("predecessor").map { DeviceID($0) }
            call = .report(DeviceReport(device: try query.device(), cursor: 0, predecessor: predecessor))
        case ("GET", "writes"):
            let pull = PullRequest(
                device: try query.device(), cursor: try query.number("after") ?? 0, ownSequence: try query.number("own") ?? 0,
                limit: max(1, Int(clamping: try query.number("limit") ?? 500)), position: try query.position())
            call = .pull(pull, wait: .seconds(Int(clamping: min(try query.number("wait") ?? 0, 3600))))
        case ("POST", "writes"):
            call = .push(
                PushRequest(
                    device: try query.device(), writes: [], acknowledged: try query.number("acknowledged") ?? 0,
                    reached: try query.reached()))
        case ("POST", "given-back"):
            call = .giveBack(
                GivenBackWrites(
                    device: try query.device(), writes: [], acknowledged: try query.number("acknowledged") ?? 0,
                    isLast: query.string("last") == "1", awaitsPush: query.string("awaitsPush") == "1", reached: try query.reached()))
        case (_, "time"), (_, "devices"), (_, "settled"), (_, "writes"), (_, "given-back"):
            throw WireFailure(405, "\(request.method.shortened.quoted) is no method of \(name)")
        default: throw WireFailure(404, "there is no call \(name.shortened.quoted)")
        }
    }

    /// Reads the body.
    ///
    /// - Parameters:
    ///   - body: It may be gzip data.
    ///   - limits: How much of it is read.
    /// - Throws: What ``WireFailure/init(any:)`` has a status for.
    mutating func read(_ body: [UInt8], _ limits: HubServiceConfiguration) throws {
        switch call {
        case .time, .devices, .settled, .forget, .pull: break
        case .report(let head):
            var report = try DeviceReport(try WireBody.object(body, limit: limits.maximumBytes), device: head.device)
            report.predecessor = head.predecessor
            call = .report(report)
        case .push(var push):
            try readLines(body, limits)
            push.writes = lines.compactMap(\.self)
            call = .push(push)
        case .giveBack(var given):
            try readLines(body, limits)
            given.writes = lines.compactMap(\.self)
            call = .giveBack(given)
        }
    }

    private mutating func readLines(_ body: [UInt8], _ limits: HubServiceConfiguration) throws {
        try WireBody.forEachLine(body, limit: limits.maximumBytes) { line in
            guard lines.count < limits.linesPerRequest else {
                throw WireFailure(413, "\(limits.linesPerRequest) lines are allowed: send fewer at once", code: .batchTooLarge)
            }
            do throws(LineError) {
                guard let fields = LineFields(parsing: line) else { throw LineError("the line is no object of JSON") }
                lines.append(try WireBody.write(fields))
            } catch {
                lines.append(nil)
                faults.append(error.problem)
            }
        }
    }

    /// The outcomes of a push for all its lines: those of the writes, and of the others that they are refused.
    func outcomes(_ outcomes: [PushOutcome]) -> [PushOutcome] {
        var (left, reasons) = (outcomes[...], faults[...])
        return lines.map { write in (write == nil ? reasons.popFirst().map(PushOutcome.refused) : left.popFirst()) ?? .numberTaken }
    }
}

extension Duration {
    /// The seconds, those begun included.
    fileprivate var wholeSeconds: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}

extension WireQuery {
    func device() throws(WireFailure) -> DeviceID {
        guard let name = string("device"), !name.isEmpty else { throw WireFailure(400, "\"device\" is missing in the query") }
        return DeviceID(name)
    }

    func position() throws(WireFailure) -> HubPosition? {
        guard let text = string("position") else { return nil }
        do throws(LineError) { return try HubPosition(wire: text) } catch { throw WireFailure(400, error.problem) }
    }

    func reached() throws -> HubPlace { HubPlace(cursor: try number("reached") ?? 0, position: try position()) }
}

extension HubPosition {
    /// The two numbers as one text, which means nothing to anybody but the hub.
    var text: String { "\(String(epoch, radix: 16))-\(String(fingerprint, radix: 16))" }

    init(wire text: String) throws(LineError) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let epoch = UInt64(parts[0], radix: 16), let fingerprint = UInt64(parts[1], radix: 16),
            epoch <= Int64.max, fingerprint <= Int64.max
        else { throw LineError("\"position\" is \(text.shortened.quoted); what a page said as its position is expected") }
        self.init(epoch: epoch, fingerprint: fingerprint)
    }
}

extension LineFields {
    func position() throws(LineError) -> HubPosition? {
        guard let text = try optionalString("position") else { return nil }
        return try HubPosition(wire: text)
    }
}

extension DeviceReport {
    /// The report as an object of JSON, without its device.
    var object: [UInt8] {
        var buffer = LineBuffer()
        buffer.object(append)
        return buffer.array
    }

    /// Appends the keys of the report, but for the names.
    func append(to buffer: inout LineBuffer) {
        buffer.field("cursor", cursor)
        if let position { buffer.field("position", position.text) }
        if let clock {
            buffer.key("clock")
            buffer.object { buffer in
                buffer.field("offsetMs", clock.offsetMilliseconds)
                buffer.field("uncertaintyMs", clock.uncertaintyMilliseconds)
            }
        }
        buffer.field("rulesVersion", rulesVersion)
        if let rulesFingerprint { buffer.field("rulesFingerprint", rulesFingerprint) }
    }

    init(_ fields: LineFields, device: DeviceID) throws(LineError) {
        self.init(
            device: device, cursor: UInt64(try fields.optionalInteger("cursor") ?? 0),
            rulesVersion: Int(clamping: try fields.optionalInteger("rulesVersion") ?? 0),
            rulesFingerprint: try fields.optionalInteger("rulesFingerprint", in: 1 ... .max).map(UInt64.init))
        position = try fields.position()
        guard fields.has("clock") else { return }
        let clock = try fields.object("clock")
        self.clock = ClockMeasurement(
            device: device, offset: .milliseconds(try clock.integer("offsetMs", in: .min ... .max)),
            uncertainty: .milliseconds(try clock.integer("uncertaintyMs")))
    }
}
