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
    /// The number of each step, from 1.
    private let numbers: [Dot: Int]
    /// The most steps, logs and the like that a sentence names.
    private static let limit = 4

    init(_ story: RecordStory.Answer, names: RecordNames) {
        (self.story, self.names) = (story, names)
        numbers = Dictionary(
            story.steps.enumerated().map { ($0.element.write.dot, $0.offset + 1) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whose story it is.
    var title: String {
        let name = EventText.register(story.key, nil, names)
        let plain = EventText.register(story.key, nil)
        return (name == plain ? name : "\(name)  \(plain)") + (story.field.map { ", field \(EventText.name($0.rawValue))" } ?? "")
    }

    /// How much there is to tell.
    var counts: String {
        let writes = story.steps.count + story.omittedCount
        let who = "\(HumanNumber.count(writes, "write")) by \(HumanNumber.count(story.writerCount, "device"))"
        let logs = story.replicas.count + story.otherLogCount
        let told = logs == 0 ? "" : ", in \(HumanNumber.count(logs, "device's log", "devices' logs"))"
        if story.isUnaudited { return "\(who)\(told); nobody has looked for conflicts" }
        let fates: [(Loss.Status, String)] = [
            (.lost, "lost"), (.waiting, "waiting for a decision"), (.decided, "decided by somebody"), (.restored, "restored since"),
        ]
        let counts = fates.compactMap { status, word -> String? in
            let count = story.losses.count { $0.status == status }
            return count == 0 ? nil : "\(HumanNumber.count(count, "edit")) \(word)"
        }
        return "\(who)\(told); \(HumanNumber.count(story.conflictCount, "conflict")), "
            + (counts.isEmpty ? "no edit lost" : counts.joined(separator: ", "))
    }

    /// What one must know to read it.
    var notes: [String] {
        var notes: [String] = []
        if story.omittedCount > 0 { notes.append("\(HumanNumber.count(story.omittedCount, "earlier write")) not shown.") }
        let blind = story.steps.count { !$0.write.hasCausalContext }
        // Nobody had been looking at anything before the first row.
        let first = story.steps.first.map { $0.write.hasCausalContext ? 0 : 1 } ?? 0
        if story.isInServersOrder, blind > first {
            let count = "\(HumanNumber.count(blind - first, "row does", "rows do")) not tell"
            notes.append("\(count) which version its author had been looking at; the order is the server's.")
        } else if blind > 0, !story.isInServersOrder {
            let count = blind == story.steps.count ? "None of the writes says" : "\(HumanNumber.count(blind)) of the writes do not say"
            notes.append("\(count) what the writer had seen: there the order is that of the times, and no more than a guess.")
        }
        if story.isAuditedHere {
            notes.append(
                "No line tells of conflicts: those over this record were found now, and 'syncaudit audit' writes the log that 'restore' needs."
            )
        }
        if story.otherLogCount > 0 {
            notes.append("Of \(HumanNumber.count(story.otherLogCount, "more device's log", "more devices' logs")) nothing is told.")
        }
        return notes
    }

    /// What a write did, by whom and when.
    func headline(_ index: Int) -> String {
        let write = story.steps[index].write
        let date = RFC3339.string(milliseconds: write.timestamp.milliseconds)
        let time = "\(date.prefix(10)) \(date.dropFirst(11).dropLast())"
        return "\(index + 1)  \(EventText.name(write.dot.device.rawValue))  \(time)  \(Self.deed(story.steps[index], story.field))"
    }

    /// What a write changed, and how much it only repeated.
    private static func deed(_ step: RecordStory.Step, _ field: FieldName?) -> String {
        guard let fields = step.write.fields else { return "deleted" }
        guard let field else {
            let changed = fields.filter { !step.repeated.contains($0.name) }
            if step.repeated.isEmpty || changed.isEmpty {
                return EventText.fields(fields) + (step.repeated.isEmpty ? "" : ", as before")
            }
            let rest = HumanNumber.count(step.repeated.count, "field")
            return EventText.fields(FieldMap(sortedNames: changed.map(\.name), values: changed.map(\.value))) + ", and \(rest) as before"
        }
        return fields[field].map { "\(EventText.name(field.rawValue)) \(EventText.value($0))" } ?? "no word of the field"
    }

    /// What is nowhere any more, a sentence for each write.
    func gone(atMost limit: Int) -> [String] {
        let sentences = story.gone.prefix(limit).map { write in
            let deed = write.fields.map(EventText.fields) ?? "a delete"
            return "gone: \(deed) by \(EventText.name(write.dot.device.rawValue)) at \(TimelineLanes.time(write.timestamp.milliseconds)): "
                + "its store was put back from a backup since, and no log that was read has it"
        }
        let more = story.gone.count - limit
        return sentences + (more > 0 ? ["and \(HumanNumber.count(more, "write")) more that went with a store"] : [])
    }

    /// What else is to be said of a write.
    func remarks(_ index: Int) -> [(sentence: String, tone: Tone)] {
        let step = story.steps[index]
        var remarks: [(String, Tone)] = []
        if step.isContradicted { remarks.append(("another log has other values for this write: 'syncaudit check' tells more", .bad)) }
        if !step.unseen.isEmpty { remarks.append(("had not seen \(list(step.unseen.map { "\($0 + 1)" }))", .aside)) }
        for loss in step.losses { remarks.append((sentence(loss), loss.status == .restored ? .good : .bad)) }
        let merged = Set(step.conflicts.filter { $0.severity == .merged && $0.field == nil }.map(other(than: step)))
        if !merged.isEmpty {
            remarks.append(("merged with \(list(merged.sorted { $0.count == $1.count ? $0 < $1 : $0.count < $1.count }))", .aside))
        }
        for conflict in step.conflicts where conflict.severity != .merged || conflict.field != nil {
            let field = conflict.field.map { " over \(EventText.name($0.rawValue))" } ?? ""
            let other = other(than: step)(conflict)
            remarks.append(
                ("\(conflict.severity.rawValue) conflict with \(other)\(field)\(related(conflict)), nothing lost  \(conflict.id)", .aside))
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
            + "\(winner.operation == .delete ? "deleted\(related(loss.conflict).isEmpty ? "" : ":\(related(loss.conflict).dropFirst(4))") by \(step(winner.dot))" : "replaced by \(step(winner.dot))'s \(edit(loss.conflict, winner))"), "
            + "\(loss.conflict.distance)  \(loss.conflict.id)"
    }

    /// What a side wrote: its value, beside the field where it is the one that lost.
    private func edit(_ conflict: Conflict, _ side: Conflict.Side) -> String {
        let value = side.value.map { $0 == .null && conflict.field != nil ? "nothing" : EventText.value($0) } ?? "value"
        guard side.dot == conflict.loser.dot else { return value }
        if side.operation == .delete { return "delete" }
        return conflict.field.map { "\(EventText.name($0.rawValue)) \(value)" } ?? value
    }

    /// The other record that a conflict is about.
    private func related(_ conflict: Conflict) -> String {
        conflict.related.map { " and \(EventText.register($0, nil, names))" } ?? ""
    }

    /// The side of a conflict that is not a step's write.
    private func other(than step: RecordStory.Step) -> (Conflict) -> String {
        { self.step($0.winner.dot == step.write.dot ? $0.loser.dot : $0.winner.dot) }
    }

    private func step(_ dot: Dot) -> String {
        numbers[dot].map(String.init) ?? "a write of \(EventText.name(dot.device.rawValue))"
    }

    /// Which logs' devices took a write, and when the last of them did.
    private func taken(_ step: RecordStory.Step) -> String? {
        let writer = step.write.dot.device.firstWriter
        let others = story.replicas.filter { $0.isWhole && $0.name.firstWriter != writer }
        guard !others.isEmpty else { return nil }
        let times = Dictionary(step.logs.map { ($0.name, $0.milliseconds) }, uniquingKeysWith: { first, _ in first })
        let took = others.filter { times[$0.name] != nil }
        let missing = others.filter { times[$0.name] == nil }.map { EventText.name($0.name.rawValue) }
        if took.isEmpty { return "in no other device's log" }
        func name(_ device: DeviceID) -> String {
            let gap = (times[device] ?? nil).map { $0.distance(after: step.write.timestamp.milliseconds) } ?? -1
            return EventText.name(device.rawValue) + (gap < 0 ? "" : " after \(HumanNumber.duration(milliseconds: gap)) by its clock")
        }
        let last = took.max { (times[$0.name] ?? nil) ?? .min < (times[$1.name] ?? nil) ?? .min }.map { name($0.name) } ?? ""
        if took.count == 1 { return "taken by \(last)" + (missing.isEmpty ? "" : "; not by \(list(missing))") }
        if missing.isEmpty { return "taken by all others, last by \(last)" }
        return
            "taken by \(HumanNumber.count(took.count)) of \(HumanNumber.count(others.count)) others, last by \(last); not by \(list(missing))"
    }

    /// What the record shows now, a field in each element; the first is the only one where there are no fields.
    var now: [String] {
        guard story.hasWrites else { return ["What it shows is not known: no write to it is in what was read."] }
        guard let fields = story.now, !fields.isEmpty else { return ["Shown now: \(Self.shown(story.now, story.field))"] }
        return ["Shown now:"]
            + fields.map { "\(EventText.name($0.name.rawValue)) \(JSONText.string($0.value).escaped(for: .terminal))" }
    }

    /// What each log's device shows, those that show something else one by one.
    var replicas: [(sentence: String, tone: Tone)] {
        let known = story.replicas.filter(\.isWhole)
        var sentences: [(String, Tone)] = [RecordStory.Lack.start, .end].compactMap { lack in
            let names = story.replicas.filter { $0.lack == lack }.map { EventText.name($0.name.rawValue) }
            switch (lack, names.count) {
            case (_, 0): return nil
            case (.start, 1): return ("What \(names[0]) shows is not known: its log does not begin with its first line.", .aside)
            case (.start, _): return ("What \(list(names)) show is not known: their logs do not begin with their first lines.", .aside)
            case (.end, 1):
                return ("What \(names[0]) shows is not known: its log breaks off before writes of its own that others have.", .aside)
            case (.end, _):
                return ("What \(list(names)) show is not known: their logs break off before writes of their own that others have.", .aside)
            }
        }
        let behind = known.filter { $0.shown != story.now }
        if !known.isEmpty, behind.isEmpty {
            let all = known.count == 1 ? "The only device that logged all" : "All \(HumanNumber.count(known.count)) devices that logged all"
            sentences.insert(("\(all) it took \(known.count == 1 ? "shows" : "show") it.", .aside), at: 0)
        }
        sentences += behind.prefix(3 * Self.limit).map { replica in
            let missing = replica.missing.isEmpty ? "" : ": it has not taken \(list(replica.missing.map { "\($0 + 1)" }))"
            let isWithout = replica.missing.count == story.steps.count && replica.shown == nil
            return (
                "\(EventText.name(replica.name.rawValue)) \(isWithout ? "has none of it" : "shows \(Self.shown(replica.shown, story.field))\(missing)")",
                .warning
            )
        }
        let rest = behind.count - 3 * Self.limit
        if rest > 0 { sentences.append(("and \(HumanNumber.count(rest, "more device")) that show something else", .warning)) }
        let equal = known.count - behind.count
        if equal > 0, !behind.isEmpty {
            sentences.append(("\(HumanNumber.count(equal, "other device shows", "other devices show")) it.", .aside))
        }
        return sentences
    }

    private static func shown(_ fields: FieldMap?, _ field: FieldName?) -> String {
        guard let fields else { return "nothing, the record is deleted" }
        guard let field else { return EventText.fields(fields) }
        return fields[field].map { "\(EventText.name(field.rawValue)) \(EventText.value($0))" } ?? "nothing, the field is empty"
    }

    private func list(_ words: [String]) -> String {
        let shown = words.prefix(Self.limit)
        if words.count > Self.limit {
            return shown.joined(separator: ", ") + " and \(HumanNumber.count(words.count - Self.limit, "other", "others"))"
        }
        return shown.count < 2 ? shown.joined() : shown.dropLast().joined(separator: ", ") + " and " + (shown.last ?? "")
    }
}
