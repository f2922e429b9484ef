import AuditAnalysis
import ConflictAudit
import SyncModel

/// Compares the times and the contents that different lines give one write.
///
/// - Complexity: memory grows with the distinct numbered writes, about a hundred bytes each; at most ``limit`` contradictions are kept.
struct StampCheck: Sendable {
    /// The most contradictions that are kept.
    static let limit = 20_000
    /// The most that are kept between two files that differ by one amount, so that a log that is off as a whole leaves room for others.
    private static let alikeLimit = 5000

    /// What is known of a write.
    private struct Known: Sendable {
        var timestamp: HybridTimestamp
        var location: LineLocation
        /// Whether the line is that of the device that made the write.
        var isOwn: Bool
        /// Whether it is in a log, so that its device is a replica, whose clock never runs backwards.
        var isLogged: Bool
        /// How many other lines give the same time.
        var confirmations: UInt32 = 0
        /// A hash of record and operation.
        var target: Int
        /// Hashes of what is written: of record, operation and names of fields, and of all with the values; nil where a line does not say.
        var shape: Int?
        var content: Int?
        /// Which write it is in the hub's order; nil where no line says so.
        var hubSequence: UInt64?

        var signature: RenamedWrites.Signature { RenamedWrites.Signature(timestamp: timestamp, target: target) }
    }

    private struct Contradiction: Sendable {
        let dot: Dot
        let here: LineLocation
        let there: LineLocation
        let hereTime: Int64
        let thereTime: Int64
        let isThereOwn: Bool
        var signatures: [RenamedWrites.Signature]

        var delta: Int64 { hereTime.distance(after: thereTime) }
    }

    /// A write as one file tells of it.
    private struct Mention: Hashable, Sendable {
        let dot: Dot
        let file: Int32
    }

    private struct Difference: Hashable, Sendable {
        let here: Int32
        let there: Int32
        let delta: Int64
    }

    /// What is known to be wrong with stamps: single writes, and files whose times are all off.
    struct Wrong {
        let writes: Set<Dot>
        /// Those of the writes that no file whose times are all off explains.
        let single: Set<Dot>
        let files: Set<Int32>
        /// Writes that go by another name since: their store was put back, and the name was another write's.
        let renamed: Set<Dot>
    }

    /// A name of which lines tell two contents.
    private struct Collision: Sendable {
        let dot: Dot
        let here: LineLocation
        let there: LineLocation
        let signatures: [RenamedWrites.Signature]
    }

    private var known: [DeviceID: [UInt64: Known]] = [:]
    private var contradictions: [Contradiction] = []
    private var contradicted: Set<Mention> = []
    private var collisions: [Collision] = []
    private var renamed = RenamedWrites()
    private var alike: [Difference: Int] = [:]
    /// Writes that conflicts' lines tell of differently.
    private var contested: [Dot: (here: LineLocation, there: LineLocation)] = [:]
    /// Writes of whose number in the hub's order lines tell differently.
    private var reordered: [Dot: (here: LineLocation, there: LineLocation, number: UInt64, other: UInt64)] = [:]
    /// Writes of which two contents are told under one name.
    private(set) var named: Set<Dot> = []

    /// The distinct writes that a write line tells of.
    private(set) var writes = 0
    /// Those of them that carried a causal context.
    private(set) var writesWithContext = 0

    /// Takes a write line.
    ///
    /// - Returns: Whether another line had told of the write.
    mutating func observe(
        _ write: TaggedWrite, source: DeviceID?, at location: LineLocation
    ) -> Bool {
        let line = Known(
            timestamp: write.timestamp, location: location, isOwn: source == write.dot.device, isLogged: source != nil,
            target: RenamedWrites.Signature.target(write.key, isDelete: write.isDelete), shape: write.shape, content: write.content,
            hubSequence: write.hubSequence)
        renamed.observe(write, source: source)
        let known = record(line, of: write.dot)
        if known?.shape == nil {
            writes += 1
            if write.hasCausalContext { writesWithContext += 1 }
        }
        guard let other = known else { return false }
        let isOther = other.shape.map { $0 != line.shape } ?? false
        let isChanged = other.content.flatMap { mine in line.content.map { $0 != mine } } ?? false
        if isOther || isChanged, named.count < Self.limit, named.insert(write.dot).inserted {
            collisions.append(
                Collision(dot: write.dot, here: location, there: other.location, signatures: [line.signature, other.signature]))
        }
        return other.shape != nil
    }

