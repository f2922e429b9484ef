package import ConflictAudit
package import SyncModel

extension SavedRowsAudit {
    /// What a server keeps of a save that does not know another's edit of another field.
    package enum Keeping: String, CaseIterable, Sendable {
        /// The row as it came: the other's edit is put back.
        case wholeRows = "whole"
        /// The edited fields, merged into what is there.
        case mergedFields = "merged"
        /// The later edit of each field: the rows are what devices sent, and not what was kept.
        case laterEdits = "sent"
    }

    /// What the rows of a type tell of its server.
    package struct TypeEvidence: Sendable {
        package let type: RecordType
        /// What was decided, or stated.
        package let keeping: Keeping
        /// How many edits of other fields were put back by saves that had not seen them, and how many outlived such a save.
        package let putBack: Int
        package let kept: Int
        /// How many saves edited one field while another came back with an old value.
        package let cameBack: Int
        /// Whether somebody stated it.
        package let isStated: Bool
        /// How many edits were lost, and would have been if the server did the other thing.
        package internal(set) var losses = 0
        package internal(set) var lossesOtherwise = 0

        /// Whether neither the rows nor anybody tells.
        package var isUndecided: Bool { !isStated && putBack + kept + cameBack == 0 }
    }

    /// What was found.
    package struct Result: Sendable {
        /// The losses, in the order of the rows that took them away, and the lines of these rows.
        package var conflicts: [(conflict: Conflict, line: Int)] = []
        package var statistics = ConflictStatistics()
        package var evidence: [TypeEvidence] = []
        /// How many saves told their base, beside creations.
        package var saves = 0
        package var told = 0
        /// Whether rows have the author's time beside that of receipt.
        package var hasBothClocks = false
        /// How many saves were made from a version that was not current any more, as far as is known.
        package var staleSaves = 0
        package var rows = 0
        package var records = 0
        package var repeatedRecords = 0
        package var authors = 0
        /// How many saves name no author, and how many versions are missing that the old rows of others show: what they took away is not
        /// known.
        package var unsigned = 0
        package var missing = 0
        /// How many deletes no row tells but the end of a version, so that nobody is known to have made them.
        package var ends = 0
        /// How many rows lack one of the two times by which the later edit would be known, where somebody stated that devices sent them.
        package var untimed = 0

        /// Adds the losses and counts of other records.
        mutating func add(_ other: Result) {
            conflicts += other.conflicts
            saves += other.saves
            told += other.told
            staleSaves += other.staleSaves
            repeatedRecords += other.repeatedRecords
            unsigned += other.unsigned
            missing += other.missing
            ends += other.ends
        }
    }
}
