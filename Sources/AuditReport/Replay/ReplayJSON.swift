package import AuditAnalysis
import ConflictAudit
import SyncLines
import SyncModel

/// Writes the result of a replay as one JSON object on one line.
///
/// | key | value |
/// |---|---|
/// | `replay` | version of this format, 1 |
/// | `writes`, `writesWithoutContext` | counts |
/// | `policies` | list of outcomes, the recorded rules first: `{policy, recorded, conflicts, editsLost, waiting, saved, newlyLost, winnersChanged, valuesChanged, byField}`, with `byField` a list of the same counts by `recordType` and `field?` |
/// | `recommendations` | list of `{recordType, field?, policy, editsLost, saved?, reason}` |
package struct ReplayJSON: Sendable {
    /// A renderer.
    package init() {}

    /// The result as UTF-8, ended by a line feed.
    package func render(_ result: ReplayResult) -> [UInt8] {
        var buffer = LineBuffer()
        buffer.writeObject { object, buffer in
            object.field("replay", 1, in: &buffer)
            object.field("writes", result.writes, in: &buffer)
            object.field("writesWithoutContext", result.writesWithoutContext, in: &buffer)
            object.list("policies", result.outcomes.enumerated().map { $0 }, in: &buffer) { buffer, outcome in
                buffer.writeObject { object, buffer in
                    object.field("policy", outcome.element.name, in: &buffer)
                    object.field("recorded", outcome.offset == 0, in: &buffer)
                    object.append(outcome.element.total, in: &buffer)
                    let fields = outcome.element.byField.sorted { $0.key < $1.key }
                    object.list("byField", fields, in: &buffer) { buffer, field in
                        buffer.writeObject { object, buffer in
                            object.append(field.key, in: &buffer)
                            object.append(field.value, in: &buffer)
                        }
                    }
                }
            }
            object.list("recommendations", result.recommendations, in: &buffer) { buffer, one in
                buffer.writeObject { object, buffer in
                    object.append(one.register, in: &buffer)
                    object.field("policy", one.policy, in: &buffer)
                    object.field("editsLost", one.lost, in: &buffer)
                    if let saved = one.saved { object.field("saved", saved, in: &buffer) }
                    object.field("reason", one.reason, in: &buffer)
                }
            }
        }
        buffer.append(UInt8(ascii: "\n"))
        return buffer.array
    }
}

extension JSONText.ObjectWriter {
    fileprivate mutating func append(_ count: ReplayResult.Count, in buffer: inout LineBuffer) {
        field("conflicts", count.conflicts, in: &buffer)
        field("editsLost", count.lost, in: &buffer)
        field("waiting", count.waiting, in: &buffer)
        field("saved", count.saved, in: &buffer)
        field("newlyLost", count.newlyLost, in: &buffer)
        field("winnersChanged", count.winnersChanged, in: &buffer)
        field("valuesChanged", count.valuesChanged, in: &buffer)
    }

    fileprivate mutating func append(_ key: ConflictStatistics.FieldKey, in buffer: inout LineBuffer) {
        field("recordType", key.type.rawValue, in: &buffer)
        if let name = key.field { field("field", name.rawValue, in: &buffer) }
    }
}
