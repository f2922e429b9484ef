import SyncBytes
import SyncModel

/// Numbers names in the order of their first coming, so that they can be counted in arrays.
///
/// A name is some bytes and an owner; the same bytes under two owners are two names.
///
/// - Complexity: O(1) expected. A name of up to 16 bytes takes 24, a longer one its bytes and 16, rounded up to whole words; finding it
///   again takes 11 to 22.
package struct NameTable: Sendable {
    private struct Entry: BitwiseCopyable {
        /// The first eight bytes, as ``LineCursor/Text/ends`` says.
        let first: UInt64
        /// The last eight bytes of a name of up to 16; of a long one the offset of what follows on the first eight.
        let rest: UInt64
        let owner: UInt32
        let count: UInt32

        var isLong: Bool { count > 16 }
        var offset: Int { Int(truncatingIfNeeded: rest) }
    }

    private var entries: [Entry] = []
    private var index = HashIndex()
    /// What follows on the first eight bytes of long names, each in whole words that end with zeros.
    private var tails: [UInt8] = []
    private let key = HashKey()
    /// Kept, so that looking ahead is not taken for idle.
    private var touched: UInt64 = 0

    /// A table without names.
    ///
    /// - Parameter capacity: How many names are expected; memory is set aside for them, and used as they come.
    package init(capacity: Int = 0) { entries.reserveCapacity(capacity) }

    /// How many names there are.
    package var count: Int { entries.count }

    /// Whether this and another are copies of one table, and so have the same numbers; where it is false, they may have them all the same.
    ///
    /// - Complexity: O(1).
    package func isCopy(of other: NameTable) -> Bool { entries.span.isIdentical(to: other.entries.span) }

    /// A name with its hash, to be looked up later.
    struct Probe: BitwiseCopyable {
        /// What follows on the first eight bytes; of no use where there are no more than sixteen.
        fileprivate let tail: LineCursor.Text
        fileprivate let first: UInt64
        fileprivate let last: UInt64
        fileprivate let count: Int
        fileprivate let owner: Int
        fileprivate let hash: UInt64
    }

    @inline(__always) func probe(_ text: LineCursor.Text, owner: Int = 0) -> Probe {
        let (first, last) = text.ends
        return probe(first, last, text.tail, count: text.count, owner: owner)
    }

    @inline(__always) private func probe(_ first: UInt64, _ last: UInt64, _ tail: LineCursor.Text, count: Int, owner: Int) -> Probe {
        Probe(tail: tail, first: first, last: last, count: count, owner: owner, hash: hash(tail, first, last, count, owner))
    }

    /// The numbers of many names, new ones where they are new: each step is done for all of them, so that the memory of a large table is
    /// waited for once and not for each name.
    ///
    /// - Parameters:
    ///   - probes: The names.
    ///   - body: Takes the index of each among them and its number.
    @inline(__always) mutating func numbers(of probes: Span<Probe>, _ body: (Int, Int) -> Void) {
        var touched: UInt64 = 0
        for probe in probes.indices { touched ^= UInt64(truncatingIfNeeded: index.touch(probes[probe].hash) ?? 0) }
        for probe in probes.indices { touched ^= touch(probes[probe].hash) }
        self.touched = touched
        for index in probes.indices { body(index, number(of: probes[index])) }
    }

    /// Looks at both ends of the name in a slot, which may lie in two lines of the cache.
    @inline(__always) private func touch(_ hash: UInt64) -> UInt64 {
        guard let number = index.touch(hash) else { return 0 }
        return entries[number].first ^ UInt64(truncatingIfNeeded: entries[number].count)
    }

    /// The number of a name, a new one where it is new.
    @inline(__always) mutating func number(of text: LineCursor.Text, owner: Int = 0) -> Int { number(of: probe(text, owner: owner)) }

    /// The number of a name, a new one where it is new.
    @inline(__always) mutating func number(of probe: Probe) -> Int {
        find(probe) ?? add(probe)
    }

    /// The number of a name, nil where there is none.
    @inline(__always) private func find(_ probe: Probe) -> Int? {
        index.find(probe.hash) { number in
            let entry = entries[number]
            return entry.first == probe.first && entry.owner == UInt32(truncatingIfNeeded: probe.owner) && Int(entry.count) == probe.count
                && (entry.isLong ? hasTail(entry, probe.tail) : entry.rest == probe.last)
        }
    }

    /// The number of a name, a new one where it is new.
    package mutating func number(of text: String, owner: Int = 0) -> Int {
        Self.withText(text) { number(of: $0, owner: owner) }
    }

    /// The number of a name, nil where it is not known.
    package func known(_ text: String, owner: Int = 0) -> Int? {
        let number = Self.withText(text) { find(probe($0, owner: owner)) ?? -1 }
        return number >= 0 ? number : nil
    }

    private static func withText(_ text: String, _ body: (LineCursor.Text) -> Int) -> Int {
        let bytes = Array(text.utf8) + [UInt8](repeating: 0, count: LineCursor.padding)
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let start = unsafe LineCursor(buffer, at: 0) else { return -1 }
            return body(LineCursor.Text(start, count: buffer.count - LineCursor.padding, isPlain: true))
        }
    }

    /// The numbers of all names of another table, new ones where they are new.
    package mutating func adopt(_ other: NameTable, owner: (Int) -> Int) -> [Int] {
        numbers(other.count, in: other) { ($0, owner(other.owner($0))) }
    }

    /// The numbers of names that stand in another table, new ones where they are new.
    ///
    /// - Parameter names: The numbers of the names there, and their owners here.
    package mutating func numbers(of names: [(name: Int, owner: Int)], in other: NameTable) -> [Int] {
        numbers(names.count, in: other) { names[$0] }
    }

    private mutating func numbers(_ total: Int, in other: NameTable, _ name: (Int) -> (name: Int, owner: Int)) -> [Int] {
        if entries.isEmpty { index.reserve(total) }
        var numbers: [Int] = []
        numbers.reserveCapacity(total)
        let probes = Memory(repeating: probe(.none), count: LineScanner.linesAtATime)
        var count = 0
        unsafe other.tails.withUnsafeBufferPointer { tails in
            for index in 0..<total {
                let (name, owner) = name(index)
                probes[count] = unsafe probe(other.entries[name], tails, owner: owner)
                count += 1
                guard count == probes.count || index == total - 1 else { continue }
                probes.withPrefix(count) { self.numbers(of: $0) { _, number in numbers.append(number) } }
                count = 0
            }
        }
        return numbers
    }

    /// A name of another table, with the tails of its long ones.
    @inline(__always) private func probe(_ entry: Entry, _ tails: UnsafeBufferPointer<UInt8>, owner: Int) -> Probe {
        guard entry.isLong, let start = unsafe LineCursor(tails, at: entry.offset) else {
            return probe(entry.first, entry.rest, .none, count: Int(entry.count), owner: owner)
        }
        let tail = LineCursor.Text(start, count: Int(entry.count) - 8, isPlain: true)
        return probe(entry.first, tail.word(at: tail.count - 8), tail, count: Int(entry.count), owner: owner)
    }

    /// The owner of a name.
    package func owner(_ number: Int) -> Int { Int(entries[number].owner) }

    /// The owner and the bytes of a name.
    package func name(_ number: Int) -> (owner: Int, text: String) {
        (owner(number), String(decoding: bytes(number), as: UTF8.self))
    }

    private func bytes(_ number: Int) -> [UInt8] {
        let entry = entries[number]
        let count = Int(entry.count)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for index in 0..<min(count, 8) { bytes.append(UInt8(truncatingIfNeeded: entry.first >> UInt64(8 * index))) }
        if entry.isLong { return bytes + tails[entry.offset..<entry.offset + count - 8] }
        let rest = max(count - 8, 0)
        for index in 8 - rest..<8 { bytes.append(UInt8(truncatingIfNeeded: entry.rest >> UInt64(8 * index))) }
        return bytes
    }

    /// Whether a name comes before one of this or another table in the order of their bytes; owners do not count.
    package func precedes(_ number: Int, _ other: NameTable, _ otherNumber: Int) -> Bool {
        let (mine, theirs) = (entries[number], other.entries[otherNumber])
        if mine.first != theirs.first { return mine.first.byteSwapped < theirs.first.byteSwapped }
        let shared = Int(min(mine.count, theirs.count))
        // Compared in words: names that begin alike are sorted by the million.
        var index = 8
        while index < shared {
            let (word, otherWord) = (self.word(of: mine, at: index), other.word(of: theirs, at: index))
            if word != otherWord { return word.byteSwapped < otherWord.byteSwapped }
            index += 8
        }
        return mine.count < theirs.count
    }

    /// Eight bytes of a name, and whether there are more: two that are equal are sorted by what follows.
    private struct SortKey: Comparable, BitwiseCopyable {
        let word: UInt64
        /// How many bytes the name has from here on, or 9 where that is more than 8.
        let count: Int
        let number: Int

        static func < (left: SortKey, right: SortKey) -> Bool {
            left.word == right.word ? left.count < right.count : left.word < right.word
        }

        static func == (left: SortKey, right: SortKey) -> Bool { left.word == right.word && left.count == right.count }
    }

    /// Numbers in the order of the bytes of their names; owners do not count.
    ///
    /// - Complexity: O(*n* log *n*), and once more for every eight bytes with which *n* names begin alike.
    package func sorted(_ numbers: [Int]) -> [Int] {
        var sorted = numbers
        var runs = [(range: numbers.indices, index: 0)]
        var keys: [SortKey] = []
        // A long name has too many words for recursion.
        while let (range, index) = runs.popLast() {
            keys.removeAll(keepingCapacity: true)
            for rank in range {
                let entry = entries[sorted[rank]]
                let word = index == 0 ? entry.first : word(of: entry, at: index)
                keys.append(SortKey(word: word.byteSwapped, count: min(Int(entry.count) - index, 9), number: sorted[rank]))
            }
            keys.sort()
            var start = 0
            for end in keys.indices {
                sorted[range.lowerBound + end] = keys[end].number
                if end + 1 < keys.count, keys[end + 1] == keys[start] { continue }
                if end > start, keys[start].count > 8 { runs.append((range.lowerBound + start..<range.lowerBound + end + 1, index + 8)) }
                start = end + 1
            }
        }
        return sorted
    }

    /// Eight bytes of a name, or as many as there are from an index on, filled up with zeros.
    ///
    /// - Parameter index: A multiple of eight, 8 or more and less than the name has bytes.
    @inline(__always) private func word(of entry: Entry, at index: Int) -> UInt64 {
        entry.isLong ? tails.span.word(at: entry.offset + index - 8) : entry.rest >> UInt64(8 * (16 - Int(entry.count)))
    }

    @inline(__always) private func hash(_ tail: LineCursor.Text, _ first: UInt64, _ last: UInt64, _ count: Int, _ owner: Int) -> UInt64 {
        var hash = key.start(count: count, owner: owner)
        if count > 16 { hash = tailHash(tail, hash) }
        // The last eight bytes are keyed by what came before them.
        return key.mix(first, into: last ^ hash)
    }

    /// Mixes in all of a tail but its last eight bytes.
    @inline(never) private func tailHash(_ tail: LineCursor.Text, _ start: UInt64) -> UInt64 {
        var hash = start
        var index = 0
        while index < tail.count - 8 {
            hash = key.mix(tail.word(at: index), into: hash)
            index += 8
        }
        return hash
    }

    /// Whether what follows on the first eight bytes is the same.
    private func hasTail(_ entry: Entry, _ tail: LineCursor.Text) -> Bool {
        unsafe tails.withUnsafeBufferPointer { buffer in
            guard let start = unsafe LineCursor(buffer, at: entry.offset) else { return false }
            let known = LineCursor.Text(start, count: tail.count, isPlain: true)
            var index = 0
            while index < tail.count {
                if known.word(at: index) != tail.lastWord(at: index) { return false }
                index += 8
            }
            return true
        }
    }

    @inline(never) private mutating func add(_ probe: Probe) -> Int {
        var rest = probe.last
        if probe.count > 16 {
            rest = UInt64(tails.count)
            unsafe tails.append(contentsOf: probe.tail.bytes)
            tails.append(contentsOf: repeatElement(0, count: -probe.tail.count & 7))
        }
        entries.append(
            Entry(
                first: probe.first, rest: rest, owner: UInt32(truncatingIfNeeded: probe.owner),
                count: UInt32(truncatingIfNeeded: probe.count)))
        index.insert(entries.count - 1, hash: probe.hash)
        return entries.count - 1
    }
}
