import AuditLog
import ConflictAudit
import SyncBytes
import SyncMerge
package import SyncModel

/// A write or a queue of writes that is larger than what CloudKit takes or than what should wait.
package struct SizeProblem: Hashable, Sendable {
    /// The limit exceeded.
    package enum Kind: Hashable, Sendable, CaseIterable {
        /// A write has more than a record may have beside its assets.
        case record
        /// An asset has more than one may have.
        case asset
        /// More waited at once on a device than the level of a warning.
        case queue
    }

    package let kind: Kind
    /// The size, the limit and the remedy, without the full stop.
    package let sentence: String
}

/// Looks for writes that are too large, and for times at which too much waited to be sent.
///
/// What waited follows from a trace's times and receipts: a write waits from its own time until it was received. Only a trace tells that,
/// which has each write once.
///
/// - Complexity: O(1) for a write with small values, O(*n*) in the length of large ones; memory grows with the writes that wait at a time.
package struct SizeCheck: Sendable {
    private struct Waiting: Comparable, Sendable {
        let received: Int64
        let bytes: Int

        static func < (left: Waiting, right: Waiting) -> Bool { left.received < right.received }
    }

    private struct Queue: Sendable {
        var writes = BinaryHeap<Waiting>()
        var bytes = 0
        var isOver = false

        /// Adds a write, and says whether more than a level waits now and did not before.
        mutating func insert(_ write: Waiting, at time: Int64, passing level: Int) -> Bool {
            while let first = writes.first, first.received <= time {
                bytes -= first.bytes
                _ = writes.removeFirst()
            }
            writes.insert(write)
            bytes += write.bytes
            let wasOver = isOver
            isOver = bytes > level
            return isOver && !wasOver
        }
    }

    private var devices = DeviceNumbers()
    /// By the device's index.
    private var queues: [Queue] = []

    /// Nothing looked at.
    package init() {}

    /// Looks at a write.
    ///
    /// - Parameter isOfTrace: Whether the writes come from a trace, each once.
    /// - Returns: The limits that it exceeds.
    package mutating func problems(with write: TaggedWrite, isOfTrace: Bool) -> [SizeProblem] {
        var problems: [SizeProblem] = []
        let length = write.length
        if length > SizeLimit.record || write.mayHoldObject(withKeyPrefix: "$truncated"), let fields = write.fields {
            problems = Self.problems(with: fields, of: write.key)
        }
        if isOfTrace, let received = write.receipt?.milliseconds, received > write.timestamp.milliseconds,
            let problem = enqueue(write, bytes: length, received)
        {
            problems.append(problem)
        }
        return problems
    }

    private static func problems(with fields: FieldMap, of key: RecordKey) -> [SizeProblem] {
        var problems: [SizeProblem] = []
        var (rest, largest) = (0, (field: FieldName?.none, bytes: 0))
        for index in fields.indices {
            guard let size = ValueSize(fields.written(at: index)) else { continue }
            let field = fields.sortedNames[index]
            if size.isAsset {
                guard size.bytes > SizeLimit.asset else { continue }
                let (bytes, limit) = (size.bytes.megabytes, SizeLimit.asset.megabytes)
                problems.append(
                    SizeProblem(
                        kind: .asset,
                        sentence: "the asset \(EventText.register(key, field)) has \(bytes), and CloudKit takes \(limit): make it smaller"))
            } else {
                rest += size.bytes
                if size.bytes > largest.bytes { largest = (field, size.bytes) }
            }
        }
        guard rest > SizeLimit.record else { return problems }
        let of = largest.bytes == rest ? "" : ", \(largest.bytes.megabytes) of them in its largest field"
        problems.append(
            SizeProblem(
                kind: .record,
                sentence: "\(EventText.register(key, largest.field)) was written with \(rest.megabytes)\(of), and a record of "
                    + "CloudKit holds \(SizeLimit.record.megabytes) beside its assets: keep it as an asset, or in several records"
            ))
        return problems
    }

    private mutating func enqueue(_ write: TaggedWrite, bytes: Int, _ received: Int64) -> SizeProblem? {
        let device = devices.index(of: write.dot.device)
        while queues.count <= device { queues.append(Queue()) }
        let level = SizeLimit.waiting
        let waiting = Waiting(received: received, bytes: bytes)
        guard queues[device].insert(waiting, at: write.timestamp.milliseconds, passing: level) else { return nil }
        let queue = queues[device]
        return SizeProblem(
            kind: .queue,
            sentence: "\(HumanNumber.count(queue.writes.count, "write")) with \(queue.bytes.megabytes) of "
                + "\(EventText.name(write.dot.device.rawValue)) waited to be received, by their times, and more than \(level.megabytes) "
                + "is too much to wait: sync more often, or write less at once")
    }
}
