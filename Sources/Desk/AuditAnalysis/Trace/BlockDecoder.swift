import AuditLog
import SyncBytes
import SyncModel

/// Reads the ordinary writes of a block; all other lines, and all that depends on lines before the block, are left to whoever sees the
/// blocks in order.
struct BlockDecoder: Sendable {
    let maximumLineLength: Int
    let shards: Int
    private var scanner = WriteScanner()
    private let hashKey: HashKey
    /// The device that wrote last, and the highest number of its writes since another did.
    private var recent: (device: DeviceID, number: UInt64)?

    init(maximumLineLength: Int, shards: Int, hashKey: HashKey) {
        self.maximumLineLength = maximumLineLength
        self.shards = shards
        self.hashKey = hashKey
    }

    mutating func decode(_ block: LineBlock) -> DecodedBlock {
        var decoded = DecodedBlock(shards: shards, hashKey: hashKey, capacity: block.range.count / 256)
        if block.isTooLong {
            decoded.append(.tooLong)
            return decoded
        }
        var start = block.range.lowerBound
        while start < block.range.upperBound {
            if let write = scanner.scanNumbered(block, from: &start, maximumLineLength: maximumLineLength) {
                record(write, in: &decoded)
                decoded.append(write)
            } else {
                let end = block.endOfLine(from: start)
                decoded.append(
                    end - start > maximumLineLength ? .tooLong : .unread(start..<end, isUnfinished: block.isUnfinished(start..<end)))
                start = end + 1
            }
        }
        recordRecent(in: &decoded)
        // Only lines that were not read need their bytes any longer.
        if !decoded.isPlain { decoded.bytes = block.bytes }
        return decoded
    }

    /// Records a write's number: of consecutive writes of one device only the highest is looked up.
    private mutating func record(_ write: TaggedWrite, in decoded: inout DecodedBlock) {
        if let known = recent, write.isOfDevice(known.device) {
            if known.number < write.number { recent?.number = write.number }
        } else {
            recordRecent(in: &decoded)
            recent = (write.dot.device, write.number)
        }
    }

    private mutating func recordRecent(in decoded: inout DecodedBlock) {
        guard let (device, number) = recent.take() else { return }
        decoded.numbers.record(device, number)
    }
}
