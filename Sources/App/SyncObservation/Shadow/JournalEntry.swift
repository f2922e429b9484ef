import ConflictAudit
import SyncBytes
import SyncCoding
import SyncMerge
import SyncModel

/// Something for the sink, kept in the shadow from the commit until the sink has been told, so that a crash between the two loses nothing.
enum JournalEntry: Sendable {
    case write(TaggedWrite)
    indirect case conflict(MergeDecision, Conflict.Basis?, ObservedConflict.Doubt?, RecordName? = nil)
    indirect case merge(RecordedMerge)
    case arrivals(RemoteChange, at: Int64)
    indirect case acknowledgement(WriteAcknowledgement, at: Int64)
    /// A number of lost edits were forgotten, for the list of them is full or they are old.
    case forgotten(Int, at: Int64)

    /// The conflict that it tells of.
    var conflict: ConflictID? {
        guard case .conflict(let decision, _, _, _) = self else { return nil }
        return decision.conflictID
    }

    var encoded: [UInt8] {
        var encoder = StateEncoder()
        switch self {
        case .write(let write):
            encoder.append(0 as UInt8)
            encoder.append(write)
        case .conflict(let decision, let basis, let doubt, let name):
            encoder.append(name == nil ? 1 : 6 as UInt8)
            encoder.append(basis?.rawValue ?? "")
            encoder.append(doubt?.rawValue ?? "")
            decision.encode(into: &encoder)
            if let name {
                encoder.append(name.field.rawValue)
                encoder.append(name.text)
            }
        case .merge(let merge):
            encoder.append(2 as UInt8)
            encoder.append(merge.key)
            encoder.append(merge.time.millisecondsSince1970)
            encoder.append(merge.device)
            for version in [merge.ancestor, merge.client, merge.server, merge.result] { encoder.append(version?.value) }
        case .arrivals(let change, let milliseconds):
            encoder.append(3 as UInt8)
            encoder.append(change.changes)
            encoder.append(change.refreshVersion)
            encoder.append(milliseconds)
        case .acknowledgement(let acknowledgement, let milliseconds):
            encoder.append(5 as UInt8)
            encoder.append(acknowledgement.dot.device)
            encoder.append(acknowledgement.dot.sequence)
            encoder.append(acknowledgement.key)
            encoder.append(acknowledgement.fields.map { .array($0.map { .string($0.rawValue) }) })
            for number in [acknowledgement.number, acknowledgement.earliest, acknowledgement.arrived ?? .max] { encoder.append(number) }
            encoder.append(acknowledgement.recordArrived ?? .max)
            encoder.append(acknowledgement.isStillShown ? 1 : 0 as UInt8)
            encoder.append(milliseconds)
        case .forgotten(let count, let milliseconds):
            encoder.append(7 as UInt8)
            encoder.append(count)
            encoder.append(milliseconds)
        }
        return encoder.bytes
    }

    init(encoded bytes: [UInt8]) throws(CodingFailure) {
        var decoder = try StateDecoder(bytes)
        let kind = try decoder.byte()
        switch kind {
        case 0: self = .write(try decoder.write())
        case 1, 6:
            let basis = Conflict.Basis(rawValue: try decoder.text())
            let doubt = ObservedConflict.Doubt(rawValue: try decoder.text())
            let decision = try MergeDecision(from: &decoder)
            let name = kind == 6 ? RecordName(field: FieldName(try decoder.text()), value: .string(try decoder.text())) : nil
            self = .conflict(decision, basis, doubt, name)
        case 2:
            let key = try decoder.key()
            let milliseconds = try decoder.signedNumber()
            let device = try decoder.device()
            let ancestor = try decoder.mergeVersion()
            let client = try decoder.mergeVersion()
            let server = try decoder.mergeVersion()
            guard let client, let server else { throw CodingFailure("a merge has two sides") }
            self = .merge(
                RecordedMerge(
                    key: key, at: WallTime(millisecondsSince1970: milliseconds), by: device, ancestor: ancestor, client: client,
                    server: server,
                    result: try decoder.mergeVersion()))
        case 3:
            let (changes, version) = (Int(clamping: try decoder.number()), Int(clamping: try decoder.number()))
            self = .arrivals(RemoteChange(changes: changes, refreshVersion: version), at: try decoder.signedNumber())
        case 4, 5:
            let (device, sequence, key) = (try decoder.device(), try decoder.number(), try decoder.key())
            let fields = try decoder.optionalValue()?.array?.compactMap(\.string).map { FieldName($0) }
            let (number, earliest, arrived) = (try decoder.number(), try decoder.number(), try decoder.number())
            // What an earlier version of the package had not told when it ended.
            let recordArrived = kind == 4 ? .max : try decoder.number()
            guard sequence >= 1 else { throw CodingFailure("a write has the number 0") }
            self = .acknowledgement(
                WriteAcknowledgement(
                    dot: Dot(device: device, sequence: sequence), key: key, fields: fields, number: number, earliest: earliest,
                    arrived: arrived == .max ? nil : arrived, recordArrived: recordArrived == .max ? nil : recordArrived,
                    isStillShown: kind == 4 ? false : try decoder.flag()),
                at: try decoder.signedNumber())
        case 7: self = .forgotten(Int(clamping: try decoder.number()), at: try decoder.signedNumber())
        default: throw CodingFailure("\(kind) is no kind of entry in the journal")
        }
        try decoder.finish()
    }
}

extension RecordedMerge.Version {
    /// Fields, time and device in an array, each null where there is none.
    fileprivate var value: FieldValue {
        .array([
            fields.map(FieldValue.object) ?? .null, time.map { .number(JSONNumber($0.millisecondsSince1970)) } ?? .null,
            device.map { .string($0.rawValue) } ?? .null,
        ])
    }
}

extension StateDecoder {
    fileprivate mutating func mergeVersion() throws(CodingFailure) -> RecordedMerge.Version? {
        guard let value = try optionalValue() else { return nil }
        guard let parts = value.array, parts.count == 3 else { throw CodingFailure("a version has fields, a time and a device") }
        return RecordedMerge.Version(
            fields: parts[0].object, at: parts[1].integer.map(WallTime.init(millisecondsSince1970:)),
            device: parts[2].string.map { DeviceID($0) })
    }
}
