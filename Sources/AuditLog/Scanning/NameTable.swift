import SyncModel

/// Numbers names in the order of their first coming, so that they can be counted in arrays.
///
/// A name is some bytes and an owner; the same bytes under two owners are two names.
///
/// - Complexity: O(1) expected. 32 bytes a name, and the bytes of those longer than 16.
package struct NameTable: Sendable {
    private struct Entry: BitwiseCopyable {
        /// What ``LineCursor/Text/ends`` says.
        let first: UInt64
        let last: UInt64
        let owner: UInt32
        let count: UInt32
        /// Where the bytes of a long name stand.
        let offset: Int
    }

    private var entries: [Entry] = []
    /// Numbers plus 1, each with the high half of its hash above, at the first free place from where that says; a table without names has the one of all such.
    private var slots = Self.noSlots
    private static let noSlots: [UInt64] = [0]
    private var long: [UInt8] = []
    private let key = NameHash()
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
        fileprivate let text: LineCursor.Text
        fileprivate let first: UInt64
        fileprivate let last: UInt64
        fileprivate let count: Int
        fileprivate let owner: Int
        fileprivate let hash: UInt64
    }

    @inline(__always) func probe(_ text: LineCursor.Text, owner: Int = 0) -> Probe {
        let (first, last) = text.ends
        return probe(first, last, text, count: text.count, owner: owner)
    }

    @inline(__always) private func probe(_ first: UInt64, _ last: UInt64, _ text: LineCursor.Text, count: Int, owner: Int) -> Probe {
        Probe(text: text, first: first, last: last, count: count, owner: owner, hash: hash(text, first, last, count, owner))
    }

    /// The numbers of many names, new ones where they are new: each step is done for all of them, so that the memory of a large table is waited for
    /// once and not for each name.
    ///
    /// - Parameters:
    ///   - probes: The names.
    ///   - take: Takes the place of each among them and its number.
    @inline(__always) mutating func numbers(of probes: Span<Probe>, _ take: (Int, Int) -> Void) {
        var touched: UInt64 = 0
        for index in probes.indices { touched ^= slots[place(of: probes[index].hash)] }
        for index in probes.indices { touched ^= touch(slots[place(of: probes[index].hash)]) }
        self.touched = touched
        for index in probes.indices { take(index, number(of: probes[index])) }
    }

    /// Where a name with a hash stands, or behind.
    @inline(__always) private func place(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 32) & (slots.count - 1) }

    /// Looks at both ends of the name in a slot, which may lie in two lines of the cache.
    @inline(__always) private func touch(_ slot: UInt64) -> UInt64 {
        if slot == 0 { return 0 }
        let number = Int(truncatingIfNeeded: slot & 0xffff_ffff) - 1
        return entries[number].first ^ UInt64(truncatingIfNeeded: entries[number].offset)
    }

    /// The number of a name, a new one where it is new.
    @inline(__always) mutating func number(of text: LineCursor.Text, owner: Int = 0) -> Int { number(of: probe(text, owner: owner)) }

    /// The number of a name, a new one where it is new.
    @inline(__always) mutating func number(of probe: Probe) -> Int {
        var place = place(of: probe.hash)
        while slots[place] != 0 {
            let slot = slots[place]
            if slot ^ probe.hash < 1 << 32 {
                let number = Int(truncatingIfNeeded: slot & 0xffff_ffff) - 1
                let entry = entries[number]
                if entry.first == probe.first, entry.last == probe.last, entry.owner == UInt32(truncatingIfNeeded: probe.owner),
                    Int(entry.count) == probe.count, probe.count <= 16 || isLong(entry, probe.text)
                {
                    return number
                }
            }
            place = (place + 1) & (slots.count - 1)
        }
        return add(probe, place)
    }

    /// The number of a name, a new one where it is new.
    package mutating func number(of text: String, owner: Int = 0) -> Int {
        let bytes = Array(text.utf8) + [UInt8](repeating: 0, count: LineCursor.padding)
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            return number(of: unsafe LineCursor.Text(start: base, count: buffer.count - LineCursor.padding, isPlain: true), owner: owner)
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
        if entries.isEmpty { makeRoom(for: total) }
        var numbers: [Int] = []
        numbers.reserveCapacity(total)
        let probes = Memory(repeating: probe(.none), count: LineScanner.linesAtATime)
        var count = 0
        unsafe other.long.withUnsafeBufferPointer { long in
            for index in 0..<total {
                let (name, owner) = name(index)
                probes[count] = unsafe probe(other.entries[name], long, owner: owner)
                count += 1
                guard count == probes.count || index == total - 1 else { continue }
                probes.withPrefix(count) { self.numbers(of: $0) { _, number in numbers.append(number) } }
                count = 0
            }
        }
        return numbers
    }

    /// A name of another table, with the bytes of its long ones.
    @inline(__always) private func probe(_ entry: Entry, _ long: UnsafeBufferPointer<UInt8>, owner: Int) -> Probe {
        var text = LineCursor.Text.none
        if entry.count > 16, let base = long.baseAddress {
            unsafe text = LineCursor.Text(start: base + entry.offset, count: Int(entry.count), isPlain: true)
        }
        return probe(entry.first, entry.last, text, count: Int(entry.count), owner: owner)
    }

    /// The owner of a name.
    package func owner(_ number: Int) -> Int { Int(entries[number].owner) }

    /// The owner and the bytes of a name.
    package func name(_ number: Int) -> (owner: Int, text: String) {
        let entry = entries[number]
        var bytes: [UInt8] = []
        let count = Int(entry.count)
        if count > 16 {
            bytes = Array(long[entry.offset..<entry.offset + count])
        } else {
            for index in 0..<min(count, 8) { bytes.append(UInt8(truncatingIfNeeded: entry.first >> UInt64(8 * index))) }
            for index in 8..<max(count, 8) {
                bytes.append(UInt8(truncatingIfNeeded: entry.last >> UInt64(8 * (index - (count - 8)))))
            }
        }
        return (Int(entry.owner), String(decoding: bytes, as: UTF8.self))
    }

    @inline(__always) private func hash(_ text: LineCursor.Text, _ first: UInt64, _ last: UInt64, _ count: Int, _ owner: Int) -> UInt64 {
        var hash = key.start(count: count, owner: owner)
        if count > 16 { hash = middleHash(text, hash) }
        // The last eight bytes are keyed by what came before them.
        return key.mix(first, into: last ^ hash)
    }

    @inline(never) private func middleHash(_ text: LineCursor.Text, _ start: UInt64) -> UInt64 {
        var hash = start
        var index = 8
        while index + 8 < text.count {
            hash = key.mix(text.word(at: index), into: hash)
            index += 8
        }
        return hash
    }

    /// Whether what lies between the first and the last eight bytes is the same.
    private func isLong(_ entry: Entry, _ text: LineCursor.Text) -> Bool {
        unsafe long.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return false }
            let known = unsafe LineCursor.Text(start: base + entry.offset, count: text.count, isPlain: true)
            var index = 8
            while index + 8 < text.count {
                if known.word(at: index) != text.word(at: index) { return false }
                index += 8
            }
            return true
        }
    }

    @inline(never) private mutating func add(_ probe: Probe, _ place: Int) -> Int {
        let offset = long.count
        if probe.count > 16 { unsafe long.append(contentsOf: UnsafeBufferPointer(start: probe.text.start, count: probe.count)) }
        entries.append(
            Entry(
                first: probe.first, last: probe.last, owner: UInt32(truncatingIfNeeded: probe.owner),
                count: UInt32(truncatingIfNeeded: probe.count), offset: offset))
        let slot = probe.hash & ~0xffff_ffff | UInt64(entries.count)
        if entries.count * 2 > slots.count {
            makeRoom(for: entries.count)
            insert(slot)
        } else {
            slots[place] = slot
        }
        return entries.count - 1
    }

    /// Sees to it that so many names leave half of the slots free.
    private mutating func makeRoom(for names: Int) {
        guard names * 2 > slots.count else { return }
        let old = slots
        // In long steps at first, since memory that is new is dear.
        var count = max(1024, old.count * (old.count < 1 << 18 ? 4 : 2))
        while names * 2 > count { count *= 2 }
        slots = [UInt64](repeating: 0, count: count)
        for slot in old where slot != 0 { insert(slot) }
    }

    /// Puts a slot where it belongs.
    private mutating func insert(_ slot: UInt64) {
        var place = place(of: slot)
        while slots[place] != 0 { place = (place + 1) & (slots.count - 1) }
        slots[place] = slot
    }
}

