import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// Findings in the order in which they were made, a bounded number of each kind, without those that a filter passes over.
struct FindingList: Sendable {
    /// The most that are kept of one kind unless told otherwise.
    static let limit = 20

    /// What the filter lets through.
    private(set) var kept: [CheckFinding] = []
    private(set) var counts: [CheckFinding.Kind: Int] = [:]
    private(set) var filter: FindingFilter
    private let limit: Int
    /// The names of the files, the same as sentences show them, and the paths of those that have one.
    private var files: [(name: String, shown: String, path: String?)] = []

    /// Nothing found.
    init(_ filter: FindingFilter = FindingFilter(), limit: Int = FindingList.limit) {
        (self.filter, self.limit) = (filter, limit)
    }

    /// The index of the latest file; -1 before the first.
    var file: Int32 { Int32(clamping: files.count - 1) }

    /// Whether a conflict is over one of the records that are asked for.
    func concerns(_ conflict: Conflict) -> Bool { filter.concerns(conflict) }

    /// Whether findings beyond those that are kept are asked for one by one.
    var isFiltered: Bool { filter.isActive }

    /// Begins a file, which may have any name.
    ///
    /// - Parameter path: Its path; nil for what comes from elsewhere.
    mutating func begin(file name: String, path: String?) { files.append((name, name.escaped(for: .terminal), path)) }

    /// Notes a conflict that a line tells of for the first time, and says whether it is new.
    mutating func observe(conflict: UInt64) -> Bool { filter.observe(conflict: conflict) }

    /// Whether the baseline has a conflict.
    func knows(_ conflict: UInt64) -> Bool { filter.knows(conflict: conflict) }

    /// Adds a finding.
    ///
    /// - Parameters:
    ///   - subject: What it is about, by which it is known whichever line or file tells of it.
    ///   - location: Where it is; nil for one of all files.
    ///   - key: The record that it is about; nil where it is about none, or several.
    ///   - statement: A sentence without the location.
    mutating func add(
        _ kind: CheckFinding.Kind, of subject: @autoclosure () -> String, at location: LineLocation?, about key: RecordKey? = nil,
        _ statement: @autoclosure () -> String
    ) {
        let isWanted = counts[kind, default: 0] < limit
        guard isWanted || filter.isActive else { return counts[kind, default: 0] += 1 }
        let identity = CheckFinding.Identity(kind, subject())
        guard filter.passes(identity, about: key) else { return }
        counts[kind, default: 0] += 1
        if isWanted { kept.append(CheckFinding(identity, at: location.flatMap(whole), statement(), prefix: prefix(location), about: key)) }
    }

    /// Adds one finding about several things at once, without those of them that are passed over; none where nothing is left.
    ///
    /// - Parameters:
    ///   - subjects: What it is about, each known by itself.
    ///   - statement: A sentence about those that are left.
    mutating func add(_ kind: CheckFinding.Kind, ofEach subjects: [String], _ statement: ([String]) -> String) {
        let left = filter.isActive ? filter.left(of: kind, subjects) : subjects
        if left.isEmpty { return }
        counts[kind, default: 0] += 1
        guard counts[kind, default: 0] <= limit else { return }
        let identity = CheckFinding.Identity(kind, left.joined(separator: ", "))
        kept.append(CheckFinding(identity, at: nil, statement(left)))
    }

    /// The file and line as sentences show them.
    var name: @Sendable (LineLocation) -> String {
        let files = files
        return { Self.name($0, files) }
    }

    /// The file's name without its folder, by which it is known wherever it is.
    func fileName(_ file: Int32) -> String {
        guard files.indices.contains(Int(file)) else { return "input" }
        let name = files[Int(file)].name
        return name.split(separator: "/").last.map(String.init) ?? name
    }

    private func prefix(_ location: LineLocation?) -> String { location.map { Self.name($0, files) + ": " } ?? "" }

    private static func name(_ location: LineLocation, _ files: [(name: String, shown: String, path: String?)]) -> String {
        let file = files.indices.contains(Int(location.file)) ? files[Int(location.file)].shown : "input"
        return location.line == 0 ? file : "\(file):\(location.line)"
    }

    private func whole(_ location: LineLocation) -> CheckFinding.Location? {
        guard files.indices.contains(Int(location.file)), let path = files[Int(location.file)].path else { return nil }
        return CheckFinding.Location(file: path, line: location.line == 0 ? nil : Int(location.line))
    }
}

/// The location of a line, small enough to keep millions of them; line 0 is the file as a whole.
struct LineLocation: Hashable, Sendable {
    let file: Int32
    let line: UInt32

    /// Somewhere in what was read.
    static let unknown = LineLocation(file: -1, line: 0)
}