    /// Whether a write line has told of a write.
    func knowsLine(of dot: Dot) -> Bool { known[dot.device]?[dot.sequence]?.shape != nil }

    /// Takes one side of a conflict.
    ///
    /// - Parameter key: The record that the side's write is to.
    mutating func observe(_ side: Conflict.Side, to key: RecordKey, at location: LineLocation) {
        let target = RenamedWrites.Signature.target(key, isDelete: side.operation == .delete)
        let line = Known(timestamp: side.timestamp, location: location, isOwn: false, isLogged: false, target: target)
        guard let other = record(line, of: side.dot), other.shape == nil, other.target != target, contested.count < Self.limit else {
            return
        }
        contested[side.dot] = contested[side.dot] ?? (location, other.location)
    }

    /// Remembers what a line says of a write's time, and compares.
    ///
    /// - Returns: What was known before.
    private mutating func record(_ line: Known, of dot: Dot) -> Known? {
        guard let other = known[dot.device]?[dot.sequence] else {
            known[dot.device, default: [:]][dot.sequence] = line
            return nil
        }
        if other.timestamp == line.timestamp {
            if other.location.file != line.location.file { known[dot.device]?[dot.sequence]?.confirmations &+= 1 }
        } else {
            add(
                Contradiction(
                    dot: dot, here: line.location, there: other.location, hereTime: line.timestamp.milliseconds,
                    thereTime: other.timestamp.milliseconds, isThereOwn: other.isOwn, signatures: [line.signature, other.signature]))
        }
        compareOrder(line, other, of: dot)
        // The device's own line counts, then that of a write line.
        if line.isOwn && !other.isOwn || line.shape != nil && other.shape == nil {
            var line = line
            if other.timestamp == line.timestamp { line.confirmations = other.confirmations &+ 1 }
            line.hubSequence = other.hubSequence ?? line.hubSequence
            known[dot.device]?[dot.sequence] = line
        } else if other.content == nil, line.content != nil {
            known[dot.device]?[dot.sequence]?.content = line.content
        }
        return other
    }

    /// Compares what two lines say of a write's number in the hub's order, and remembers it.
    private mutating func compareOrder(_ line: Known, _ other: Known, of dot: Dot) {
        guard let number = line.hubSequence else { return }
        guard let known = other.hubSequence else {
            self.known[dot.device]?[dot.sequence]?.hubSequence = number
            return
        }
        if number != known, reordered.count < Self.limit, reordered[dot] == nil {
            reordered[dot] = (line.location, other.location, number, known)
        }
    }

    /// Tells of writes of whose number in the hub's order lines say different things; of a hub that was put back there may be two.
    func tellOrders(_ history: RecordedHistory, _ findings: inout FindingList) {
        let name = findings.name
        for (dot, order) in reordered.sorted(by: { $0.key < $1.key }) {
            findings.add(
                .divergence, of: DecisionCheck.subject(dot), at: order.here, about: history.write(dot)?.key,
                "\(DecisionCheck.name(dot)) is number \(order.number) in the hub's order, and number \(order.other) at \(name(order.there))"
            )
        }
    }

    /// Keeps a contradiction, one of a write and a file: many conflicts name one write.
    private mutating func add(_ item: Contradiction) {
        let difference = Difference(here: item.here.file, there: item.there.file, delta: item.delta)
        guard contradictions.count < Self.limit, alike[difference, default: 0] < Self.alikeLimit,
            contradicted.insert(Mention(dot: item.dot, file: item.here.file)).inserted
        else { return }
        alike[difference, default: 0] += 1
        contradictions.append(item)
    }

