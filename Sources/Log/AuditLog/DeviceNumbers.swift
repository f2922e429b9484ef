package import SyncBytes
package import SyncModel

/// The highest number of each device's writes so far.
///
/// - Complexity: O(1) expected for each write. A device takes about 45 bytes beside its name, which is shared with the write.
package struct DeviceNumbers: Sendable {
    /// A device and the highest number of its writes, 0 where it has made none.
    package struct Entry: Sendable {
        package let device: DeviceID
        package fileprivate(set) var number: UInt64
    }

    /// One for each device, in the order in which the devices were first named.
    package private(set) var entries: [Entry] = []
    private var index = HashIndex()
    /// Random, so that nobody can choose names that fall together.
    private let hashKey: HashKey

    /// No device has made a write yet.
    package init(hashKey: HashKey = HashKey()) {
        self.hashKey = hashKey
    }

    /// The highest number of a device's writes, nil where it has made none.
    subscript(device: DeviceID) -> UInt64? {
        guard let index = find(device, hash: device.quickHash(hashKey)), entries[index].number > 0 else { return nil }
        return entries[index].number
    }

    /// Records a write.
    package mutating func record(_ device: DeviceID, _ number: UInt64) {
        let index = index(of: device)
        if entries[index].number < number { entries[index].number = number }
    }

    /// The index of a device in ``entries``, where one that is not there is added, without a write.
    package mutating func index(of device: DeviceID) -> Int {
        let hash = device.quickHash(hashKey)
        if let known = find(device, hash: hash) { return known }
        entries.append(Entry(device: device, number: 0))
        index.insert(entries.count - 1, hash: hash)
        return entries.count - 1
    }

    /// The index of a device, nil where nothing named it.
    private func find(_ device: DeviceID, hash: UInt64) -> Int? {
        index.find(hash) { entries.span[$0].device == device }
    }
}
