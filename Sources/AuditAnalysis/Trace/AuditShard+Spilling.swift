import AuditLog
import ConflictAudit
import SyncLines
import SyncMerge
import SyncModel

extension AuditShard {
    /// Part of a file of findings: those of one group of records, in order of position.
    struct Run: Sendable {
        let start: Int64
        let end: Int64
    }

    /// Holds no further records from now on, unless it does so already.
    mutating func closeAdmission() {
        guard spilled == nil, case .some(let space) = retention else { return }
        attempt { (shard) throws in
            shard.spilled = try SpilledWrites(level: 0, clocks: shard.auditor.clocks, start: 0, space)
        }
    }

    /// Audits the writes that were kept, when all have been read.
    ///
    /// - Parameters:
    ///   - findings: Takes what is found.
    ///   - space: Where files are made.
    ///   - onRead: Is told of every reading of what was kept.
    /// - Returns: Where in it what was found of each group is.
    mutating func auditSpilled(_ findings: SpillFile, _ space: SpillSpace, onRead: ReadingObserver?) throws -> [Run] {
        try releaseRecords()
        guard var kept = spilled.take() else { return [] }
        var runs: [Run] = []
        for index in 0..<SpilledWrites.groupCount {
            let size = kept.size(ofGroup: index)
            guard var entries = try kept.popGroup(index, onRead: onRead) else { continue }
            let isLarge = kept.level < SpilledWrites.maximumLevel && space.mayBeExceeded(byFile: size)
            auditor.clocks = kept.clocks
            var clockLines = try kept.clockLines.entries()
            var clock = try clockLines.next()
            let start = findings.end
            var count = 0
            while let entry = try entries.next() {
                while let line = clock, line.position < entry.position {
                    if line.position >= kept.start {
                        let measurement = try ClockMeasurement(line)
                        auditor.observe(measurement)
                    }
                    clock = try clockLines.next()
                }
                count += 1
                if isLarge, count % space.writesPerLook == 0, spilled == nil, space.isExceeded {
                    spilled = try SpilledWrites(
                        level: kept.level + 1, clocks: auditor.clocks, start: entry.position, clockLines: kept.clockLines, space)
                }
                let item = try SpilledWrites.Item(entry)
                if spilled != nil, !auditor.holds(recordOf: item.write, hash: item.hash) {
                    try spilled?.append(item.write, hash: item.hash, at: item.position, isDotCollision: item.isDotCollision)
                    continue
                }
                let conflicts = audit(item.write, hash: item.hash, at: item.position, isDotCollision: item.isDotCollision)
                for line in lines(of: conflicts) {
                    try findings.append(position: item.position, number: UInt64(line.gap), line.bytes)
                }
            }
            runs.append(Run(start: start, end: findings.end))
            runs += try auditSpilled(findings, space, onRead: nil)
        }
        return runs
    }

    /// Gives up the records held, and keeps what they show where somebody wants it.
    ///
    /// - Parameter position: That of the next write.
    mutating func releaseRecords(from position: UInt64 = 0) throws {
        if let stateDetail, let space = retention.space {
            let states = try self.states ?? SpillFile(space)
            self.states = states
            let start = states.end
            for (key, fields) in auditor.records() {
                let line = StateLine(key: key, fields: fields, edits: stateDetail == .edits ? auditor.edits(of: key) : nil)
                try states.append(position: heldSince, number: 0, line.encoded)
            }
            if case .oneRecord = retention {
                stateRuns = [Run(start: 0, end: states.end)]
            } else {
                stateRuns.append(Run(start: start, end: states.end))
            }
        }
        auditor.removeRecords()
        heldSince = position
    }

    /// What reads the merged records that are no longer held, each in order; the one that is held is let go too, where one is at a time.
    mutating func stateReaders() throws -> [SpillFile.Reader] {
        if case .oneRecord = retention { try releaseRecords() }
        guard let states else { return [] }
        return try stateRuns.map { try states.entries(from: $0.start, to: $0.end) }
    }
}
