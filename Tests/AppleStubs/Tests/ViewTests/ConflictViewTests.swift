import ConflictAudit
import SwiftUI
import SyncModel
import SyncMonitoring
import Testing
import ViewAdapter

@MainActor @Suite struct ConflictViewTests {
    private func conflict(
        _ id: UInt64, lost value: FieldValue?, _ loser: Conflict.Side.Operation = .put, winner: Conflict.Side.Operation = .put,
        field: FieldName? = "title", basis: Conflict.Basis = .causal
    ) -> Conflict {
        func side(_ operation: Conflict.Side.Operation, _ value: FieldValue?) -> Conflict.Side {
            Conflict.Side(
                dot: Dot(device: "iPad", sequence: 1), timestamp: HybridTimestamp(milliseconds: 1), operation: operation, value: value)
        }
        return Conflict(
            id: ConflictID(rawValue: id), kind: .updateUpdate, severity: .lossy, basis: basis, key: RecordKey(type: "Card", id: "1"),
            field: field, winner: side(winner, "new"), loser: side(loser, value), gap: .zero, withinWindow: true,
            window: .seconds(300), policy: "lastArrivalWins", resolution: .applyRemote, reason: .newer, clockSuspect: false)
    }

    @Test func theLineSaysWhatWasLost() {
        let monitor = ConflictMonitor()
        let view = ConflictSummaryView(monitor: monitor)
        #expect(view.lines == ["secondary: [checkmark.circle] No edits lost"])
        monitor.record(AuditEvent(at: WallTime(millisecondsSince1970: 0), .conflict(conflict(1, lost: "old"))))
        #expect(view.lines == ["orange: [exclamationmark.triangle] 1 edit lost"])
    }

    @Test func everyLostEditIsListedWithItsButton() {
        let monitor = ConflictMonitor()
        monitor.record(AuditEvent(at: WallTime(millisecondsSince1970: 0), .conflict(conflict(1, lost: "old"))))
        monitor.record(AuditEvent(at: WallTime(millisecondsSince1970: 0), .conflict(conflict(2, lost: 3, winner: .delete, basis: .window))))
        let view = LostEditsView(monitor: monitor) { _ in }
        #expect(
            view.lines == [
                "secondary: title of Card", "3", "secondary: Deleted on iPad, perhaps on purpose", "(Restore)",
                "secondary: title of Card", "old", "secondary: Replaced by iPad", "(Restore)",
            ])
        let dismissing = LostEditsView(monitor: monitor, restore: { _ in }, dismiss: { _ in })
        #expect(dismissing.lines.filter { $0 == "(Dismiss)" }.count == 2)
    }

    private nonisolated static let values: [(FieldValue, String)] = [
        (.null, "Empty"), (true, "Yes"), (false, "No"), ([1, 2], "A value of several parts"), (1.5, "1.5"),
    ]

    @Test(arguments: values) func valuesAreReadable(value: FieldValue, text: String) {
        #expect(LostEdit(conflict(1, lost: value)).value == text)
    }

    @Test func whatHasNoValueSaysWhy() {
        #expect(LostEdit(conflict(1, lost: nil)).value == "A value that is not in the log")
        #expect(LostEdit(conflict(1, lost: nil, .delete, field: nil)).value == "The deletion")
        #expect(LostEdit(conflict(1, lost: nil, .delete, field: nil)).title == "Card")
    }

    @Test func theRecordIsCalledByItsName() {
        var named = conflict(1, lost: "old", field: "phone")
        named.name = RecordName(field: "name", value: "Ann")
        #expect(LostEdit(named).title == "phone of Card “Ann”")
    }
}
