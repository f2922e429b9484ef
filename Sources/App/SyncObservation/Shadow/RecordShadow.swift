package import SyncModel

/// What a shadow knows of one record.
package struct RecordShadow: Equatable {
    var fields: [FieldName: FieldShadow] = [:]
    /// This device's delete, until the record is written again.
    var deletion: HeldVersion?
    /// The transaction of this device's first delete that was sent, or of its last one where none was: it, or one after it, may come back
    /// as an arrival.
    var returningDelete: Int64?
    /// Whether a delete has arrived: it may be sent again at any time by a device that had no answer, and its writer may have seen versions
    /// that nobody named.
    var wasDeletedThere = false
    /// Whether the record is shown, as far as is known.
    var isLive = true
    /// The transactions up to which this record's export has begun, where exports name records.
    var begun: Int64 = .min
    /// The same of those that the server has taken.
    var ended: Int64 = .min
    /// The same of those of which an export of this record ended without an answer.
    var unanswered: Int64 = .min
    /// The latest transaction by which it was saved here.
    var saved: Int64 = .min
    /// The latest transaction by which it arrived.
    var arrived: Int64 = .min
    /// The latest of the server's numbers by which it arrived and was shown as a whole.
    ///
    /// Not of those by which the server took it: a version that holds this device's save may hold others' changes too.
    var serverNumber: UInt64 = 0
    /// The highest of the server's numbers by which something arrived that concerns every field: its delete, or the version by which this
    /// shadow first heard of the record; `UInt64.max` where that had no number.
    var everyFieldArrived: UInt64 = 0
    /// The same of everything that had arrived when this device deleted it.
    var deletionArrived: UInt64 = 0
    /// Whether the store may have shown it before this shadow began, so that any value may be one that was shown before.
    var isOlder = false
    /// The conflicts reported, latest last.
    var reported: [UInt64] = []

    private static let maximumReported = 128

    /// The highest of the server's numbers by which anything of it arrived; `UInt64.max` where something had no number.
    var highestArrived: UInt64 {
        fields.values.reduce(max(serverNumber, everyFieldArrived)) { max($0, $1.arrived, $1.mergedIn?.number ?? 0) }
    }

    /// Takes note that the store may have shown the record before this shadow began: any of its versions, with any number, and this device
    /// may have deleted it then.
    mutating func becomeOlder() {
        isOlder = true
        everyFieldArrived = .max
        returningDelete = .min
    }

    /// Takes note that an export of the record as it is now begins.
    mutating func beginExport() {
        if begun > ended { unanswered = max(unanswered, begun) }
        begun = max(begun, saved)
    }

    /// Whether a field may have shown a value before the current one.
    func mayHaveShown(_ value: FieldValue, in field: FieldShadow) -> Bool { isOlder || field.hasShown(value) }

    /// Takes note of a conflict.
    ///
    /// - Returns: Whether it has not been reported before.
    mutating func report(_ conflict: UInt64) -> Bool {
        if reported.contains(conflict) { return false }
        reported.append(conflict)
        if reported.count > Self.maximumReported { reported.removeFirst() }
        return true
    }
}

extension RecordShadow {
    /// Takes note that what the record waits to send will not be sent.
    mutating func dropUnsent(_ state: ObserverState) {
        let frozen = self
        for name in fields.keys { fields[name]?.dropUnsent { state.progress(of: $0, frozen) } }
    }

    /// Takes note that the record is not shown any more; what it has held is remembered.
    mutating func remove() {
        isLive = false
        deletion = nil
        for name in fields.keys {
            // Shown once more, so that an older version that comes back is known as such.
            if let current = fields[name]?.current { fields[name]?.show(current) }
            fields[name]?.current = nil
            fields[name]?.pending = nil
        }
    }
}

extension RecordShadow {
    /// A record of fields of which stamps named some versions.
    package init(_ vectors: [FieldName: VersionVector]) {
        self.init(fields: vectors.mapValues { FieldShadow(vector: $0) })
    }
}

/// What a shadow knows of one field.
struct FieldShadow: Equatable {
    /// The version that the store shows.
    var current: HeldVersion?
    /// This device's version that waits to be exported although an arrival may be shown instead.
    var pending: HeldVersion?
    /// Every version that the store has held, as far as a stamp named it.
    var vector = VersionVector()
    /// Whether the store may have held a version that no stamp described.
    var isFogged = false
    /// The versions shown last, each with what the store had held until then: what an editing context still shows.
    var shown: [ShownVersion] = []
    /// Hashes of the values shown before, latest last.
    var earlier: [UInt64] = []
    /// The hash of the value from the server that was shown last before the current one, however many values of this device came after it.
    var lastArrived: UInt64?
    /// A version of the server's that a merge may have shown, until an arrival or a save tells more.
    var mergedIn: MergedVersion?
    /// The highest of the server's numbers by which a version arrived and was shown, 0 before the first; `UInt64.max` once one had no
    /// number.
    var arrived: UInt64 = 0
    /// The values of this device that the server may hold: the last one taken, and those whose export began later.
    var exported: [ExportedValue] = []

    private static let maximumEarlier = 16
    private static let maximumShown = 4

