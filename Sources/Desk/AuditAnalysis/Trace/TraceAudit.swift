package import AuditLog
package import ConflictAudit
import SyncBytes
package import SyncLines
package import SyncMerge
package import SyncModel
package import SyncSystem

/// Audits traces on several threads; the lines that come out are those of one thread.
///
/// The input goes through it in blocks of lines, see ``AuditPipeline``. What depends on the order of lines (numbers that are missing, what
/// is wrong with a line) is resolved block by block; then each shard merges the writes to the records that fall to it, by the same
/// ``TraceAuditor`` as ever, and the conflicts found are numbered in the order of the writes. A value type; its owner guards it.
package struct TraceAudit {
    private let resolved: Locked<ResolvedTrace>
    private let maximumLineLength: Int
    private let threads: Int
    /// Those that no thread works with.
    private let decoders: Locked<[BlockDecoder]>
    let shards: [Locked<AuditShard>]
    /// What a shard failed in.
    let failure = Locked<(any Error)?>(nil)
    let retention: Retention
    let stateDetail: StateDetail?
    /// What was found since records no longer fit into memory: what is yet to be found in the rest may come before it.
    var held: SpillFile?
    /// The names of the inputs.
    private(set) var inputs: [String] = []
    /// How many lines are audited before the next look at the memory in use.
    private var linesUntilLook = 0
    private var sequence: UInt64 = 0
    /// The rules, as long as no line tells of them.
    private var untoldRules: FieldValue?
    private let blockSize: Int
    private let outputSize: Int

    /// Prepares to audit.
    ///
    /// - Parameters:
    ///   - rules: What the first line tells of the rules; nil where none does.
    ///   - mergeRules: The rules by which the replicas that wrote the trace merge.
    ///   - auditRules: What is looked for and reported.
    ///   - privacy: Which values the lines may hold.
    ///   - names: Looks for names in the writes.
    ///   - reading: What is taken besides the format itself.
    ///   - isLenient: Whether lines that cannot be understood are counted and passed over, instead of ending the reading.
    ///   - memory: How many records are held; where rules look across records, all are.
    ///   - stateDetail: What ``writeState(_:)`` is to tell; nil where it is not called.
    ///   - threads: How many threads there are to work on, 1 or more.
    ///   - maximumLineLength: The longest line read or written, in bytes; values are left out of a conflict that would not fit.
    ///   - blockSize: About how many bytes are decoded at a time.
    ///   - outputSize: About how many bytes of conflicts a thread holds before it writes them: a few lines may bring many to light.
    package init(
        rules: FieldValue? = nil, mergeRules: MergeRules = MergeRules(), auditRules: AuditRules = AuditRules(),
        privacy: ValuePrivacy = .full,
        names: Locked<NameSearch> = Locked(NameSearch([])), reading: LineReading = LineReading(), isLenient: Bool = false,
        memory: Retention = .everything, stateDetail: StateDetail? = nil, threads: Int = 1, maximumLineLength: Int = 16 << 20,
        blockSize: Int = 128 << 10, outputSize: Int = 8 << 20
    ) {
        untoldRules = rules
        var reader = AuditLogReader(isLenient: isLenient, maximumLineLength: maximumLineLength)
        reader.decoder.reading = reading
        resolved = Locked(ResolvedTrace(reader: reader))
        self.maximumLineLength = maximumLineLength
        // Constraints look across records, so one thread sees all of them.
        let count = auditRules.hasConstraints ? 1 : threads
        retention = auditRules.hasConstraints ? .everything : memory
        self.stateDetail = stateDetail
        let hashKey = HashKey()
        self.threads = threads
        decoders = Locked(
            (0..<threads).map { _ in BlockDecoder(maximumLineLength: maximumLineLength, shards: count, hashKey: hashKey) })
        shards = (0..<count).map { [retention, failure] _ in
            Locked(
                AuditShard(
                    privacy: privacy, names: names, maximumLineLength: maximumLineLength,
                    auditor: TraceAuditor(mergeRules: mergeRules, auditRules: auditRules, hashKey: hashKey), hashKey: hashKey,
                    retention: retention, stateDetail: stateDetail, failure: failure))
        }
        self.blockSize = blockSize
        self.outputSize = outputSize
    }

    /// Lines that would have been longer than any reader reads, so that values were left out.
    package var shortenedLines: Int { shards.reduce(0) { count, shard in count + shard.withLock { $0.shortenedLines } } }

    /// The location of the first write that carries the name of another.
    package var firstDotCollision: AuditLogReader.Location? {
        shards.compactMap { shard in shard.withLock { $0.firstDotCollision } }.min().map(location)
    }

    /// How many such writes there are: to another record, of another time or operation, or, while the other is maximal, with other values.
    package var dotCollisions: Int { shards.reduce(0) { count, shard in count + shard.withLock { $0.dotCollisions } } }

    /// Ends the audit's look for writes that name each other as seen.
    ///
    /// - Returns: The circles found, at most ``SeenCircles/circleLimit``, and where the first of them begins.
    package func finishCircles() -> (circles: [[SeenCircles.Step]], first: AuditLogReader.Location?) {
        resolved.withLock { $0.contradictions.finish($0.reader.devices) }
    }

    /// What of the trace is larger than CloudKit takes, a sentence for each sort.
    package var sizeSentences: [String] { resolved.withLock { $0.sizes.sentences } }

    /// Is told of every reading.
    package var onRead: ReadingObserver? {
        get { resolved.withLock { $0.reader.onRead } }
        set { resolved.withLock { $0.reader.onRead = newValue } }
    }

    /// What was read so far.
    package var counts: AuditLogReader.Counts { resolved.withLock { $0.reader.counts } }

    /// How many writes lead back to revisions that have not come before them, so that nothing is known of what their writers had seen.
    package var orphans: Int { resolved.withLock { $0.reader.orphans } }

    /// How far the writes audited so far can tell of conflicts.
    ///
    /// - Parameters:
    ///   - statistics: What was counted.
    ///   - takesLinesAsTheyCome: Whether the order of the lines was taken as it is.
    package func evidence(_ statistics: ConflictStatistics, takesLinesAsTheyCome: Bool) -> TraceEvidence {
        TraceEvidence(
            AuditEvidence(auditedWrites: statistics.writesObserved, withContext: statistics.writesWithContext),
            writers: resolved.withLock { $0.reader.devices.entries.count { $0.number > 0 } },
            hasRepeatedRecord: shards.contains { shard in shard.withLock { $0.auditor.hasRepeatedRecord } },
            isDisordered: takesLinesAsTheyCome && isDisordered)
    }

    /// Whether a write to a record has come after one whose writer had seen it: the trace is not in causal order.
    package var isDisordered: Bool {
        resolved.withLock { $0.contradictions.isDisordered || $0.reader.decoder.revisions?.isDisordered == true }
            || shards.contains { shard in shard.withLock { $0.auditor.isDisordered } }
    }

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
        return parts.count == 1 ? parts[0] : parts.joined().ordered { $0.key < $1.key }
    }

    /// Who wrote what a record shows; nil where it is not shown.
    package func edits(of key: RecordKey) -> RecordEdits? {
        for shard in shards {
            if let edits = shard.withLock({ $0.auditor.edits(of: key) }) { return edits }
        }
        return nil
    }

    /// Frees the merged records, and keeps what was counted and what is known of the trace.
    package func forgetRecords() {
        for shard in shards { shard.withLock { $0.auditor.removeRecords() } }
    }

    /// Gives up the merged records without freeing them one by one, which at the end of a process is time for nothing.
    package func abandon() {
        for shard in shards { _ = unsafe Unmanaged.passRetained(shard) }
    }

    /// Audits a file; see ``audit(descriptor:name:_:)``.
    package mutating func audit(path: String, _ write: ([UInt8]) throws -> Void) throws {
        let lines = try LineReader(path: path, maximumLength: maximumLineLength, bufferSize: bufferSize, onRead: onRead)
        try audit(lines, name: path, write)
    }

    /// Audits an open descriptor to its end, and leaves it open.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - name: The input's name in messages.
    ///   - write: Takes whole lines of conflicts.
    /// - Throws: ``AuditLogError`` and what `write` throws.
    package mutating func audit(descriptor: Int32, name: String, _ write: ([UInt8]) throws -> Void) throws {
        let lines = LineReader(descriptor: descriptor, maximumLength: maximumLineLength, bufferSize: bufferSize, onRead: onRead)
        try audit(lines, name: name, write)
    }

    /// Audits lines that are made and not read; see ``audit(descriptor:name:_:)``.
    package mutating func audit(lines: @escaping LineProducer, name: String, _ write: ([UInt8]) throws -> Void) throws {
        try audit(LineReader(lines, maximumLength: maximumLineLength, bufferSize: bufferSize), name: name, write)
    }

    /// With room for what is left of the block before.
    private var bufferSize: Int { blockSize + 8192 }

    private mutating func audit(_ lines: consuming sending LineReader, name: String, _ write: ([UInt8]) throws -> Void) throws {
        resolved.withLock { $0.contradictions.begin(file: name) }
        inputs.append(name)
        let start = UInt64(inputs.count - 1) << 40
        lines.keepsSummaries = false
        lines.readsAppleLog = true
        let pipeline = AuditPipeline(
            lines, name: name, start: start, resolved: resolved, decoders: decoders, shards: shards, blockSize: blockSize,
            outputSize: outputSize)
        let helpers = (1..<threads).map { worker in { @Sendable in pipeline.work(worker, isWriter: false) { _ in } } }
        try inParallel(helpers, threads: threads) {
            try pipeline.work(0, isWriter: true) { block in
                try checkFailure()
                try makeRoom(after: block.lineCount)
                let output = try number(&block, start: start)
                if !output.isEmpty { try write(output) }
            }
        }
        try pipeline.checkEnd()
        try checkFailure()
    }

    /// Looks now and then whether more memory is in use than may be; then no further records are held.
    ///
    /// - Parameter lines: How many lines have been audited since.
    private mutating func makeRoom(after lines: Int) throws {
        guard case .some(let space) = retention, held == nil else { return }
        linesUntilLook -= lines
        guard linesUntilLook <= 0 else { return }
        linesUntilLook = space.writesPerLook
        guard space.isExceeded else { return }
        held = try SpillFile(space)
        for shard in shards { shard.withLock { $0.closeAdmission() } }
    }

    /// Numbers the findings of all shards in the order of the writes, as far as they can be put in order, or holds them back.
    ///
    /// - Parameter start: The position before the first line of the input.
    private mutating func number(_ block: inout AuditPipeline.Audited, start: UInt64) throws -> [UInt8] {
        let end = block.end ?? .max
        var output: [UInt8] = []
        if held == nil {
            output.reserveCapacity(
                block.shares.reduce(0) { $0 + ($1.findings.map { $0.bytes.count + 16 * $0.lines.count } ?? 0) })
        }
        var key = LineBuffer(capacity: 32)
        while true {
            var earliest: (share: Int, line: Int)?
            for index in block.shares.indices {
                guard let line = block.shares[index].nextFinding?.line, line < earliest?.line ?? end else { continue }
                earliest = (index, line)
            }
            guard let index = earliest?.share, let finding = block.shares[index].nextFinding else { return output }
            block.shares[index].written += 1
            let (line, gap) = (block.shares[index].bytes[finding.start..<finding.end], finding.gap - finding.start)
            if let held {
                let position = start + UInt64(block.firstLine + finding.line)
                try held.append { HeldFinding.write(line.span, gap: gap, at: position, to: &$0) }
            } else {
                appendNumbered(line, gap: gap, &key, to: &output)
            }
        }
    }

    /// Appends a finding with the next number.
    ///
    /// - Parameters:
    ///   - gap: Where in it its number goes.
    ///   - key: Memory to write the number in.
    mutating func appendNumbered(_ line: ArraySlice<UInt8>, gap: Int, _ key: inout LineBuffer, to output: inout [UInt8]) {
        tellRules(in: &output)
        sequence += 1
        key.truncate(to: 0)
        LineEncoder.appendSequence(sequence, to: &key)
        let middle = line.startIndex + gap
        output.append(contentsOf: line[..<middle])
        unsafe key.withBytes { unsafe output.append(contentsOf: $0) }
        output.append(contentsOf: line[middle...])
    }

    /// Appends the line of the rules, dated by the first write, where it has not come yet: nothing comes before it.
    mutating func tellRules(in output: inout [UInt8]) {
        guard let rules = untoldRules, let first = resolved.withLock(\.firstMilliseconds) else { return }
        untoldRules = nil
        sequence += 1
        LineEncoder.append(AuditLine(sequence: sequence, source: .auditOfTrace, event: AuditEvent(at: first, .rules(rules))), to: &output)
    }

    /// A line of statistics to end the output with, dated by the latest write.
    package mutating func line(_ statistics: ConflictStatistics) -> [UInt8] {
        sequence += 1
        var line = LineBuffer()
        LineEncoder.append(AuditEvent(at: latest, .statistics(statistics)), sequence: sequence, source: .auditOfTrace, to: &line)
        return line.array
    }
}
