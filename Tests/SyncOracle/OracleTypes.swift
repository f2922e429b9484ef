package import SyncModel

extension Oracle {
    /// Which of several concurrent puts to a register is shown.
    package enum Policy: Sendable {
        case lastWriterWins
        case firstWriterWins
        case lastArrivalWins
        case maximum
        case minimum
        case preferDevices([DeviceID])
        case manual
        /// Nobody loses but who sets the number at the same time as somebody else.
        case counter
        /// Nobody loses.
        case set
    }

    /// Which side wins where a delete and a put are concurrent.
    package enum Deletes: String, Sendable, CaseIterable {
        case deleteWins
        case editWins
        case lastWriterWins
    }

    /// What is inferred where a write does not say what its writer had seen: five minutes and two seconds, unless given in milliseconds.
    package struct Inference: Sendable {
        package var window: Int64
        package var tolerance: Int64

        package init(window: Int64 = 300_000, tolerance: Int64 = 2000) {
            self.window = window
            self.tolerance = tolerance
        }
    }

    /// The rules, the same for every record and field.
    package struct Settings: Sendable {
        package var policy: Policy
        package var isRecordLevel: Bool
        package var deletes: Deletes
        package var inference: Inference

        package init(
            policy: Policy = .lastWriterWins, isRecordLevel: Bool = false, deletes: Deletes = .deleteWins,
            inference: Inference = Inference()
        ) {
            self.policy = policy
            self.isRecordLevel = isRecordLevel
            self.deletes = deletes
            self.inference = inference
        }
    }

    /// A conflict, in the words of the log format.
    package struct Finding: Hashable, Sendable, CustomStringConvertible {
        package var kind: String
        package var key: RecordKey
        package var field: FieldName?
        package var winner: Dot
        package var loser: Dot
        package var severity: String
        package var basis: String
        package var reason: String
        package var didWinnerArriveFirst: Bool
        /// Whether the winner only repeats what both had seen, and the loser does not.
        package var isStale: Bool
        /// Whether the winner put a null where the loser put a value that is lost.
        package var isCleared: Bool
        /// Whether nothing was lost for no other reason than that the loser only repeats what both had seen.
        package var isUnedited = false
        /// Whether all that was lost had been lost before.
        package var isRepeated = false
        /// The fields of the loser that were still shown and are lost with a later write; nil where all that it names is concerned.
        package var part: [FieldName]?

        package init(
            kind: String, key: RecordKey, field: FieldName?, winner: Dot, loser: Dot, severity: String, basis: String, reason: String,
            didWinnerArriveFirst: Bool, isStale: Bool = false, isCleared: Bool = false
        ) {
            self.kind = kind
            self.key = key
            self.field = field
            self.winner = winner
            self.loser = loser
            self.severity = severity
            self.basis = basis
            self.reason = reason
            self.didWinnerArriveFirst = didWinnerArriveFirst
            self.isStale = isStale
            self.isCleared = isCleared
        }

        package var description: String {
            "\(kind) \(key)\(field.map { ".\($0)" } ?? "") \(winner) over \(loser) [\(severity), \(basis), \(reason), winner "
                + "\(didWinnerArriveFirst ? "first" : "second")\(isStale ? ", stale" : "")\(isCleared ? ", cleared" : "")]"
        }
    }

    /// Names a register: a field, or the whole record where the field is nil.
    package struct Register: Hashable, Sendable {
        package let key: RecordKey
        package let field: FieldName?

        package init(key: RecordKey, field: FieldName?) {
            self.key = key
            self.field = field
        }
    }

    /// Everything that is to be said about a history.
    package struct Verdict: Sendable {
        /// The conflicts in the order in which they came up.
        package var findings: [Finding] = []
        /// The records that exist, without the fields that were removed.
        package var state: [RecordKey: FieldMap] = [:]
        /// The write that is shown in each register; registers in which a delete won are left out.
        package var winners: [Register: Dot] = [:]
    }
}
