import AuditLog
import ConflictAudit
import SyncModel

/// A conflict's line as a program would write it down for `JSONEncoder`: every key of the line, values ready as text.
struct PlainLine: Encodable {
    struct Side: Encodable {
        let device: String
        let n: UInt64
        let ts: String
        let counter: UInt32
        let op: String
        let value: Value?
    }

    struct Ancestor: Encodable {
        let value: Value
    }

    /// A value of a field.
    enum Value: Encodable {
        case null
        case bool(Bool)
        case number(Double)
        case text(String)
        case list([Value])
        case object([String: Value])

        init(_ value: FieldValue) {
            switch value {
            case .null: self = .null
            case .bool(let flag): self = .bool(flag)
            case .number(let number): self = .number(Double(number.description) ?? 0)
            case .string(let text): self = .text(text)
            case .array(let elements): self = .list(elements.map(Value.init))
            case .object(let map): self = .object(Dictionary(uniqueKeysWithValues: map.map { ($0.name.rawValue, Value($0.value)) }))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .null: try container.encodeNil()
            case .bool(let flag): try container.encode(flag)
            case .number(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            case .list(let elements): try container.encode(elements)
            case .object(let members): try container.encode(members)
            }
        }
    }

    let v = 1
    let ts: String
    let seq: UInt64?
    let source: String?
    let event = "conflict"
    let id, kind, severity, basis, recordType, recordID: String
    let field: String?
    let winner, loser: Side
    let ancestor: Ancestor?
    let result: Value?
    let gapMs: Int64
    let withinWindow: Bool
    let windowMs: Int64
    let policy, resolution, reason: String
    let auto, clockSuspect: Bool

    init(_ line: AuditLine) {
        guard case .conflict(let conflict) = line.event.content else { preconditionFailure("only conflicts are measured") }
        // A date as ready text saves the peer its formatting.
        let date = "2026-01-15T14:05:00.000Z"
        func side(_ side: Conflict.Side) -> Side {
            Side(
                device: side.dot.device.rawValue, n: side.dot.sequence, ts: date, counter: side.timestamp.counter,
                op: side.operation.rawValue,
                value: side.value.map(Value.init))
        }
        ts = date
        seq = line.sequence
        source = line.source?.rawValue
        id = conflict.id.description
        kind = conflict.kind.rawValue
        severity = conflict.severity.rawValue
        basis = conflict.basis.rawValue
        recordType = conflict.key.type.rawValue
        recordID = conflict.key.id.rawValue
        field = conflict.field?.rawValue
        winner = side(conflict.winner)
        loser = side(conflict.loser)
        ancestor = conflict.ancestor.map { Ancestor(value: Value($0)) }
        result = conflict.result.map(Value.init)
        gapMs = Int64(conflict.gap / .milliseconds(1))
        withinWindow = conflict.withinWindow
        windowMs = Int64(conflict.window / .milliseconds(1))
        policy = conflict.policy
        resolution = conflict.resolution.rawValue
        reason = conflict.reason.rawValue
        auto = conflict.isAutomatic
        clockSuspect = conflict.clockSuspect
    }
}