    /// - Parameters:
    ///   - shifted: Devices whose clocks are known to have been moved, so that their times may have run backwards.
    /// - Returns: What is known to be wrong.
    mutating func finish(
        shifted: Set<DeviceID>, _ history: RecordedHistory, _ findings: inout FindingList
    ) -> Wrong {
        let name = findings.name
        let renamed = renamedDots()
        // Where a line tells of the write itself, the conflicts are held against that.
        for (dot, locations) in contested.sorted(by: { $0.key < $1.key })
        where known[dot.device]?[dot.sequence]?.shape == nil && named.insert(dot).inserted {
            collisions.append(Collision(dot: dot, here: locations.here, there: locations.there, signatures: []))
        }
        for collision in collisions where !renamed.contains(collision.dot) {
            findings.add(
                .identity, of: DecisionCheck.subject(collision.dot), at: collision.here, about: history.write(collision.dot)?.key,
                "\(DecisionCheck.name(collision.dot)) is another than at \(name(collision.there))")
        }
        contradictions.removeAll { renamed.contains($0.dot) }
        var rest = contradictions[...]
        var files: Set<Int32> = []
        while let shift = shiftedLog(rest) {
            files.insert(shift.file)
            let file = findings.fileName(shift.file)
            let zone = ClockCheck.isTimeZone(shift.delta) ? ", as if it were set to another time zone" : ""
            findings.add(
                .clock, of: file, at: LineLocation(file: shift.file, line: 0),
                "the times of \(HumanNumber.count(shift.writes, "write")) are \(ClockMeasurement.words(offset: shift.delta)) "
                    + "what other lines say of the same writes\(zone)")
            rest =
                rest.filter { !($0.here.file == shift.file || $0.there.file == shift.file) || $0.delta.magnitude != shift.delta.magnitude }[
                    ...]
        }
        for (dot, group) in Dictionary(grouping: rest, by: \.dot).sorted(by: { $0.key < $1.key }) {
            guard let first = group.first else { continue }
            // Of more than two lines the one that disagrees with all others is wrong; of two, the one that is not the device's own.
            var votes: [LineLocation: Int] = [:]
            for item in group {
                votes[item.here, default: 0] += 1
                votes[item.there, default: 0] += item.isThereOwn ? 0 : 1
            }
            let worst = group.count > 1 ? votes.max { ($0.value, $1.key.line) < ($1.value, $0.key.line) }?.key : nil
            let isReversed =
                worst == first.there
                || worst == nil && !first.isThereOwn && first.delta < 0 && suspects(of: first) != [first.here.file]
            let (here, there) = isReversed ? (first.there, first.here) : (first.here, first.there)
            let delta = isReversed ? first.thereTime.distance(after: first.hereTime) : first.delta
            let distance = HumanNumber.duration(milliseconds: Int64(clamping: delta.magnitude))
            findings.add(
                .stamp, of: DecisionCheck.subject(dot), at: here, about: history.write(dot)?.key,
                "write \(dot.sequence) of \(EventText.name(dot.device.rawValue)) is stamped \(distance) "
                    + "\(delta < 0 ? "older" : "newer") than at \(name(there))")
        }
        var wrong = Set(contradictions.map(\.dot))
        var single = Set(rest.map(\.dot))
        if files.isEmpty {
            let found = backwards(except: wrong.union(renamed), shifted: shifted, history, &findings)
            wrong.formUnion(found)
            single.formUnion(found)
        }
        return Wrong(writes: wrong, single: single, files: files, renamed: renamed)
    }

    /// The names of writes that go by another name since.
    private func renamedDots() -> Set<Dot> {
        var dots: Set<Dot> = []
        if renamed.isEmpty { return dots }
        for (device, writes) in known where renamed.concerns(device) {
            for (number, write) in writes where renamed.contains(write.signature, of: device) {
                dots.insert(Dot(device: device, sequence: number))
            }
        }
        let mentions = collisions.map { ($0.dot, $0.signatures) } + contradictions.map { ($0.dot, $0.signatures) }
        for (dot, signatures) in mentions where signatures.contains(where: { renamed.contains($0, of: dot.device) }) { dots.insert(dot) }
        return dots
    }

