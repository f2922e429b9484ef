import ConflictAudit
import SyncBytes
import SyncModel

extension SavedRowNumbers {
    /// Whether a value is another but for what was put in or taken out once: of a text at least eight bytes stayed, of a list one element
    /// came or went.
    func grows(_ new: Int32, from old: Int32) -> Bool {
        if let ends = commonEnds(new, old) { return ends.kept >= 8 && ends.kept >= ends.shorter }
        guard let new = value(new).array, let old = value(old).array else { return false }
        let kept = endsInCommon(new.count, old.count) { new[$0] == old[$1] }
        return kept >= 1 && abs(new.count - old.count) == 1 && kept >= min(new.count, old.count)
    }
}
