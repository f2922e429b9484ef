import AuditLog
import SyncLines
import SyncModel

/// What is known of a trace's lines and writes in order, as far as it has been read.
struct ResolvedTrace {
    var reader: AuditLogReader
    var contradictions = TraceContradictions()
    var sizes = OversizedWrites()
}

/// What the writes of a trace say that cannot be true of all of them: one name for two writes, and having seen each other.
struct TraceContradictions: Sendable {
    private var named = NamedWrites()
    private var circles = SeenCircles()
    private var files: [String] = []
    /// The furthest place in the hub's order of which a write says that its writer had all up to there.
    private var cursor: UInt64 = 0
    /// Where in the hub's order the last write of each device is that may number none, or when the hub had it.
    private var positions: [DeviceID: UInt64] = [:]
    private var received: [DeviceID: Int64] = [:]
    private var hasLatePosition = false

    /// Whether a write has come after one that names it, or after a later one of its device.
    var isDisordered: Bool { circles.isDisordered || hasLatePosition }

    /// Begins an input.
    mutating func begin(file name: String) { files.append(name) }

    /// Takes a block whose lines have all been read, and marks the writes in it whose name another has.
    ///
    /// - Parameters:
    ///   - lines: How many lines the input held before the block.
    ///   - devices: The devices known, to which those named are added; the same in every call.
    ///   - sizes: Looks at each write on the way, so that the block is walked through once.
    mutating func observe(_ block: inout DecodedBlock, after lines: Int, _ devices: inout DeviceNumbers, _ sizes: inout OversizedWrites) {
        var (dotCollisions, openContexts): (Set<Int>, Set<Int>) = ([], [])
        swap(&circles.names, &devices)
        defer { swap(&circles.names, &devices) }
        block.forEachWrite { line, hash, write in
            sizes.observe(write, location(UInt64(files.count - 1) << 40 | UInt64(lines + line + 1)))
            observe(write)
            guard write.isNumbered else { return }
            let (device, isOpen) = circles.observe(write, at: UInt64(files.count - 1) << 40 | UInt64(lines + line + 1))
            if isOpen { openContexts.insert(line) }
            if named.observe(write, device: device, recordHash: hash) { dotCollisions.insert(line) }
        }
        if !dotCollisions.isEmpty || !openContexts.isEmpty { block.mark(dotCollisions: dotCollisions, openContexts: openContexts) }
    }

    private mutating func observe(_ write: TaggedWrite) {
        if let position = write.hubSequence {
            if position <= cursor { hasLatePosition = true }
            // Those that carry no number are numbered in the order in which they come.
            if !write.isNumbered || write.cursor != nil {
                if position < positions[write.dot.device] ?? 0 { hasLatePosition = true }
                positions[write.dot.device] = position
            }
        } else if !write.isNumbered, let time = write.receipt?.milliseconds {
            if time < received[write.dot.device] ?? .min { hasLatePosition = true }
            received[write.dot.device] = time
        }
        if let cursor = write.cursor { self.cursor = max(self.cursor, cursor) }
    }

    /// The circles of writes that name each other as seen, and where the first of them begins.
    mutating func finish(_ devices: DeviceNumbers) -> (circles: [[SeenCircles.Step]], first: AuditLogReader.Location?) {
        circles.names = devices
        circles.finish()
        let found = circles.circles.ordered { ($0.first?.position ?? 0) < ($1.first?.position ?? 0) }
        return (found, found.first?.first.map { location($0.position) })
    }

    private func location(_ number: UInt64) -> AuditLogReader.Location {
        AuditLogReader.Location(file: files[Int(number >> 40)], line: Int(number & (1 << 40 - 1)))
    }
}