    /// The files of a contradiction, without that of which others say the same.
    private func suspects(of item: Contradiction) -> [Int32] {
        guard let known = known[item.dot.device]?[item.dot.sequence], known.confirmations > 0 else {
            return [item.here.file, item.there.file]
        }
        switch known.timestamp.milliseconds {
        case item.thereTime: return [item.here.file]
        case item.hereTime: return [item.there.file]
        default: return [item.here.file, item.there.file]
        }
    }

    /// A log whose times all differ by one amount from those of others.
    private func shiftedLog(_ contradictions: ArraySlice<Contradiction>) -> (file: Int32, delta: Int64, writes: Int)? {
        struct Shift: Hashable {
            let file: Int32
            let magnitude: UInt64
        }
        var dots: [Shift: Set<Dot>] = [:]
        var weights: [Shift: Int] = [:]
        for item in contradictions where item.delta.magnitude >= UInt64(ClockCheck.limit) {
            for file in suspects(of: item) {
                dots[Shift(file: file, magnitude: item.delta.magnitude), default: []].insert(item.dot)
                weights[Shift(file: file, magnitude: item.delta.magnitude), default: 0] += 1
            }
        }
        let candidates = dots.filter { $0.value.count >= 3 }
        let best = candidates.keys.max { left, right in
            (weights[left] ?? 0, -left.file) < (weights[right] ?? 0, -right.file)
        }
        guard let best else { return nil }
        // Which way it differs shows where the other line is in another file.
        let sign = contradictions.first {
            $0.delta.magnitude == best.magnitude && ($0.here.file == best.file) != ($0.there.file == best.file)
        }
        let delta =
            sign.map { $0.here.file == best.file ? $0.delta : $0.thereTime.distance(after: $0.hereTime) } ?? Int64(clamping: best.magnitude)
        return (best.file, delta, dots[best]?.count ?? 0)
    }

    /// Finds times that run backwards: a replica's own never do.
    private func backwards(
        except wrong: Set<Dot>, shifted: Set<DeviceID>, _ history: RecordedHistory, _ findings: inout FindingList
    ) -> Set<Dot> {
        var found: Set<Dot> = []
        for (device, writes) in known.sorted(by: { $0.key < $1.key }) where !shifted.contains(device) {
            let numbers = writes.keys.filter { writes[$0]?.isLogged == true && !wrong.contains(Dot(device: device, sequence: $0)) }.sorted()
            var index = 0
            while index + 1 < numbers.count {
                let (mine, next) = (writes[numbers[index]], writes[numbers[index + 1]])
                index += 1
                guard let mine, let next, mine.timestamp >= next.timestamp else { continue }
                let after = index + 1 < numbers.count ? writes[numbers[index + 1]] : nil
                // Where time goes on as it was before, the one between is wrong: too old rather than the others too new.
                let isNextOld = after.map { mine.timestamp < $0.timestamp } ?? false
                let before = index >= 2 ? writes[numbers[index - 2]] : nil
                let isMineNew = before.map { $0.timestamp < next.timestamp } ?? true
                let isMine = isMineNew && !(isNextOld && !isMineNew)
                let (number, line, other) = isMine ? (numbers[index - 1], mine, numbers[index]) : (numbers[index], next, numbers[index - 1])
                found.insert(Dot(device: device, sequence: number))
                let gap = HumanNumber.duration(
                    milliseconds: max(0, mine.timestamp.milliseconds.distance(after: next.timestamp.milliseconds)))
                findings.add(
                    .stamp, of: DecisionCheck.subject(Dot(device: device, sequence: number)), at: line.location,
                    about: history.write(Dot(device: device, sequence: number))?.key,
                    "write \(number) of \(EventText.name(device.rawValue)) is stamped \(gap) \(isMine ? "newer" : "older") than "
                        + "its write \(other), which came \(isMine ? "after" : "before")")
            }
        }
        return found
    }
}

extension TaggedWrite {
    fileprivate var shape: Int {
        var hasher = Hasher()
        hasher.combine(key)
        hasher.combine(isDelete)
        hasher.combine(fieldNames)
        hasher.combine(seen)
        return hasher.finalize()
    }

    fileprivate var content: Int? {
        guard let fields else { return 0 }
        return fields.contains { Recoverability(ofValue: $0.value) != .available } ? nil : fields.hashValue
    }
}
