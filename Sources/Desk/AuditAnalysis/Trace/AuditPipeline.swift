import AuditLog
import Dispatch
import SyncBytes
import SyncSystem

/// The blocks of one input on their way through the audit: read, decoded, resolved, audited by every shard and written.
///
/// Each of these is done in the order of the input, but for the decoding; different blocks are at different points of the way, and whoever
/// is free takes the step that is furthest along. So a block is mostly worked on while it is still in the cache, and few are under way at a
/// time.
///
/// Thread-safe.
final class AuditPipeline: Sendable {
    /// What one shard makes of a block.
    struct Share: Sendable {
        /// What it has yet to audit.
        fileprivate(set) var part: DecodedBlock.Part
        /// What it found; nil before it has audited anything, and when it is to go on.
        var findings: AuditShard.Findings?
        /// How many of the findings have been written.
        var written = 0

        /// What is to be written next, nil where all is.
        var nextFinding: AuditShard.Finding? {
            guard let findings, written < findings.lines.count else { return nil }
            return findings.lines[written]
        }

        /// The text of what was found.
        var bytes: [UInt8] { findings?.bytes ?? [] }
    }

    /// The oldest block, audited by all shards as far as may be.
    struct Audited: Sendable {
        /// The number of its first line in the input, from 1.
        let firstLine: Int
        let lineCount: Int
        var shares: [Share]
        /// The line up to which the findings can be put in order; nil where that is all.
        var end: Int? { shares.compactMap(\.part.nextLine).min() }
    }

    fileprivate struct Block {
        /// How many bytes were read.
        let size: Int
        /// What was read, from its decoding until it is resolved.
        var decoded: DecodedBlock?
        /// Once it is resolved one for each shard.
        var shares: [Share] = []
        var firstLine = 1
        var lineCount = 0
    }

    fileprivate enum Step: Sendable {
        case read
        case resolve(DecodedBlock, after: Int)
        case audit(shard: Int, DecodedBlock.Part, firstLine: Int)
        case write(Audited)
        case wait
        case end
    }

    fileprivate struct State {
        /// The blocks under way, oldest first, and the number of the first of them.
        var blocks: [Block] = []
        var first = 0
        /// How many blocks have been resolved, and how many lines they held.
        var resolved = 0
        var lines = 0
        /// For each shard the block that it audits next, and whether it does so now.
        var next: [Int]
        var isBusy: [Bool]
        var isReading = false
        var isResolving = false
        /// Whether nothing more is to be read.
        var hasEnded = false
        var isStopped = false
        /// The threads that wait for something to do.
        var waiting: [Int] = []
        /// What is wrong with a line.
        var problem: AuditLogError?
        /// Why no more could be read.
        var readingError: ReadingError?

        /// How many bytes may be under way before nothing more is read, and how many of conflicts may wait to be written before only the
        /// oldest block is audited.
        let maximumRead: Int
        let maximumFound: Int

        init(shards: Int, maximumRead: Int, maximumFound: Int) {
            self.maximumRead = maximumRead
            self.maximumFound = maximumFound
            next = Array(repeating: 0, count: shards)
            isBusy = Array(repeating: false, count: shards)
        }
    }

    private let state: Locked<State>
    private let lines: Locked<LineReader>
    private let resolved: Locked<ResolvedTrace>
    private let decoders: Locked<[BlockDecoder]>
    private let shards: [Locked<AuditShard>]
    private let name: String
    private let start: UInt64
    private let blockSize: Int
    private let outputSize: Int
    /// One for each thread: what wakes one must not be taken by another, which may have nothing to do.
    private let bells: [DispatchSemaphore]

