import AuditLog
import SyncBytes
package import SyncLines
package import SyncModel

/// Puts the lines of a trace in causal order: each write behind those that it names, in whatever form, and behind the earlier ones of its
/// device.
///
/// Among the lines that wait for nothing the hub's order decides where all writes have a position in it, else their own, so that a trace
/// that is in causal order stays as it is. What never comes is not waited for, and where writes name each other in a circle the first of
/// them goes first. A device's writes that carry no number are taken in the hub's order, where all of them have a position in it, else in
/// that of the lines.
///
/// - Complexity: O(*n* log *n*) for *n* lines and names in them; memory for each of them some 50 bytes.
package struct CausalOrder {
    /// The write of a line.
    private struct Write {
        let line: Int
        /// The device's count of it; nil where it carries none.
        let number: UInt64?
        /// Its number in the hub's order, and when the hub had it, as far as they are known.
        let position: UInt64?
        let received: Int64?
    }

    /// A line that names others.
    private struct Naming {
        let line: Int
        var seen = VersionVector()
        var cursor: UInt64?
        var parents: [Revision] = []
    }

    private struct Revision: Hashable {
        let key: RecordKey
        let name: String
    }

    private let reading: LineReading
    private var count = 0
    private var writes: [DeviceID: [Write]] = [:]
    private var namings: [Naming] = []
    private var revisions: [Revision: Int] = [:]
    private var positions: [(position: UInt64, line: Int)] = []

    /// No lines yet.
    ///
    /// - Parameter reading: What is taken besides the format itself.
    package init(reading: LineReading = LineReading()) { self.reading = reading }

    /// Appends the next line; one that holds no write keeps its turn.
    package mutating func append(_ line: Span<UInt8>) {
        defer { count += 1 }
        guard let fields = LineFields(parsing: line, reading: reading), fields.optional(.event)?.string == "write",
            let device = (try? fields.name(.device)).map({ DeviceID($0) })
        else { return }
        var naming = Naming(line: count)
        naming.seen = (try? fields.versionVector(.seen)) ?? VersionVector()
        naming.cursor = Self.number(.cursor, of: fields)
        var revision: Revision?
        if let key = try? fields.record() {
            revision = (try? fields.optionalString(.revision)).map { Revision(key: key, name: $0) }
            naming.parents = (fields.optional(.parents)?.array ?? []).compactMap { $0.string.map { Revision(key: key, name: $0) } }
        }
        append(
            Write(
                line: count, number: Self.number(.number, of: fields), position: Self.number(.hubSequence, of: fields),
                received: try? fields.optionalDate(.received)),
            by: device, naming, revision)
    }

    /// Appends the write of the next line.
    package mutating func append(_ write: TaggedWrite) {
        append(
            Write(line: count, number: write.number, position: write.hubSequence, received: write.receipt?.milliseconds),
            by: write.dot.device, Naming(line: count, seen: write.seen ?? VersionVector(), cursor: write.cursor), nil)
        count += 1
    }

    private mutating func append(_ write: Write, by device: DeviceID, _ naming: Naming, _ revision: Revision?) {
        // Of revisions that nobody numbered their parents say which came first.
        if write.number != nil || revision == nil { writes[device, default: []].append(write) }
        if let position = write.position { positions.append((position, write.line)) }
        if let revision, revisions[revision] == nil { revisions[revision] = write.line }
        if !naming.seen.isEmpty || naming.cursor != nil || !naming.parents.isEmpty { namings.append(naming) }
    }

    private static func number(_ key: LineKey, of fields: LineFields) -> UInt64? {
        (try? fields.optionalInteger(key)).flatMap { UInt64(exactly: $0) }
    }

    /// The numbers of the lines, from 0, in causal order.
    package func lines() -> [Int] {
        var graph = Graph(count: count)
        var numbered: [DeviceID: [(number: UInt64, line: Int)]] = [:]
        for (device, lines) in writes {
            let ordered = Self.numbered(lines)
            for (before, after) in zip(ordered, ordered.dropFirst()) { graph.add(before.line, before: after.line) }
            numbered[device] = ordered
        }
        for naming in namings {
            for entry in naming.seen.entries {
                guard let lines = numbered[entry.device] else { continue }
                let end = lines.partitioningIndex { $0.number > entry.sequence }
                if end > 0 { graph.add(lines[end - 1].line, before: naming.line) }
            }
            for parent in naming.parents {
                if let line = revisions[parent] { graph.add(line, before: naming.line) }
            }
            graph.cursors[naming.line] = naming.cursor
        }
        return graph.lines(positions.sorted { ($0.position, $0.line) < ($1.position, $1.line) }, turns: turns)
    }

    /// For each line whose turn it is among those that wait for nothing.
    private var turns: [Int] {
        var turns = Array(0..<count)
        let all = writes.values.joined().sorted { $0.line < $1.line }
        for (write, turn) in zip(Self.inHubOrder(all) ?? [], all) { turns[write.line] = turn.line }
        return turns
    }

    /// Some writes, given in the order of their lines, in that of the hub: by their positions in it, or by when the hub had them; nil where
    /// neither is known of all.
    private static func inHubOrder(_ writes: [Write]) -> [Write]? {
        if writes.allSatisfy({ $0.position != nil }) { return writes.sorted { ($0.position ?? 0, $0.line) < ($1.position ?? 0, $1.line) } }
        if writes.allSatisfy({ $0.received != nil }) { return writes.sorted { ($0.received ?? 0, $0.line) < ($1.received ?? 0, $1.line) } }
        return nil
    }

    /// A device's writes in the order of their numbers.
    private static func numbered(_ writes: [Write]) -> [(number: UInt64, line: Int)] {
        let isNumbered = writes.contains { $0.number != nil }
        let writes = isNumbered ? writes : inHubOrder(writes) ?? writes
        var last: UInt64 = 0
        var numbered: [(number: UInt64, line: Int)] = []
        for write in writes {
            let number = write.number ?? last.addingReportingOverflow(1).partialValue
            last = max(last, number)
            numbered.append((number, write.line))
        }
        return numbered.sorted { ($0.number, $0.line) < ($1.number, $1.line) }
    }
}

