import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncLines
import SyncModel

/// A record's story in sentences, for whatever shows it.
///
/// Nothing in it acts on a terminal.
struct StoryWords {
    private let story: RecordStory.Answer
    private let names: RecordNames
    /// The most steps, logs and the like that a sentence names.
    private static let limit = 4

    init(_ story: RecordStory.Answer, names: RecordNames) { (self.story, self.names) = (story, names) }

    /// Whose story it is.
    var title: String {
        let name = EventText.register(story.key, nil, names)
        let plain = EventText.register(story.key, nil)
        return (name == plain ? name : "\(name)  \(plain)") + (story.field.map { ", field \(EventText.name($0.rawValue))" } ?? "")
    }

    /// How much there is to tell.
    var counts: String {
        let writes = story.steps.count + story.omittedCount
        let devices = Set(story.steps.map(\.write.dot.device)).count
        let lost = story.losses.count
        return "\(HumanNumber.count(writes, "write")) by \(HumanNumber.count(devices, "device")), "
            + "\(HumanNumber.count(story.conflictCount, "conflict")), "
            + (lost == 0 ? "no edit lost" : "\(HumanNumber.count(lost, "edit")) lost")
            + (story.replicas.isEmpty ? "" : ", told by \(HumanNumber.count(story.replicas.count, "log"))")
    }

    /// What one must know to read it.
    var notes: [String] {
        var notes: [String] = []
        if story.omittedCount > 0 { notes.append("\(HumanNumber.count(story.omittedCount, "earlier write")) not shown.") }
        let blind = story.steps.count { !$0.write.hasCausalContext }
        if blind > 0 {
            let count = blind == story.steps.count ? "None of the writes says" : "\(HumanNumber.count(blind, "write")) of them do not say"
            notes.append("\(count) what the writer had seen: there the order is that of the times, and no more than a guess.")
        }
        return notes
    }

    /// What a write did, by whom and when.
    func headline(_ index: Int) -> String {
        let write = story.steps[index].write
        let date = RFC3339.string(milliseconds: write.timestamp.milliseconds)
        let time = "\(date.prefix(10)) \(date.dropFirst(11).dropLast())"
        return "\(index + 1)  \(EventText.name(write.dot.device.rawValue))  \(time)  \(Self.deed(write, story.field))"
    }

    private static func deed(_ write: TaggedWrite, _ field: FieldName?) -> String {
        guard let fields = write.fields else { return "deleted" }
        guard let field else { return EventText.fields(fields) }
        return fields[field].map { "\(EventText.name(field.rawValue)) \(EventText.value($0))" } ?? "no word of the field"
    }

    /// What else is to be said of a write.
    func remarks(_ index: Int) -> [(sentence: String, tone: Tone)] {
        let step = story.steps[index]
        var remarks: [(String, Tone)] = []
        if !step.unseen.isEmpty { remarks.append(("had not seen \(list(step.unseen.map { "\($0 + 1)" }))", .aside)) }
        for loss in step.losses { remarks.append((sentence(loss), loss.status == .restored ? .good : .bad)) }
        let merged = Set(step.conflicts.filter { $0.severity == .merged && $0.field == nil }.map(other(than: step)))
        if !merged.isEmpty {
            remarks.append(("merged with \(list(merged.sorted { $0.count == $1.count ? $0 < $1 : $0.count < $1.count }))", .aside))
        }
        for conflict in step.conflicts where conflict.severity != .merged || conflict.field != nil {
            let field = conflict.field.map { " over \(EventText.name($0.rawValue))" } ?? ""
            let other = other(than: step)(conflict)
            remarks.append(("\(conflict.severity.rawValue) conflict with \(other)\(field), nothing lost  \(conflict.id)", .aside))
        }
        if let taken = taken(step) { remarks.append((taken, .aside)) }
        return remarks
    }

    /// A loss in a sentence, with the id by which it is shown and restored.
    func sentence(_ loss: RecordStory.LostEdit) -> String {
        let fate =
            switch loss.status {
            case .lost: "lost"
            case .waiting: "waits for a decision"
            case .decided: "decided"
            case .restored: "lost, and restored since"
            }
        let (winner, loser) = (loss.conflict.winner, loss.conflict.loser)
        return "\(fate): \(loss.conflict.isProven ? "" : "perhaps ")\(step(loser.dot))'s \(edit(loss.conflict, loser)), "
            + "\(winner.operation == .delete ? "deleted by \(step(winner.dot))" : "replaced by \(step(winner.dot))'s \(edit(loss.conflict, winner))"), "
            + "\(distance(loss.conflict))  \(loss.conflict.id)"
    }

