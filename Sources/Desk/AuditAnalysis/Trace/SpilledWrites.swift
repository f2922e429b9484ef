import AuditLog
import ConflictAudit
import SyncBytes
import SyncModel

/// Which records an audit holds in memory.
package enum Retention: Sendable {
    /// All, for constraints look across them.
    case everything
    /// As many as fit: writes to further ones are kept in files, and audited when the trace has been read.
    case some(SpillSpace)
    /// One at a time, for all writes to a record come one after the other; files are for the merged records, where somebody wants them.
    case oneRecord(SpillSpace)

    /// Where files are made.
    var space: SpillSpace? {
        switch self {
        case .everything: nil
        case .some(let space), .oneRecord(let space): space
        }
    }
}

/// A record whose writes did not come one after the other.
struct UngroupedRecord: Error {
    let key: RecordKey
    let position: UInt64
}

/// The writes to records that did not fit into memory, in groups of records that are audited one after the other.
///
/// A value type; its owner guards it.
struct SpilledWrites: ~Copyable {
    /// A write, and what goes with it.
    struct Item {
        let write: TaggedWrite
        /// A hash of the record written to.
        let hash: UInt64
        let position: UInt64
        let isDotCollision: Bool
        /// Whether it names writes as seen that had not come.
        let isOpen: Bool
    }

    /// A comparison of clocks and its position in the trace.
    struct ClockLine {
        let measurement: ClockMeasurement
        let position: UInt64
    }

    /// How many groups there are at most: of as many times as much as fits, each group fits.
    static let mostGroups = 64
    /// How often a group that does not fit may be divided again: until all bits of a hash are used up.
    static let maximumLevel = 8

    /// How often what is in here has been divided.
    let level: Int
    /// What was known of clocks before the first write, and the position from which on ``clockLines`` count.
    let clocks: ClockOffsets
    let start: UInt64
    /// Comparisons of clocks since the first write was kept, of all levels.
    let clockLines: SpillFile
    private var groups: [SpillFile?]
    private let space: SpillSpace

    /// Nothing kept yet.
    ///
    /// - Parameters:
    ///   - clocks: What is known of clocks.
    ///   - start: The position up to which that is so.
    ///   - clockLines: Those that are read beside the writes; nil for a file of its own.
    init(level: Int, clocks: ClockOffsets, start: UInt64, clockLines: SpillFile? = nil, _ space: SpillSpace) throws {
        self.level = level
        self.clocks = clocks
        self.start = start
        self.space = space
        groups = Array(repeating: nil, count: space.groups)
        self.clockLines = try clockLines ?? SpillFile(space)
    }

    /// Keeps a write for later.
    mutating func append(_ item: Item, by coder: inout SpilledWriteCoder) throws {
        let group = Int(truncatingIfNeeded: (item.hash &* 0x9e37_79b9_7f4a_7c15) >> UInt64(58 - 6 * level)) & (groups.count - 1)
        let file = try groups[group] ?? SpillFile(space)
        groups[group] = file
        try file.append { bytes in
            bytes.number(item.position)
            bytes.byte((item.isDotCollision ? 1 : 0) | (item.isOpen ? 2 : 0))
            coder.append(item.write, to: &bytes)
        }
    }

    /// Keeps a comparison of clocks, for all groups.
    func append(_ measurement: ClockMeasurement, at position: UInt64) throws {
        try clockLines.append { bytes in
            bytes.number(position)
            bytes.text(measurement.device.rawValue)
            bytes.signedNumber(measurement.offsetMilliseconds)
            bytes.signedNumber(measurement.uncertaintyMilliseconds)
        }
    }

    /// How many groups there are.
    var groupCount: Int { groups.count }

    /// How many bytes are kept.
    var size: Int64 { groups.indices.reduce(0) { $0 + size(ofGroup: $1) } }

    /// How many bytes are kept of a group.
    func size(ofGroup index: Int) -> Int64 { groups[index]?.size ?? 0 }

    /// Takes a group out; its file is gone with it.
    mutating func popGroup(_ index: Int, onRead: ReadingObserver?) throws -> SpillFile.Reader? {
        try groups[index].take()?.entries(onRead: onRead)
    }
}

extension SpilledWrites.Item {
    /// Reads a write that was kept.
    init(from bytes: inout ByteReader, by coder: SpilledWriteCoder) throws(CodingFailure) {
        position = try bytes.number()
        let flags = try bytes.byte()
        (isDotCollision, isOpen) = (flags & 1 != 0, flags & 2 != 0)
        write = try coder.write(from: &bytes)
        hash = coder.recordHash(of: write)
    }
}

extension SpilledWrites.ClockLine {
    /// Reads a comparison that was kept.
    init(from bytes: inout ByteReader) throws(CodingFailure) {
        position = try bytes.number()
        measurement = ClockMeasurement(
            device: DeviceID(try bytes.text()), offset: .milliseconds(try bytes.signedNumber()),
            uncertainty: .milliseconds(try bytes.signedNumber()))
    }
}