    /// The most unacknowledged values that are told apart; with more, any arrival may be one of them.
    static let maximumExported = 64

    /// Replaces the current version by another.
    mutating func show(_ version: HeldVersion) {
        if let old = current {
            let hash = ValueHash(old.value).rawValue
            remember(hash)
            if !old.isOwn { lastArrived = hash }
        }
        if !version.isOwn { mergedIn = nil }
        if let dot = current?.dot {
            shown.append(ShownVersion(dot: dot, vector: vector))
            if shown.count > Self.maximumShown { shown.removeFirst() }
        }
        current = version
        vector.formUnion(version.vector)
    }

    /// Takes note of a version of the server's that an app has merged into its own, and may show from then on.
    mutating func mergeIn(_ version: ArrivingVersion) {
        takeMerged()
        // In a merge the server's version has no number.
        mergedIn = MergedVersion(
            hash: ValueHash(version.value).rawValue, vector: version.vector, isFogged: version.spreadsFog,
            number: version.receipt?.number ?? .max)
    }

    /// Counts what a merge may have shown as held.
    mutating func takeMerged() {
        guard let merged = mergedIn else { return }
        mergedIn = nil
        remember(merged.hash)
        vector.formUnion(merged.vector)
        if merged.isFogged { isFogged = true }
        arrived = max(arrived, merged.number)
    }

    private mutating func remember(_ hash: UInt64) {
        earlier.removeAll { $0 == hash }
        earlier.append(hash)
        if earlier.count > Self.maximumEarlier { earlier.removeFirst() }
    }

    /// What the store had held while it showed a version; everything held so far where that is not known any more.
    func held(while dot: Dot?) -> VersionVector {
        if let dot, dot != current?.dot, let known = shown.last(where: { $0.dot == dot }) { return known.vector }
        var vector = vector
        if let mergedIn { vector.formUnion(mergedIn.vector) }
        return vector
    }

    /// Whether so many values were shown before that not all are remembered.
    var hasForgotten: Bool { earlier.count >= Self.maximumEarlier }

    /// Whether the field has shown a value before the current one, as far as is known.
    func hasShown(_ value: FieldValue) -> Bool {
        ValueHash(value).rawValue == lastArrived || hasShownEarlier(value)
    }

    /// Whether the field has shown a value before the current one, not counting that the server has brought the current one back.
    func hasShownEarlier(_ value: FieldValue) -> Bool {
        let hash = ValueHash(value).rawValue
        return earlier.contains(hash) || hash == mergedIn?.hash
    }

    /// Takes note of a value that will be exported, and forgets those that the server cannot hold any more.
    mutating func willExport(
        _ value: FieldValue, of dot: Dot, in transaction: Int64, after arrived: UInt64, _ progress: (Int64) -> ExportProgress
    ) {
        let taken = exported.lastIndex { progress($0.transaction) == .ended } ?? 0
        exported.removeFirst(exported.isEmpty ? 0 : taken)
        guard exported.count < Self.maximumExported else { return }
        exported.append(ExportedValue(transaction: transaction, hash: ValueHash(value).rawValue, number: dot.sequence, arrived: arrived))
    }

    /// Takes note that a version with this receipt may be shown.
    mutating func countArrival(_ receipt: TaggedWrite.Receipt?) { arrived = max(arrived, receipt?.number ?? .max) }

    /// Takes note that what has not been sent will not be.
    mutating func dropUnsent(_ progress: (Int64) -> ExportProgress) {
        for index in exported.indices where progress(exported[index].transaction) == .waiting { exported[index].number = nil }
    }

    /// Whether a value may be one of this device's own that the server holds.
    func mayHaveExported(_ value: FieldValue, _ progress: (Int64) -> ExportProgress) -> Bool {
        exported.count >= Self.maximumExported
            || exported.contains { $0.hash == ValueHash(value).rawValue && progress($0.transaction) != .waiting }
    }
}

/// A version of the server's that an app has merged into its own.
struct MergedVersion: Equatable {
    var hash: UInt64
    var vector: VersionVector
    var isFogged: Bool
    /// The server's number; `UInt64.max` where it has none.
    var number: UInt64
}

/// A version that was shown, and what the store had held until it was replaced.
struct ShownVersion: Equatable {
    var dot: Dot
    var vector: VersionVector
}

/// A value of this device that the server may hold.
struct ExportedValue: Equatable {
    var transaction: Int64
    var hash: UInt64
    /// The number of the write that it is part of; nil where something else came before it was sent.
    var number: UInt64?
    /// What of the server's numbers had arrived when it was written.
    var arrived: UInt64
}

/// One version of a field, or of a record that was deleted.
struct HeldVersion: Equatable {
    /// Its name; nil where no stamp gave one.
    var dot: Dot?
    /// Null for a delete.
    var value: FieldValue
    var timestamp: HybridTimestamp
    /// Every version of the field that its writer's store had held.
    var vector: VersionVector
    /// The transaction by which this device saved it; nil where it came from another, and `Int64.min` for what an earlier incarnation
    /// saved.
    var transaction: Int64?
    /// The server's account of it.
    var receipt: TaggedWrite.Receipt?

    /// Whether this device made it.
    var isOwn: Bool { transaction != nil }
}
