import AuditAnalysis
import ProjectDoctor
import SyncBytes
import SyncLines

extension Diagnosis {
    /// Whether CloudKit suits: what speaks against it in what syncs, and what stands in the way of what does not yet.
    var suitability: String {
        let against = reasonsAgainstCloudKit
        var sentences: [String] = []
        if !against.isEmpty {
            sentences.append("What the project asks for and CloudKit does not give: \(against.joined(separator: "; ")).")
        } else if syncs || obstacles.counts.isEmpty {
            sentences.append("Nothing found speaks against it, as long as the last writer may win a field.")
        }
        if !obstacles.counts.isEmpty {
            let counts = obstacles.counts.map { HumanNumber.count($0.count, $0.one, $0.many) }
            sentences.append("In the way of what is local: \(counts.joined(separator: ", ")).")
        }
        return sentences.joined(separator: " ")
    }

    /// What the project needs that CloudKit does not give, as phrases for a sentence.
    var reasonsAgainstCloudKit: [String] {
        let rules = Set(findings.map(\.rule))
        let reasons = [
            ("schema.unique", "unique values, which no two devices can be held to"), ("schema.migration", "custom migrations"),
            ("losses.counter", "counters, unless each event is a record"), ("schema.relationship-ordered", "ordered relationships"),
            ("schema.delete-rule", "deletes that are denied"),
        ]
        return reasons.filter { rules.contains($0.0) }.map(\.1)
    }
}

extension Measurement {
    /// What is there, what of it is most, what waits, and how it grows.
    var sentence: String {
        let (records, bytes) = total
        var parts = ["\(HumanNumber.count(records, "record")), \(bytes.megabytes)"]
        if let most = largestFields.first { parts.append("most in \(most.type).\(most.name) (\(most.field.bytes.megabytes))") }
        if let waiting, waiting.writes > 0 { parts.append("\(waiting.bytes.megabytes) wait to be sent") }
        if let growth = bytesPerMonth { parts.append("\(growth.megabytes) more a month") }
        let lost = losses.reduce(0) { $0 + $1.edits }
        if lost > 0 { parts.append("\(HumanNumber.count(lost, "edit")) lost") }
        return "\(RelativePath.name(of: source)): \(parts.joined(separator: ", "))"
    }
}
