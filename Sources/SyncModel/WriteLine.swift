/// The JSON form of a write, as it stands in logs and traces.
///
/// A log's line has `v`, `ts`, `seq`, `source` and `event` first, and the rest of a write after; the bare form leaves out `v`, `seq` and `source`, and
/// may leave out `n`, `counter`, `received` and `seen`.
package enum WriteLine {
    /// Appends the keys that follow `event`.
    ///
    /// - Parameter appendFields: Appends the object of a put's fields.
    package static func append(
        _ write: TaggedWrite, to object: inout JSONText.ObjectWriter, in buffer: inout LineBuffer,
        appendFields: (FieldMap, inout LineBuffer) -> Void = { JSONText.append($0, to: &$1) }
    ) {
        object.field("device", write.dot.device.rawValue, in: &buffer)
        if write.isNumbered { object.field("n", write.dot.sequence, in: &buffer) }
        object.field("counter", Int64(write.timestamp.counter), in: &buffer)
        if let receipt = write.receipt {
            object.date("received", receipt.milliseconds, in: &buffer)
            if let sequence = receipt.hubSequence { object.field("hubSequence", sequence, in: &buffer) }
        }
        object.field("recordType", write.key.type.rawValue, in: &buffer)
        object.field("recordID", write.key.id.rawValue, in: &buffer)
        object.field("op", write.isDelete ? "delete" : "put", in: &buffer)
        if let fields = write.fields {
            object.key("fields", in: &buffer)
            appendFields(fields, &buffer)
        }
        if let seen = write.seen {
            object.key("seen", in: &buffer)
            append(seen, to: &buffer)
        }
    }

    /// Appends a version vector as an object, devices in order.
    package static func append(_ seen: VersionVector, to buffer: inout LineBuffer) {
        var object = JSONText.ObjectWriter(&buffer)
        for entry in seen.entries {
            object.key(named: entry.device.rawValue, in: &buffer)
            buffer.append(decimal: entry.sequence)
        }
        object.end(in: &buffer)
    }

    /// The bare form of a write, without a line break.
    package static func bare(_ write: TaggedWrite) -> [UInt8] {
        var buffer = LineBuffer()
        var object = JSONText.ObjectWriter(&buffer)
        object.field("event", "write", in: &buffer)
        object.date("ts", write.timestamp.milliseconds, in: &buffer)
        append(write, to: &object, in: &buffer)
        object.end(in: &buffer)
        return buffer.array
    }

    /// Reads a write from the object of a line.
    ///
    /// - Parameters:
    ///   - line: The whole object; keys that mean nothing here are ignored.
    ///   - number: Gives a write that carries no `n` its number, from its device; nil where it cannot.
    package static func write(_ line: LineFields, number: (DeviceID) -> UInt64?) throws(LineError) -> TaggedWrite {
        let milliseconds = try line.date("ts")
        let device = DeviceID(try line.name("device"))
        let key = RecordKey(type: RecordType(try line.name("recordType")), id: RecordID(try line.string("recordID")))
        let operation = try operation(line)
        let given = try line.optionalInteger("n", in: 1 ... .max)
        let counter = UInt32(try line.optionalInteger("counter", in: 0...Int64(UInt32.max)) ?? 0)
        let seen = try line.versionVector("seen")
        let receipt = try line.optionalDate("received").map { moment throws(LineError) in
            let sequence = try line.optionalInteger("hubSequence")
            return TaggedWrite.Receipt(milliseconds: moment, hubSequence: sequence.map(UInt64.init))
        }
        guard let number = given.map(UInt64.init) ?? number(device) else {
            throw LineError("the key \"n\" is missing, and a write of \(device.rawValue.quoted) before has the highest number there is")
        }
        let dot = Dot(device: device, sequence: number)
        if let seen, seen[device] > dot.sequence {
            throw LineError(
                "\"seen\" names write \(seen[device]) of \(device.rawValue.quoted), but this is the device's own write \(dot.sequence): it cannot have seen a later one"
            )
        }
        return TaggedWrite(
            dot: dot, isNumbered: given != nil || seen != nil, timestamp: HybridTimestamp(milliseconds: milliseconds, counter: counter),
            key: key, operation: operation, seen: seen, receipt: receipt)
    }

    private static func operation(_ line: LineFields) throws(LineError) -> TaggedWrite.Operation {
        switch try line.string("op") {
        case "put":
            let fields = try line.object("fields").fields
            // A conflict's line nests the value deeper than the write's.
            if let deep = fields.first(where: { !$0.value.isNested(atMost: WriteLimits.depth) }) {
                throw LineError("the value of \(deep.name.rawValue.quoted) is nested more than \(WriteLimits.depth) levels deep")
            }
            return .put(fields)
        case "delete": return .delete
        case let other: throw LineError("\"op\" is \(other.quoted); put or delete is expected")
        }
    }
}
