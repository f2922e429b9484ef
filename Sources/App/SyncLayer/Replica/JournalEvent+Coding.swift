import ConflictAudit
import SyncBytes
import SyncCoding
import SyncMerge
import SyncModel

/// What a transaction has to tell, and the same as the store's journal keeps it.
struct JournalPage: ~Copyable {
    private(set) var events: [JournalEvent] = []
    /// How many of them the store is to keep.
    private(set) var keptEvents = 0
    /// Of each event its kind and, behind their count, the bytes that tell it by itself.
    private var content = StateEncoder()
    private var encoder = StateEncoder()

    /// Appends an event.
    ///
    /// - Parameters:
    ///   - encoded: Of a write, its bytes where they are known.
    ///   - isKept: Whether the store is to keep it.
    mutating func append(_ event: JournalEvent, encoded: [UInt8]? = nil, isKept: Bool) {
        events.append(event)
        guard isKept else { return }
        keptEvents += 1
        content.append(event.kind)
        if let encoded {
            content.append(bytes: encoded)
        } else {
            encoder.begin()
            event.encode(into: &encoder)
            content.append(bytesOf: encoder)
        }
    }

    mutating func removeAll() {
        events = []
        keptEvents = 0
        content.begin()
    }

    /// The events to be kept, as the store's journal keeps them.
    mutating func encoded() -> [UInt8] {
        encoder.begin()
        encoder.append(keptEvents)
        encoder.append(contentOf: content)
        return encoder.bytes
    }
}

extension [JournalEvent] {
    /// Reads what ``JournalPage/encoded()`` made.
    init(encoded: [UInt8]) throws(SyncLayerError) {
        self.init()
        try decoding("the journal", encoded) { decoder throws(CodingFailure) in
            for _ in 0..<(try decoder.count()) {
                let kind = try decoder.byte()
                append(try JournalEvent(kind: kind, encoded: try decoder.bytes()))
            }
            try decoder.finish()
        }
    }
}

extension JournalEvent {
    fileprivate var kind: UInt8 {
        switch self {
        case .write: 0
        case .found(_, nil): 1
        case .found: 7
        case .resolved: 2
        case .remoteChange: 3
        case .dropped: 4
        case .writerChanged: 5
        case .outbox: 6
        case .lostEditsForgotten: 8
        }
    }

    fileprivate func encode(into encoder: inout StateEncoder) {
        switch self {
        case .write(let write): encoder.append(write)
        case .found(let finding, let name):
            finding.encode(into: &encoder)
            if let name {
                encoder.append(name.field.rawValue)
                encoder.append(name.text)
            }
        case .resolved(let finding, let milliseconds, let result):
            finding.encode(into: &encoder)
            encoder.append(milliseconds)
            encoder.append(result)
        case .remoteChange(let change, let milliseconds):
            encoder.append(milliseconds)
            encoder.append(Int64(change.changes))
            encoder.append(Int64(change.refreshVersion))
        case .dropped(let count, let milliseconds), .lostEditsForgotten(let count, let milliseconds):
            encoder.append(milliseconds)
            encoder.append(Int64(count))
        case .outbox(let status, let milliseconds):
            encoder.append(milliseconds)
            for count in [status.writes, status.bytes, status.setAside, status.warningBytes] { encoder.append(Int64(count)) }
            encoder.append(UInt8(status.oldest == nil ? 0 : 1))
            if let oldest = status.oldest { encoder.append(oldest.millisecondsSince1970) }
        case .writerChanged(let change, let milliseconds):
            encoder.append(milliseconds)
            encoder.append(change.old)
            encoder.append(change.new)
            encoder.append(change.cause)
            encoder.append(change.numbers.count)
            for number in change.numbers { encoder.append(number) }
        }
    }

    fileprivate init(kind: UInt8, encoded: [UInt8]) throws(CodingFailure) {
        var decoder = try StateDecoder(encoded)
        switch kind {
        case 0: self = .write(try decoder.write())
        case 1: self = .found(try Finding(from: &decoder), nil)
        case 2:
            let finding = try Finding(from: &decoder)
            self = .resolved(finding, at: try decoder.signedNumber(), result: try decoder.optionalValue())
        case 3:
            let milliseconds = try decoder.signedNumber()
            let changes = Int(truncatingIfNeeded: try decoder.signedNumber())
            let version = Int(truncatingIfNeeded: try decoder.signedNumber())
            self = .remoteChange(RemoteChange(changes: changes, refreshVersion: version), at: milliseconds)
        case 4:
            let milliseconds = try decoder.signedNumber()
            self = .dropped(Int(truncatingIfNeeded: try decoder.signedNumber()), at: milliseconds)
        case 5:
            let milliseconds = try decoder.signedNumber()
            let (old, new, cause) = (try decoder.device(), try decoder.device(), try decoder.text())
            var numbers: [UInt64] = []
            for _ in 0..<(try decoder.count()) { numbers.append(try decoder.number()) }
            self = .writerChanged(WriterChange(old: old, new: new, numbers: numbers, cause: cause), at: milliseconds)
        case 6:
            let milliseconds = try decoder.signedNumber()
            var counts: [Int] = []
            for _ in 0..<4 { counts.append(Int(truncatingIfNeeded: try decoder.signedNumber())) }
            let oldest = try decoder.flag() ? WallTime(millisecondsSince1970: try decoder.signedNumber()) : nil
            let status = OutboxStatus(writes: counts[0], bytes: counts[1], setAside: counts[2], warningBytes: counts[3], oldest: oldest)
            self = .outbox(status, at: milliseconds)
        case 7:
            let finding = try Finding(from: &decoder)
            self = .found(finding, RecordName(field: FieldName(try decoder.text()), value: .string(try decoder.text())))
        case 8:
            let milliseconds = try decoder.signedNumber()
            self = .lostEditsForgotten(Int(truncatingIfNeeded: try decoder.signedNumber()), at: milliseconds)
        default: throw CodingFailure("\(kind) is no kind of event")
        }
        try decoder.finish()
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
