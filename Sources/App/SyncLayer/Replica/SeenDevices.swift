import SyncBytes
import SyncCoding
import SyncModel

/// The part of a replica's version vector that names other devices: a row of the store for each, and here what the running transaction
/// adds.
///
/// A transaction reads and writes the rows of those devices whose writes it merges, however many there are. The replica's own device is
/// counted in its metadata, which every transaction writes anyway.
struct SeenDevices {
    private var added: [DeviceID: UInt64] = [:]
    /// What was read of the rows.
    private var known: [DeviceID: UInt64] = [:]

    /// Adds a write and the earlier ones of its device.
    mutating func insert(_ dot: Dot) {
        added[dot.device] = max(added[dot.device] ?? 0, dot.sequence)
    }

    /// Forgets what was added.
    mutating func removeAll() {
        added.removeAll(keepingCapacity: true)
        known.removeAll(keepingCapacity: true)
    }

    /// The highest number seen of a device's writes, 0 where none was.
    mutating func sequence(of device: DeviceID, _ reader: any ReplicaStoreReader) throws -> UInt64 {
        max(added[device] ?? 0, try stored(device, reader))
    }

    private mutating func stored(_ device: DeviceID, _ reader: any ReplicaStoreReader) throws -> UInt64 {
        if let sequence = known[device] { return sequence }
        let sequence = try reader.row(Array(device.rawValue.utf8), in: .seen).map { try Self.sequence($0) } ?? 0
        known[device] = sequence
        return sequence
    }

    /// Writes out what was added.
    mutating func write(_ writer: any ReplicaStoreWriter) throws {
        for (device, sequence) in added where try stored(device, writer) < sequence {
            var encoder = StateEncoder()
            encoder.append(sequence)
            try writer.setRow(StoreRow(key: Array(device.rawValue.utf8), content: encoder.bytes), in: .seen)
        }
    }

    /// The rows of a store as a version vector.
    ///
    /// - Complexity: O(*n*) in the number of devices.
    static func vector(_ reader: any ReplicaStoreReader) throws -> VersionVector {
        var pairs: [(device: DeviceID, sequence: UInt64)] = []
        var last: [UInt8]?
        while case let page = try reader.rows(in: .seen, startingWith: [], after: last, limit: 1000), !page.isEmpty {
            for row in page { pairs.append((DeviceID(String(decoding: row.key, as: UTF8.self)), try sequence(row))) }
            last = page.last?.key
        }
        guard let vector = VersionVector(unordered: pairs) else {
            throw SyncLayerError(damaged: "the numbers of the writes merged", CodingFailure("a device occurs twice"))
        }
        return vector
    }

    private static func sequence(_ row: StoreRow) throws(SyncLayerError) -> UInt64 {
        try decoding("the numbers of the writes merged", row.content) { decoder throws(CodingFailure) in
            let sequence = try decoder.number()
            try decoder.finish()
            return sequence
        }
    }
}
