package import AuditLog
package import SyncModel

/// Where logs tell that a device's store was put back from a backup: by a write of the device itself whose writer had not seen an earlier
/// one of its own.
///
/// A device that starts again with an older store gives a number once more, or goes on under another name. What it had written since the
/// backup, and nobody had received, is nowhere any more.
///
/// - Complexity: O(1) for a line; memory is bounded by ``limit`` writes and the names of one log's device. A value type; its owner guards
///   it.
package struct StoreRestarts: Sendable {
    /// The most restarts that are kept.
    private static let limit = 10_000

    /// A write by which a restart is known, and its line.
    private struct Restart {
        let line: Int
        let write: TaggedWrite
    }

    /// A name of the log's device, and how far it has written in the file at hand.
    private struct Writer {
        let name: DeviceID
        var number: UInt64 = 0
    }

    private var restarts: [String: [Restart]] = [:]
    private var count = 0
    private var writers: [Writer] = []
    /// Who of them wrote last, and when.
    private var last: (writer: Int, milliseconds: Int64)?
    /// The indices of the writers by a scanner's numbers of a log's device and a writer; nil where the writer is another device.
    private var indices: [UInt64: Int?] = [:]

    /// None.
    package init() {}

    /// Begins a file.
    package mutating func begin() {
        (writers, indices, last) = ([], [:], nil)
    }

    /// Whether a write may tell of a restart: the first under a later name, or a new one under another name than the last, or with a number
    /// that was given before.
    private func isDue(_ index: Int, _ number: UInt64, at milliseconds: Int64) -> Bool {
        let writer = writers[index]
        if writer.number == 0, writer.name != writer.name.firstWriter { return true }
        guard let last, milliseconds > last.milliseconds else { return false }
        return index != last.writer || number <= writer.number
    }

    /// What comes back from the hub has an older time and changes nothing.
    private mutating func advance(_ index: Int, to number: UInt64, at milliseconds: Int64) {
        if writers[index].number == 0 { writers[index].number = number }
        guard last.map({ milliseconds >= $0.milliseconds }) ?? true else { return }
        writers[index].number = number
        last = (index, milliseconds)
    }

    /// Whether a line may tell of a restart.
    package mutating func chooses(_ line: ScannedLine, _ names: ScannedNames) -> Bool {
        guard line.content == .write, line.dot != nil, line.source >= 0, let number = UInt64(exactly: line.count) else { return false }
        let pair = UInt64(UInt32(bitPattern: line.source)) << 32 | UInt64(UInt32(bitPattern: line.device))
        let found: Int?
        if let known = indices[pair] {
            found = known
        } else {
            let (source, device) = (names.devices.name(Int(line.source)).text, names.devices.name(Int(line.device)).text)
            found = index(of: DeviceID(device), in: DeviceID(source))
            indices[pair] = .some(found)
        }
        guard let found else { return false }
        if isDue(found, number, at: line.milliseconds) { return true }
        advance(found, to: number, at: line.milliseconds)
        return false
    }

    /// Takes a write that a log tells of.
    package mutating func observe(_ write: TaggedWrite, in source: DeviceID?, at location: AuditLogReader.Location) {
        guard write.isNumbered, let source, let index = index(of: write.dot.device, in: source) else { return }
        let (number, milliseconds) = (write.dot.sequence, write.timestamp.milliseconds)
        if isDue(index, number, at: milliseconds), write.seen != nil, count < Self.limit {
            restarts[location.file, default: []].append(Restart(line: location.line, write: write))
            count += 1
        }
        advance(index, to: number, at: milliseconds)
    }

    private mutating func index(of device: DeviceID, in source: DeviceID) -> Int? {
        guard device.isWriter(of: source) else { return nil }
        if let known = writers.firstIndex(where: { $0.name == device }) { return known }
        writers.append(Writer(name: device))
        return writers.count - 1
    }

    /// Whether a write of a log's own device was taken from it afterwards by an older store.
    package func tookAway(_ write: TaggedWrite, in source: DeviceID?, at location: AuditLogReader.Location) -> Bool {
        // What came back from the hub is there.
        guard let later = restarts[location.file], write.isNumbered, write.receipt == nil, let source,
            write.dot.device.isWriter(of: source)
        else { return false }
        return later.contains { restart in
            let (writer, number) = (restart.write.dot.device, restart.write.dot.sequence)
            let seen = writer == write.dot.device ? number - 1 : restart.write.seen?[write.dot.device] ?? 0
            // A write that got another name says what had been seen when it was made.
            return restart.line > location.line && restart.write.timestamp > write.timestamp && seen < write.dot.sequence
        }
    }
}