    /// What a side wrote: its value, beside the field where it is the one that lost.
    private func edit(_ conflict: Conflict, _ side: Conflict.Side) -> String {
        let value = side.value.map { $0 == .null && conflict.field != nil ? "nothing" : EventText.value($0) } ?? "value"
        guard side.dot == conflict.loser.dot else { return value }
        if side.operation == .delete { return "delete" }
        return conflict.field.map { "\(EventText.name($0.rawValue)) \(value)" } ?? value
    }

    private func distance(_ conflict: Conflict) -> String {
        let gap = conflict.winner.timestamp.milliseconds.distance(after: conflict.loser.timestamp.milliseconds)
        if gap == 0 { return "made at the same time" }
        return HumanNumber.duration(milliseconds: Int64(clamping: gap.magnitude)) + (gap > 0 ? " newer" : " older")
    }

    /// The side of a conflict that is not a step's write.
    private func other(than step: RecordStory.Step) -> (Conflict) -> String {
        { self.step($0.winner.dot == step.write.dot ? $0.loser.dot : $0.winner.dot) }
    }

    private func step(_ dot: Dot) -> String {
        story.steps.firstIndex { $0.write.dot == dot }.map { "\($0 + 1)" } ?? "a write of \(EventText.name(dot.device.rawValue))"
    }

    /// Which logs' devices took a write, and when the last of them did.
    private func taken(_ step: RecordStory.Step) -> String? {
        let others = story.replicas.filter { !step.write.isOfDevice($0.name) }
        guard !others.isEmpty else { return nil }
        let took = step.logs.filter { log in others.contains { $0.name == log.name } }
        let missing = others.filter { other in !took.contains { $0.name == other.name } }
        if took.isEmpty { return "taken by no other device" }
        let timed = took.compactMap { log in log.milliseconds.map { (log.name, $0) } }
        let known = Dictionary(timed, uniquingKeysWith: { first, _ in first })
        func name(_ device: DeviceID) -> String {
            let time = known[device].map { milliseconds in
                let gap = milliseconds.distance(after: step.write.timestamp.milliseconds)
                return gap < 0 ? "" : " after \(HumanNumber.duration(milliseconds: gap))"
            }
            return EventText.name(device.rawValue) + (time ?? "")
        }
        if others.count == 1 { return "taken by \(name(took[0].name))" }
        let last = timed.max { $0.1 < $1.1 }.map { ", last by \(name($0.0))" } ?? ""
        if missing.isEmpty { return "taken by all others\(last)" }
        let some =
            took.count == 1 ? name(took[0].name) : "\(HumanNumber.count(took.count)) of \(HumanNumber.count(others.count)) others\(last)"
        return "taken by \(some); not by \(list(missing.map { EventText.name($0.name.rawValue) }))"
    }

    /// What the record shows now.
    var now: String { "Shown now: \(Self.shown(story.now, story.field))" }

    /// What each log's device shows, those that show something else one by one.
    var replicas: [(sentence: String, tone: Tone)] {
        if story.replicas.isEmpty { return [] }
        let behind = story.replicas.filter { $0.shown != story.now }
        guard !behind.isEmpty else {
            return [
                (
                    story.replicas.count == 1
                        ? "The only log's device shows it too." : "All \(story.replicas.count) logs' devices show it.", .aside
                )
            ]
        }
        var sentences = behind.prefix(3 * Self.limit).map { replica in
            let missing = replica.missing.isEmpty ? "" : ": it has not taken \(list(replica.missing.map { "\($0 + 1)" }))"
            return ("\(EventText.name(replica.name.rawValue)) shows \(Self.shown(replica.shown, story.field))\(missing)", Tone.warning)
        }
        let rest = behind.count - sentences.count
        if rest > 0 { sentences.append(("and \(HumanNumber.count(rest, "more device")) that show something else", .warning)) }
        let equal = story.replicas.count - behind.count
        if equal > 0 { sentences.append(("\(HumanNumber.count(equal, "other device shows", "other devices show")) it.", .aside)) }
        return sentences
    }

    private static func shown(_ fields: FieldMap?, _ field: FieldName?) -> String {
        guard let fields else { return "nothing, the record is deleted" }
        guard let field else { return EventText.fields(fields) }
        return fields[field].map { "\(EventText.name(field.rawValue)) \(EventText.value($0))" } ?? "nothing, the field is empty"
    }

    private func list(_ words: [String]) -> String {
        let shown = words.prefix(Self.limit)
        if words.count > Self.limit { return shown.joined(separator: ", ") + " and \(HumanNumber.count(words.count - Self.limit)) more" }
        return shown.count < 2 ? shown.joined() : shown.dropLast().joined(separator: ", ") + " and " + (shown.last ?? "")
    }
}
