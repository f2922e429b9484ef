import ConflictAudit
import SyncMerge
import SyncModel

extension [JournalEvent] {
    /// The events as the store's journal keeps them.
    var encoded: [UInt8] {
        var encoder = StateEncoder()
        encoder.append(count)
        for event in self { event.encode(into: &encoder) }
        return encoder.bytes
    }

    init(encoded: [UInt8]) throws(SyncLayerError) {
        self.init()
        do throws(CodingFailure) {
            var decoder = try StateDecoder(encoded)
            for _ in 0..<(try decoder.count()) { append(try JournalEvent(from: &decoder)) }
            try decoder.finish()
        } catch {
            throw SyncLayerError(damaged: "the journal", error)
        }
    }
}

extension JournalEvent {
    fileprivate func encode(into encoder: inout StateEncoder) {
        switch self {
        case .write(let write):
            encoder.append(0 as UInt8)
            encoder.append(write)
        case .found(let finding):
            encoder.append(1 as UInt8)
            finding.encode(into: &encoder)
        case .resolved(let finding, let moment, let result):
            encoder.append(2 as UInt8)
            finding.encode(into: &encoder)
            encoder.append(moment)
            encoder.append(result)
        case .remoteChange(let change, let moment):
            encoder.append(3 as UInt8)
            encoder.append(moment)
            encoder.append(Int64(change.changes))
            encoder.append(Int64(change.refreshVersion))
        }
    }

    fileprivate init(from decoder: inout StateDecoder) throws(CodingFailure) {
        switch try decoder.byte() {
        case 0: self = .write(try decoder.write())
        case 1: self = .found(try Finding(from: &decoder))
        case 2:
            let finding = try Finding(from: &decoder)
            self = .resolved(finding, at: try decoder.signedNumber(), result: try decoder.optionalValue())
        case 3:
            let moment = try decoder.signedNumber()
            let changes = Int(truncatingIfNeeded: try decoder.signedNumber())
            let version = Int(truncatingIfNeeded: try decoder.signedNumber())
            self = .remoteChange(RemoteChange(changes: changes, refreshVersion: version), at: moment)
        case let other: throw CodingFailure("\(other) is no kind of event")
        }
    }
}

extension Finding {
    /// Appends the finding whole.
    func encode(into encoder: inout StateEncoder) {
        switch self {
        case .decision(let decision):
            encoder.append(0 as UInt8)
            decision.encode(into: &encoder)
        case .constraint(let finding):
            encoder.append(1 as UInt8)
            encoder.append(finding.kind.rawValue)
            encoder.append(finding.field.rawValue)
            encoder.append(finding.winner)
            encoder.append(finding.loser)
        }
    }

    /// Reads what ``encode(into:)`` appended.
    init(from decoder: inout StateDecoder) throws(CodingFailure) {
        switch try decoder.byte() {
        case 0: self = .decision(try MergeDecision(from: &decoder))
        case 1:
            guard let kind = ConstraintFinding.Kind(rawValue: try decoder.byte()) else {
                throw CodingFailure("there is no such constraint")
            }
            let field = FieldName(try decoder.text())
            self = .constraint(ConstraintFinding(kind: kind, field: field, winner: try decoder.write(), loser: try decoder.write()))
        case let other: throw CodingFailure("\(other) is no kind of finding")
        }
    }
}
