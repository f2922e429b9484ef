package import AuditLog
import SyncBytes
package import SyncModel

/// Where a log tells that its device's store was put back from a backup, and which of the device's writes that took away.
///
/// A store that lacks a write lacks those of the same writer that came after it. That it lacks one is known when the write comes back from
/// the hub, when its number is given once more, and when the device writes to the same record without having seen it. What a replica says
/// to have seen of another record says nothing.
///
/// - Complexity: O(log *n*) for a line; memory is bounded by ``limit`` marks and the names of one file's devices. A value type; its owner
///   guards it.
package struct StoreRestarts: Sendable {
    /// The most marks that are kept.
    private static let limit = 100_000
    /// The most names under which one device has written to the record.
    private static let nameLimit = 32

    /// A name under which the device of a log writes.
    private struct Writer: Hashable {
        let source: DeviceID
        let name: DeviceID
    }

    /// What one file tells of a writer.
    private struct WriterInFile: Hashable {
        let file: String
        let writer: Writer
    }

    /// A line at which a store lacked the writer's writes from a number on.
    private struct Mark {
        let line: Int
        let number: UInt64
    }

    /// Of each writer the marks that no later one with as low a number makes needless: lines and numbers rise.
    private var marks: [WriterInFile: [Mark]] = [:]
    private var markCount = 0
    /// In the file at hand, the number that each writer gave last, when each device wrote last, and the names under which it wrote to the
    /// record.
    private var numbers: [Writer: UInt64] = [:]
    private var latest: [DeviceID: Int64] = [:]
    private var namesInRecord: [DeviceID: [DeviceID]] = [:]
    private var writers = ScannedWriters()

    /// None.
    package init() {}

    /// Begins a file.
    package mutating func begin() { (numbers, latest, namesInRecord, writers) = ([:], [:], [:], ScannedWriters()) }

    /// Whether a line may tell of a restart: its device's own write, older than the latest, or with a number that was given before.
    package mutating func chooses(_ line: ScannedLine, _ names: ScannedNames) -> Bool {
        guard line.content == .write, line.dot != nil, let number = UInt64(exactly: line.count), let writer = writer(of: line, names) else {
            return false
        }
        let newest = latest[writer.source] ?? .min
        if line.milliseconds < newest || line.milliseconds > newest && number <= numbers[writer] ?? 0 { return true }
        advance(writer, to: number, at: line.milliseconds)
        return false
    }

    /// Whether a line is a write of its log's own device.
    package mutating func isOwn(_ line: ScannedLine, _ names: ScannedNames) -> Bool {
        line.content == .write && writer(of: line, names) != nil
    }

    private mutating func writer(of line: ScannedLine, _ names: ScannedNames) -> Writer? {
        Self.own(writers.writer(of: line, names))
    }

    private static func writer(_ device: DeviceID, in source: DeviceID?) -> Writer? { own(ScannedWriters.Writer(device, in: source)) }

    private static func own(_ writer: ScannedWriters.Writer) -> Writer? {
        writer.source.flatMap { writer.isOwn ? Writer(source: $0, name: writer.name) : nil }
    }

    private mutating func advance(_ writer: Writer, to number: UInt64, at milliseconds: Int64) {
        guard milliseconds >= latest[writer.source] ?? .min else { return }
        numbers[writer] = number
        latest[writer.source] = milliseconds
    }

    /// Takes a write that a log tells of.
    ///
    /// - Parameter isOfRecord: Whether it is one to the record whose story is told.
    package mutating func observe(_ write: TaggedWrite, in source: DeviceID?, at location: AuditLogReader.Location, isOfRecord: Bool) {
        guard write.isNumbered, let writer = Self.writer(write.dot.device, in: source) else { return }
        let (number, milliseconds) = (write.dot.sequence, write.timestamp.milliseconds)
        let newest = latest[writer.source] ?? .min
        // A device's own write has a receipt in its log where the hub has given it back.
        if write.receipt != nil || milliseconds > newest && number <= numbers[writer] ?? 0 { mark(writer, from: number, at: location) }
        guard write.receipt == nil else { return }
        // A write that got another name says what had been seen when it was made, and a line may come twice around a crash.
        let isNew = milliseconds > newest || milliseconds == newest && number > numbers[writer] ?? 0
        if isOfRecord, isNew, let seen = write.seen {
            for name in namesInRecord[writer.source] ?? [] where name != writer.name && seen[name] < .max {
                mark(Writer(source: writer.source, name: name), from: seen[name] + 1, at: location)
            }
            mark(writer, from: number, at: location)
        }
        if isOfRecord, case let names = namesInRecord[writer.source] ?? [], names.count < Self.nameLimit, !names.contains(writer.name) {
            namesInRecord[writer.source] = names + [writer.name]
        }
        advance(writer, to: number, at: milliseconds)
    }

    private mutating func mark(_ writer: Writer, from number: UInt64, at location: AuditLogReader.Location) {
        guard markCount < Self.limit else { return }
        let key = WriterInFile(file: location.file, writer: writer)
        var all = marks.removeValue(forKey: key) ?? []
        markCount -= all.count
        while let last = all.last, last.number >= number { all.removeLast() }
        all.append(Mark(line: location.line, number: number))
        markCount += all.count
        marks[key] = all
    }

    /// Whether a write of a log's own device was taken from it afterwards by an older store.
    package func tookAway(_ write: TaggedWrite, in source: DeviceID?, at location: AuditLogReader.Location) -> Bool {
        guard write.isNumbered, write.receipt == nil, let writer = Self.writer(write.dot.device, in: source),
            let all = marks[WriterInFile(file: location.file, writer: writer)]
        else { return false }
        // The first behind the line has the lowest number.
        let next = all.partitioningIndex { $0.line > location.line }
        return next < all.endIndex && all[next].number <= write.dot.sequence
    }
}
