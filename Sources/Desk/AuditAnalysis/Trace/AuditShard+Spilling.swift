import AuditLog
import ConflictAudit
import SyncBytes
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
        for index in 0..<kept.groupCount {
            let size = kept.size(ofGroup: index)
            guard var entries = try kept.popGroup(index, onRead: onRead) else { continue }
            let isLarge = kept.level < SpilledWrites.maximumLevel && space.mayBeExceeded(byFile: size)
            auditor.clocks = kept.clocks
            var clockLines = try kept.clockLines.entries()
            var clock = try clockLines.next(SpilledWrites.ClockLine.init)
            let start = try findings.endBlock()
            var count = 0
            while let item = try entries.next({ bytes throws(CodingFailure) in try SpilledWrites.Item(from: &bytes, by: coder) }) {
                while let line = clock, line.position < item.position {
                    if line.position >= kept.start { auditor.observe(line.measurement) }
                    clock = try clockLines.next(SpilledWrites.ClockLine.init)
                }
                count += 1
                if isLarge, count % space.writesPerLook == 0, spilled == nil, space.isExceeded {
                    spilled = try SpilledWrites(
                        level: kept.level + 1, clocks: auditor.clocks, start: item.position, clockLines: kept.clockLines, space)
                }
                if spilled != nil, !auditor.holds(recordOf: item.write, hash: item.hash) {
                    try spilled?.append(item, by: &coder)
                    continue
                }
                for line in lines(of: audit(item)) {
                    try findings.append { HeldFinding.write(line.bytes.span, gap: line.gap, at: item.position, to: &$0) }
                }
            }
            runs.append(Run(start: start, end: try findings.endBlock()))
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
            let isEach = if case .oneRecord = retention { true } else { false }
            let start = isEach ? 0 : try states.endBlock()
            for (key, fields) in auditor.records() {
                let line = StateLine(key: key, fields: fields, edits: stateDetail == .edits ? auditor.edits(of: key) : nil)
                try states.append { bytes in
                    bytes.number(heldSince)
                    line.write(to: &bytes)
                }
            }
            if !isEach { stateRuns.append(Run(start: start, end: try states.endBlock())) }
        }
        auditor.removeRecords()
        heldSince = position
    }

    /// What reads the merged records that are no longer held, each in order; the one that is held is let go too, where one is at a time.
    mutating func stateReaders() throws -> [SpillFile.Reader] {
        if case .oneRecord = retention { try releaseRecords() }
        guard let states else { return [] }
        if stateRuns.isEmpty { return [try states.entries()] }
        return try stateRuns.map { try states.entries(from: $0.start, to: $0.end) }
    }
}