extension LineCursor.Text {
    /// No text; eight bytes are there to be looked at.
    static var none: LineCursor.Text {
        unsafe LineCursor.Text(start: StaticString("        ").utf8Start, count: 0, isPlain: true)
    }

    /// Eight bytes of the text.
    @inline(__always) func word(at index: Int) -> UInt64 {
        unsafe UInt64(littleEndian: UnsafeRawPointer(start).loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// The first eight bytes and the last eight, which are all of them, filled up with zeros, where there are fewer.
    @inline(__always) var ends: (first: UInt64, last: UInt64) {
        // What follows in the block is masked out. No branch: names of seven bytes and of nine come in turn.
        let mask = count < 8 ? ~(UInt64.max &<< UInt64(truncatingIfNeeded: 8 &* count)) : .max
        return (word(at: 0) & mask, word(at: max(0, count &- 8)) & mask)
    }

    /// Whether the text comes before another in the order of their bytes.
    func precedes(_ other: LineCursor.Text) -> Bool {
        let shared = min(count, other.count)
        var index = 0
        while index < shared {
            // What stands behind either text is shifted out.
            let surplus = UInt64(8 * max(0, 8 - (shared - index)))
            let (mine, theirs) = (word(at: index).byteSwapped >> surplus, other.word(at: index).byteSwapped >> surplus)
            if mine != theirs { return mine < theirs }
            index += 8
        }
        return count < other.count
    }
}
