package import ConflictAudit
package import SyncMerge
package import SyncModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Audits traces on several threads; the lines that come out are those of one thread.
///
/// It works in rounds. Blocks of lines are read, and each thread decodes some. What depends on the order of lines (numbers that are missing, what is
/// wrong with a line, clocks) is settled in between. Then each thread merges the writes to the records that fall to it, by the same ``TraceAuditor`` as
/// ever. While one round is merged the next is decoded, the one after it read, and the conflicts found in the one before are numbered in the order
/// of the writes and written.
/// A value type; its owner guards it.
package struct TraceAudit {
    private var reader: AuditLogReader
    private let threads: Int
    /// Those that no thread works with at the moment.
    private let decoders: Locked<[BlockDecoder]>
    private let shards: [Locked<AuditShard>]
    private var sequence: UInt64 = 0
    private let blockSize: Int
    /// How many blocks each thread decodes in one round: whoever has merged its writes first decodes more of them.
    private static let blocksPerThread = 8
    private let outputSize: Int

    /// Prepares to audit.
    ///
    /// - Parameters:
    ///   - mergeRules: The rules by which the replicas that wrote the trace merge.
    ///   - auditRules: What is looked for and reported.
    ///   - privacy: Which values the lines may hold.
    ///   - isLenient: Whether lines that cannot be understood are counted and passed over, instead of ending the reading.
    ///   - threads: How many threads there are to work on, 1 or more.
    ///   - maximumLineLength: The longest line read or written, in bytes; values are left out of a conflict that would not fit.
    ///   - blockSize: About how many bytes a thread decodes in one round.
    ///   - outputSize: About how many bytes of conflicts a thread holds before it writes them: a few lines may bring many to light.
    package init(
        mergeRules: MergeRules = MergeRules(), auditRules: AuditRules = AuditRules(), privacy: ValuePrivacy = .full,
        isLenient: Bool = false,
        threads: Int = 1, maximumLineLength: Int = 16 << 20, blockSize: Int = 2 << 20, outputSize: Int = 8 << 20
    ) {
        reader = AuditLogReader(isLenient: isLenient, maximumLineLength: maximumLineLength)
        // Constraints look across records, so one thread sees all of them.
        let isDivisible = auditRules.uniqueFields.isEmpty && auditRules.references.isEmpty
        let count = isDivisible ? threads : 1
        let hashKey = HashKey()
        self.threads = threads
        decoders = Locked(
            (0..<threads).map { _ in BlockDecoder(maximumLineLength: maximumLineLength, shards: count, hashKey: hashKey) })
        shards = (0..<count).map { number in
            Locked(
                AuditShard(
                    number: number, privacy: privacy, maximumLineLength: maximumLineLength,
                    auditor: TraceAuditor(mergeRules: mergeRules, auditRules: auditRules, hashKey: hashKey)))
        }
        self.blockSize = blockSize
        self.outputSize = outputSize
    }

    /// Lines that would have been longer than any reader reads, so that values were left out.
    package var shortenedLines: Int { shards.reduce(0) { count, shard in count + shard.withLock { $0.shortenedLines } } }

    /// Where the first write stands that carries the name of another.
    package private(set) var firstMisnamed: AuditLogReader.Place?

    /// How many such writes there are; see ``TraceAuditor/misnamedWrites``.
    package var misnamedWrites: Int { shards.reduce(0) { count, shard in count + shard.withLock { $0.auditor.misnamedWrites } } }

    /// Is told of every reading.
    package var onRead: ReadingObserver? {
        get { reader.onRead }
        set { reader.onRead = newValue }
    }

    /// What was read so far.
    package var counts: AuditLogReader.Counts { reader.counts }

    /// Everything counted so far.
    package var statistics: ConflictStatistics {
        var statistics = ConflictStatistics()
        for shard in shards { statistics.merge(shard.withLock { $0.auditor.statistics }) }
        return statistics
    }

    /// The latest timestamp of a write, in milliseconds since 1970.
    private var latest: Int64 { shards.reduce(.min) { latest, shard in max(latest, shard.withLock { $0.latest }) } }

    /// The merged records, deleted ones left out, in order of type and identity.
    package func records() -> [(key: RecordKey, fields: FieldMap)] {
        let parts = shards.map { shard in shard.withLock { $0.auditor.records() } }
        return parts.count == 1 ? parts[0] : parts.joined().sorted { $0.key < $1.key }
    }

    /// Gives up the merged records without freeing them one by one, which at the end of a process is time for nothing.
    package func abandon() {
        for shard in shards { _ = unsafe Unmanaged.passRetained(shard) }
    }

    /// Audits a file; see ``audit(descriptor:name:_:)``.
    package mutating func audit(path: String, _ write: ([UInt8]) throws -> Void) throws {
        var lines = try AuditLogReader.lines(of: path, maximumLength: reader.maximumLineLength, onRead: reader.onRead)
        try audit(&lines, name: path, write)
    }

    /// Audits an open descriptor to its end, and leaves it open.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - name: The input's name in messages.
    ///   - write: Takes whole lines of conflicts.
    /// - Throws: ``AuditLogError`` and what `write` throws.
    package mutating func audit(descriptor: Int32, name: String, _ write: ([UInt8]) throws -> Void) throws {
        var lines = LineReader(
            descriptor: descriptor, ownsDescriptor: false, maximumLength: reader.maximumLineLength, onRead: reader.onRead)
        try audit(&lines, name: name, write)
    }

    private mutating func audit(_ lines: inout LineReader, name: String, _ write: ([UInt8]) throws -> Void) throws {
        var read = 0
        var spare: [[UInt8]] = []
        var input = nextRound(&lines, reusing: &spare)
        var round: [DecodedBlock] = []
        var audited: [Locked<DecodedBlock?>] = []
        var found: [Part] = []
        var problem: AuditLogError?
        while !input.blocks.isEmpty || !round.isEmpty {
            let (findings, decoded, next) = try step(auditing: round, decoding: input.blocks, freeing: audited) { audit in
                try audit.write(&found, write)
                return problem == nil && !input.isLast ? audit.nextRound(&lines, reusing: &spare) : Round(error: input.error, isLast: true)
            }
            found = try finish(findings, of: round, name: name, write)
            audited = round.map { Locked($0) }
            round = decoded
            spare = input.blocks.map(\.bytes)
            input = next
            for index in round.indices {
                do throws(AuditLogError) {
                    try reader.settle(&round[index], name: name, after: &read)
                } catch {
                    // What stands before the line at fault is audited all the same.
                    problem = error
                    input = Round(isLast: true)
                    round.removeSubrange((index + 1)...)
                    break
                }
            }
        }
        try self.write(&found, write)
        if let problem { throw problem }
        if let error = input.error { throw AuditLogError(error.code, "\(name.harmless):\(read + 1): \(error.sentence)") }
    }

    /// Has every shard take its writes of one round while the blocks of the next are decoded and this thread does something else.
    ///
    /// - Parameter audited: The blocks of the round before, of which nobody needs anything any longer.
    private mutating func step<Own>(
        auditing round: [DecodedBlock], decoding blocks: [TraceBlock], freeing audited: [Locked<DecodedBlock?>],
        _ own: (inout Self) throws -> Own
    ) rethrows -> (findings: [AuditShard.Findings], decoded: [DecodedBlock], own: Own) {
        let findings = shards.map { _ in Locked(AuditShard.Findings()) }
        let decoded = blocks.map { _ in Locked<DecodedBlock?>(nil) }
        let (shards, decoders, limit) = (shards, decoders, outputSize)
        var jobs: [@Sendable () -> Void] = []
        if !round.isEmpty {
            for index in shards.indices {
                jobs.append {
                    let found = shards[index].withLock { $0.audit(round, from: 0, limit: limit) }
                    findings[index].withLock { $0 = found }
                }
            }
        }
        for index in blocks.indices {
            jobs.append {
                guard var decoder = decoders.withLock({ $0.popLast() }) else { preconditionFailure("there is a decoder for each thread") }
                let block = decoder.decode(blocks[index])
                decoders.withLock { $0.append(decoder) }
                decoded[index].withLock { $0 = block }
            }
        }
        for block in audited { jobs.append { block.withLock { $0 = nil } } }
        let result = try inParallel(jobs, threads: threads) { try own(&self) }
        return (findings.map { $0.withLock { $0 } }, decoded.compactMap { $0.withLock { $0 } }, result)
    }

    /// Numbers what the shards found in a round, and has those go on that had found too much to hold.
    ///
    /// - Returns: The last of them, not yet numbered.
    private mutating func finish(
        _ found: [AuditShard.Findings], of round: [DecodedBlock], name: String, _ write: ([UInt8]) throws -> Void
    ) throws -> [Part] {
        if round.isEmpty { return [] }
        var parts = found.map { Part(findings: $0) }
        var firstMisnamed = found.compactMap(\.firstMisnamed).min()
        // What comes after the place where a shard has stopped may have to stand behind what it finds next.
        while let end = parts.compactMap(\.findings.resume).min() {
            try self.write(&parts, before: end, write)
            let (before, limit) = (parts, outputSize)
            let more = inParallel(shards, count: shards.count) { shard, index in
                before[index].isWritten ? before[index].findings.resume.map { shard.audit(round, from: $0, limit: limit) } : nil
            }
            for (index, findings) in more.enumerated() {
                guard let findings else { continue }
                parts[index] = Part(findings: findings)
                if let place = findings.firstMisnamed { firstMisnamed = min(firstMisnamed ?? place, place) }
            }
        }
        noteMisnamed(firstMisnamed, in: round, name: name)
        return parts
    }

    /// Writes findings, numbered, up to a position.
    private mutating func write(_ parts: inout [Part], before end: Int = .max, _ write: ([UInt8]) throws -> Void) throws {
        let output = number(&parts, before: end)
        if !output.isEmpty { try write(output) }
    }

    /// Some of a shard's findings, and how many of them are written.
    private struct Part: Sendable {
        let findings: AuditShard.Findings
        var next = 0

        init(findings: AuditShard.Findings) { self.findings = findings }

        var isWritten: Bool { next == findings.lines.count }
    }

    /// What is read at a time: some blocks for each thread.
    private struct Round {
        var blocks: [TraceBlock] = []
        /// Why no more could be read.
        var error: ReadingError?
        /// Whether nothing comes after it.
        var isLast = false
    }

    private func nextRound(_ lines: inout LineReader, reusing spare: inout [[UInt8]]) -> Round {
        var round = Round()
        do throws(ReadingError) {
            while round.blocks.count < threads * Self.blocksPerThread {
                guard let block = try lines.nextBlock(of: max(1, blockSize / Self.blocksPerThread), reusing: spare.popLast() ?? []) else {
                    round.isLast = true
                    break
                }
                round.blocks.append(block)
            }
        } catch {
            round.error = error
            round.isLast = true
        }
        return round
    }

    /// Numbers the findings of all shards in the order of the writes, up to a position.
    private mutating func number(_ parts: inout [Part], before end: Int) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(parts.reduce(0) { $0 + $1.findings.bytes.count + 16 * $1.findings.lines.count })
        var key = LineBuffer(capacity: 32)
        while true {
            var earliest: (part: Int, position: Int)?
            for index in parts.indices where !parts[index].isWritten {
                let position = parts[index].findings.lines[parts[index].next].position
                if position < earliest?.position ?? end { earliest = (index, position) }
            }
            guard let earliest = earliest?.part else { return output }
            let finding = parts[earliest].findings.lines[parts[earliest].next]
            parts[earliest].next += 1
            sequence += 1
            key.truncate(to: 0)
            LineEncoder.appendSequence(sequence, to: &key)
            let bytes = parts[earliest].findings.bytes
            output.append(contentsOf: bytes[finding.start..<finding.gap])
            unsafe key.withBytes { unsafe output.append(contentsOf: $0) }
            output.append(contentsOf: bytes[finding.gap..<finding.end])
        }
    }

    /// Remembers where the first write stands that carries the name of another.
    private mutating func noteMisnamed(_ place: Int?, in blocks: [DecodedBlock], name: String) {
        guard firstMisnamed == nil, var position = place else { return }
        for block in blocks {
            if position < block.count {
                firstMisnamed = AuditLogReader.Place(file: name, line: block.firstLine + position)
                return
            }
            position -= block.count
        }
    }

    /// A line of statistics to end the output with, dated by the latest write.
    package mutating func line(_ statistics: ConflictStatistics) -> [UInt8] {
        sequence += 1
        var line = LineBuffer()
        LineEncoder.append(AuditEvent(at: latest, .statistics(statistics)), sequence: sequence, source: .auditOfTrace, to: &line)
        return line.array
    }
}
