import ConflictAudit
import SyncModel

/// What a block of lines holds, in the order of the lines.
struct DecodedBlock: Sendable {
    enum Item: Sendable {
        /// A write.
        case write(TaggedWrite)
        /// A comparison of clocks, which concerns every shard.
        case clock(ClockMeasurement)
        /// A line that is not an ordinary numbered write, and where it stands in the block.
        case unread(Range<Int>)
        /// A line longer than the limit.
        case tooLong
    }

    var bytes: [UInt8] = []
    /// One for each line.
    private(set) var items: [Item] = []
    /// For each item the shard that its record belongs to, or ``everyone``: who passes over an item need not look at it, which would bring what another
    /// thread works on into this one's cache.
    private(set) var owners: [UInt32] = []
    static let everyone = UInt32.max
    /// The number of the first line in its input, from 1; known once the blocks before it have been seen.
    var firstLine = 1
    /// How many shards the records are divided among.
    let shards: Int
    /// By which they are divided.
    let shardKey: HashKey
    /// Whether all items are writes.
    var isPlain = true
    /// For each device the highest number among the block's writes.
    var numbers: [Dot] = []

    init(shards: Int, shardKey: HashKey, capacity: Int) {
        self.shards = shards
        self.shardKey = shardKey
        items.reserveCapacity(capacity)
        owners.reserveCapacity(capacity)
    }

    /// Adds the item of the next line.
    mutating func append(_ item: Item) {
        owners.append(owner(of: item))
        items.append(item)
    }

    /// Puts another item in the place of one.
    mutating func replace(at index: Int, with item: Item) {
        owners[index] = owner(of: item)
        items[index] = item
    }

    /// Takes out the items from an index on.
    mutating func removeItems(from index: Int) {
        items.removeSubrange(index...)
        owners.removeSubrange(index...)
    }

    private func owner(of item: Item) -> UInt32 {
        if case .write(let write) = item { UInt32(write.shard(of: shards, shardKey)) } else { Self.everyone }
    }
}

/// Reads the ordinary writes of a block; all other lines, and all that depends on lines before the block, are left to whoever sees the blocks in order.
struct BlockDecoder: Sendable {
    let maximumLineLength: Int
    let shards: Int
    private var scanner = WriteScanner()
    private let shardKey: HashKey
    /// The highest number of the device that wrote last.
    private var highest: Dot?
    /// Indices into the block's `numbers` plus 1, 0 where there is none, each at the first free place from its device's hash on.
    private var places = [UInt32](repeating: 0, count: 1024)

    init(maximumLineLength: Int, shards: Int, shardKey: HashKey) {
        self.maximumLineLength = maximumLineLength
        self.shards = shards
        self.shardKey = shardKey
    }

    mutating func decode(_ block: TraceBlock) -> DecodedBlock {
        var decoded = DecodedBlock(shards: shards, shardKey: shardKey, capacity: block.range.count / 256)
        if block.isTooLong {
            decoded.append(.tooLong)
            decoded.isPlain = false
            return decoded
        }
        let bytes = block.bytes.span
        var start = block.range.lowerBound
        while start < block.range.upperBound {
            let end = bytes.newline(from: start) ?? block.range.upperBound
            decoded.append(item(bytes, start..<end, &decoded))
            start = end + 1
        }
        noteHighest(in: &decoded)
        rebuildPlaces([], count: places.count)
        // Only lines that were not read need their bytes any longer.
        if !decoded.isPlain { decoded.bytes = block.bytes }
        return decoded
    }

    private mutating func item(_ bytes: Span<UInt8>, _ range: Range<Int>, _ decoded: inout DecodedBlock) -> DecodedBlock.Item {
        if range.count <= maximumLineLength, let write = scanner.scan(bytes.extracting(range), number: { _ in nil })?.write {
            note(write, in: &decoded)
            return .write(write)
        }
        decoded.isPlain = false
        return range.count > maximumLineLength ? .tooLong : .unread(range)
    }

    /// Notes a write's number: of writes of one device that follow each other only the last is looked up.
    private mutating func note(_ write: TaggedWrite, in decoded: inout DecodedBlock) {
        if let known = highest, write.isOfDevice(of: known) {
            if known.sequence < write.dot.sequence { highest = write.dot }
        } else {
            noteHighest(in: &decoded)
            highest = write.dot
        }
    }

    private mutating func noteHighest(in decoded: inout DecodedBlock) {
        guard let dot = highest.take() else { return }
        var place = place(of: dot)
        while places[place] != 0 {
            let index = Int(places[place]) - 1
            if decoded.numbers[index].device == dot.device {
                if decoded.numbers[index].sequence < dot.sequence { decoded.numbers[index] = dot }
                return
            }
            place = (place + 1) & (places.count - 1)
        }
        decoded.numbers.append(dot)
        places[place] = UInt32(decoded.numbers.count)
        if decoded.numbers.count * 2 > places.count { rebuildPlaces(decoded.numbers, count: places.count * 2) }
    }

    private mutating func rebuildPlaces(_ dots: [Dot], count: Int) {
        places = [UInt32](repeating: 0, count: count)
        for (index, dot) in dots.enumerated() {
            var place = place(of: dot)
            while places[place] != 0 { place = (place + 1) & (places.count - 1) }
            places[place] = UInt32(index + 1)
        }
    }

    private func place(of dot: Dot) -> Int { Int(truncatingIfNeeded: dot.device.quickHash(shardKey)) & (places.count - 1) }
}

extension TaggedWrite {
    /// Which of so many shards the write's record belongs to.
    func shard(of count: Int, _ hashKey: HashKey) -> Int {
        count == 1 ? 0 : Int(recordHash(hashKey) >> 32) % count
    }
}
