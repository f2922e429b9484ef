package import SyncMerge
public import SyncModel

/// The versions of a record that met in a conflict handler: what `serverRecordChanged`, an answer 409 or a merge function has in hand.
///
/// With an ancestor it is known which side changed what, so that a conflict is proven; without one every difference is only suspected.
///
/// ```swift
/// let merge = RecordedMerge(
///     key: RecordKey(type: "Card", id: "1"), at: WallTime(millisecondsSince1970: 1_768_485_600_000), by: "phone",
///     ancestor: RecordedMerge.Version(fields: ["name": "Ann"]), client: RecordedMerge.Version(fields: ["name": "Anna"]),
///     server: RecordedMerge.Version(fields: ["name": "Anne"], device: "tablet"))
/// ```
///
/// A value; safe to share.
public struct RecordedMerge: Hashable, Sendable {
    /// The record on one side.
    public struct Version: Hashable, Sendable {
        /// All its fields; nil where there is no record: it was deleted, or nobody had made it yet.
        public let fields: FieldMap?
        /// The time at which the version was written; nil where it is not known.
        public let time: WallTime?
        /// The device that wrote the version; nil where it is not known.
        public let device: DeviceID?

        /// A version.
        public init(fields: FieldMap?, at time: WallTime? = nil, device: DeviceID? = nil) {
            self.fields = fields
            self.time = time
            self.device = device
        }
    }

    /// The record.
    public let key: RecordKey
    /// The time at which the versions met.
    public let time: WallTime
    /// The device on which they met.
    public let device: DeviceID
    /// The last version that both sides had, one without fields where they had no record; nil where that is not known.
    public let ancestor: Version?
    /// The device's version.
    public let client: Version
    /// The server's version.
    public let server: Version
    /// The result of the conflict handler; nil where it is not known.
    public let result: Version?

    /// Describes a merge.
    public init(
        key: RecordKey, at time: WallTime, by device: DeviceID, ancestor: Version? = nil, client: Version, server: Version,
        result: Version? = nil
    ) {
        self.key = key
        self.time = time
        self.device = device
        self.ancestor = ancestor
        self.client = client
        self.server = server
        self.result = result
    }

    /// What rules make of the versions.
    ///
    /// A side that does not say when it was written counts as written when the versions met, and one that does not say by whom as the
    /// device's, or as the server's.
    ///
    /// - Complexity: O(*n* log *n*) in the number of fields.
    package func outcome(_ rules: MergeRules) -> ThreeWayMerge.Outcome {
        let sides = (client: version(client, by: device), server: version(server, by: .server))
        if let ancestor, ancestor.fields == nil, client.fields == nil || server.fields == nil {
            // Only one side has made a record, where there was none.
            return ThreeWayMerge.Outcome(version: client.fields == nil ? sides.server : sides.client, decisions: [])
        }
        // Of an ancestor that is not known nothing says that both created the record.
        let before = ancestor == nil ? FieldMap() : ancestor?.fields
        return ThreeWayMerge(key: key, rules: rules).merge(
            ancestor: before.map { entries($0, at: HybridTimestamp(milliseconds: .min), by: "ancestor") },
            client: sides.client, server: sides.server)
    }

    private func version(_ version: Version, by device: DeviceID) -> ThreeWayMerge.Version {
        let (time, writer) = (timestamp(of: version), version.device ?? device)
        guard let fields = version.fields else { return .deleted(at: time, by: writer) }
        var all = entries(fields, at: time, by: writer)
        // A full version lacks what its writer has removed.
        for name in ancestor?.fields?.names ?? FieldMap().names where all[name] == nil {
            all[name] = ThreeWayMerge.Entry(.null, at: time, by: writer)
        }
        return .record(all)
    }

    private func timestamp(of version: Version) -> HybridTimestamp {
        HybridTimestamp(milliseconds: (version.time ?? time).millisecondsSince1970)
    }

    private func entries(_ fields: FieldMap, at time: HybridTimestamp, by device: DeviceID) -> [FieldName: ThreeWayMerge.Entry] {
        var entries: [FieldName: ThreeWayMerge.Entry] = [:]
        for field in fields { entries[field.name] = ThreeWayMerge.Entry(field.value, at: time, by: device) }
        return entries
    }

    /// What became of the edits of both sides by the handler's result; nil where that is not known.
    private func resultDecisions(_ rules: MergeRules, ruled: [MergeDecision]) -> [MergeDecision]? {
        guard let result else { return nil }
        let hadNone = ancestor.map { $0.fields == nil } ?? false
        func written(_ version: Version, by device: DeviceID) -> ThreeWayMerge.WrittenVersion {
            // Where there was no record, a side without one has not deleted it.
            let fields = hadNone ? version.fields ?? FieldMap() : version.fields
            return ThreeWayMerge.WrittenVersion(fields, at: timestamp(of: version), by: version.device ?? device)
        }
        // The handler came after both sides, which may have been written when they met.
        let handled = HybridTimestamp(milliseconds: (result.time ?? time).millisecondsSince1970, counter: 1)
        return ThreeWayMerge(key: key, rules: rules).read(
            ThreeWayMerge.WrittenVersion(result.fields, at: handled, by: result.device ?? device),
            ancestor: ancestor == nil ? FieldMap() : ancestor?.fields, client: written(client, by: device),
            server: written(server, by: .server),
            ruled: ruled)
    }

    /// The same merge with other values.
    package func mapping(_ change: (FieldMap) -> FieldMap) -> RecordedMerge {
        func changed(_ version: Version) -> Version {
            Version(fields: version.fields.map(change), at: version.time, device: version.device)
        }
        return RecordedMerge(
            key: key, at: time, by: device, ancestor: ancestor.map(changed), client: changed(client), server: changed(server),
            result: result.map(changed))
    }

    /// What the record is called after the merge, as far as that is known; nil where the rules name no field of its type.
    package func name(_ rules: AuditRules) -> RecordName? {
        for field in rules.displayFields(of: key.type) {
            for version in [result, server, client, ancestor] {
                if let name = RecordName(field: field, value: version?.fields?[field]) { return name }
            }
        }
        return nil
    }

    /// The conflicts in it, of which those are left out in which both sides are one version, and without an ancestor those in which they
    /// are the same.
    ///
    /// What the handler's result kept is read from it; where there is none, the rules decide.
    package func decisions(_ rules: MergeRules) -> [MergeDecision] {
        let ruled = outcome(rules).decisions
        return (resultDecisions(rules, ruled: ruled) ?? ruled).filter { decision in
            decision.winner.operation != decision.loser.operation || ancestor != nil && decision.winner.dot != decision.loser.dot
        }
    }
}

extension DeviceID {
    /// The writer of a server's version of which it is not known who wrote it.
    package static let server: DeviceID = "server"
}
