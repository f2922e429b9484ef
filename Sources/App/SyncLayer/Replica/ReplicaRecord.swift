import SyncBytes
import SyncCoding
import SyncMerge
import SyncModel

/// A record and what its replica knows about it.
struct ReplicaRecord: Sendable {
    /// The record.
    let key: RecordKey
    /// The only write merged, where that is an insert and all there is to know: most records are inserted and never changed, and so cost
    /// one reference.
    private var insert: TaggedWrite?
    /// All that is known, where it is more than an insert.
    private var more: (state: RecordState, merged: VersionVector)?
    /// What the record adds to the replica's digest: nothing where it is not shown.
    private(set) var digest = StateDigest()
    private(set) var isLive = false
    /// See ``StoredRecord/rowID``.
    private let rowID: Int64?

    /// A record that nothing has been merged into.
    init(key: RecordKey) {
        self.key = key
        rowID = nil
        more = (RecordState(key: key), VersionVector())
    }

    /// A deleted record as its trace tells of it.
    init(_ trace: CollectedRecord, rules: MergeRules) {
        key = trace.key
        rowID = nil
        more = (RecordState(key: trace.key, writes: trace.writes, rules: rules), trace.merged)
    }

    /// What merging goes by.
    var state: RecordState { more?.state ?? insert.map { RecordState(insert: $0) } ?? RecordState(key: key) }

    /// What the next write to the record says it has seen: the writes merged, and what their writers had seen, which a hub in another's
    /// place may not have.
    ///
    /// It names only devices that wrote the record, and of the writer none that it has not made, whatever others say.
    func seen(by writer: DeviceID) -> VersionVector {
        guard let (state, merged) = more, !merged.covers(state.seen) else { return merged }
        // Names that somebody made up would otherwise be carried on by every write to come.
        guard state.seen.entries.count <= merged.entries.count + Self.maximumUnheard else { return merged }
        var seen = merged
        seen.formUnion(state.seen)
        let own = merged[writer]
        if seen[writer] == own { return seen }
        let others = seen.entries.filter { $0.device != writer }.map { Dot(device: $0.device, sequence: $0.sequence) }
        return VersionVector(own > 0 ? others + [Dot(device: writer, sequence: own)] : others)
    }

    /// Of how many devices at most a write says to have seen writes that never came.
    private static let maximumUnheard = 256

    /// The writes merged.
    var merged: VersionVector { more?.merged ?? insert.map { VersionVector($0.dot) } ?? VersionVector() }

    mutating func merge(_ write: TaggedWrite, rules: MergeRules) -> [MergeDecision] {
        if more == nil { more = (state, merged) }
        insert = nil
        more?.merged.insert(write.dot)
        return more?.state.merge(write, rules: rules) ?? []
    }

    /// Gives the writes that the record holds their new names.
    mutating func rename(_ renaming: Renaming) {
        insert = insert.map(renaming.write)
        guard let merged = more?.merged else { return }
        more?.state.rename(renaming)
        more?.merged = renaming.vector(merged)
    }

    /// What a delete took beside a renamed running total, see ``RecordState/decisionOnBase(_:_:rules:)``.
    mutating func decisionOnBase(_ decision: MergeDecision, _ renaming: Renaming, rules: MergeRules) -> MergeDecision? {
        more?.state.decisionOnBase(decision, renaming, rules: rules)
    }

    /// Goes over to other rules, see ``RecordState/changed(from:to:rules:)``.
    ///
    /// - Returns: Whether the record is kept otherwise than before.
    mutating func change(from kept: KeptRules, to app: KeptRules, rules: MergeRules) throws(CodingFailure) -> Bool {
        guard let state = try state.changed(from: kept, to: app, rules: rules) else { return false }
        more = (state, merged)
        insert = nil
        return true
    }

    /// The fields as they are shown; nil where the record was never put or is deleted.
    func shown(rules: MergeRules) -> FieldMap? {
        more?.state.shown(rules: rules) ?? insert?.fields?.withoutNulls
    }

    /// Who wrote what is shown; nil where nothing is.
    func edits(rules: MergeRules) -> RecordEdits? { state.edits(rules: rules) }

    /// Brings ``digest`` and ``isLive`` up to date.
    ///
    /// - Parameter line: Lends its memory.
    mutating func updateDigest(rules: MergeRules, line: inout LineBuffer) {
        more?.state.prepareToShow(rules: rules)
        let shown = shown(rules: rules)
        digest = shown.map { StateDigest(of: key, fields: $0, line: &line) } ?? StateDigest()
        isLive = shown != nil
    }

