import ConflictAudit
import SyncModel

/// What a block of lines holds, in the order of the lines.
struct DecodedBlock: Sendable {
    enum Item: Sendable {
        /// A write, and the shard that its record belongs to.
        case write(TaggedWrite, shard: Int)
        /// A comparison of clocks, which concerns every shard.
        case clock(ClockMeasurement)
        /// A line that is not an ordinary numbered write, and where it stands in the block.
        case unread(Range<Int>)
        /// A line longer than the limit.
        case tooLong
    }

    var bytes: [UInt8] = []
    /// One for each line.
    var items: [Item] = []
    /// The number of the first line in its input, from 1; known once the blocks before it have been seen.
    var firstLine = 1
    /// How many shards the records are divided among.
    let shards: Int
    /// By which they are divided.
    let shardKey: HashKey
    /// Whether all items are writes.
    var isPlain = true
    /// For each device the highest number among the block's writes.
    var numbers: [DeviceID: UInt64] = [:]
}

/// Reads the ordinary writes of a block; all other lines, and all that depends on lines before the block, are left to whoever sees the blocks in order.
struct BlockDecoder: Sendable {
    let maximumLineLength: Int
    let shards: Int
    private var scanner = WriteScanner()
    private let shardKey: HashKey
    /// The write with the highest number of each of some devices, at the place of its hash: most writes are by a device that wrote just before, and
    /// not every one need be looked up among all.
    private var highest = [TaggedWrite?](repeating: nil, count: 64)

    init(maximumLineLength: Int, shards: Int, shardKey: HashKey) {
        self.maximumLineLength = maximumLineLength
        self.shards = shards
        self.shardKey = shardKey
    }

    mutating func decode(_ block: TraceBlock) -> DecodedBlock {
        var decoded = DecodedBlock(shards: shards, shardKey: shardKey)
        if block.isTooLong {
            decoded.items = [.tooLong]
            decoded.isPlain = false
            return decoded
        }
        decoded.items.reserveCapacity(block.bytes.count / 256)
        let bytes = block.bytes.span
        var start = 0
        while start < bytes.count {
            let end = bytes.newline(from: start) ?? bytes.count
            decoded.items.append(item(bytes, start..<end, &decoded))
            start = end + 1
        }
        for place in highest.indices {
            if let write = highest[place].take() { Self.add(write, to: &decoded) }
        }
        // Only lines that were not read need their bytes any longer.
        if !decoded.isPlain { decoded.bytes = block.bytes }
        return decoded
    }

    private mutating func item(_ bytes: Span<UInt8>, _ range: Range<Int>, _ decoded: inout DecodedBlock) -> DecodedBlock.Item {
        if range.count <= maximumLineLength, let write = scanner.scan(bytes.extracting(range), number: { _ in nil })?.write {
            note(write, in: &decoded)
            return .write(write, shard: write.shard(of: shards, shardKey))
        }
        decoded.isPlain = false
        return range.count > maximumLineLength ? .tooLong : .unread(range)
    }

    /// Notes a write's number.
    private mutating func note(_ write: TaggedWrite, in decoded: inout DecodedBlock) {
        let place = Int(truncatingIfNeeded: write.deviceHash(shardKey)) & (highest.count - 1)
        if let known = highest[place] {
            if known.isOfSameDevice(as: write) {
                if known.hasLowerNumber(than: write) { highest[place] = write }
                return
            }
            Self.add(known, to: &decoded)
        }
        highest[place] = write
    }

    private static func add(_ write: TaggedWrite, to decoded: inout DecodedBlock) {
        let dot = write.dot
        decoded.numbers[dot.device] = max(decoded.numbers[dot.device] ?? 0, dot.sequence)
    }
}

extension TaggedWrite {
    /// Which of so many shards the write's record belongs to.
    func shard(of count: Int, _ hashKey: HashKey) -> Int {
        count == 1 ? 0 : Int(recordHash(hashKey) >> 32) % count
    }
}
