/// Turns what revisions say of their parents into what writers had seen.
///
/// A system that names revisions instead of counting writes says of each from which others it was made. All that these lead back to had
/// been seen, and what they do not lead back to had not. A revision that leads back to one that has not come before it says nothing: what
/// lies behind that is not known. A device that has written a revision without its own last one goes on in another lane, see
/// ``WriterLanes``.
///
/// A value type; its owner guards it.
///
/// - Complexity: O(*d*) time and memory for each revision, for the *d* writers of its ancestors, at most ``writerLimit``: a revision with
///   more says nothing.
package struct RevisionGraph: Sendable {
    /// A revision as a line names it.
    package struct Revision: Sendable {
        package let name: String
        /// Those that it was made from; nil where the line does not say.
        package let parents: [String]?

        package init(name: String, parents: [String]?) {
            self.name = name
            self.parents = parents
        }
    }

    /// A write's name and what its writer had seen, nil where that is not known.
    package struct Position: Sendable {
        package let dot: Dot
        package let seen: VersionVector?

        package init(dot: Dot, seen: VersionVector?) {
            self.dot = dot
            self.seen = seen
        }
    }

    /// How many writers the ancestors of a revision may have.
    package static let writerLimit = 256

    fileprivate struct Record: Sendable {
        /// The writes that a writer who had seen a revision had seen, the revision itself included; nil where they are not known.
        var revisions: [String: (position: Position, known: VersionVector?)] = [:]
        /// How many lanes each device has here.
        var lanes: [DeviceID: Int] = [:]
        /// Whose lane each is, and its last number.
        var lasts: [DeviceID: (device: DeviceID, lane: Int, number: UInt64)] = [:]
        /// Those that were named and have not come.
        var missing: Set<String> = []
    }

    private var records: [RecordKey: Record] = [:]
    private var lanes = WriterLanes()

    /// How many writes say of what they were made, and lead back to revisions that have not come before them.
    package private(set) var orphans = 0

    /// Whether a revision has come after one that was made from it.
    package private(set) var isDisordered = false

    /// No revision has come.
    package init() {}

    /// Adds a revision, after those that it was made from.
    ///
    /// - Parameters:
    ///   - key: Its record.
    ///   - device: Who made it.
    ///   - isDevice: Whether a device that names no revisions is called so.
    ///   - number: The device's number of the write, or the next of a writer that has none.
    /// - Returns: Nil where there is no next number.
    package mutating func position(
        of revision: Revision, key: RecordKey, device: DeviceID, isDevice: (DeviceID) -> Bool = { _ in false },
        number: (DeviceID) -> UInt64?
    ) -> Position? {
        var record = records[key] ?? Record()
        // Moved, so that it is changed where it lies.
        records[key] = nil
        defer { records[key] = record }
        // A revision that comes again is the same write.
        if let known = record.revisions[revision.name] { return known.position }
        if record.missing.contains(revision.name) { isDisordered = true }
        var seen: VersionVector? = revision.parents.map { _ in VersionVector() }
        for parent in revision.parents ?? [] {
            if let theirs = record.revisions[parent]?.known {
                seen?.formUnion(theirs)
            } else {
                if record.revisions[parent] == nil { record.missing.insert(parent) }
                seen = nil
            }
            if seen == nil { break }
        }
        if revision.parents != nil, seen == nil { orphans += 1 }
        if let known = seen, known.entries.count > Self.writerLimit { seen = nil }
        let lane = seen.map { record.lane(of: device, after: $0) } ?? 0
        let writer = lanes.name(of: device, lane: lane, isDevice: isDevice)
        guard let number = number(writer) else { return nil }
        let dot = Dot(device: writer, sequence: number)
        record.lasts[writer] = (device, lane, number)
        record.lanes[device] = max(lane + 1, record.lanes[device] ?? 0)
        let position = Position(dot: dot, seen: seen)
        // Of one whose line does not say of what it was made, whoever has made something of it has seen that one alone.
        var known = seen ?? (revision.parents == nil ? VersionVector() : nil)
        known?.insert(dot)
        record.revisions[revision.name] = (position, known)
        return position
    }
}

extension RevisionGraph.Record {
    /// The first lane of a device whose last write had been seen; a new one where there is none.
    fileprivate func lane(of device: DeviceID, after seen: VersionVector) -> Int {
        let free = seen.entries.compactMap { entry in
            lasts[entry.device].flatMap { $0.device == device && $0.number <= entry.sequence ? $0.lane : nil }
        }
        return free.min() ?? lanes[device] ?? 0
    }
}
