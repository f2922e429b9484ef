import SyncModel

/// Reads the ordinary writes of a block; all other lines, and all that depends on lines before the block, are left to whoever sees the blocks in order.
struct BlockDecoder: Sendable {
    let maximumLineLength: Int
    let shards: Int
    private var scanner = WriteScanner()
    private let hashKey: HashKey
    /// The device that wrote last, and the highest number of its writes.
    private var highest: (device: DeviceID, number: UInt64)?
    /// Indices into the block's `numbers` plus 1, 0 where there is none, each at the first free place from its device's hash on.
    private var places = [UInt32](repeating: 0, count: 1024)

    init(maximumLineLength: Int, shards: Int, hashKey: HashKey) {
        self.maximumLineLength = maximumLineLength
        self.shards = shards
        self.hashKey = hashKey
    }

    mutating func decode(_ block: TraceBlock) -> DecodedBlock {
        var decoded = DecodedBlock(shards: shards, hashKey: hashKey, capacity: block.range.count / 256)
        if block.isTooLong {
            decoded.append(.tooLong)
            return decoded
        }
        let bytes = block.bytes.span
        var start = block.range.lowerBound
        while start < block.range.upperBound {
            let end = bytes.newline(from: start) ?? block.range.upperBound
            decode(bytes, start..<end, into: &decoded)
            start = end + 1
        }
        noteHighest(in: &decoded)
        rebuildPlaces([], count: places.count)
        // Only lines that were not read need their bytes any longer.
        if !decoded.isPlain { decoded.bytes = block.bytes }
        return decoded
    }

    private mutating func decode(_ bytes: Span<UInt8>, _ range: Range<Int>, into decoded: inout DecodedBlock) {
        guard range.count <= maximumLineLength else { return decoded.append(.tooLong) }
        guard let write = scanner.scanNumbered(bytes.extracting(range)) else { return decoded.append(.unread(range)) }
        note(write, in: &decoded)
        decoded.append(write)
    }

    /// Notes a write's number: of writes of one device that follow each other only the last is looked up.
    private mutating func note(_ write: TaggedWrite, in decoded: inout DecodedBlock) {
        if let known = highest, write.isOfDevice(known.device) {
            if known.number < write.number { highest?.number = write.number }
        } else {
            noteHighest(in: &decoded)
            highest = (write.dot.device, write.number)
        }
    }

    private mutating func noteHighest(in decoded: inout DecodedBlock) {
        guard let (device, number) = highest.take() else { return }
        let dot = Dot(device: device, sequence: number)
        var place = place(of: dot)
        while places[place] != 0 {
            let index = Int(places[place]) - 1
            if decoded.numbers[index].device.rawValue.hasSameBytes(as: dot.device.rawValue) {
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

    private func place(of dot: Dot) -> Int { Int(truncatingIfNeeded: dot.device.quickHash(hashKey)) & (places.count - 1) }
}