    /// Prepares for an input.
    ///
    /// - Parameters:
    ///   - lines: The input.
    ///   - name: Its name in messages.
    ///   - start: The position before its first line.
    ///   - resolved: What is told of lines and writes in order.
    ///   - decoders: One for each thread.
    ///   - shards: Those among which the records are divided.
    ///   - blockSize: About how many bytes a block holds.
    ///   - outputSize: About how many bytes of conflicts a shard finds before they are written.
    init(
        _ lines: consuming sending LineReader, name: String, start: UInt64, resolved: Locked<ResolvedTrace>,
        decoders: Locked<[BlockDecoder]>, shards: [Locked<AuditShard>], blockSize: Int, outputSize: Int
    ) {
        bells = (0..<decoders.withLock { $0.count }).map { _ in DispatchSemaphore(value: 0) }
        // Many blocks, so that a thread that is held up holds up nobody else.
        state = Locked(State(shards: shards.count, maximumRead: 16 * bells.count * max(blockSize, 4096), maximumFound: outputSize))
        self.lines = Locked(lines)
        self.name = name
        self.start = start
        self.resolved = resolved
        self.decoders = decoders
        self.shards = shards
        self.blockSize = blockSize
        self.outputSize = outputSize
    }

    /// Takes steps until the end of the input, beside other threads that do the same.
    ///
    /// - Parameters:
    ///   - worker: The thread's number, from 0: the shard that it looks after first.
    ///   - isWriter: Whether it writes what was found; one thread does.
    ///   - write: Writes what was found in the oldest block, as far as that can be put in order.
    func work(_ worker: Int, isWriter: Bool, _ write: (inout Audited) throws -> Void) rethrows {
        guard var decoder = decoders.withLock({ $0.popLast() }) else { preconditionFailure("there is a decoder for each thread") }
        defer { decoders.withLock { $0.append(decoder) } }
        var block = LineBlock()
        while true {
            switch state.withLock({ $0.step(for: worker, isWriter: isWriter) }) {
            case .read: read(with: &decoder, into: &block)
            case .resolve(let block, let lines): resolve(block, after: lines)
            case .audit(let shard, let part, let firstLine): audit(part, shard, from: start + UInt64(firstLine))
            case .write(var block):
                do {
                    try write(&block)
                } catch {
                    update { $0.isStopped = true }
                    throw error
                }
                update { $0.finish(block) }
            case .wait: bells[worker].wait()
            case .end: return
            }
        }
    }

    /// Says what ended the input before its end.
    func checkEnd() throws(AuditLogError) {
        let (problem, error, lines) = state.withLock { ($0.problem, $0.readingError, $0.lines) }
        if let problem { throw problem }
        if let error { throw AuditLogError(error.code, "\(name.escaped(for: .terminal)):\(lines + 1): \(error.sentence)") }
    }

    /// - Parameter block: Is filled; its memory is used again.
    private func read(with decoder: inout BlockDecoder, into block: inout LineBlock) {
        let result = lines.withLock { lines in
            Result { () throws(ReadingError) in try lines.fill(&block, size: blockSize) }
        }
        let number = update { [size = block.range.count] in $0.recordReading(result.map { $0 ? size : nil }) }
        guard let number else { return }
        let decoded = decoder.decode(block)
        // What lines are yet to be read from is not changed.
        if !decoded.isPlain { block = LineBlock() }
        update { state in
            // After a line at fault nothing is of use.
            if number - state.first < state.blocks.count { state.blocks[number - state.first].decoded = decoded }
        }
    }

    private func resolve(_ decoded: consuming DecodedBlock, after lines: Int) {
        var block = decoded
        var read = lines
        var problem: AuditLogError?
        resolved.withLock { resolved in
            do throws(AuditLogError) {
                try resolved.reader.resolve(&block, name: name, after: &read)
            } catch {
                problem = error
            }
            if resolved.firstMilliseconds == nil { resolved.firstMilliseconds = block.firstMilliseconds }
            resolved.contradictions.observe(&block, after: lines, &resolved.reader.devices, &resolved.sizes)
        }
        update { $0.recordResolved(&block, lines: read, problem: problem) }
    }

    private func audit(_ share: consuming DecodedBlock.Part, _ shard: Int, from position: UInt64) {
        var part = share
        let findings = shards[shard].withLock { $0.audit(&part, from: position, limit: outputSize) }
        update { $0.recordAudited(shard, part, findings) }
    }

    /// Changes what others may wait for.
    @discardableResult
    private func update<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, waiting) = state.withLock { state in
            let result = body(&state)
            defer { state.waiting = [] }
            return (result, state.waiting)
        }
        for worker in waiting { bells[worker].signal() }
        return result
    }
}

