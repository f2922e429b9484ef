import SyncModel

/// Tells edits from what a row only repeats, where every row shows a whole record.
///
/// A value is an edit unless its device may have had it from somewhere: it is what the device's row before showed, or what another device's
/// last row shows; and in the first row of a device, what the record began with, or what any device's last two rows show. So an edit that
/// sets what is shown elsewhere is not told from one that was received, and no conflict is made of a value that was only sent along.
///
/// - Complexity: memory grows with the records, their fields and the devices that wrote each, not with the rows; of a value only a hash is
///   kept.
struct SnapshotReading {
    /// What is remembered of a record: hashes, 0 for what is not known.
    ///
    /// In one array, since there are many of them.
    private struct Record {
        /// The numbers of the devices that wrote it, and whether each has deleted it since.
        private var devices: [(number: UInt32, hasDeleted: Bool)] = []
        /// The first row, and then for each device its last row and the one before.
        private var hashes: [UInt64]

        init(first: [UInt64]) {
            hashes = first
        }

        private func last(_ device: Int, _ field: Int, of width: Int) -> UInt64 { hashes[(1 + 2 * device) * width + field] }
        private func previous(_ device: Int, _ field: Int, of width: Int) -> UInt64 { hashes[(2 + 2 * device) * width + field] }

        mutating func edits(_ row: [UInt64], by number: UInt32) -> [Bool] {
            let width = row.count
            guard let own = devices.firstIndex(where: { $0.number == number }) else {
                let edits = row.indices.map { field in
                    let hash = row[field]
                    return hash != 0
                        && (devices.isEmpty
                            || hashes[field] != hash
                                && !devices.indices.contains {
                                    last($0, field, of: width) == hash || previous($0, field, of: width) == hash
                                })
                }
                devices.append((number, false))
                hashes += row + row
                return edits
            }
            let edits = row.indices.map { field in
                let hash = row[field]
                if devices[own].hasDeleted || hash == 0 { return hash != 0 }
                return !devices.indices.contains { last($0, field, of: width) == hash }
            }
            for field in 0..<width {
                let (slot, known) = ((1 + 2 * own) * width + field, last(own, field, of: width))
                hashes[slot + width] = known
                if row[field] != 0 { hashes[slot] = row[field] }
            }
            devices[own].hasDeleted = false
            return edits
        }

        mutating func delete(by number: UInt32) {
            if let own = devices.firstIndex(where: { $0.number == number }) { devices[own].hasDeleted = true }
        }
    }

    private var records: [RecordKey: Record] = [:]
    private var numbers: [DeviceID: UInt32] = [:]

    /// Which values of a row are edits.
    ///
    /// - Parameter values: One for each field, nil where the row says nothing of it.
    mutating func edits(_ values: [FieldValue?], of key: RecordKey, by device: DeviceID) -> [Bool] {
        let (row, number) = (values.map(Self.hash), number(of: device))
        return records[key, default: Record(first: row)].edits(row, by: number)
    }

    /// A device has deleted a record: its next row creates it anew.
    mutating func delete(_ key: RecordKey, by device: DeviceID) {
        let number = number(of: device)
        records[key]?.delete(by: number)
    }

    private mutating func number(of device: DeviceID) -> UInt32 {
        if let number = numbers[device] { return number }
        let number = UInt32(clamping: numbers.count)
        numbers[device] = number
        return number
    }

    private static func hash(_ value: FieldValue?) -> UInt64 {
        guard let value else { return 0 }
        var hasher = Hasher()
        hasher.combine(value)
        return UInt64(bitPattern: Int64(hasher.finalize())) | 1
    }
}
