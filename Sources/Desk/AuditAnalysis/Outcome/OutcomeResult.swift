package import SyncMerge
package import SyncModel

/// How well each policy explains the final rows of a system.
package struct OutcomeResult: Sendable {
    /// The names of the policies.
    package let policies: [String]
    /// Writes decided.
    package let writes: Int
    /// How far they can tell of conflicts.
    package let evidence: TraceEvidence
    /// Writes whose writers had seen others that the trace lacks, so that it is not known what they edited.
    package let openWrites: Int
    /// Rows of the outcome, one for each record.
    package let rows: Int
    /// Rows that repeat a record; only the first counts.
    package let repeats: Int
    /// The types that the trace and the outcome have in common, by name.
    package let types: [TypeResult]
    /// The types of the trace of which the outcome holds no row.
    package let typesNotHeld: [RecordType]
    /// The rows of which no policy explains all, as far as they are listed.
    package let unexplained: [UnexplainedRow]
    /// How many there are.
    package let unexplainedCount: Int
    /// The edits that are gone, proven ones first, as far as they are listed.
    package let gone: [GoneEdit]

    /// What the outcome tells of one type.
    package struct TypeResult: Sendable {
        /// The type.
        package let type: RecordType
        /// Rows of records that the trace writes.
        package internal(set) var rows = 0
        /// Rows of records that only the outcome has.
        package internal(set) var rowsOfOthers = 0
        /// The rule for deletes that explains most; the one stated where none explains more.
        package internal(set) var deletes: DeletePolicy
        /// Fields, and records that are there or not, in which the rules for deletes differ under the policy that explains most.
        package internal(set) var deletesDiffering = 0
        /// How many of these the outcome shows as each rule has it.
        package internal(set) var deletesAgreeing: [DeletePolicy: Int] = [:]
        /// All fields together, and the records, each of which is there or not.
        package internal(set) var total = OutcomeTally()
        /// Each field.
        package internal(set) var fields: [FieldName: OutcomeTally] = [:]
        /// For each policy, whether a record is one register under it.
        package let isRecordLevel: [Bool]
        /// Columns and keys of the outcome that the trace never writes.
        package internal(set) var unknownFields: [FieldName] = []
        /// Fields of the trace that the outcome has no column for, or of which it never shows a value as the trace has it.
        package internal(set) var fieldsNotCompared: [FieldName] = []
        /// By field, the edits whose values the outcome does not show and that nobody replaced who had seen them.
        package internal(set) var lost: [FieldName: Int] = [:]
        /// Those of the lost that are suspected and not proven.
        package internal(set) var suspected: [FieldName: Int] = [:]

        /// The policies that explain most.
        package var best: [Int] { total.best(of: isRecordLevel.count) }
    }

    /// A row in which a field shows what no policy has it show.
    package struct UnexplainedRow: Sendable {
        /// The record.
        package let key: RecordKey
        /// What is wrong with it.
        package let fields: [Field]

        /// A field of a row, or the row itself.
        package struct Field: Sendable {
            /// The field; nil where the record is there and should not be, or the other way round.
            package let name: FieldName?
            /// The value of the outcome, nil where there is none; for a row itself, whether it is there.
            package let shown: FieldValue?
            /// The value under the policy that explains most.
            package let expected: FieldValue?
        }
    }

    /// An edit that the outcome does not show although nobody replaced it who had seen it.
    package struct GoneEdit: Sendable {
        /// The put that made it.
        package let write: TaggedWrite
        /// The field edited.
        package let field: FieldName
        /// The value of the outcome, nil where there is none.
        package let shown: FieldValue?
        /// Whether that is proven.
        package let isProven: Bool
        /// The device that wrote the value shown without an edit of its own, as far as is known; nil where there is none.
        package let putBackBy: DeviceID?
    }

    /// How many edits were lost, those included that are suspected.
    package var lost: Int { types.reduce(0) { $0 + $1.lost.values.reduce(0, +) } }

    /// How many of these are suspected and not proven.
    package var suspected: Int { types.reduce(0) { $0 + $1.suspected.values.reduce(0, +) } }

    /// How many writes say what their writers had seen, and what follows from that; nil where all do, and where nothing could be found
    /// anyway.
    package var contextSentence: String? { evidence.contextSentence(besides: lost, suspectedFrom: "times and repeated values") }

    /// Whether what is not found to be lost was not lost, as far as it was compared and is explained.
    package var isConclusive: Bool { evidence.isConclusive && openWrites == 0 }

    /// Whether everything in the trace was compared, and explained by a policy.
    package var isComplete: Bool {
        unexplainedCount == 0 && typesNotHeld.isEmpty && types.allSatisfy(\.fieldsNotCompared.isEmpty)
    }
}

extension OutcomeResult.TypeResult {
    /// Whether the system merges whole records; nil where the outcome does not tell.
    package var mergesRecords: Bool? {
        let levels = Set(best.map { isRecordLevel[$0] })
        return levels.count == 1 ? levels.first : nil
    }
}
