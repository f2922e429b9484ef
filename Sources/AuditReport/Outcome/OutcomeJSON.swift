package import AuditAnalysis
import SyncLines
import SyncMerge
import SyncModel

/// Writes what an outcome tells of the policies as one JSON object on one line.
///
/// | key | value |
/// |---|---|
/// | `outcome` | version of this format, 1 |
/// | `writes`, `rows`, `rowsRepeated`, `editsLost` | counts |
/// | `policies` | the names of the policies |
/// | `types` | list by type: `recordType`, `rows`, `rowsOfOtherRecords`, `perRecord`? (whether the system merges whole records; absent where the outcome does not tell), the counts of a field for all fields together, `notToldApart` (lists of policies), `deletes` `{best, differing, agreeing}`, `unknownFields`, `fieldsNotCompared`, and `byField`, a list of `{field, differing, agreeing, best, alike, alikeAgreeing, editsLost}` |
/// | `typesNotHeld` | the types of the trace of which the outcome has no row |
/// | `unexplained` | `{rows, listed}` with `listed` a list of `{recordType, recordID, fields}` and `fields` a list of `{field?, outcome?, expected?}`; without `field` it tells whether there is a row |
package struct OutcomeJSON: Sendable {
    /// A renderer.
    package init() {}

    /// The result as UTF-8, ended by a line feed.
    package func render(_ result: OutcomeResult) -> [UInt8] {
        var buffer = LineBuffer()
        buffer.writeObject { object, buffer in
            object.field("outcome", 1, in: &buffer)
            object.field("writes", result.writes, in: &buffer)
            object.field("rows", result.rows, in: &buffer)
            object.field("rowsRepeated", result.repeats, in: &buffer)
            object.field("editsLost", result.lost, in: &buffer)
            object.field("policies", .strings(result.policies), in: &buffer)
            object.list("types", result.types, in: &buffer) { buffer, type in
                buffer.writeObject { object, buffer in object.append(type, result.policies, in: &buffer) }
            }
            object.field("typesNotHeld", .strings(result.typesNotHeld.map(\.rawValue)), in: &buffer)
            object.key("unexplained", in: &buffer)
            buffer.writeObject { object, buffer in
                object.field("rows", result.unexplainedCount, in: &buffer)
                object.list("listed", result.unexplained, in: &buffer) { buffer, row in
                    buffer.writeObject { object, buffer in object.append(row, in: &buffer) }
                }
            }
        }
        buffer.append(UInt8(ascii: "\n"))
        return buffer.array
    }
}

extension JSONText.ObjectWriter {
    fileprivate mutating func append(_ type: OutcomeResult.TypeResult, _ policies: [String], in buffer: inout LineBuffer) {
        field("recordType", type.type.rawValue, in: &buffer)
        field("rows", type.rows, in: &buffer)
        field("rowsOfOtherRecords", type.rowsOfOthers, in: &buffer)
        if let isRecordLevel = type.mergesRecords { field("perRecord", isRecordLevel, in: &buffer) }
        append(type.total, policies, in: &buffer)
        field("editsLost", type.lost.values.reduce(0, +), in: &buffer)
        let groups = type.total.groups(of: policies.count).filter { $0.count > 1 }
        field("notToldApart", .array(groups.map { .strings($0.map { policies[$0] }) }), in: &buffer)
        key("deletes", in: &buffer)
        buffer.writeObject { object, buffer in
            object.field("best", type.deletes.rawValue, in: &buffer)
            object.field("differing", type.deletesDiffering, in: &buffer)
            object.key("agreeing", in: &buffer)
            buffer.writeObject { object, buffer in
                for rule in DeletePolicy.allCases { object.field(named: rule.rawValue, type.deletesAgreeing[rule] ?? 0, in: &buffer) }
            }
        }
        field("unknownFields", .strings(type.unknownFields.map(\.rawValue)), in: &buffer)
        field("fieldsNotCompared", .strings(type.fieldsNotCompared.map(\.rawValue)), in: &buffer)
        list("byField", type.fields.sorted { $0.key < $1.key }, in: &buffer) { buffer, field in
            buffer.writeObject { object, buffer in
                object.field("field", field.key.rawValue, in: &buffer)
                object.append(field.value, policies, in: &buffer)
                object.field("editsLost", type.lost[field.key] ?? 0, in: &buffer)
            }
        }
    }

    private mutating func append(_ tally: OutcomeTally, _ policies: [String], in buffer: inout LineBuffer) {
        field("differing", tally.differing, in: &buffer)
        let counts = policies.indices.map { FieldValue.number(JSONNumber(tally.agreeing(with: $0))) }
        field("agreeing", .array(counts), in: &buffer)
        field("best", .strings(tally.best(of: policies.count).map { policies[$0] }), in: &buffer)
        field("alike", tally.alike, in: &buffer)
        field("alikeAgreeing", tally.alikeAgreeing, in: &buffer)
    }

    fileprivate mutating func append(_ row: OutcomeResult.UnexplainedRow, in buffer: inout LineBuffer) {
        field("recordType", row.key.type.rawValue, in: &buffer)
        field("recordID", row.key.id.rawValue, in: &buffer)
        list("fields", row.fields, in: &buffer) { buffer, field in
            buffer.writeObject { object, buffer in
                if let name = field.name { object.field("field", name.rawValue, in: &buffer) }
                if let shown = field.shown { object.field("outcome", shown, in: &buffer) }
                if let expected = field.expected { object.field("expected", expected, in: &buffer) }
            }
        }
    }
}

extension FieldValue {
    fileprivate static func strings(_ strings: [String]) -> FieldValue { .array(strings.map(FieldValue.string)) }
}
