package import AuditLog
package import SyncModel

/// Where a log tells that its device's store was put back from a backup, and which of the device's writes that took away.
///
/// A store that lacks a write lacks those of the same writer that came after it. That it lacks one is known when the write comes back from
/// the hub, when its number is given once more, and when the device writes to the same record without having seen it. What a replica says
/// to have seen of another record says nothing.
///
/// - Complexity: O(1) for a line; memory is bounded by ``limit`` marks and writes. A value type; its owner guards it.
package struct StoreRestarts: Sendable {
    /// The most marks, and the most writes to the record, that are kept.
    private static let limit = 10_000

    /// The lines of one device in one file.
    private struct Log: Hashable {
        let file: String
        let source: DeviceID
    }

    /// A line at which a store lacked the writes from a number on.
    private struct Mark {
        let line: Int
        let number: UInt64
    }

    /// A name of a log's device, and the number that it gave last in the file at hand.
    private struct Writer {
        let name: DeviceID
        let source: DeviceID
        var number: UInt64 = 0
    }

    private var marks: [Log: [DeviceID: [Mark]]] = [:]
    private var markCount = 0
    /// The devices' own writes to the record.
    private var own: [Log: [(line: Int, write: TaggedWrite)]] = [:]
    private var ownCount = 0
    private var writers: [Writer] = []
    /// When each device wrote last, in the file at hand.
    private var latest: [DeviceID: Int64] = [:]
    /// The indices of the writers by a scanner's numbers of a log's device and a writer; nil where the writer is another device.
    private var indices: [UInt64: Int?] = [:]

    /// None.
    package init() {}

    /// Begins a file.
    package mutating func begin() { (writers, latest, indices) = ([], [:], [:]) }

    /// Whether a line may tell of a restart: its device's own write, older than the latest, or with a number that was given before.
    package mutating func chooses(_ line: ScannedLine, _ names: ScannedNames) -> Bool {
        guard line.content == .write, line.dot != nil, let number = UInt64(exactly: line.count), let index = index(of: line, names) else {
            return false
        }
        let newest = latest[writers[index].source] ?? .min
        if line.milliseconds < newest || line.milliseconds > newest && number <= writers[index].number { return true }
        advance(index, to: number, at: line.milliseconds)
        return false
    }

    /// Whether a line is a write of its log's own device.
    package mutating func isOwn(_ line: ScannedLine, _ names: ScannedNames) -> Bool {
        line.content == .write && index(of: line, names) != nil
    }

    private mutating func index(of line: ScannedLine, _ names: ScannedNames) -> Int? {
        guard line.source >= 0 else { return nil }
        let pair = UInt64(UInt32(bitPattern: line.source)) << 32 | UInt64(UInt32(bitPattern: line.device))
        if let known = indices[pair] { return known }
        let (source, device) = (names.devices.name(Int(line.source)).text, names.devices.name(Int(line.device)).text)
        let found = index(of: DeviceID(device), in: DeviceID(source))
        indices[pair] = .some(found)
        return found
    }

    private mutating func index(of device: DeviceID, in source: DeviceID) -> Int? {
        guard device.isWriter(of: source) else { return nil }
        if let known = writers.firstIndex(where: { $0.name == device && $0.source == source }) { return known }
        writers.append(Writer(name: device, source: source))
        return writers.count - 1
    }

    private mutating func advance(_ index: Int, to number: UInt64, at milliseconds: Int64) {
        guard milliseconds >= latest[writers[index].source] ?? .min else { return }
        writers[index].number = number
        latest[writers[index].source] = milliseconds
    }

    /// Takes a write that a log tells of.
    ///
    /// - Parameter isOfRecord: Whether it is one to the record whose story is told.
    package mutating func observe(_ write: TaggedWrite, in source: DeviceID?, at location: AuditLogReader.Location, isOfRecord: Bool) {
        guard write.isNumbered, let source, let index = index(of: write.dot.device, in: source) else { return }
        let (number, milliseconds) = (write.dot.sequence, write.timestamp.milliseconds)
        let log = Log(file: location.file, source: source)
        let isGivenAgain = milliseconds > latest[source] ?? .max && number <= writers[index].number
        // A device's own write has a receipt in its log where the hub has given it back.
        if write.receipt != nil || isGivenAgain, markCount < Self.limit {
            marks[log, default: [:]][write.dot.device, default: []].append(Mark(line: location.line, number: number))
            markCount += 1
        }
        guard write.receipt == nil else { return }
        if isOfRecord, ownCount < Self.limit {
            own[log, default: []].append((location.line, write))
            ownCount += 1
        }
        advance(index, to: number, at: milliseconds)
    }

    /// Whether a write of a log's own device was taken from it afterwards by an older store.
    package func tookAway(_ write: TaggedWrite, in source: DeviceID?, at location: AuditLogReader.Location) -> Bool {
        guard write.isNumbered, write.receipt == nil, let source, write.dot.device.isWriter(of: source) else { return false }
        let (log, device, number) = (Log(file: location.file, source: source), write.dot.device, write.dot.sequence)
        if marks[log]?[device]?.contains(where: { $0.line > location.line && $0.number <= number }) == true { return true }
        return own[log]?.contains { line, later in
            // A write that got another name says what had been seen when it was made.
            guard line > location.line, later.timestamp > write.timestamp, let seen = later.seen else { return false }
            return later.dot.device == device ? later.dot.sequence <= number : seen[device] < number
        } ?? false
    }
}
