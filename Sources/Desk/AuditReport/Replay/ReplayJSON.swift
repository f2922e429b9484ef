package import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncLines
import SyncModel

/// Writes the result of a replay as one JSON object on one line.
///
/// - `replay`: version of this format, 1
/// - `writes`, `writesWithoutContext`, and `plainWritesWithoutContext` for those of numbers or lists: counts
/// - `isDisordered`: whether lines come before a write that their writers had seen, and were taken so
/// - `isConclusive`: whether what was not found did not happen; `finding`, `impossibility`? and `evidence`?: what was found under the
///   recorded rules, why nothing could be, and how many writes say what their writers had seen, as sentences' ends and a sentence
/// - `policies`: list of outcomes, the recorded rules first:
///   `{policy, recorded, conflicts, editsLost, editsSuspected, waiting, saved, newlyLost, winnersChanged, valuesChanged, byField}`, with
///   `editsSuspected` those of `editsLost` that are not proven, and `byField` a list of the same counts by `recordType` and `field?`
/// - `recommendations`: list of `{recordType, field?, policy, editsLost, saved?, reason}`
package struct ReplayJSON: Sendable {
    /// A renderer.
    package init() {}

    /// The result as UTF-8, ended by a line feed.
    package func render(_ result: ReplayResult) -> [UInt8] {
        var buffer = LineBuffer()
        buffer.object { object in
            object.field("replay", 1)
            object.field("writes", result.writes)
            object.append(result.evidence, isConclusive: result.evidence.isConclusive, result.evidence.contextSentence())
            object.field("plainWritesWithoutContext", result.plainWritesWithoutContext)
            object.field("finding", result.finding)
            object.list("policies", result.outcomes.enumerated().map { $0 }) { object, outcome in
                object.object { object in
                    object.field("policy", outcome.element.name)
                    object.field("recorded", outcome.offset == 0)
                    object.append(outcome.element.total)
                    let fields = outcome.element.byField.ordered { $0.key < $1.key }
                    object.list("byField", fields) { object, field in
                        object.object { object in
                            object.append(field.key)
                            object.append(field.value)
                        }
                    }
                }
            }
            object.list("recommendations", result.recommendations) { object, one in
                object.object { object in
                    object.append(one.register)
                    object.field("policy", one.policy)
                    object.field("editsLost", one.lost)
                    if let saved = one.saved { object.field("saved", saved) }
                    object.field("reason", one.reason)
                }
            }
        }
        buffer.append(UInt8(ascii: "\n"))
        return buffer.array
    }
}

extension LineBuffer {
    /// Appends how far the writes of a trace can tell of conflicts.
    mutating func append(_ evidence: TraceEvidence, isConclusive: Bool, _ contextSentence: String?) {
        field("writesWithoutContext", evidence.contexts.writes - (evidence.contexts.withContext ?? 0))
        field("isConclusive", isConclusive)
        field("isDisordered", evidence.isDisordered)
        if let reason = evidence.impossibility { field("impossibility", reason) }
        if let contextSentence { field("evidence", contextSentence) }
    }

    fileprivate mutating func append(_ count: ReplayResult.Count) {
        field("conflicts", count.conflicts)
        field("editsLost", count.lost)
        field("editsSuspected", count.suspected)
        field("waiting", count.waiting)
        field("saved", count.saved)
        field("newlyLost", count.newlyLost)
        field("winnersChanged", count.winnersChanged)
        field("valuesChanged", count.valuesChanged)
    }

    fileprivate mutating func append(_ key: ConflictStatistics.FieldKey) {
        field(.recordType, key.type.rawValue)
        if let name = key.field { field(.field, name.rawValue) }
    }
}
