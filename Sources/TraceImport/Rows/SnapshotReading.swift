import SyncModel

/// Tells edits from what a row only repeats, where every row shows a whole record.
///
/// A value is an edit unless its device may have had it from somewhere: it is what the device's row before showed, or what another device's last row shows;
/// and in the first row of a device, what the record began with, or what any device's last two rows show. So an edit that sets what is shown elsewhere is
/// not told from one that was received, and no conflict is made of a value that was only sent along.
///
/// - Complexity: memory grows with the records, their fields and the devices that wrote each, not with the rows; of a value only a hash is kept.
struct SnapshotReading {
    /// The rows of a device that are remembered: hashes, 0 for what is not known.
    private struct Shown {
        let device: DeviceID
        var last: [UInt64]
        var previous: [UInt64]
        var isDeleted = false
    }

    private struct Record {
        let first: [UInt64]
        var devices: [Shown] = []
    }

    private var records: [RecordKey: Record] = [:]

    /// Which values of a row are edits.
    ///
    /// - Parameter values: One for each field, nil where the row says nothing of it.
    mutating func edits(_ values: [FieldValue?], of key: RecordKey, by device: DeviceID) -> [Bool] {
        let hashes = values.map(Self.hash)
        // Moved, so that it is changed where it is.
        var record = records.removeValue(forKey: key) ?? Record(first: hashes)
        defer { records[key] = record }
        guard let own = record.devices.firstIndex(where: { $0.device == device }) else {
            let isNew = record.devices.isEmpty
            let edits = hashes.enumerated().map { index, hash in
                hash != 0
                    && (isNew
                        || record.first[index] != hash
                            && !record.devices.contains { $0.last[index] == hash || $0.previous[index] == hash })
            }
            record.devices.append(Shown(device: device, last: hashes, previous: hashes))
            return edits
        }
        let shown = record.devices[own]
        let edits = hashes.enumerated().map { index, hash in
            if shown.isDeleted { return hash != 0 }
            return hash != 0 && hash != shown.last[index]
                && !record.devices.contains { $0.device != device && $0.last[index] == hash }
        }
        let last = zip(hashes, shown.last).map { $0 == 0 ? $1 : $0 }
        record.devices[own] = Shown(device: device, last: last, previous: shown.last)
        return edits
    }

    /// A device has deleted a record: its next row creates it anew.
    mutating func delete(_ key: RecordKey, by device: DeviceID) {
        guard let own = records[key]?.devices.firstIndex(where: { $0.device == device }) else { return }
        records[key]?.devices[own].isDeleted = true
    }

    private static func hash(_ value: FieldValue?) -> UInt64 {
        guard let value else { return 0 }
        var hasher = Hasher()
        hasher.combine(value)
        return UInt64(bitPattern: Int64(hasher.finalize())) | 1
    }
}
