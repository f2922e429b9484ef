import Foundation
import SyncBytes
import SyncModel
package import SyncOracle

/// One thing that is forged in a sound log, with everything about it that a careful forger keeps in step.
package enum Forgery: String, CaseIterable {
    case severity, kind, basis, reason, policy, resolution
    case winnersValue, losersValue, winnersTime, losersTime, counter, number, device, operation
    case swappedSides, ancestor, noAncestor, result, withinWindow, field, record, id
    case dropped, droppedDecision, doubled, moved, exchanged, loweredSequence, writesValue, writesSeen
    case window, lineTime

    /// Forges something at random.
    ///
    /// - Returns: The lines, and what was done to which of them; nil where there is nothing of the kind.
    package func apply(to lines: [String], _ random: inout SplitMix64) throws -> (lines: [String], what: String)? {
        var lines = lines
        let objects = try lines.map { try JSONParser.parse($0).object ?? [:] }
        let candidates = lines.indices.filter { isPossible(objects, $0) }
        guard !candidates.isEmpty else { return nil }
        let index = candidates[random.below(candidates.count)]
        let what = "line \(index + 1): \(lines[index])"
        switch self {
        case .dropped, .droppedDecision: lines.remove(at: index)
        case .doubled: lines.insert(lines[index], at: index + 1)
        case .moved: lines.insert(lines.remove(at: index), at: random.below(index))
        case .exchanged: lines.swapAt(index, index + 1)
        default:
            var object = objects[index]
            forge(&object, &random)
            lines[index] = Self.text(object)
        }
        if [.dropped, .droppedDecision, .doubled, .moved].contains(self) { lines = try Self.renumbered(lines) }
        return (lines, what)
    }

    /// What a conflict's line must have for this to change it.
    private func isPossible(_ objects: [FieldMap], _ index: Int) -> Bool {
        let object = objects[index]
        let isConflict = object["event"]?.string == "conflict"
        let isDecision = object["resolution"]?.string == "manual_resolved"
        let side = { (name: FieldName) in object[name]?.object ?? [:] }
        switch self {
        case .severity, .kind, .basis, .policy, .withinWindow, .record, .id, .winnersTime, .losersTime, .counter, .number, .device,
            .operation:
            return isConflict
        case .reason, .resolution: return isConflict && !isDecision
        case .swappedSides: return isConflict
        case .winnersValue: return isConflict && side("winner")["value"] != nil
        case .losersValue: return isConflict && side("loser")["value"] != nil
        // Which of several writes to a record both had been shown, a list of devices that nobody gave does not say.
        case .ancestor: return isConflict && !(object["kind"] == "disjoint_update" && object["policy"] == "preferDevices")
        case .noAncestor:
            return isConflict && side("ancestor")["value"].map { $0 != .null } ?? false && side("winner")["value"] != nil
                && !Self.mayBeForgotten(objects, index)
        case .result: return isConflict && object["result"] != nil
        case .field: return isConflict && object["field"] != nil
        // What stands at the end of a log may have been cut off.
        case .doubled: return isConflict && !isDecision
        case .dropped: return isConflict && !isDecision && Self.goesOn(objects, index)
        case .droppedDecision: return isDecision && Self.goesOn(objects, index)
        case .moved:
            // To where its write has not arrived.
            return isConflict && index > 1
        case .exchanged: return index + 1 < objects.count
        case .loweredSequence: return index > 0
        case .writesValue: return object["event"]?.string == "write" && object["op"] == "put"
        case .writesSeen: return object["event"]?.string == "write" && object["seen"]?.object?.isEmpty == false
        // The lines of one run of the program are held against each other.
        case .window: return isConflict && Self.conflictsOfRun(objects, index) > 2
        case .lineTime:
            return index > 0 && index + 1 < objects.count && objects[(index - 1)...(index + 1)].allSatisfy(Self.isDatedByWriting)
        }
    }

    private static func conflictsOfRun(_ objects: [FieldMap], _ index: Int) -> Int {
        func isStart(_ object: FieldMap) -> Bool { object["opened"] != nil }
        let start = objects[...index].lastIndex(where: isStart) ?? 0
        let end = objects[index...].firstIndex(where: isStart) ?? objects.endIndex
        return objects[start..<end].count { $0["event"] == "conflict" }
    }

    private static func isDatedByWriting(_ object: FieldMap) -> Bool { object["event"] != "write" && object["event"] != "conflict" }

    /// Whether the ancestor may have been forgotten with a deleted record: unless it had seen every delete of the record.
    private static func mayBeForgotten(_ objects: [FieldMap], _ index: Int) -> Bool {
        let object = objects[index]
        let writes = objects[..<index].filter {
            $0["event"] == "write" && $0["recordID"] == object["recordID"] && $0["recordType"] == object["recordType"]
        }
        guard let last = writes.lastIndex(where: { $0["op"] == "delete" }) else { return false }
        let deletes = writes[...last].filter { $0["op"] == "delete" }
        return !writes[last...].contains { write in
            let isAncestor = object["field"]?.string.map { write["fields"]?.object?[FieldName($0)] == object["ancestor"]?.object?["value"] }
            return isAncestor ?? false
                && deletes.allSatisfy { delete in
                    let seen = delete["device"]?.string.flatMap { write["seen"]?.object?[FieldName($0)]?.integer } ?? 0
                    return seen >= delete["n"]?.integer ?? .max
                }
        }
    }

    private static func goesOn(_ objects: [FieldMap], _ index: Int) -> Bool {
        objects[(index + 1)...].contains { $0["event"] != "conflict" && $0["event"] != "write" }
    }

    private func forge(_ object: inout FieldMap, _ random: inout SplitMix64) {
        func other(_ key: FieldName, of values: [String]) -> FieldValue {
            let rest = values.filter { $0 != object[key]?.string }
            return .string(rest[random.below(rest.count)])
        }
        func change(_ side: FieldName, _ body: (inout FieldMap) -> Void) {
            var map = object[side]?.object ?? [:]
            body(&map)
            object[side] = .object(map)
        }
        let forged: FieldValue = object["field"] == nil && object["event"] == "conflict" ? ["name": "forged"] : "forged"
        switch self {
        case .severity: object["severity"] = other("severity", of: ["benign", "merged", "lossy", "destructive", "divergent"])
        case .kind:
            object["kind"] = other(
                "kind", of: ["update_update", "insert_insert", "delete_update", "delete_delete", "disjoint_update"])
        case .basis: object["basis"] = other("basis", of: ["causal", "ancestor", "window"])
        case .reason: object["reason"] = other("reason", of: ["newer", "tie_break", "delete_wins", "edit_wins", "custom", "causal"])
        case .policy:
            object["policy"] = other(
                "policy", of: ["lastWriterWins", "firstWriterWins", "maximum", "counter", "manual", "deleteWins", "mine"])
        case .resolution: object["resolution"] = other("resolution", of: ["keep_local", "apply_remote", "merged", "manual_pending"])
        case .winnersValue: change("winner") { $0["value"] = forged }
        case .losersValue: change("loser") { $0["value"] = forged }
        case .winnersTime: change("winner") { $0["ts"] = Self.later($0["ts"]) }
        case .losersTime: change("loser") { $0["ts"] = Self.later($0["ts"]) }
        case .counter: change("winner") { $0["counter"] = .number(JSONNumber(7 + ($0["counter"]?.integer ?? 0))) }
        case .number: change("loser") { $0["n"] = .number(JSONNumber(1 + ($0["n"]?.integer ?? 0))) }
        case .device: change("loser") { $0["device"] = "Nobody" }
        case .operation:
            change(object["winner"]?.object?["op"] == "put" ? "winner" : "loser") { side in
                side["op"] = side["op"] == "put" ? "delete" : "put"
            }
        case .swappedSides: (object["winner"], object["loser"]) = (object["loser"], object["winner"])
        case .ancestor: object["ancestor"] = ["value": forged]
        case .noAncestor: object["ancestor"] = nil
        case .result: object["result"] = "forged"
        case .withinWindow: object["withinWindow"] = .bool(object["withinWindow"] != .bool(true))
        case .field: object["field"] = "forged"
        case .record: object["recordID"] = "forged"
        case .id: object["id"] = "0123456789abcdef"
        case .loweredSequence:
            object["seq"] = .number(JSONNumber(max(1, (object["seq"]?.integer ?? 2) - 1 - Int64(random.below(3)))))
        case .writesValue:
            change("fields") { fields in
                guard let name = fields.names.first else { return }
                fields[name] = "forged"
            }
        case .writesSeen: object["seen"] = [:]
        case .window: object["windowMs"] = .number(JSONNumber(1 + (object["windowMs"]?.integer ?? 0)))
        case .lineTime:
            let time = object["ts"]?.string.flatMap(RFC3339.milliseconds) ?? 0
            object["ts"] = .string(RFC3339.string(milliseconds: time + 365 * 86_400_000))
        case .dropped, .droppedDecision, .doubled, .moved, .exchanged: break
        }
        if self == .winnersTime || self == .losersTime { Self.mendGap(&object) }
    }

    private static func later(_ time: FieldValue?) -> FieldValue {
        .string(RFC3339.string(milliseconds: (time?.string.flatMap(RFC3339.milliseconds) ?? 0) + 1500))
    }

    private static func mendGap(_ object: inout FieldMap) {
        let times = [object["winner"], object["loser"]].compactMap { $0?.object?["ts"]?.string.flatMap(RFC3339.milliseconds) }
        guard times.count == 2 else { return }
        object["gapMs"] = .number(JSONNumber(abs(times[0] - times[1])))
    }

    private static func text(_ object: FieldMap) -> String {
        var bytes: [UInt8] = []
        JSONText.append(object, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The lines with numbers that follow each other.
    package static func renumbered(_ lines: [String]) throws -> [String] {
        lines.enumerated().map { index, line in
            line.replacingOccurrences(of: #""seq":[0-9]+"#, with: "\"seq\":\(index + 1)", options: .regularExpression)
        }
    }
}
