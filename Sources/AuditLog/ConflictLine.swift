import ConflictAudit
import SyncLines
import SyncMerge
import SyncModel

/// The JSON form of a conflict, after `event`.
enum ConflictLine {
    /// Appends the keys that follow `event`.
    ///
    /// - Parameter omitsValues: Whether the values are left out as ``ValuePrivacy/omitted`` leaves them out.
    static func append(_ conflict: Conflict, omitsValues: Bool, to object: inout JSONText.ObjectWriter, in buffer: inout LineBuffer) {
        func shown(_ value: WrittenValue?) -> WrittenValue? { omitsValues ? ValuePrivacy.omitting(value, field: conflict.field) : value }
        object.hexadecimal("id", conflict.id.rawValue, in: &buffer)
        object.field("kind", conflict.kind.rawValue, in: &buffer)
        object.field("severity", conflict.severity.rawValue, in: &buffer)
        object.field("basis", conflict.basis.rawValue, in: &buffer)
        object.field("recordType", conflict.key.type.rawValue, in: &buffer)
        object.field("recordID", conflict.key.id.rawValue, in: &buffer)
        if let field = conflict.field { object.field("field", field.rawValue, in: &buffer) }
        if let related = conflict.related {
            object.key("related", in: &buffer)
            var other = JSONText.ObjectWriter(&buffer)
            other.field("recordType", related.type.rawValue, in: &buffer)
            other.field("recordID", related.id.rawValue, in: &buffer)
            other.end(in: &buffer)
        }
        object.key("winner", in: &buffer)
        append(conflict.winner, value: shown(conflict.winner.written), to: &buffer)
        object.key("loser", in: &buffer)
        append(conflict.loser, value: shown(conflict.loser.written), to: &buffer)
        if let ancestor = shown(conflict.writtenAncestor) {
            object.key("ancestor", in: &buffer)
            var value = JSONText.ObjectWriter(&buffer)
            value.field("value", ancestor, in: &buffer)
            value.end(in: &buffer)
        }
        if let result = shown(conflict.result.map(WrittenValue.init)) { object.field("result", result, in: &buffer) }
        object.field("gapMs", conflict.gapMilliseconds, in: &buffer)
        object.field("withinWindow", conflict.withinWindow, in: &buffer)
        object.field("windowMs", conflict.windowMilliseconds, in: &buffer)
        object.field("policy", conflict.policy, in: &buffer)
        object.field("resolution", conflict.resolution.rawValue, in: &buffer)
        object.field("reason", conflict.reason.rawValue, in: &buffer)
        object.field("auto", conflict.isAutomatic, in: &buffer)
        object.field("clockSuspect", conflict.clockSuspect, in: &buffer)
        if conflict.isStale { object.field("stale", true, in: &buffer) }
    }

    private static func append(_ side: Conflict.Side, value: WrittenValue?, to buffer: inout LineBuffer) {
        var object = JSONText.ObjectWriter(&buffer)
        object.field("device", side.dot.device.rawValue, in: &buffer)
        object.field("n", side.dot.sequence, in: &buffer)
        object.date("ts", side.timestamp.milliseconds, in: &buffer)
        object.field("counter", Int64(side.timestamp.counter), in: &buffer)
        object.field("op", side.operation.rawValue, in: &buffer)
        if let value { object.field("value", value, in: &buffer) }
        if let app = side.app { object.field("app", app, in: &buffer) }
        object.end(in: &buffer)
    }

    static func conflict(_ line: LineFields) throws(LineError) -> Conflict {
        let text = try line.string("id")
        guard let id = ConflictID(text) else { throw LineError("\"id\" is \(text.quoted); 16 hexadecimal digits are expected") }
        let related = line.optional("related") == nil ? nil : try key(try line.object("related"))
        // A null here is a value: the field was removed.
        let ancestor = line.optional("ancestor") == nil ? nil : try line.object("ancestor").fields["value"]
        return Conflict(
            id: id, kind: try line.choice("kind"), severity: try line.choice("severity"), basis: try line.choice("basis"),
            key: try key(line), field: try line.optionalString("field").map { FieldName($0) }, related: related,
            winner: try side(try line.object("winner")), loser: try side(try line.object("loser")), ancestor: ancestor,
            result: line.fields["result"], gapMilliseconds: try line.integer("gapMs"), withinWindow: try line.bool("withinWindow"),
            windowMilliseconds: try line.integer("windowMs"), policy: try line.string("policy"),
            resolution: try line.choice("resolution"), reason: try line.choice("reason"), clockSuspect: try line.bool("clockSuspect"),
            isStale: line.optional("stale") == nil ? false : try line.bool("stale"))
    }

    private static func key(_ line: LineFields) throws(LineError) -> RecordKey {
        RecordKey(type: RecordType(try line.name("recordType")), id: RecordID(try line.string("recordID")))
    }

    private static func side(_ line: LineFields) throws(LineError) -> Conflict.Side {
        let dot = Dot(device: DeviceID(try line.name("device")), sequence: UInt64(try line.integer("n", in: 1 ... .max)))
        let counter = UInt32(try line.optionalInteger("counter", in: 0...Int64(UInt32.max)) ?? 0)
        return Conflict.Side(
            dot: dot, timestamp: HybridTimestamp(milliseconds: try line.date("ts"), counter: counter), operation: try line.choice("op"),
            value: line.fields["value"], app: try WriteLine.app(line))
    }
}