    /// See ``RecordState/devicesRemovedFrom``.
    var devicesRemovedFrom: Set<DeviceID> { more?.state.devicesRemovedFrom ?? [] }

    /// See ``RecordState/forgetRemovals(arrived:)``.
    mutating func forgetRemovals(arrived: VersionVector) -> [TaggedWrite] { more?.state.forgetRemovals(arrived: arrived) ?? [] }

    /// Whether writes are kept that ``forgetHistory(settled:rules:)`` may one day forget.
    var keepsHistory: Bool { more?.state.keepsHistory ?? false }

    /// See ``RecordState/forgetHistory(settled:rules:)``.
    mutating func forgetHistory(settled: VersionVector, rules: MergeRules) -> (isSmaller: Bool, isDone: Bool) {
        more?.state.forgetHistory(settled: settled, rules: rules) ?? (false, true)
    }

    /// Reads a record from what a store kept.
    init(_ stored: StoredRecord) throws(SyncLayerError) {
        key = stored.key
        rowID = stored.rowID
        do throws(CodingFailure) {
            var decoder = try StateDecoder(stored.content, key: stored.key)
            digest = try decoder.digest()
            if try decoder.flag() {
                let insert = try TaggedWrite(encoded: try decoder.bytes())
                guard insert.key == stored.key, insert.isInsert else { throw CodingFailure("it is that of \(insert.key)") }
                self.insert = insert
            } else {
                let merged = try decoder.vector()
                more = (try RecordState(key: stored.key, from: &decoder), merged)
            }
            try decoder.finish()
        } catch {
            throw SyncLayerError(damaged: "the record \(stored.key)", error)
        }
        isLive = stored.isLive
    }

    /// The record as a store keeps it.
    ///
    /// - Parameters:
    ///   - encoder: Lends its memory.
    ///   - lastWrite: The latest write merged, as ``TaggedWrite/encoded``, where that is at hand.
    func stored(_ encoder: inout StateEncoder, lastWrite: [UInt8]?) -> StoredRecord {
        var stored: StoredRecord
        if let insert = onlyInsert {
            stored = StoredRecord(insert: key, encoded: lastWrite ?? insert.encoded, digest: digest, &encoder)
        } else {
            encoder.begin(key: key)
            encoder.append(digest)
            encoder.append(0 as UInt8)
            encoder.append(merged)
            state.encode(into: &encoder)
            stored = StoredRecord(key: key, isLive: isLive, content: encoder.bytes)
        }
        stored.rowID = rowID
        return stored
    }

    private var onlyInsert: TaggedWrite? {
        guard let more else { return insert }
        guard let insert = more.state.onlyInsert, more.merged.entries.count == 1, more.merged.covers(insert.dot) else { return nil }
        return insert
    }
}

extension StoredRecord {
    /// A record into which one insert was merged and nothing else.
    init(insert key: RecordKey, encoded: [UInt8], digest: StateDigest, _ encoder: inout StateEncoder) {
        encoder.begin()
        encoder.append(digest)
        encoder.append(1 as UInt8)
        encoder.append(bytes: encoded)
        self.init(key: key, isLive: true, content: encoder.bytes)
    }
}

/// Decodes a part of a store.
///
/// - Parameters:
///   - part: The part's name in messages.
///   - content: The bytes.
///   - body: Decodes the bytes, and calls ``StateDecoder/finish()`` where none may be left over.
/// - Throws: ``SyncLayerError`` with ``SyncLayerError/Code/damaged``.
func decoding<Value>(
    _ part: String, _ content: [UInt8], _ body: (inout StateDecoder) throws(CodingFailure) -> Value
) throws(SyncLayerError) -> Value {
    do throws(CodingFailure) {
        var decoder = try StateDecoder(content)
        return try body(&decoder)
    } catch {
        throw SyncLayerError(damaged: part, error)
    }
}

extension SyncLayerError {
    /// Something in a store cannot be read.
    init(damaged what: String, _ failure: CodingFailure) {
        self.init(
            .damaged,
            "\(what) cannot be read from the store: \(failure.problem); restore the store from a backup, or move it away and sync again",
            underlying: failure)
    }
}
