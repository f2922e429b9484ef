import SyncBytes

extension Span<VersionVector.Entry> {
    /// The highest number of a device's writes, 0 where the device has no entry.
    ///
    /// - Complexity: O(*n*) for a few entries, O(log *n*) for many.
    @inline(__always) func sequence(of device: DeviceID) -> UInt64 {
        let index = find(device)
        return index < count ? self[index].sequence : 0
    }

    /// The index of a device's entry, the end where there is none.
    private func find(_ device: DeviceID) -> Int {
        // A few entries are sooner looked at one after the other than halved: no branch depends on how two names compare.
        if count <= 24 {
            var index = 0
            while index < count, self[index].device != device { index += 1 }
            return index
        }
        let index = position(of: device)
        guard index < count, self[index].device == device else { return count }
        return index
    }

    /// The index of a device's entry, or the index at which it would be inserted.
    ///
    /// - Complexity: O(log *n*).
    func position(of device: DeviceID) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if order(at: middle, to: device) < 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether this vector covers another one, and the other way round.
    ///
    /// - Complexity: O(*n* + *m*).
    func comparison(with other: Span<VersionVector.Entry>) -> (covers: Bool, isCovered: Bool) {
        var (covers, isCovered) = (true, true)
        var (left, right) = (0, 0)
        while left < count, right < other.count {
            // Both mostly name the same devices.
            if self[left].device == other[right].device {
                let (known, seen) = (self[left].sequence, other[right].sequence)
                if known < seen { covers = false }
                if seen < known { isCovered = false }
                left += 1
                right += 1
            } else if order(at: left, to: other, at: right) < 0 {
                isCovered = false
                left += 1
            } else {
                covers = false
                right += 1
            }
            if !covers, !isCovered { break }
        }
        return (covers && right == other.count, isCovered && left == count)
    }

    /// Whether another vector has each device of this one, with a number no lower.
    ///
    /// - Complexity: O(*n* + *m*); O(1) where both are one vector, kept once.
    func isCovered(by other: Span<VersionVector.Entry>) -> Bool {
        guard count <= other.count else { return false }
        if isIdentical(to: other) { return true }
        // The devices that only the other vector names; once there are more of them, it lacks one of this vector's.
        var surplus = other.count - count
        var (left, right) = (0, 0)
        while left < count {
            if self[left].device == other[right].device {
                if other[right].sequence < self[left].sequence { return false }
                left += 1
            } else {
                surplus -= 1
                if surplus < 0 { return false }
            }
            right += 1
        }
        return true
    }

    /// The entries of both vectors, of each device the one with the higher number.
    ///
    /// - Complexity: O(*n* + *m*).
    func union(with other: Span<VersionVector.Entry>) -> [VersionVector.Entry] {
        var union: [VersionVector.Entry] = []
        union.reserveCapacity(Swift.max(count, other.count))
        var (left, right) = (0, 0)
        while left < count, right < other.count {
            let order = order(at: left, to: other, at: right)
            if order < 0 {
                union.append(self[left])
            } else if order > 0 {
                union.append(other[right])
            } else if self[left].sequence >= other[right].sequence {
                union.append(self[left])
            } else {
                union.append(other[right])
            }
            if order <= 0 { left += 1 }
            if order >= 0 { right += 1 }
        }
        for index in left..<count { union.append(self[index]) }
        for index in right..<other.count { union.append(other[index]) }
        return union
    }

    /// Less than, equal to or greater than zero as an entry's device sorts before, with or after another device.
    @inline(__always) private func order(at index: Int, to device: DeviceID) -> Int { self[index].device.bytes.order(to: device.bytes) }

    /// Less than, equal to or greater than zero as an entry's device sorts before, with or after that of an entry of another vector.
    @inline(__always) private func order(at index: Int, to other: Span<VersionVector.Entry>, at otherIndex: Int) -> Int {
        self[index].device.bytes.order(to: other[otherIndex].device.bytes)
    }
}
