import ConflictAudit
import SyncBytes
import SyncLines
import SyncModel

/// The keys of an acknowledgement.
enum AcknowledgementLine {
    static func append(_ acknowledgement: WriteAcknowledgement, to object: inout LineBuffer) {
        object.field(.device, acknowledgement.dot.device.bytes)
        object.field(.number, acknowledgement.dot.sequence)
        object.record(acknowledgement.key)
        if let fields = acknowledgement.fields { object.field(.fields, .array(fields.map { .string($0.rawValue) })) }
        object.field(.hubSequence, acknowledgement.number)
        object.field(.earliest, acknowledgement.earliest)
        if let arrived = acknowledgement.arrived { object.field(.arrived, arrived) }
        if let arrived = acknowledgement.recordArrived { object.field(.recordArrived, arrived) }
        if acknowledgement.isStillShown { object.field(.stillShown, true) }
    }

    static func acknowledgement(_ line: LineFields) throws(LineError) -> WriteAcknowledgement {
        let (number, earliest) = (try line.integer(.hubSequence), try line.integer(.earliest))
        var fields: [FieldName]?
        if let value = line.optional(.fields) {
            let names = value.array?.compactMap(\.string)
            guard let names, names.count == value.array?.count else {
                throw LineError("\"fields\" must be an array of names, not \(value.described)")
            }
            fields = names.map { FieldName($0) }
        }
        guard earliest <= number else { throw LineError("\"earliest\" is \(earliest), and \"hubSequence\" \(number): it cannot be more") }
        return WriteAcknowledgement(
            dot: Dot(device: DeviceID(try line.name(.device)), sequence: UInt64(try line.integer(.number, in: 1 ... .max))),
            key: try line.record(), fields: fields, number: UInt64(number), earliest: UInt64(earliest),
            arrived: try line.optionalInteger(.arrived, in: 0 ... .max).map(UInt64.init),
            recordArrived: try line.optionalInteger(.recordArrived, in: 0 ... .max).map(UInt64.init),
            isStillShown: line.has(.stillShown) ? try line.bool(LineKey.stillShown.text) : false)
    }
}
