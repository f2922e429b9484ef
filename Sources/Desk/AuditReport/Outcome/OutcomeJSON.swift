package import AuditAnalysis
import SyncBytes
import SyncLines
import SyncMerge
import SyncModel

/// Writes what an outcome tells of the policies as one JSON object on one line.
///
/// - `outcome`: version of this format, 1
/// - `writes`, `writesWithoutContext`, `openWrites` (those that name others as seen that the trace lacks), `rows`, `rowsRepeated`,
///   `editsLost`, `editsSuspected` (those of the edits lost that are not proven): counts
/// - `isConclusive`: whether no other edit was lost, as far as the rows were compared and are explained; `impossibility`? and `evidence`?:
///   why no two writes can conflict, as a sentence's end, and how many writes say what their writers had seen
/// - `isDisordered`: whether lines come before a write that their writers had seen, and were taken so
/// - `isComplete`: whether all was compared and is explained
/// - `lost`: list of the edits lost, proven ones first and no more than are asked for:
///   `{recordType, recordID, field, device, n, ts, value?, outcome?, proven, putBackBy?}`, without `value` where the field was removed
/// - `policies`: the names of the policies
/// - `types`: list by type: `recordType`, `rows`, `rowsOfOtherRecords`, `perRecord`? (whether the system merges whole records; absent where
///   the outcome does not tell), the counts of a field for all fields together, `notToldApart` (lists of policies), `deletes`
///   `{best, differing, agreeing}`, `unknownFields`, `fieldsNotCompared`, and `byField`, a list of
///   `{field, differing, agreeing, best, alike, alikeAgreeing, editsLost, editsSuspected}`
/// - `typesNotHeld`: the types of the trace of which the outcome has no row
/// - `unexplained`: `{rows, listed}` with `listed` a list of `{recordType, recordID, fields}` and `fields` a list of
///   `{field?, outcome?, expected?}`; without `field` it tells whether there is a row
package struct OutcomeJSON: Sendable {
    /// A renderer.
    package init() {}

    /// The result as UTF-8, ended by a line feed.
    package func render(_ result: OutcomeResult) -> [UInt8] {
        var buffer = LineBuffer()
        buffer.object { object in
            object.field("outcome", 1)
            object.field("writes", result.writes)
            object.append(result.evidence, isConclusive: result.isConclusive, result.contextSentence)
            object.field("openWrites", result.openWrites)
            object.field("isComplete", result.isComplete)
            object.field("rows", result.rows)
            object.field("rowsRepeated", result.repeats)
            object.field("editsLost", result.lost)
            object.field("editsSuspected", result.suspected)
            object.list("lost", result.gone) { object, edit in
                object.object { object in object.append(edit) }
            }
            object.field("policies", .strings(result.policies))
            object.list("types", result.types) { object, type in
                object.object { object in object.append(type, result.policies) }
            }
            object.field("typesNotHeld", .strings(result.typesNotHeld.map(\.rawValue)))
            object.key("unexplained")
            object.object { object in
                object.field("rows", result.unexplainedCount)
                object.list("listed", result.unexplained) { object, row in
                    object.object { object in object.append(row) }
                }
            }
        }
        buffer.append(UInt8(ascii: "\n"))
        return buffer.array
    }
}

extension LineBuffer {
    fileprivate mutating func append(_ type: OutcomeResult.TypeResult, _ policies: [String]) {
        field(.recordType, type.type.rawValue)
        field("rows", type.rows)
        field("rowsOfOtherRecords", type.rowsOfOthers)
        if let isRecordLevel = type.mergesRecords { field("perRecord", isRecordLevel) }
        append(type.total, policies)
        field("editsLost", type.lost.values.reduce(0, +))
        field("editsSuspected", type.suspected.values.reduce(0, +))
        let groups = type.total.groups(of: policies.count).filter { $0.count > 1 }
        field("notToldApart", .array(groups.map { .strings($0.map { policies[$0] }) }))
        key("deletes")
        object { object in
            object.field("best", type.deletes.rawValue)
            object.field("differing", type.deletesDiffering)
            object.key("agreeing")
            object.object { object in
                for rule in DeletePolicy.allCases { object.field(named: rule.rawValue, type.deletesAgreeing[rule] ?? 0) }
            }
        }
        field("unknownFields", .strings(type.unknownFields.map(\.rawValue)))
        field("fieldsNotCompared", .strings(type.fieldsNotCompared.map(\.rawValue)))
        list("byField", type.fields.ordered { $0.key < $1.key }) { buffer, field in
            buffer.object { object in
                object.field(.field, field.key.rawValue)
                object.append(field.value, policies)
                object.field("editsLost", type.lost[field.key] ?? 0)
                object.field("editsSuspected", type.suspected[field.key] ?? 0)
            }
        }
    }

    private mutating func append(_ tally: OutcomeTally, _ policies: [String]) {
        field("differing", tally.differing)
        let counts = policies.indices.map { FieldValue.number(JSONNumber(tally.agreeing(with: $0))) }
        field("agreeing", .array(counts))
        field("best", .strings(tally.best(of: policies.count).map { policies[$0] }))
        field("alike", tally.alike)
        field("alikeAgreeing", tally.alikeAgreeing)
    }

    fileprivate mutating func append(_ edit: OutcomeResult.GoneEdit) {
        let write = edit.write
        record(write.key)
        field(.field, edit.field.rawValue)
        field("device", write.dot.device.rawValue)
        field("n", write.dot.sequence)
        field("ts", RFC3339.string(milliseconds: write.timestamp.milliseconds))
        if let value = write.value(of: edit.field), value != .null { field("value", value) }
        if let shown = edit.shown { field("outcome", shown) }
        field("proven", edit.isProven)
        if let device = edit.putBackBy { field("putBackBy", device.rawValue) }
    }

    fileprivate mutating func append(_ row: OutcomeResult.UnexplainedRow) {
        record(row.key)
        list("fields", row.fields) { buffer, field in
            buffer.object { object in
                if let name = field.name { object.field(.field, name.rawValue) }
                if let shown = field.shown { object.field("outcome", shown) }
                if let expected = field.expected { object.field("expected", expected) }
            }
        }
    }
}

extension FieldValue {
    fileprivate static func strings(_ strings: [String]) -> FieldValue { .array(strings.map(FieldValue.string)) }
}
