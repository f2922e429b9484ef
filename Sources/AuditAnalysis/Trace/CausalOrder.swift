import AuditLog
import SyncLines
package import SyncModel

/// Puts the lines of a trace in causal order: each write behind those that it names, in whatever form, and behind the earlier ones of its
/// device.
///
/// Among the lines that wait for nothing the hub's order decides where all writes have their place in it, else their own, so that a trace
/// which is in causal order stays as it is. What never comes
/// is not waited for, and where writes name each other in a circle the first of them goes first. A device's writes that carry no number are
/// taken in the hub's order, where all of them have their place in it, else in that of the lines.
///
/// - Complexity: O(*n* log *n*) for *n* lines and names in them; memory for each of them some 50 bytes.
package struct CausalOrder {
    /// The write of a line.
    private struct Write {
        let line: Int
        let number: UInt64?
        /// Its place in the hub's order, as far as that is known.
        let place: Place
    }

    /// A place in the hub's order: by its number there, or by when the hub had it.
    private struct Place: Comparable {
        let position: UInt64?
        let received: Int64?

        static func < (left: Place, right: Place) -> Bool {
            if let mine = left.position, let theirs = right.position { return mine < theirs }
            return (left.received ?? .max) < (right.received ?? .max)
        }
    }

    /// A line that names others.
    private struct Naming {
        let line: Int
        var seen: [(device: DeviceID, number: UInt64)] = []
        var cursor: UInt64?
        var parents: [Revision] = []
    }

    private struct Revision: Hashable {
        let key: RecordKey
        let name: String
    }

    private var count = 0
    private var writes: [DeviceID: [Write]] = [:]
    private var namings: [Naming] = []
    private var revisions: [Revision: Int] = [:]
    private var positions: [(position: UInt64, line: Int)] = []

    /// No lines yet.
    package init() {}

    /// Takes the next line; one that holds no write keeps its place.
    package mutating func append(_ line: Span<UInt8>) {
        defer { count += 1 }
        guard let value = try? JSONParser.parse(line), let object = value.object, object["event"]?.string == "write",
            let device = object["device"]?.string.map({ DeviceID($0) })
        else { return }
        let position = Self.number(object["hubSequence"])
        let received = object["received"]?.string.flatMap(RFC3339.milliseconds)
        let place = Place(position: position, received: received)
        let number = Self.number(object["n"])
        // Of revisions that nobody numbered their parents say which came first.
        if number != nil || object["rev"] == nil {
            writes[device, default: []].append(Write(line: count, number: number, place: place))
        }
        if let position { positions.append((position, count)) }
        var naming = Naming(line: count)
        for entry in object["seen"]?.object ?? FieldMap() {
            if let number = Self.number(entry.value) { naming.seen.append((DeviceID(entry.name.rawValue), number)) }
        }
        naming.cursor = Self.number(object["cursor"])
        if let type = object["recordType"]?.string, let id = object["recordID"]?.string {
            let key = RecordKey(type: RecordType(type), id: RecordID(id))
            if let name = object["rev"]?.string, revisions[Revision(key: key, name: name)] == nil {
                revisions[Revision(key: key, name: name)] = count
            }
            naming.parents = (object["parents"]?.array ?? []).compactMap { $0.string.map { Revision(key: key, name: $0) } }
        }
        if !naming.seen.isEmpty || naming.cursor != nil || !naming.parents.isEmpty { namings.append(naming) }
    }

    /// Takes the write of the next line.
    package mutating func append(_ write: TaggedWrite) {
        let place = Place(position: write.hubSequence, received: write.receipt?.milliseconds)
        writes[write.dot.device, default: []].append(Write(line: count, number: write.dot.sequence, place: place))
        if let position = write.hubSequence { positions.append((position, count)) }
        if write.cursor != nil || write.seen?.isEmpty == false {
            let seen = (write.seen ?? VersionVector()).entries.map { ($0.device, $0.sequence) }
            namings.append(Naming(line: count, seen: seen, cursor: write.cursor))
        }
        count += 1
    }

    private static func number(_ value: FieldValue?) -> UInt64? { value?.integer.flatMap { UInt64(exactly: $0) } }

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
            for (device, number) in naming.seen {
                guard let lines = numbered[device] else { continue }
                let end = lines.partitioningIndex { $0.number > number }
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
        guard all.allSatisfy({ $0.place.position != nil }) || all.allSatisfy({ $0.place.received != nil }) else { return turns }
        let ordered = all.sorted { $0.place < $1.place || !($1.place < $0.place) && $0.line < $1.line }
        for (write, turn) in zip(ordered, all) { turns[write.line] = turn.line }
        return turns
    }

    /// A device's writes in the order of their numbers.
    private static func numbered(_ writes: [Write]) -> [(number: UInt64, line: Int)] {
        var writes = writes
        let unnumbered = writes.allSatisfy { $0.number == nil }
        if unnumbered, writes.allSatisfy({ $0.place.position != nil }) || writes.allSatisfy({ $0.place.received != nil }) {
            writes.sort { $0.place == $1.place ? $0.line < $1.line : $0.place < $1.place }
        }
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
    /// By its line, up to which place in the hub's order a write names all others.
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
    ///   - positions: The lines by their places in the hub's order.
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
        /// The first of the positions, and of the turns, that is not out.
        private var (place, first) = (0, 0)

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

        /// Takes a line that waits for no other by its name.
        mutating func enter(_ line: Int) {
            if isOut[line] { return }
            guard let cursor = cursors[line], !covers(cursor) else { return ready.insert(turns[line]) }
            waiting.insert(Waiter(cursor: cursor, line: line))
        }

        /// Whether everything up to a place in the hub's order is out.
        private func covers(_ cursor: UInt64) -> Bool { place == positions.count || positions[place].position > cursor }

        /// Takes out the next line; where all that are left wait for each other, the first of them.
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
            while place < positions.count, isOut[positions[place].line] { place += 1 }
            while let waiter = waiting.first, covers(waiter.cursor) {
                _ = waiting.removeFirst()
                if !isOut[waiter.line] { ready.insert(turns[waiter.line]) }
            }
            return line
        }
    }
}
