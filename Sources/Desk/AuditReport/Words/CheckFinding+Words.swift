package import AuditAnalysis
import SyncBytes
import SyncModel

extension CheckFinding.Kind {
    /// What a part of a page about findings of the kind is called.
    var title: String {
        switch self {
        case .schema: "Lines that cannot be understood"
        case .torn: "Torn lines"
        case .missingLine: "Missing lines"
        case .order: "Lines out of order"
        case .duplicate: "Duplicates"
        case .decision: "Conflicts that are not what their writes make"
        case .missingConflict: "Missing conflicts"
        case .divergence: "Devices that disagree on a conflict"
        case .checkpoint: "Replicas that disagree on the data"
        case .missingWrite: "Missing writes"
        case .absentLog: "Absent logs"
        case .stamp: "Times that are not those of the edit"
        case .identity: "One name for two writes"
        case .seen: "Writes that cannot have seen what they name"
        case .alternation: "Alternating winners"
        case .massEffect: "Mass effects"
        case .clock: "Clocks"
        case .size: "Sizes"
        }
    }
    /// What is looked for, in a sentence with its full stop.
    var explanation: String {
        switch self {
        case .schema: "A line that cannot be understood."
        case .torn: "A last line that breaks off, as of a program that was killed."
        case .missingLine: "A line that is missing, or that the log itself says was not written."
        case .order: "A line that comes before another whose number is lower."
        case .duplicate: "A line or a write that is there twice, or a copied store."
        case .decision: "A conflict's line that is not what its writes make."
        case .missingConflict: "A conflict that the writes of a log bring to light and of which no line tells."
        case .divergence: "Devices that tell of one conflict differently."
        case .checkpoint: "Replicas that had merged the same writes and held something else."
        case .missingWrite: "A write that was acknowledged, or that others passed by, and is missing from a log."
        case .absentLog: "Devices whose writes are there and whose own logs are not."
        case .stamp: "A time that is not that of the edit which it stamps."
        case .identity: "One device and number for two writes."
        case .seen: "Writes that name each other as seen."
        case .alternation: "Two devices that keep taking a field from each other."
        case .massEffect: "A device that deletes or overwrites much of what there is within one sync."
        case .clock: "A clock that is off."
        case .size: "A write or a queue that is larger than CloudKit takes."
        }
    }
}

extension FindingFilter.Ignore {
    /// What is ignored, such as `clock about iPad`.
    package var label: String { subject.map { "\(kind.rawValue) about \(EventText.label($0))" } ?? kind.rawValue }
}

extension GateOutcome.Limit {
    /// What holds, without its full stop: the measure, whose it is, the limit, and how to look at what makes it hold.
    package func sentence(source: String = "FILES") -> String {
        let look = conflicts.first.map { "; look at \(conflicts.count == 1 ? "it" : "one"): syncaudit show \($0) \(source)" } ?? ""
        let named = devices.prefix(Self.namedDevices).map { EventText.name($0.rawValue) }.joined(separator: ", ")
        let others = devices.count > Self.namedDevices ? " and \(HumanNumber.count(devices.count - Self.namedDevices, "other"))" : ""
        return "\(name) is \(value?.shortened ?? "not known")\(named.isEmpty ? "" : " (\(named)\(others))"), and --fail-on '\(text)' holds"
            + look
    }

    private static let namedDevices = 3
}

extension Double {
    /// The number with three decimals at most.
    var shortened: String {
        if self == rounded(), magnitude < 1e15 { return String(Int(self)) }
        return String((self * 1000).rounded() / 1000)
    }
}
