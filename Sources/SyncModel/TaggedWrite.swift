/// One write with everything that is needed to decide later what happened to it.
///
/// - Complexity: a copy is one reference. Thread-safe: a write never changes.
public struct TaggedWrite: Sendable {
    /// What a write does to its record.
    public enum Operation: Hashable, Sendable {
        /// Sets the fields it names; a null removes the field.
        case put(FieldMap)
        /// Removes the record, with every field of it, those first named later included.
        case delete
    }

    /// The hub's account of a write that it has taken.
    public struct Receipt: Hashable, Sendable {
        /// The hub's clock when the write came in, in milliseconds since 1970.
        public let milliseconds: Int64

        /// The write's place in the hub's total order, where the hub keeps one.
        public let hubSequence: UInt64?

        /// A receipt.
        public init(milliseconds: Int64, hubSequence: UInt64? = nil) {
            self.milliseconds = milliseconds
            self.hubSequence = hubSequence
        }
    }

    /// Laid out so that nothing is lost between its parts: a long trace keeps most of its writes.
    final class Storage: Sendable {
        let dot: Dot
        let timestamp: HybridTimestamp
        let isNumbered: Bool
        private let isReceived: Bool
        private let hasHubSequence: Bool
        let key: RecordKey
        let operation: Operation
        let seen: VersionVector?
        private let received: Int64
        private let hubSequence: UInt64

        init(
            dot: Dot, isNumbered: Bool, timestamp: HybridTimestamp, key: RecordKey, operation: Operation, seen: VersionVector?,
            receipt: Receipt?
        ) {
            self.dot = dot
            self.isNumbered = isNumbered
            self.timestamp = timestamp
            self.key = key
            self.operation = operation
            self.seen = seen
            isReceived = receipt != nil
            hasHubSequence = receipt?.hubSequence != nil
            received = receipt?.milliseconds ?? 0
            hubSequence = receipt?.hubSequence ?? 0
        }

        var receipt: Receipt? {
            isReceived ? Receipt(milliseconds: received, hubSequence: hasHubSequence ? hubSequence : nil) : nil
        }
    }

    let storage: Storage

    /// Tags a write.
    ///
    /// - Parameters:
    ///   - dot: The write's name.
    ///   - isNumbered: False where the device did not number its writes and the reader of the trace did; the order of two such writes of
    ///     one device is then taken from their timestamps.
    ///   - timestamp: The device's clock.
    ///   - key: The record.
    ///   - operation: What the write does.
    ///   - seen: What of this record the writer had merged; nil where that is not known.
    ///   - receipt: The hub's account of it, once there is one.
    public init(
        dot: Dot, isNumbered: Bool = true, timestamp: HybridTimestamp, key: RecordKey, operation: Operation, seen: VersionVector?,
        receipt: Receipt? = nil
    ) {
        storage = Storage(
            dot: dot, isNumbered: isNumbered, timestamp: timestamp, key: key, operation: operation, seen: seen, receipt: receipt)
    }

    /// The write's name.
    public var dot: Dot { storage.dot }

    /// Whether the device itself numbered the write.
    public var isNumbered: Bool { storage.isNumbered }

    /// When the device's clock says it was made.
    public var timestamp: HybridTimestamp { storage.timestamp }

    /// The record written to.
    public var key: RecordKey { storage.key }

    /// What the write does to the record.
    public var operation: Operation { storage.operation }

    /// What of this record the writer had merged; nil where that is not known and has to be inferred.
    public var seen: VersionVector? { storage.seen }

    /// The hub's account of the write, nil before a hub has taken it.
    public var receipt: Receipt? { storage.receipt }

    /// The fields of a put, nil for a delete.
    public var fields: FieldMap? {
        if case .put(let fields) = storage.operation { fields } else { nil }
    }

    /// The names of a put's fields in order, nil for a delete.
    package var fieldNames: [FieldName]? {
        if case .put(let fields) = storage.operation { fields.sortedNames } else { nil }
    }

    /// How many fields a put names; 0 for a delete.
    package var fieldCount: Int {
        if case .put(let fields) = storage.operation { fields.count } else { 0 }
    }

    /// Whether a put names these fields and no others; ``fieldNames`` makes a copy of the list.
    package func namesSame(as names: [FieldName]) -> Bool {
        storage.operation.namesSame(as: names)
    }

    /// Where one of the fields of a put stands in a list in order, nil where it does not.
    ///
    /// - Precondition: There are more fields than that.
    package func place(ofField index: Int, in names: [FieldName]) -> Int? {
        storage.operation.place(ofField: index, in: names)
    }

    /// Whether the write removes the record.
    public var isDelete: Bool {
        if case .delete = storage.operation { true } else { false }
    }

    /// Whether the write is known to create its record: a put whose writer had seen nothing of it.
    public var isInsert: Bool {
        !isDelete && storage.seen?.isEmpty == true
    }

    /// The value that the write gives a field: null for a delete, nil where a put does not name the field.
    public func value(of field: FieldName) -> FieldValue? {
        switch storage.operation {
        case .put(let fields): fields[field]
        case .delete: .null
        }
    }

    /// The same write with the hub's account of it.
    public func received(_ receipt: Receipt) -> TaggedWrite {
        TaggedWrite(
            dot: dot, isNumbered: isNumbered, timestamp: timestamp, key: key, operation: operation, seen: seen, receipt: receipt)
    }

    /// Whether this write comes before another in the total order: milliseconds, counter, device as UTF-8 bytes, then number.
    public func precedes(_ other: TaggedWrite) -> Bool {
        let (mine, theirs) = (storage, other.storage)
        return mine.timestamp == theirs.timestamp ? mine.dot < theirs.dot : mine.timestamp < theirs.timestamp
    }
}

extension TaggedWrite.Operation {
    // Borrowed, so that no reference is counted.

    @inline(never) fileprivate borrowing func namesSame(as names: [FieldName]) -> Bool {
        switch self {
        case .put(let fields): fields.sortedNames.isSame(as: names)
        case .delete: false
        }
    }

    @inline(never) fileprivate borrowing func place(ofField index: Int, in names: [FieldName]) -> Int? {
        switch self {
        case .put(let fields): names.find(fields.sortedNames, at: index)
        case .delete: nil
        }
    }
}

extension TaggedWrite: Hashable {
    /// Whether both say the same of the same write.
    public static func == (left: TaggedWrite, right: TaggedWrite) -> Bool {
        left.storage === right.storage
            || left.dot.sequence == right.dot.sequence && left.dot.device == right.dot.device && left.isNumbered == right.isNumbered
                && left.timestamp == right.timestamp && left.key == right.key
                && left.operation == right.operation && left.seen == right.seen && left.receipt == right.receipt
    }

    /// Feeds the write's name into a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(dot)
        hasher.combine(key)
    }
}
