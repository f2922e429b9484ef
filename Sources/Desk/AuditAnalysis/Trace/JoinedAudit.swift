package import AuditLog
package import ConflictAudit
import SyncBytes
package import SyncMerge
import SyncModel

/// Audits the logs of several devices' observers together: what the server acknowledged to each says who can have seen whom.
///
/// A write that the server took as number *n* was seen by a writer at most if a version with the number *n* or a higher one had arrived
/// there before. So every write's causal context is known from the numbers alone, whatever values the logs leave out and whichever devices'
/// logs are missing: it may name writes that its writer was not shown, and never lacks one. The writes go through ``TraceAuditor`` in the
/// server's order, like those of any trace.
///
/// A record of more than ``maximumWriters`` writers has no contexts: of its writes conflicts are suspected by their timestamps. Memory
/// grows with the writes. A value type; its owner guards it.
package struct JoinedAudit: EventObserver {
    private(set) var writes: [Dot: TaggedWrite] = [:]
    private(set) var acknowledgements: [RecordKey: [Dot: Taken]] = [:]
    /// Later versions that show what a write made of its fields.
    private(set) var stillShown: Set<WriteAcknowledgement> = []
    /// Edits that versions replaced whose writer is known by the server's number alone.
    private(set) var replaced: [ConflictID: Conflict] = [:]
    /// The logs in which writers are named.
    private(set) var lives: [DeviceID: Life] = [:]
    /// For each log the number of writers that it names.
    private var writers: [DeviceID: Int] = [:]
    private var proven: [Conflict] = []
    private let mergeRules: MergeRules
    private let auditRules: AuditRules

    /// The most writers of a record of whose writes a causal context is made: it names every one of them, for every write.
    private static let maximumWriters = 64

    /// A writer as one of the lives of a log's device, which gets another name when it is put back from a backup.
    struct Life {
        let log: DeviceID
        let index: Int
    }

    /// What is known of a write that the server took.
    struct Taken {
        /// Nil for a delete.
        var fields: Set<FieldName>?
        var number: UInt64
        var earliest: UInt64
        var arrived: UInt64?
        var recordArrived: UInt64?
    }

    /// Prepares to audit.
    package init(mergeRules: MergeRules = MergeRules(standard: .fields(.lastArrivalWins)), auditRules: AuditRules = AuditRules()) {
        self.mergeRules = mergeRules
        self.auditRules = auditRules
    }

    /// The number of writes that a server acknowledged with a number.
    package var acknowledgedWrites: Int { acknowledgements.values.reduce(0) { $0 + $1.count } }

    /// The number of other writes in the logs.
    package var unacknowledgedWrites: Int {
        writes.values.count { acknowledgements[$0.key]?[$0.dot] == nil }
    }

    /// The number of acknowledged writes to records of so many writers that timestamps alone say who can have seen whom.
    package var crowdedWrites: Int {
        acknowledgements.values.reduce(0) { $0 + (Self.latest(of: $1).count > Self.maximumWriters ? $1.count : 0) }
    }

    /// The time of the earliest write, in milliseconds since 1970; nil where there is none.
    package private(set) var firstMilliseconds: Int64?

    /// The number of logs.
    package var logs: Int { writers.count }

    /// Looks at a line of a log.
    package mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) {
        let source = line.source
        switch line.event.content {
        case .write(let write):
            record(writer: write.dot.device, of: source)
            firstMilliseconds = min(firstMilliseconds ?? .max, write.timestamp.milliseconds)
            if writes[write.dot] == nil { writes[write.dot] = write }
        case .acknowledgement(let acknowledgement):
            record(writer: acknowledgement.dot.device, of: source)
            guard !acknowledgement.isStillShown else { return _ = stillShown.insert(acknowledgement) }
            let taken = Taken(
                fields: acknowledgement.fields.map { Set($0) }, number: acknowledgement.number, earliest: acknowledgement.earliest,
                arrived: acknowledgement.arrived, recordArrived: acknowledgement.recordArrived)
            guard let before = acknowledgements[acknowledgement.key]?[acknowledgement.dot] else {
                acknowledgements[acknowledgement.key, default: [:]][acknowledgement.dot] = taken
                return
            }
            // Told twice, or taken in parts: nothing of either may be forgotten.
            acknowledgements[acknowledgement.key, default: [:]][acknowledgement.dot] = before.joined(with: taken)
        case .conflict(let conflict):
            if conflict.basis.isProof { proven.append(conflict) }
            if conflict.winner.dot.device == .server, conflict.winner.operation != .delete { replaced[conflict.id] = conflict }
        default: break
        }
    }

    private mutating func record(writer: DeviceID, of source: DeviceID?) {
        if lives[writer] != nil { return }
        let log = source ?? writer
        lives[writer] = Life(log: log, index: writers[log, default: 0])
        writers[log, default: 0] += 1
    }

    /// Ends the audit.
    ///
    /// - Returns: The conflicts found in the server's order, then those that the logs call proven and that were not found so; and what was
    ///   counted.
    /// - Complexity: O(*n* log *n*) in the number of writes.
    package func finish() -> (conflicts: [Conflict], statistics: ConflictStatistics) {
        var auditor = TraceAuditor(mergeRules: mergeRules, auditRules: auditRules)
        var conflicts: [Conflict] = []
        for (key, taken) in acknowledgements.ordered(by: { $0.key < $1.key }) {
            for write in inOrder(key, taken) {
                // A context names the writes to the same fields: of others it says nothing.
                conflicts += auditor.observe(write).filter { $0.kind != .disjointUpdate }
            }
        }
        conflicts += ownProofs(beside: conflicts)
        var statistics = ConflictStatistics()
        statistics.recordWrites(auditor.statistics.writesObserved, withContext: auditor.statistics.writesWithContext)
        for conflict in conflicts { statistics.record(conflict) }
        return (conflicts, statistics)
    }

    /// What the logs prove, without what was found again.
    private func ownProofs(beside found: [Conflict]) -> [Conflict] {
        var known = Set(found.lazy.map(\.id))
        let numbered = numberedWrites(of: Set(proven.lazy.map(\.key)))
        return proven.filter { conflict in
            func named(_ dot: Dot) -> Dot {
                guard dot.device == .server else { return dot }
                let write = NumberedWrite(key: conflict.key, field: conflict.field, number: dot.sequence)
                return numbered[write] ?? numbered[write.delete] ?? dot
            }
            let dots = (named(conflict.winner.dot), named(conflict.loser.dot))
            let id = ConflictID(key: conflict.key, field: conflict.field, dots: dots)
            return known.insert(id).inserted
        }
    }

    /// The server's number of a write to a field, by which alone an observer may know it; of a delete where the field is nil.
    private struct NumberedWrite: Hashable {
        let key: RecordKey
        var field: FieldName?
        let number: UInt64

        /// A delete of the same number.
        var delete: NumberedWrite { NumberedWrite(key: key, field: nil, number: number) }
    }

    private func numberedWrites(of keys: Set<RecordKey>) -> [NumberedWrite: Dot] {
        var dots: [NumberedWrite: Dot] = [:]
        for key in keys {
            for (dot, taken) in acknowledgements[key] ?? [:] {
                for field in taken.fields.map({ $0.map(Optional.some) }) ?? [nil] {
                    dots[NumberedWrite(key: key, field: field, number: taken.number)] = dot
                }
            }
        }
        return dots
    }

    /// The writes to a record in the server's order, each with its causal context.
    private func inOrder(_ key: RecordKey, _ taken: [Dot: Taken]) -> [TaggedWrite] {
        let contexts = contexts(of: taken)
        let order = taken.ordered { ($0.value.number, $0.key.sequence, $0.key.device) < ($1.value.number, $1.key.sequence, $1.key.device) }
        return order.compactMap { dot, taken in
            guard let write = writes[dot], write.key == key, let operation = write.operation.restricted(to: taken.fields) else {
                return nil
            }
            return TaggedWrite(
                dot: dot, timestamp: write.timestamp, key: key, operation: operation, seen: contexts[dot],
                receipt: TaggedWrite.Receipt(milliseconds: write.receipt?.milliseconds, hubSequence: taken.number), order: write.order,
                app: write.app)
        }
    }

    /// For each write all others that its writer can have been shown; without one where that is not known.
    private func contexts(of taken: [Dot: Taken]) -> [Dot: VersionVector] {
        let last = Self.latest(of: taken)
        guard last.count <= Self.maximumWriters else { return [:] }
        let readers = taken.filter { $0.value.arrived != nil }.ordered { ($0.value.arrived ?? 0) < ($1.value.arrived ?? 0) }
        let sources = taken.ordered { $0.value.earliest < $1.value.earliest }
        var (fields, deletes, everything) = ([FieldName: VersionVector](), VersionVector(), VersionVector())
        var next = sources.startIndex
        var contexts: [Dot: VersionVector] = [:]
        for (dot, reader) in readers {
            while next < sources.endIndex, sources[next].value.earliest <= reader.arrived ?? 0 {
                let (source, taken) = sources[next]
                everything.insert(source)
                if let names = taken.fields {
                    for name in names { fields[name, default: VersionVector()].insert(source) }
                } else {
                    deletes.insert(source)
                }
                next += 1
            }
            var context = reader.fields == nil ? everything : deletes
            for name in reader.fields ?? [] { context.formUnion(fields[name] ?? VersionVector()) }
            for (device, sequence) in last where isEarlierLife(device, of: dot.device) {
                context.insert(Dot(device: device, sequence: sequence))
            }
            // What a writer made later it cannot have seen.
            contexts[dot] = context.without(later: dot)
        }
        return contexts
    }

    /// The highest number of each writer's writes among some.
    private static func latest(of taken: [Dot: Taken]) -> [DeviceID: UInt64] {
        taken.keys.reduce(into: [:]) { $0[$1.device] = max($0[$1.device] ?? 0, $1.sequence) }
    }

    /// Whether a name is one under which a device wrote before it was put back from a backup.
    private func isEarlierLife(_ name: DeviceID, of writer: DeviceID) -> Bool {
        guard let mine = lives[writer], let other = lives[name] else { return false }
        return other.log == mine.log && other.index < mine.index
    }
}

