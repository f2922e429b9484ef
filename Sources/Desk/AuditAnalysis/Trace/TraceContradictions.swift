import AuditLog
import SyncBytes
import SyncModel

/// What is known of a trace's lines and writes in order, as far as it has been read.
struct ResolvedTrace {
    var reader: AuditLogReader
    var contradictions = TraceContradictions()
    var sizes = OversizedWrites()
    /// The time of the first write or merge, in milliseconds since 1970.
    var firstMilliseconds: Int64?
}

/// What the writes of a trace say that cannot be true of all of them: one name for two writes, and having seen each other.
struct TraceContradictions: Sendable {
    private var named = NamedWrites()
    private var circles = SeenCircles()
    private var files: [String] = []
    private let hashKey = HashKey()
    /// The position in the hub's order of the last write of each device to each record that may carry no number, or when the hub had it.
    private var positions: [UInt64: Int64] = [:]
    /// Whether a write that may carry no number has come after one of its device to its record that the hub had later.
    private(set) var isDisordered = false

    /// Begins an input.
    mutating func begin(file name: String) { files.append(name) }

    /// Takes a block whose lines have all been read, and marks the writes in it.
    ///
    /// - Parameters:
    ///   - lines: How many lines the input held before the block.
    ///   - devices: The devices known, to which those named are added; the same in every call.
    ///   - sizes: Looks at each write on the way, so that the block is walked through once.
    mutating func observe(_ block: inout DecodedBlock, after lines: Int, _ devices: inout DeviceNumbers, _ sizes: inout OversizedWrites) {
        swap(&circles.names, &devices)
        defer { swap(&circles.names, &devices) }
        block.markEachWrite { line, hash, write in
            sizes.observe(write, location(UInt64(files.count - 1) << 40 | UInt64(lines + line + 1)))
            observe(write, recordHash: hash)
            guard write.isNumbered else { return [] }
            let (device, isOpen) = circles.observe(write, at: UInt64(files.count - 1) << 40 | UInt64(lines + line + 1))
            var marks: DecodedBlock.Marks = isOpen ? .openContext : []
            if named.observe(write, device: device, recordHash: hash) { marks.insert(.dotCollision) }
            return marks
        }
    }

    /// Such writes are numbered in the order in which they come.
    private mutating func observe(_ write: TaggedWrite, recordHash: UInt64) {
        guard !write.isNumbered || write.cursor != nil,
            let position = write.hubSequence.map({ Int64(clamping: $0) }) ?? write.receipt?.milliseconds
        else { return }
        let key = recordHash ^ write.dot.device.quickHash(hashKey)
        if position < positions[key] ?? .min { isDisordered = true }
        positions[key] = position
    }

    /// The circles of writes that name each other as seen, and where the first of them begins.
    mutating func finish(_ devices: DeviceNumbers) -> (circles: [[SeenCircles.Step]], first: AuditLogReader.Location?) {
        circles.names = devices
        circles.finish()
        let found = circles.circles.ordered { ($0.first?.position ?? 0) < ($1.first?.position ?? 0) }
        return (found, found.first?.first.map { location($0.position) })
    }

    private func location(_ number: UInt64) -> AuditLogReader.Location {
        AuditLogReader.Location(file: files[Int(clamping: number >> 40)], line: Int(clamping: number & (1 << 40 - 1)))
    }
}
