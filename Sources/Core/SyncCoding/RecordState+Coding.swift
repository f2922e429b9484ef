package import SyncBytes
package import SyncMerge
package import SyncModel

extension RecordState {
    /// Appends all that the record remembers but its key, so that it merges after ``init(key:from:)`` as it would have without.
    package func encode(into encoder: inout StateEncoder) {
        encoder.append(record)
        encoder.append(deletes)
        encoder.append(fields.count)
        let inOrder = indicesInOrder
        for index in inOrder {
            encoder.append(fields[index])
            let tally = tallies.isEmpty ? nil : tallies[index]
            encoder.append(UInt8(tally == nil ? 0 : 1))
            tally?.encode(into: &encoder)
        }
        encoder.append(names: indexByName.isEmpty ? names : inOrder.map { names[$0] })
        encoder.append(history)
    }

    /// Reads what ``encode(into:)`` appended.
    package init(key: RecordKey, from decoder: inout StateDecoder) throws(CodingFailure) {
        self.init(key: key)
        record = try decoder.set()
        deletes = try decoder.set()
        let count = try decoder.count()
        for _ in 0..<count {
            fields.append(try decoder.set())
            tallies.append(try decoder.flag() ? try Tally(from: &decoder) : nil)
        }
        if tallies.allSatisfy({ $0 == nil }) { tallies = [] }
        names = try decoder.names()
        guard names.count == count else { throw CodingFailure("there are \(names.count) names for \(count) fields") }
        history = try decoder.writes()
        // Which position was the first is not kept: nobody creates the record any more.
        firstPosition = 0
    }
}

extension MaximalSet {
    func encode(into encoder: inout StateEncoder) {
        encoder.append(writes)
        encoder.append(seen)
        encoder.append(displaced)
        encoder.append(latest)
        encoder.append(
            UInt8(
                (inferred == nil ? 0 : RarityFlags.inferred) | (cursors == nil ? 0 : RarityFlags.cursors)
                    | (superseded.isEmpty ? 0 : RarityFlags.superseded) | (untold.isEmpty ? 0 : RarityFlags.untold)))
        if let inferred {
            encoder.append(inferred.steps.count)
            for step in inferred.steps {
                encoder.append(step.reception)
                encoder.append(step.reach)
            }
        }
        if let cursors {
            encoder.append(cursors.device)
            encoder.append(cursors.furthest)
            encoder.append(UInt8(cursors.furthestOfOthers == nil ? 0 : 1))
            if let furthest = cursors.furthestOfOthers { encoder.append(furthest) }
        }
        if !superseded.isEmpty { encoder.append(superseded.ordered) }
        if !untold.isEmpty { encoder.append(untold) }
    }

    init(from decoder: inout StateDecoder) throws(CodingFailure) {
        self.init()
        setMaximal(try decoder.writes())
        seen = try decoder.vector()
        displaced = try decoder.optionalWrite()
        latest = try decoder.optionalWrite()
        let flags = try decoder.byte()
        guard flags <= RarityFlags.all else { throw CodingFailure("\(flags) says nothing of a register") }
        if flags & RarityFlags.formerlyInferred != 0 {
            // Of before it was remembered by when the hub had the writes.
            inferred = InferredReach(steps: [InferredReach.Step(reception: .max, reach: try decoder.reach())])
        } else if flags & RarityFlags.inferred != 0 {
            var steps: [InferredReach.Step] = []
            for _ in 0..<(try decoder.count()) {
                steps.append(InferredReach.Step(reception: try decoder.signedNumber(), reach: try decoder.reach()))
            }
            inferred = InferredReach(steps: steps)
        }
        if flags & RarityFlags.cursors != 0 {
            let (device, furthest) = (try decoder.device(), try decoder.number())
            cursors = Reach(device: device, furthest: furthest, furthestOfOthers: try decoder.flag() ? try decoder.number() : nil)
        }
        if flags & RarityFlags.superseded != 0 { superseded = Dictionary(byDevice: try decoder.writes()) }
        if flags & RarityFlags.untold != 0 { untold = try decoder.writes() }
    }

    /// What of a register follows, as it is in bytes.
    private enum RarityFlags {
        static let formerlyInferred: UInt8 = 1
        static let cursors: UInt8 = 2
        static let superseded: UInt8 = 4
        static let inferred: UInt8 = 8
        static let untold: UInt8 = 16
        static let all: UInt8 = 31
    }
}

extension Tally {
    fileprivate func encode(into encoder: inout StateEncoder) {
        var resets = resets
        // A set of resets has no harmless losers of its own.
        resets.untold = told
        resets.encode(into: &encoder)
        encoder.append(totals.ordered)
        encoder.append(elements.values.count)
        for (value, element) in elements.inOrder {
            encoder.append(value)
            encoder.append(element.additions.count)
            for addition in element.additions.values.sorted(by: { $0.write.dot < $1.write.dot }) {
                encoder.append(addition.write)
                encoder.append(addition.spelling)
            }
            element.removals.encode(into: &encoder)
        }
    }

    fileprivate init(from decoder: inout StateDecoder) throws(CodingFailure) {
        var resets = try MaximalSet(from: &decoder)
        let totals = Dictionary(byDevice: try decoder.writes())
        let told = resets.untold
        resets.untold = []
        var elements = SetElements()
        for _ in 0..<(try decoder.count()) {
            let value = try decoder.value()
            var element = SetElements.Element()
            for _ in 0..<(try decoder.count()) {
                let write = try decoder.write()
                element.insert(SetElements.Addition(write: write, spelling: try decoder.value()))
            }
            element.removals = try MaximalSet(from: &decoder)
            elements.update(value) { $0 = element }
        }
        self.init(resets: resets, totals: totals, elements: elements, told: told)
    }
}

extension StateEncoder {
    fileprivate mutating func append(_ reach: Reach<Int64>) {
        append(reach.device)
        append(reach.furthest)
        append(UInt8(reach.furthestOfOthers == nil ? 0 : 1))
        if let furthest = reach.furthestOfOthers { append(furthest) }
    }

    fileprivate mutating func append(_ writes: [TaggedWrite]) {
        append(writes.count)
        for write in writes { append(write) }
    }
}

extension StateDecoder {
    fileprivate mutating func reach() throws(CodingFailure) -> Reach<Int64> {
        let (device, furthest) = (try device(), try signedNumber())
        return Reach(device: device, furthest: furthest, furthestOfOthers: try flag() ? try signedNumber() : nil)
    }

    fileprivate mutating func writes() throws(CodingFailure) -> [TaggedWrite] {
        var writes: [TaggedWrite] = []
        for _ in 0..<(try count()) { writes.append(try write()) }
        return writes
    }
}

extension [DeviceID: TaggedWrite] {
    /// The writes in order of device, so that equal states have equal bytes.
    fileprivate var ordered: [TaggedWrite] { values.sorted { $0.dot < $1.dot } }

    fileprivate init(byDevice writes: [TaggedWrite]) {
        self.init(writes.map { ($0.dot.device, $0) }) { first, _ in first }
    }
}
