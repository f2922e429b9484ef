import SyncModel

/// What the writes of a trace say that cannot be true of all of them: one name for two writes, and having seen each other.
struct TraceContradictions: Sendable {
    private var named = NamedWrites()
    private var circles = SeenCircles()
    private var devices = DeviceNumbers()
    /// The device that wrote last, and its index.
    private var recent: (device: DeviceID, index: Int)?
    private var files: [String] = []

    /// Begins an input.
    mutating func begin(file name: String) { files.append(name) }

    /// Takes a block whose lines have all been read, and marks the writes in it whose name another has.
    ///
    /// - Parameter lines: How many lines the input held before the block.
    mutating func observe(_ block: inout DecodedBlock, after lines: Int) {
        var misnamed: Set<Int> = []
        block.forEachWrite { line, hash, write in
            guard write.isNumbered else { return }
            if named.observe(write, device: index(of: write), recordHash: hash) {
                misnamed.insert(line)
            }
            circles.observe(write, at: UInt64(files.count - 1) << 40 | UInt64(lines + line + 1))
        }
        if !misnamed.isEmpty { block.markMisnamed(misnamed) }
    }

    /// The circles of writes that name each other as seen, and where the first of them begins.
    mutating func finish() -> (circles: [[SeenCircles.Step]], first: AuditLogReader.Place?) {
        circles.finish()
        let found = circles.circles.sorted { ($0.first?.place ?? 0) < ($1.first?.place ?? 0) }
        return (found, found.first?.first.map { place($0.place) })
    }

    private mutating func index(of write: TaggedWrite) -> Int {
        if let recent, write.isOfDevice(recent.device) { return recent.index }
        let index = devices.index(of: write.dot.device)
        recent = (write.dot.device, index)
        return index
    }

    private func place(_ number: UInt64) -> AuditLogReader.Place {
        AuditLogReader.Place(file: files[Int(number >> 40)], line: Int(number & (1 << 40 - 1)))
    }
}
