import SyncBytes
import SyncModel

/// The writes to a record in their order of arrival, fewer with every question: those that a winner had seen, among them those that their
/// winner had seen, and so on.
///
/// - Complexity: O(*d* log *n*) for each question, for *n* writes of *d* devices, since what a writer had seen of a device is all up to a
///   number. All writes left are looked at where some do not say what they had seen, came late, or had seen less than their device's
///   earlier ones.
struct PastWrites {
    private let writes: [TaggedWrite]
    /// Of each device the writes left, by their indices; nil where those are no beginning of what it wrote.
    private var byDevice: [DeviceID: ArraySlice<Int>]?
    /// The writes left, where they are not told apart by device.
    private var left: [Int] = []

    init(_ writes: [TaggedWrite]) {
        self.writes = writes
        byDevice = Self.byDevice(writes)
        if byDevice == nil { left = Array(writes.indices) }
    }

    var isEmpty: Bool { byDevice?.isEmpty ?? left.isEmpty }

    /// The policy's choice among the maximal writes left.
    func winner(_ register: RegisterRules, intervals: IntervalRule) -> TaggedWrite? {
        var maximal = MaximalSet()
        // Whoever had seen a device's last write had seen its earlier ones.
        for index in byDevice?.values.compactMap(\.last).sorted() ?? left { maximal.insert(writes[index], intervals: intervals) }
        return register.verdict(among: maximal.contenders)?.winner
    }

    /// Removes the writes that a writer had not seen.
    mutating func keep(seenBy winner: TaggedWrite, intervals: IntervalRule) {
        let writes = writes
        guard let lines = byDevice else { return left.removeAll { !winner.hasSeen(writes[$0], intervals: intervals) } }
        byDevice = lines.compactMapValues { line in
            let seen = line[..<line.partitioningIndex { !winner.hasSeen(writes[$0], intervals: intervals) }]
            return seen.isEmpty ? nil : seen
        }
    }

    /// The writes of each device; nil where one that is maximal may be none of the last ones.
    private static func byDevice(_ writes: [TaggedWrite]) -> [DeviceID: ArraySlice<Int>]? {
        var lines: [DeviceID: ArraySlice<Int>] = [:]
        var mentioned = VersionVector()
        for (index, write) in writes.enumerated() {
            guard write.isNumbered, let seen = write.seen, !mentioned.covers(write.dot) else { return nil }
            if let last = lines[write.dot.device]?.last, case let earlier = writes[last] {
                guard earlier.number < write.number, earlier.seen.map(seen.covers) ?? false else { return nil }
            }
            mentioned.formUnion(seen)
            mentioned.insert(write.dot)
            lines[write.dot.device, default: []].append(index)
        }
        return lines
    }
}