extension JoinedAudit.Taken {
    /// Both together.
    func joined(with other: Self) -> Self {
        func later(_ mine: UInt64?, _ theirs: UInt64?) -> UInt64? { mine.flatMap { mine in theirs.map { max(mine, $0) } } }
        var fields = fields
        if let others = other.fields { fields?.formUnion(others) }
        return Self(
            fields: fields, number: min(number, other.number), earliest: min(earliest, other.earliest),
            arrived: later(arrived, other.arrived), recordArrived: later(recordArrived, other.recordArrived))
    }
}

extension TaggedWrite.Operation {
    /// A put of some of its fields; nil where none is left, or where one is a delete and the other not.
    fileprivate func restricted(to names: Set<FieldName>?) -> Self? {
        switch (self, names) {
        case (.delete, nil): return .delete
        case (.put(let fields), let names?):
            var rest = FieldMap()
            for field in fields where names.contains(field.name) { rest[field.name] = field.value }
            return rest.isEmpty ? nil : .put(rest)
        default: return nil
        }
    }
}

extension VersionVector {
    /// The vector without a write and those of its device that came after it.
    fileprivate func without(later dot: Dot) -> VersionVector {
        VersionVector(
            unordered: entries.map { ($0.device, $0.device == dot.device ? min($0.sequence, dot.sequence - 1) : $0.sequence) }
                .filter { $0.1 > 0 }) ?? self
    }
}
