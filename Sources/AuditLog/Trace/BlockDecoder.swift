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
    /// The write with the highest number of the device that wrote last.
    private var highest: TaggedWrite?
    /// The highest number of some other devices, at the places of their hashes, so that not every one need be looked up among all.
    private var numbers = [Dot?](repeating: nil, count: 64)

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
        noteHighest(in: &decoded)
        for place in numbers.indices {
            if let dot = numbers[place].take() { Self.add(dot, to: &decoded) }
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

    /// Notes a write's number: of writes of one device that follow each other only the last is looked up.
    private mutating func note(_ write: TaggedWrite, in decoded: inout DecodedBlock) {
        if let known = highest, known.isOfSameDevice(as: write) {
            if known.hasLowerNumber(than: write) { highest = write }
        } else {
            noteHighest(in: &decoded)
            highest = write
        }
    }

    private mutating func noteHighest(in decoded: inout DecodedBlock) {
        guard let dot = highest.take()?.dot else { return }
        let place = Int(truncatingIfNeeded: dot.device.quickHash(shardKey)) & (numbers.count - 1)
        if let known = numbers[place], known.device == dot.device {
            if known.sequence < dot.sequence { numbers[place] = dot }
            return
        }
        if let known = numbers[place] { Self.add(known, to: &decoded) }
        numbers[place] = dot
    }

    private static func add(_ dot: Dot, to decoded: inout DecodedBlock) {
        decoded.numbers[dot.device] = max(decoded.numbers[dot.device] ?? 0, dot.sequence)
    }
}

extension TaggedWrite {
    /// Which of so many shards the write's record belongs to.
    func shard(of count: Int, _ hashKey: HashKey) -> Int {
        count == 1 ? 0 : Int(recordHash(hashKey) >> 32) % count
    }
}