extension AuditPipeline.State {
    /// What to do next: the step that is furthest along.
    fileprivate mutating func step(for worker: Int, isWriter: Bool) -> AuditPipeline.Step {
        if isStopped || hasEnded && blocks.isEmpty { return .end }
        // An audited share stays where it is, so that nobody goes on with it before it is written.
        if isWriter, first < resolved, let oldest = blocks.first, oldest.shares.allSatisfy({ $0.findings != nil }) {
            return .write(AuditPipeline.Audited(firstLine: oldest.firstLine, lineCount: oldest.lineCount, shares: oldest.shares))
        }
        if !isResolving, resolved - first < blocks.count, let block = blocks[resolved - first].decoded.take() {
            isResolving = true
            return .resolve(block, after: lines)
        }
        for offset in next.indices {
            let shard = (worker + offset) % next.count
            guard !isBusy[shard], next[shard] < resolved, blocks[next[shard] - first].shares[shard].findings == nil else { continue }
            guard next[shard] == first || foundSize <= maximumFound else { continue }
            isBusy[shard] = true
            let block = next[shard] - first
            return .audit(shard: shard, blocks[block].shares[shard].popPart(), firstLine: blocks[block].firstLine)
        }
        if !isReading, !hasEnded, readSize < maximumRead {
            isReading = true
            return .read
        }
        waiting.append(worker)
        return .wait
    }

    /// How many bytes are under way.
    private var readSize: Int { blocks.reduce(0) { $0 + $1.size } }

    /// How many bytes of conflicts wait to be written.
    private var foundSize: Int { blocks.reduce(0) { $1.shares.reduce($0) { $0 + $1.bytes.count } } }

    /// - Parameter result: How many bytes a block has that was read, nil at the end.
    /// - Returns: The number of the block, nil where there is none.
    fileprivate mutating func recordReading(_ result: Result<Int?, ReadingError>) -> Int? {
        isReading = false
        if hasEnded { return nil }
        switch result {
        case .success(let size?):
            blocks.append(AuditPipeline.Block(size: max(size, 4096)))
            return first + blocks.count - 1
        case .success(nil): break
        case .failure(let error): readingError = error
        }
        hasEnded = true
        return nil
    }

    fileprivate mutating func recordResolved(_ block: inout DecodedBlock, lines: Int, problem: AuditLogError?) {
        let index = resolved - first
        // Moved, so that whoever audits them can take the writes out without a copy.
        blocks[index].shares = block.extractParts().map { AuditPipeline.Share(part: $0) }
        blocks[index].firstLine = self.lines + 1
        blocks[index].lineCount = lines - self.lines
        self.lines = lines
        resolved += 1
        isResolving = false
        // What is before the line at fault is audited all the same.
        guard let problem else { return }
        self.problem = problem
        hasEnded = true
        blocks.removeSubrange((index + 1)...)
    }

    fileprivate mutating func recordAudited(_ shard: Int, _ part: DecodedBlock.Part, _ findings: AuditShard.Findings) {
        let index = next[shard] - first
        blocks[index].shares[shard] = AuditPipeline.Share(part: part, findings: findings)
        isBusy[shard] = false
        if part.nextLine == nil { next[shard] += 1 }
    }

    /// Takes note of what was written of the oldest block: where a shard had found too much to hold, the one that is furthest behind goes
    /// on.
    fileprivate mutating func finish(_ block: AuditPipeline.Audited) {
        guard block.end != nil else {
            blocks.removeFirst()
            first += 1
            return
        }
        blocks[0].shares = block.shares
        for index in block.shares.indices where block.shares[index].part.nextLine == block.end {
            blocks[0].shares[index].findings = nil
            blocks[0].shares[index].written = 0
        }
    }
}

extension AuditPipeline.Share {
    /// Takes out what is to be audited.
    fileprivate mutating func popPart() -> DecodedBlock.Part {
        defer { part = DecodedBlock.Part(capacity: 0) }
        return part
    }
}
