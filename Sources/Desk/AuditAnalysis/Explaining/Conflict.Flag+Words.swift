package import ConflictAudit
import SyncModel

extension Conflict.Flag {
    /// What a line for a person says of it in brackets; nil where it says nothing.
    package var remark: String? {
        switch self {
        case .withinWindow: nil
        case .clockSuspect: "clock suspect"
        case .stale: "stale"
        case .cleared: "cleared"
        case .repeated: "lost before"
        case .bookkeeping: "bookkeeping"
        }
    }

    /// What the two writes are called of which it is so, where that follows from their values; nil where it does not.
    package var nounByValues: String? {
        switch self {
        case .withinWindow, .clockSuspect, .repeated, .bookkeeping: nil
        case .stale: "stale overwrite"
        case .cleared: "cleared field"
        }
    }

    /// What it means, in a sentence without its full stop; nil where there is nothing to explain.
    func explanation(of conflict: Conflict) -> String? {
        switch self {
        case .withinWindow, .bookkeeping: nil
        case .clockSuspect: "A clock may be to blame: with both clocks corrected, or by the server's, the other side would have won"
        case .stale where conflict.versions != nil:
            "Put back: \(EventText.name(conflict.winner.dot.device.rawValue)) edited nothing there and sent an old value along; whoever sends "
                + "changed fields alone overwrites nobody, and a server that checks the base refuses the save"
        case .stale:
            "A stale overwrite: \(EventText.name(conflict.winner.dot.device.rawValue)) edited nothing there and saved again what both had "
                + "seen; whoever sends changed fields alone overwrites nobody"
        case .cleared:
            "A cleared field: \(EventText.name(conflict.winner.dot.device.rawValue)) emptied what "
                + "\(EventText.name(conflict.loser.dot.device.rawValue)) edited, and nothing is shown there"
        case .repeated:
            "Lost once more: \(EventText.name(conflict.loser.dot.device.rawValue)) saved again what an earlier conflict had lost, and that "
                + "edit is counted there"
        }
    }
}
