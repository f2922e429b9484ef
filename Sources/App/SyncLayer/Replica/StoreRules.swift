import SyncBytes
import SyncCoding
import SyncMerge
import SyncModel

/// The merge rules that a store keeps with what was merged by them.
enum StoreRules {
    /// The rules by which a store was merged; nil where it is new or of a version that did not keep them.
    static func kept(_ reader: any ReplicaStoreReader) throws -> KeptRules? {
        guard let row = try reader.row(rowKey, in: .settings) else { return nil }
        return try decoding("the merge rules", row.content) { decoder throws(CodingFailure) in
            let rules = try KeptRules(from: &decoder)
            try decoder.finish()
            return rules
        }
    }

    /// Keeps rules with a store.
    static func keep(_ rules: KeptRules, _ writer: any ReplicaStoreWriter) throws {
        var encoder = StateEncoder()
        rules.encode(into: &encoder)
        try writer.setRow(StoreRow(key: rowKey, content: encoder.bytes), in: .settings)
    }

    /// Whether a store is to be merged anew by an app's rules.
    ///
    /// - Throws: ``SyncLayerError`` with ``SyncLayerError/Code/rulesDiffer`` where it cannot be opened with them.
    static func mustChange(from kept: KeptRules, to app: KeptRules) throws(SyncLayerError) -> Bool {
        guard kept.version <= app.version else {
            throw SyncLayerError(
                .rulesDiffer,
                "the store was merged by rules of version \(kept.version), and the app has version \(app.version): update the app")
        }
        guard kept != app else { return false }
        guard kept.version < app.version else {
            throw SyncLayerError(
                .rulesDiffer,
                "\(kept.difference(from: app) ?? "the rules differ"): open it with the rules that it was merged by, or raise "
                    + "MergeRules.version on every device to have it merged anew")
        }
        if let obstacle = kept.obstacle(to: app) { throw SyncLayerError(.rulesDiffer, obstacle) }
        return true
    }

    private static let rowKey = Array("rules".utf8)
}

/// Merges a store anew by other rules.
///
/// - Complexity: O(*n*) in the size of the store, one page of records in memory at a time.
struct RulesChange: ~Copyable {
    let kept: KeptRules
    let app: KeptRules
    let rules: MergeRules
    private var line = LineBuffer()
    private var encoder = StateEncoder()

    init(kept: KeptRules, app: KeptRules, rules: MergeRules) {
        self.kept = kept
        self.app = app
        self.rules = rules
    }

    private static let pageSize = 500

    /// Brings every record, every trace of one, and what is counted of them up to date.
    mutating func run(_ metadata: inout ReplicaMetadata, _ writer: any ReplicaStoreWriter) throws {
        (metadata.digest, metadata.liveRecords) = (StateDigest(), 0)
        try changeRecords(&metadata, writer)
        if kept.deletes != app.deletes { try changeTraces(&metadata, writer) }
    }

    private mutating func changeRecords(_ metadata: inout ReplicaMetadata, _ writer: any ReplicaStoreWriter) throws {
        var last: RecordKey?
        while case let page = try writer.allRecords(after: last, limit: Self.pageSize), !page.isEmpty {
            for stored in page {
                var record = try ReplicaRecord(stored)
                let before = (record.digest, record.isLive)
                let isOther = try change(&record)
                record.updateDigest(rules: rules, line: &line)
                metadata.add(record.digest, isLive: record.isLive)
                if isOther || before != (record.digest, record.isLive) { try writer.setRecord(record.stored(&encoder, lastWrite: nil)) }
            }
            last = page.last?.key
        }
    }

    @discardableResult
    private func change(_ record: inout ReplicaRecord) throws(SyncLayerError) -> Bool {
        do throws(CodingFailure) {
            return try record.change(from: kept, to: app, rules: rules)
        } catch {
            throw SyncLayerError(.rulesDiffer, error.problem)
        }
    }

    /// A deleted record that was collected is there again where the new rule lets an edit win.
    private mutating func changeTraces(_ metadata: inout ReplicaMetadata, _ writer: any ReplicaStoreWriter) throws {
        guard try writer.entries(in: .collected, after: 0, limit: 1, bytes: .max).isEmpty else {
            throw SyncLayerError(
                .rulesDiffer,
                "deletes: an earlier version of this package has forgotten which edits lost to deletes, so that \(app.deletes.rawValue) could not give "
                    + "them back: leave \(kept.deletes.rawValue), or begin with an empty store under a new device name")
        }
        var last: [UInt8]?
        while case let page = try writer.rows(in: .traces, startingWith: [], after: last, limit: Self.pageSize), !page.isEmpty {
            for row in page {
                let trace = try CollectedRecord(row)
                // One that was written again has gone into its record.
                guard try writer.record(trace.key) == nil else { continue }
                var record = ReplicaRecord(trace, rules: rules)
                try change(&record)
                record.updateDigest(rules: rules, line: &line)
                guard record.isLive else { continue }
                metadata.add(record.digest, isLive: true)
                metadata.collectedRecords -= 1
                try writer.removeRow(row.key, from: .traces)
                try writer.setRecord(record.stored(&encoder, lastWrite: nil))
            }
            last = page.last?.key
        }
    }
}
