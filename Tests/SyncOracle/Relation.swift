import SyncModel

/// Who had seen whom among the writes to one record, and the total order, by comparing every pair.
struct Relation {
    /// Each write's place in the total order: milliseconds, counter, device as UTF-8 bytes, number.
    let rank: [Int]
    /// For each write, a bit mask of the others that it has seen.
    let saw: [UInt64]

    init(writes: [TaggedWrite], inference: Oracle.Inference) {
        // Devices are numbered in the order of their bytes, so that the pairs need only compare numbers.
        var devices: [[UInt8]] = []
        let names = writes.map { Array($0.dot.device.rawValue.utf8) }
        for name in names where !devices.contains(name) { devices.append(name) }
        devices.sort { $0.lexicographicallyPrecedes($1) }
        var facts: [Facts] = []
        for (index, write) in writes.enumerated() {
            var vector: [UInt64]?
            if let seen = write.seen {
                vector = Array(repeating: 0, count: devices.count)
                for entry in seen.entries {
                    if let device = devices.firstIndex(of: Array(entry.device.rawValue.utf8)) { vector?[device] = entry.sequence }
                }
            }
            facts.append(
                Facts(
                    milliseconds: write.timestamp.milliseconds, counter: write.timestamp.counter,
                    device: devices.firstIndex(of: names[index]) ?? 0, sequence: write.dot.sequence, isNumbered: write.isNumbered,
                    vector: vector, cursor: write.cursor, position: write.receipt?.hubSequence, received: write.receipt?.milliseconds))
        }
        var rank: [Int] = []
        var saw: [UInt64] = []
        for one in facts {
            var place = 0
            var mask: UInt64 = 0
            for (index, other) in facts.enumerated() where one.device != other.device || one.sequence != other.sequence {
                if other.isEarlier(than: one) { place += 1 }
                if one.hasSeen(other, inference) { mask |= 1 << UInt64(index) }
            }
            rank.append(place)
            saw.append(mask)
        }
        self.rank = rank
        self.saw = saw
    }

    private struct Facts {
        let milliseconds: Int64
        let counter: UInt32
        let device: Int
        let sequence: UInt64
        let isNumbered: Bool
        let vector: [UInt64]?
        let cursor: UInt64?
        let position: UInt64?
        let received: Int64?

        func isEarlier(than other: Facts) -> Bool {
            if milliseconds != other.milliseconds { return milliseconds < other.milliseconds }
            if counter != other.counter { return counter < other.counter }
            if device != other.device { return device < other.device }
            return sequence < other.sequence
        }

        func hasSeen(_ other: Facts, _ inference: Oracle.Inference) -> Bool {
            if device == other.device {
                // A device is one sequential writer. Where it did not count its writes, its clock has to do.
                return isNumbered || other.isNumbered ? other.sequence < sequence : other.isEarlier(than: self)
            }
            if let vector { return vector[other.device] >= other.sequence }
            if let cursor {
                guard let position = other.position else { return false }
                return position <= cursor
            }
            // The other was at large from when it was made to when all may have had it, and this one was made later.
            let bounds = [other.latest + inference.window] + (other.received.map { [$0 - inference.tolerance] } ?? [])
            guard bounds.allSatisfy({ latest > $0 }) else { return false }
            switch (received, other.received) {
            // The hub had this one first.
            case (let mine?, let theirs?): return mine >= theirs
            // It was made, for all that its clock may be wrong, before the hub had this one.
            case (let mine?, nil): return mine - inference.tolerance + 1 > other.latest
            case (nil, _): return true
            }
        }

        /// By when it was made at the latest: a hub has nothing before that.
        private var latest: Int64 { min(milliseconds, received ?? milliseconds) }
    }
}