/// Lines, and which of them come before which.
private struct Graph {
    /// By its line, up to which position in the hub's order a write names all others.
    var cursors: [Int: UInt64] = [:]
    private let count: Int
    private var links: [(before: Int, after: Int)] = []

    init(count: Int) { self.count = count }

    mutating func add(_ line: Int, before other: Int) {
        if line != other { links.append((line, other)) }
    }

    /// All lines, each behind those that come before it.
    ///
    /// - Parameters:
    ///   - positions: The lines by their positions in the hub's order.
    ///   - turns: For each line whose turn it is among those that wait for nothing.
    func lines(_ positions: [(position: UInt64, line: Int)], turns: [Int]) -> [Int] {
        // For each line the lines that wait for it, one after the other in one list.
        var starts = [Int](repeating: 0, count: count + 1)
        var waits = [Int](repeating: 0, count: count)
        for link in links {
            starts[link.before + 1] += 1
            waits[link.after] += 1
        }
        for line in 0..<count { starts[line + 1] += starts[line] }
        var followers = [Int](repeating: 0, count: links.count)
        var next = starts
        for link in links {
            followers[next[link.before]] = link.after
            next[link.before] += 1
        }
        var run = Run(positions: positions, cursors: cursors, turns: turns)
        for line in 0..<count where waits[line] == 0 { run.enter(line) }
        while let line = run.next() {
            for follower in followers[starts[line]..<starts[line + 1]] {
                waits[follower] -= 1
                if waits[follower] == 0 { run.enter(follower) }
            }
        }
        return run.lines
    }

    /// The lines as they come.
    private struct Run {
        let positions: [(position: UInt64, line: Int)]
        let cursors: [Int: UInt64]
        /// For each line its turn, and for each turn its line.
        private let turns: [Int]
        private var inTurn: [Int]
        private(set) var lines: [Int] = []
        /// By their turns.
        private var isOut: [Bool]
        private var ready = BinaryHeap<Int>()
        /// What waits for the hub's order alone, by its cursor.
        private var waiting = BinaryHeap<Waiter>()
        /// The slots of the first position, and of the first turn, that is not out.
        private var (slot, first) = (0, 0)

        private struct Waiter: Comparable {
            let cursor: UInt64
            let line: Int

            static func < (left: Waiter, right: Waiter) -> Bool { (left.cursor, left.line) < (right.cursor, right.line) }
        }

        init(positions: [(position: UInt64, line: Int)], cursors: [Int: UInt64], turns: [Int]) {
            (self.positions, self.cursors, self.turns, inTurn) = (positions, cursors, turns, turns)
            for (line, turn) in turns.enumerated() { inTurn[turn] = line }
            isOut = Array(repeating: false, count: turns.count)
        }

        /// Enters a line that waits for no other by its name.
        mutating func enter(_ line: Int) {
            if isOut[line] { return }
            guard let cursor = cursors[line], !covers(cursor) else { return ready.insert(turns[line]) }
            waiting.insert(Waiter(cursor: cursor, line: line))
        }

        /// Whether everything up to a position in the hub's order is out.
        private func covers(_ cursor: UInt64) -> Bool { slot == positions.count || positions[slot].position > cursor }

        /// Removes the next line; where all that are left wait for each other, the first of them.
        mutating func next() -> Int? {
            var line = ready.removeFirst().map { inTurn[$0] }
            while let one = line, isOut[one] { line = ready.removeFirst().map { inTurn[$0] } }
            if line == nil {
                while first < isOut.count, isOut[inTurn[first]] { first += 1 }
                line = first < isOut.count ? inTurn[first] : nil
            }
            guard let line else { return nil }
            isOut[line] = true
            lines.append(line)
            while slot < positions.count, isOut[positions[slot].line] { slot += 1 }
            while let waiter = waiting.first, covers(waiter.cursor) {
                _ = waiting.removeFirst()
                if !isOut[waiter.line] { ready.insert(turns[waiter.line]) }
            }
            return line
        }
    }
}
