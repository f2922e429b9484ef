import SyncBytes

/// A version vector: the writes that a writer had seen, as the highest number of each device.
///
/// Every number includes all smaller ones of its device. A device that is not named has number 0.
/// Source: Parker et al., *Detection of Mutual Inconsistency in Distributed Systems*, IEEE TSE 1983.
///
/// - Complexity: a look-up is O(log *n*) in the number of devices; merging and comparing two vectors is O(*n* + *m*), and
///   comparing a vector with a much smaller one O(*m* log *n*). Copies share storage.
///
/// ```swift
/// let seen: VersionVector = ["iPhone": 3, "iPad": 6]
/// print(seen.covers(Dot(device: "iPhone", sequence: 4)))  // false
/// ```
public struct VersionVector: Hashable, Sendable {
    /// One device and the highest number of its writes, at least 1.
    public struct Entry: Hashable, Sendable {
        /// The writer.
        public let device: DeviceID
        /// The highest number of its writes.
        public let sequence: UInt64

        package init(device: DeviceID, sequence: UInt64) {
            self.device = device
            self.sequence = sequence
        }
    }

    /// The entries in order of device, each number at least 1.
    public private(set) var entries: [Entry]

    /// An empty vector.
    public init() {
        entries = []
    }

    /// The vector that names these writes and, for each, the earlier ones of its device.
    public init(_ dots: some Sequence<Dot>) {
        self.init()
        for dot in dots { insert(dot) }
    }

    /// The vector that names one write and the earlier ones of its device.
    package init(_ dot: Dot) {
        entries = [Entry(device: dot.device, sequence: dot.sequence)]
    }

    /// A vector of entries in order of device, each once and with a number of at least 1.
    package init(sorted entries: [Entry]) {
        self.entries = entries
    }

    /// A vector of entries in any order; nil where a device occurs twice.
    ///
    /// Entries with number 0 are dropped.
    package init?(unordered pairs: [(device: DeviceID, sequence: UInt64)]) {
        var entries: [Entry] = []
        entries.reserveCapacity(pairs.count)
        var isSorted = true
        for (device, sequence) in pairs {
            if let last = entries.last, !(last.device < device) { isSorted = false }
            entries.append(Entry(device: device, sequence: sequence))
        }
        if !isSorted {
            entries.sort { $0.device < $1.device }
            for index in entries.indices.dropFirst() where entries[index].device == entries[index - 1].device { return nil }
        }
        if entries.contains(where: { $0.sequence == 0 }) { entries.removeAll { $0.sequence == 0 } }
        self.entries = entries
    }

    /// Whether nothing was seen.
    public var isEmpty: Bool { entries.isEmpty }

    /// The highest number seen of a device's writes, 0 where none was.
    public subscript(device: DeviceID) -> UInt64 {
        entries.span.sequence(of: device)
    }

    /// Whether a write was seen.
    public func covers(_ dot: Dot) -> Bool {
        self[dot.device] >= dot.sequence
    }

    /// Whether everything in another vector was seen too.
    public func covers(_ other: VersionVector) -> Bool {
        if other.isSmall(beside: self) { return other.entries.allSatisfy { self[$0.device] >= $0.sequence } }
        return other.entries.span.isCovered(by: entries.span)
    }

    /// Adds a write and the earlier ones of its device.
    public mutating func insert(_ dot: Dot) {
        let index = entries.span.position(of: dot.device)
        let entry = Entry(device: dot.device, sequence: dot.sequence)
        if index < entries.count, entries.span[index].device == dot.device {
            if entries.span[index].sequence < dot.sequence { entries[index] = entry }
        } else {
            // A trace keeps a vector for most of its registers, and few ever grow: room for little more than is needed, but enough for many
            // insertions.
            if entries.count == entries.capacity { entries.reserveCapacity(entries.count + 1 + entries.count / 8) }
            entries.insert(entry, at: index)
        }
    }

    /// Adds everything that another vector has seen.
    public mutating func formUnion(_ other: VersionVector) {
        let (covers, isCovered) = comparison(with: other)
        // Taking the other's storage whole keeps one copy for all registers that a write touches.
        if isCovered {
            entries = other.entries
            return
        }
        if covers { return }
        // Each insertion moves what comes after it, so that only a few are faster than a new list.
        if other.entries.count <= 4, other.isSmall(beside: self) {
            for entry in other.entries { insert(Dot(device: entry.device, sequence: entry.sequence)) }
            return
        }
        entries = entries.span.union(with: other.entries.span)
    }

    /// Whether everything in another vector was seen here too, and the other way round.
    private func comparison(with other: VersionVector) -> (covers: Bool, isCovered: Bool) {
        if isSmall(beside: other) { return (false, other.covers(self)) }
        if other.isSmall(beside: self) { return (covers(other), false) }
        return entries.span.comparison(with: other.entries.span)
    }

    /// Whether looking its entries up one by one takes less time than walking through another vector.
    private func isSmall(beside other: VersionVector) -> Bool {
        entries.count < other.entries.count / 32
    }
}

extension VersionVector: ExpressibleByDictionaryLiteral {
    /// A vector from devices and the highest numbers of their writes.
    ///
    /// Where a device occurs twice, the higher number counts.
    public init(dictionaryLiteral elements: (DeviceID, UInt64)...) {
        self.init(elements.compactMap { $1 > 0 ? Dot(device: $0, sequence: $1) : nil })
    }
}
