public import SyncBytes

extension TaggedWrite {
    /// Whether this write's author had merged another write to the same register: the other *happened before* this one.
    ///
    /// By the device's own numbering, by what the write says of what its writer had seen, and otherwise inferred: a write of another device
    /// had been seen unless this one was made within the other's interval or the hub had it first.
    package func hasSeen(_ other: TaggedWrite, intervals: IntervalRule) -> Bool {
        // The questions of the innermost loop are answered here, where a write's parts can be looked at without being copied.
        let (mine, theirs) = (storage, other.storage)
        if mine.dot.device == theirs.dot.device {
            return mine.isNumbered && theirs.isNumbered ? theirs.dot.sequence < mine.dot.sequence : other.precedes(self)
        }
        if let isCovered = mine.context.withSeen({ $0.covers(theirs.dot) }) { return isCovered }
        if let cursor = mine.cursor { return theirs.hubSequence.map { $0 <= cursor } ?? false }
        return isInferred(toHaveSeen: other, intervals)
    }

    /// Whether a version vector names this write or a later one of its device.
    package func isCovered(by vector: VersionVector) -> Bool { vector.covers(storage.dot) }

    /// Whether both writes have one dot, and so are one write.
    @inlinable package func hasSameDot(as other: TaggedWrite) -> Bool {
        storage === other.storage
            || storage.dot.sequence == other.storage.dot.sequence && storage.dot.device == other.storage.dot.device
    }

    /// The write's number in the hub's order, where it has one.
    package var hubSequence: UInt64? { storage.hubSequence }

    /// Whether the write carries a version vector.
    package var hasSeenVector: Bool { storage.context.hasSeen }

    /// Whether a record is the one written to.
    @inlinable package func isTo(_ key: RecordKey) -> Bool {
        storage.key.id == key.id && storage.key.type == key.type
    }

    /// Whether another write is to the same record.
    @inlinable package func isToRecord(of other: TaggedWrite) -> Bool { isTo(other.storage.key) }

    /// A keyed 64-bit hash of the record written to; all bits are usable.
    @inlinable package func recordHash(_ key: HashKey) -> UInt64 { storage.key.quickHash(key) }

    /// Whether another write is of the same device.
    @inlinable package func isOfSameDevice(as other: TaggedWrite) -> Bool {
        storage.dot.device == other.storage.dot.device
    }

    /// Whether both are copies of one write, kept once.
    @inlinable package func isIdentical(to other: TaggedWrite) -> Bool { storage === other.storage }

    /// Whether the writer, as far as it says, had seen nothing but some writes, what their writers had seen, and writes of its own.
    ///
    /// - Complexity: O(*d*) in the devices that any of them names.
    package func isContextCovered(by writes: [TaggedWrite]) -> Bool {
        guard let seen = storage.seen else { return true }
        var known = VersionVector(storage.dot)
        for write in writes {
            known.insert(write.storage.dot)
            if let seen = write.storage.seen { known.formUnion(seen) }
        }
        return known.covers(seen)
    }

    /// Whether the write is of a device.
    @inlinable package func isOfDevice(_ device: DeviceID) -> Bool { storage.dot.device == device }

    /// The device's own count of the write; ``dot`` makes a copy of the device's name.
    @inlinable package var number: UInt64 { storage.dot.sequence }

    /// Adds the write, and the earlier ones of its device, to what has been seen.
    package func insertDot(into vector: inout VersionVector) { vector.insert(storage.dot) }

    /// Whether this write's vector covers another write and a vector, which does not cover this write; only where this write is numbered by
    /// its device.
    ///
    /// Both are looked at where they lie: a copy would count a reference.
    @inline(never) package func dominates(_ other: borrowing TaggedWrite?, and seen: borrowing VersionVector) -> Bool {
        guard storage.isNumbered, !seen.covers(storage.dot) else { return false }
        switch other {
        case .none: return false
        case .some(let other):
            let isOwn = isOfSameDevice(as: other)
            if isOwn { guard other.isNumbered, other.number < number else { return false } }
            return storage.context.withSeen { known in (isOwn || known.covers(other.storage.dot)) && known.covers(seen) } ?? false
        }
    }

    /// Replaces what has been seen by what the writer had seen, where the write says it.
    package func copySeen(to vector: inout VersionVector) {
        storage.context.withSeen { vector = copy $0 }
    }

    /// Adds what the writer had seen to what has been seen; false where the write does not say.
    package func addSeen(to vector: inout VersionVector) -> Bool {
        storage.context.withSeen { vector.formUnion($0) } != nil
    }
}
