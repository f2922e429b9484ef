import ConflictAudit
import SyncMerge
import SyncModel

/// What a replica holds records against each other by: an index of unique values in the store, and a table of references in memory.
struct ReplicaConstraints {
    private let unique: UniqueAuditor?
    /// The unique fields declared here, and those of which the store has an index that is up to date.
    private let declared: [UInt8]?
    private var indexed: Indexed = .unknown
    private let referenceRules: AuditRules
    private let mergeRules: MergeRules
    private var references: ConstraintAuditor?
    private var areReferencesCurrent = false

    private enum Indexed {
        case unknown
        case fields([UInt8]?)
    }

    init(_ configuration: ReplicaConfiguration) {
        mergeRules = configuration.mergeRules
        unique = UniqueAuditor(configuration.auditRules, mergeRules: mergeRules)
        declared = UniqueRows.bytes(of: configuration.auditRules)
        var rules = configuration.auditRules
        rules.uniqueFields = []
        referenceRules = rules
    }

    /// Believes nothing any more: another process may have written, or a transaction has failed.
    mutating func reset() {
        indexed = .unknown
        areReferencesCurrent = false
    }

    /// Lets everything be made anew, for writes have got other names or records show other values.
    mutating func forget(_ writer: any ReplicaStoreWriter) throws {
        reset()
        try UniqueRows.setDeclaration(nil, writer)
    }

    /// Brings up to date what is known of the records; of what is there already nothing is reported.
    ///
    /// - Complexity: O(1) for unique fields unless a process that declares others has written; for references O(*n*) in the records of the
    ///   types concerned, after another process has written.
    mutating func refresh(_ writer: any ReplicaStoreWriter) throws {
        let mergeRules = mergeRules
        if let unique, try indexedFields(writer) != declared {
            try UniqueRows.removeAll(writer)
            var index = UniqueRows(writer: writer) { field in
                try writer.record(field.key).flatMap { try ReplicaRecord($0).state.winner(of: field.name, rules: mergeRules) }
            }
            try Self.forEachRecord(of: unique.types, writer) { _ = try unique.observe($0, in: &index) }
            try UniqueRows.setDeclaration(declared, writer)
            indexed = .fields(declared)
        }
        if areReferencesCurrent { return }
        references = ConstraintAuditor(referenceRules, mergeRules: mergeRules)
        areReferencesCurrent = true
        try Self.forEachRecord(of: references?.types ?? [], writer) { state in
            _ = try references?.observe(state) { try writer.record($0).map { try ReplicaRecord($0).state } }
        }
    }

    /// Looks at a record after a write to it was merged.
    ///
    /// - Parameter other: Looks up another record, as the transaction sees it.
    /// - Returns: What was not found before.
    mutating func observe(
        _ state: () -> RecordState, _ writer: any ReplicaStoreWriter, other: (RecordKey) throws -> RecordState?
    ) throws -> [ConstraintFinding] {
        try refresh(writer)
        if unique == nil, references == nil { return [] }
        let (state, mergeRules) = (state(), mergeRules)
        var found: [ConstraintFinding] = []
        if let unique {
            found = try withoutActuallyEscaping(other) { other in
                var index = UniqueRows(writer: writer) { field in
                    field.key == state.key
                        ? state.winner(of: field.name, rules: mergeRules) : try other(field.key)?.winner(of: field.name, rules: mergeRules)
                }
                return try unique.observe(state, in: &index)
            }
        }
        return found + (try references?.observe(state, other: other) ?? [])
    }

    /// Says that the store's index is not up to date, where records were written and this process does not keep it.
    mutating func finish(_ writer: any ReplicaStoreWriter) throws {
        guard let fields = try indexedFields(writer), fields != declared else { return }
        try UniqueRows.setDeclaration(nil, writer)
        indexed = .fields(nil)
    }

    private mutating func indexedFields(_ reader: any ReplicaStoreReader) throws -> [UInt8]? {
        if case .fields(let fields) = indexed { return fields }
        let fields = try UniqueRows.declaration(reader)
        indexed = .fields(fields)
        return fields
    }

    private static func forEachRecord(
        of types: some Sequence<RecordType>, _ reader: any ReplicaStoreReader, _ body: (RecordState) throws -> Void
    ) throws {
        for type in types {
            var last: RecordID?
            while case let page = try reader.records(ofType: type, after: last, limit: 500), !page.isEmpty {
                for stored in page { try body(ReplicaRecord(stored).state) }
                last = page.last?.key.id
            }
        }
    }
}
