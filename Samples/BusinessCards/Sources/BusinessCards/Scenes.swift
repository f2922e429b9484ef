import ConflictAudit
import SyncMerge
import SyncModel

let card = RecordKey(type: "Card", id: "john-smith")
let original: FieldMap = [
    "name": "John Smith", "email": "john@old.example", "phone": "+1-555-0000", "company": "Old Corp",
]

/// Two offline edits of one card, to different fields: both are kept.
func differentFields(_ stage: Stage) async throws {
    try stage.phone.replica.put(original, to: card)
    try await stage.meet()
    stage.wait(minutes: 60)
    try stage.phone.replica.put(["email": "john@new.example"], to: card)
    stage.wait(minutes: 5)
    try stage.tablet.replica.put(["phone": "+1-555-1234"], to: card)
    try await stage.meet()
    try show(stage)
}

/// One device deletes the card, the other edits it five minutes later: the delete wins, and the log has what was lost.
func deleteAgainstEdit(_ stage: Stage) async throws {
    try stage.phone.replica.put(original, to: card)
    try await stage.meet()
    stage.wait(minutes: 60)
    try stage.phone.replica.delete(card)
    stage.wait(minutes: 5)
    try stage.tablet.replica.put(["email": "john@new.example"], to: card)
    stage.wait(minutes: 5)
    try await stage.meet()
    try show(stage)
}

/// The phone is offline for an hour, with three edits on it and two on the tablet meanwhile.
func hourOffline(_ stage: Stage) async throws {
    try stage.phone.replica.put(original, to: card)
    try await stage.meet()
    stage.wait(minutes: 10)
    try stage.phone.replica.put(["email": "john@new.example"], to: card)
    stage.wait(minutes: 5)
    try stage.tablet.replica.put(["company": "New Corp"], to: card)
    try await stage.tablet.sync()
    stage.wait(minutes: 5)
    try stage.phone.replica.put(["phone": "+1-555-1234"], to: card)
    stage.wait(minutes: 10)
    try stage.phone.replica.put(["notes": "met at the fair"], to: card)
    stage.wait(minutes: 15)
    try stage.tablet.replica.put(["address": "1 Main Street"], to: card)
    try await stage.tablet.sync()
    stage.wait(minutes: 15)
    try await stage.meet()
    try show(stage)
}

/// Prints what both devices show, and what the audit says of how it came to be.
private func show(_ stage: Stage) throws {
    let (phone, tablet) = (try stage.phone.replica.get(card), try stage.tablet.replica.get(card))
    let digests = (try stage.phone.replica.checkpoint()?.digest, try stage.tablet.replica.checkpoint()?.digest)
    print("  both devices agree: \(phone == tablet && digests.0 == digests.1 ? "yes" : "NO")")
    if let fields = phone {
        for field in fields { print("    \(column("\(field.name)", 10)) \(text(field.value))") }
    } else {
        print("    the card is deleted")
    }
    for conflict in stage.conflicts {
        let field = conflict.field.map { "\($0)" } ?? "whole card"
        var line = "  \(column(conflict.kind.rawValue, 16)) \(column(conflict.severity.rawValue, 12)) \(field): "
        line += "\(conflict.winner.dot.device) over \(conflict.loser.dot.device) (\(conflict.reason.rawValue))"
        if conflict.severity.isLoss, let value = conflict.loser.value { line += ", lost: \(text(value))" }
        print(line)
    }
    let lost = stage.conflicts.count { $0.severity.isLoss }
    print("  conflicts: \(stage.conflicts.count), of which lost an edit: \(lost)")
}

/// A text padded with blanks.
func column(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
}

private func text(_ value: FieldValue) -> String {
    if let fields = value.object { return fields.map { "\($0.name) = \(text($0.value))" }.joined(separator: ", ") }
    return value.string ?? "\(value)"
}
