/// One write with everything that is needed to decide later what happened to it.
///
/// - Complexity: a copy is one reference. Thread-safe: a write never changes.
///
/// ```swift
/// let write = TaggedWrite(
///     dot: Dot(device: "iPad", sequence: 7), timestamp: HybridTimestamp(milliseconds: 1_768_485_900_000),
///     key: RecordKey(type: "Card", id: "42"), operation: .put(["phone": "+1-555-1234"]), seen: ["iPhone": 3])
/// ```
public struct TaggedWrite: Sendable {
    /// The effect of a write on its record.
    public enum Operation: Hashable, Sendable {
        /// Sets the fields it names; a null removes the field.
        case put(FieldMap)
        /// Removes the record, with every field of it, those first named later included.
        case delete
    }

    /// The hub's receipt of a write that it has accepted.
    public struct Receipt: Hashable, Sendable {
        /// The hub's clock when the write came in; nil where only its position is known.
        public var time: WallTime? { milliseconds.map(WallTime.init(millisecondsSince1970:)) }

        /// The write's number in the hub's total order, where the hub keeps one.
        public let hubSequence: UInt64?

        package let milliseconds: Int64?

        /// A receipt.
        public init(time: WallTime?, hubSequence: UInt64? = nil) {
            self.init(milliseconds: time?.millisecondsSince1970, hubSequence: hubSequence)
        }

        package init(milliseconds: Int64?, hubSequence: UInt64? = nil) {
            self.milliseconds = milliseconds
            self.hubSequence = hubSequence
        }

        /// The milliseconds from a timestamp to the receipt; nil where they do not fit, or the hub's clock is not known.
        fileprivate func delay(after timestamp: HybridTimestamp) -> Int32? {
            guard let milliseconds else { return nil }
            let (delay, overflow) = milliseconds.subtractingReportingOverflow(timestamp.milliseconds)
            return overflow ? nil : Int32(exactly: delay)
        }
    }

    /// The parts that few writes have.
    struct Rarities: Sendable {
        let order: [FieldValue]
        let app: String?
        let carried: FieldMap
        let clockOffset: Int64
        let revision: Revision?

        /// Fails where the write has none of these parts.
        init?(order: [FieldValue], app: String?, carried: FieldMap, clockOffset: Int64, revision: Revision?) {
            if order.isEmpty, app == nil, carried.isEmpty, clockOffset == 0, revision == nil { return nil }
            self.revision = revision
            self.order = order
            self.app = app
            self.carried = carried
            self.clockOffset = clockOffset
        }
    }

    /// What a write says of what its writer had seen.
    enum Context: Sendable {
        case unknown
        case seen(VersionVector)
        /// Everything up to a position in the hub's order, and whether the write is known to create its record.
        case cursor(UInt64, isFirst: Bool)
        /// Any of them, beside what few writes have: the others pay nothing for it.
        case rare(Rare)

        var seen: VersionVector? { withSeen { copy $0 } }

        /// Calls a body with the vector where it lies, if there is one: a copy would count a reference.
        @inline(__always) func withSeen<Result>(_ body: (borrowing VersionVector) -> Result) -> Result? {
            switch self {
            case .seen(let vector): body(vector)
            case .rare(let rare): rare.seen.map { body($0) }
            case .unknown, .cursor: nil
            }
        }

        var hasSeen: Bool { withSeen { _ in true } ?? false }

        var cursor: (position: UInt64, isFirst: Bool)? {
            switch self {
            case .cursor(let position, let isFirst): (position, isFirst)
            case .rare(let rare): rare.context.cursor
            case .unknown, .seen: nil
            }
        }
    }

    /// A context, and what there is no room for beside it.
    final class Rare: Sendable {
        let context: Context
        let rarities: Rarities?
        /// Nil where the write itself has room for it.
        let receipt: Receipt?

        init(_ context: Context, _ rarities: Rarities?, _ receipt: Receipt?) {
            (self.context, self.rarities, self.receipt) = (context, rarities, receipt)
        }

        var seen: VersionVector? { if case .seen(let vector) = context { vector } else { nil } }
    }

    /// Laid out so that nothing is lost between its parts: a long trace keeps most of its writes.
    @usableFromInline final class Storage: Sendable {
        @usableFromInline let dot: Dot
        @usableFromInline let milliseconds: Int64
        let context: Context
        @usableFromInline let isNumbered: Bool
        private let isReceived: Bool
        private let hasHubSequence: Bool
        @usableFromInline let counter: UInt32
        @usableFromInline let key: RecordKey
        let operation: Operation
        /// The milliseconds from the write's time to its receipt.
        private let delay: Int32
        private let hubPosition: UInt32

        init(
            dot: Dot, isNumbered: Bool, timestamp: HybridTimestamp, key: RecordKey, operation: Operation, seen: VersionVector?,
            cursor: UInt64?, isFirst: Bool, receipt: Receipt?, rarities: Rarities?
        ) {
            self.dot = dot
            self.isNumbered = isNumbered
            (milliseconds, counter) = (timestamp.milliseconds, timestamp.counter)
            self.key = key
            self.operation = operation
            let context: Context = seen.map { .seen($0) } ?? cursor.map { .cursor($0, isFirst: isFirst) } ?? .unknown
            let (delay, position) = (receipt?.delay(after: timestamp), receipt?.hubSequence.flatMap(UInt32.init(exactly:)))
            // Hubs that count beyond 32 bits and clocks that are weeks off.
            let hasRoom = receipt.map { ($0.milliseconds == nil || delay != nil) && ($0.hubSequence == nil || position != nil) } ?? true
            self.context = rarities == nil && hasRoom ? context : .rare(Rare(context, rarities, hasRoom ? nil : receipt))
            isReceived = hasRoom && delay != nil
            hasHubSequence = hasRoom && position != nil
            self.delay = delay ?? 0
            hubPosition = position ?? 0
        }

        var receipt: Receipt? {
            let (received, position) = (receivedMilliseconds, hubSequence)
            return received == nil && position == nil ? nil : Receipt(milliseconds: received, hubSequence: position)
        }
        var receivedMilliseconds: Int64? { isReceived ? milliseconds &+ Int64(delay) : rare?.receipt?.milliseconds }
        var hubSequence: UInt64? { hasHubSequence ? UInt64(hubPosition) : rare?.receipt?.hubSequence }
        var seen: VersionVector? { context.seen }
        var cursor: UInt64? { context.cursor?.position }
        /// Whether the write carries a cursor and is known to create its record.
        var isFirst: Bool { context.cursor?.isFirst ?? false }
        var rarities: Rarities? { rare?.rarities }
        private var rare: Rare? { if case .rare(let rare) = context { rare } else { nil } }
        @inlinable var timestamp: HybridTimestamp { HybridTimestamp(milliseconds: milliseconds, counter: counter) }
        var made: Int64 {
            var made = timestamp.milliseconds
            if let rarities { made = made.addingSaturated(rarities.clockOffset == .min ? .max : -rarities.clockOffset) }
            // A clock that is ahead makes no write later than it arrived.
            return receivedMilliseconds.map { min(made, $0) } ?? made
        }
    }

    @usableFromInline let storage: Storage

    /// A write with its tags.
    ///
    /// - Parameters:
    ///   - dot: The write's name.
    ///   - isNumbered: False where the device did not number its writes and the reader of the trace did; the order of two such writes of
    ///     one device is then taken from their timestamps.
    ///   - timestamp: The device's clock.
    ///   - key: The record.
    ///   - operation: What the write does.
    ///   - seen: The writes to this record that the writer had merged; nil where they are not known.
    ///   - cursor: The position in the hub's order up to which the writer had everything; nil where that is not known, or `seen` is.
    ///   - receipt: The hub's receipt, once there is one.
    ///   - order: The values to compare before the timestamps, where the system decides by something that is no clock.
    ///   - app: The version of the app that made it.
    ///   - carried: The fields that a put carries besides its own, see ``carried``.
    ///   - revision: The revision that the write made, where its system names some instead of counting writes.
    public init(
        dot: Dot, isNumbered: Bool = true, timestamp: HybridTimestamp, key: RecordKey, operation: Operation, seen: VersionVector?,
        cursor: UInt64? = nil, receipt: Receipt? = nil, order: [FieldValue] = [], app: String? = nil, carried: FieldMap = FieldMap(),
        revision: Revision? = nil
    ) {
        self.init(
            dot: dot, isNumbered: isNumbered, timestamp: timestamp, key: key, operation: operation, seen: seen, cursor: cursor,
            receipt: receipt, rarities: Rarities(order: order, app: app, carried: carried, clockOffset: 0, revision: revision))
    }

    init(
        dot: Dot, isNumbered: Bool, timestamp: HybridTimestamp, key: RecordKey, operation: Operation, seen: VersionVector?,
        cursor: UInt64?, isFirst: Bool = false, receipt: Receipt?, rarities: Rarities?
    ) {
        storage = Storage(
            dot: dot, isNumbered: isNumbered, timestamp: timestamp, key: key, operation: operation, seen: seen, cursor: cursor,
            isFirst: isFirst, receipt: receipt, rarities: rarities)
    }

    /// The write's name for ever.
    @inlinable public var dot: Dot { storage.dot }

    /// Whether the device itself numbered the write.
    @inlinable public var isNumbered: Bool { storage.isNumbered }

    /// The time at which the write was made, by its device's clock.
    @inlinable public var timestamp: HybridTimestamp { storage.timestamp }

    /// The record written to.
    @inlinable public var key: RecordKey { storage.key }

    /// The effect of the write on the record.
    public var operation: Operation { storage.operation }

    /// The writes to this record that the writer had merged; nil where they are not known and have to be inferred.
    public var seen: VersionVector? { storage.seen }

    /// The position in the hub's order up to which the writer had everything; nil where that is not known.
    public var cursor: UInt64? { storage.cursor }

    /// Whether the write carries a causal context, in any form: conflicts found by it are proven.
    public var hasCausalContext: Bool { storage.context.hasSeen || storage.cursor != nil }

    /// The values that are compared before the timestamps, first to last; empty unless the system decides by something that is no clock.
    public var order: [FieldValue] { storage.rarities?.order ?? [] }

    /// The version of the app that made the write, where the write has one.
    public var app: String? { storage.rarities?.app }

    /// The fields that a put carries besides its own: what its writer had seen of a record that is merged whole, for readers who may have
    /// forgotten it.
    ///
    /// They are shown where the write wins, and are no part of what it wrote. Empty in nearly every write.
    public var carried: FieldMap { storage.rarities?.carried ?? FieldMap() }

    /// The hub's receipt of the write, nil before a hub has accepted it.
    public var receipt: Receipt? { storage.receipt }

    /// The fields of a put, nil for a delete.
    public var fields: FieldMap? {
        if case .put(let fields) = storage.operation { fields } else { nil }
    }

    /// The fields of a put and those that it carries, nil for a delete.
    package var fieldsAndCarried: FieldMap? {
        guard let carried = storage.rarities?.carried, !carried.isEmpty else { return fields }
        return fields?.filled(from: carried)
    }

    /// The lengths of a put's values together, as of ``FieldMap/length``; 0 for a delete.
    package var length: Int { storage.operation.length }

    /// Whether one of a put's values may be an object, as of ``FieldMap/mayHoldObject(withKeyPrefix:)``.
    package func mayHoldObject(withKeyPrefix prefix: StaticString) -> Bool { storage.operation.mayHoldObject(withKeyPrefix: prefix) }

    /// The names of a put's fields in order, nil for a delete.
    package var fieldNames: [FieldName]? {
        if case .put(let fields) = storage.operation { fields.sortedNames } else { nil }
    }

    /// The number of fields that a put names; 0 for a delete.
    package var fieldCount: Int {
        if case .put(let fields) = storage.operation { fields.count } else { 0 }
    }

    /// Whether a put names these fields and no others; ``fieldNames`` makes a copy of the list.
    package func namesSame(as names: [FieldName]) -> Bool {
        storage.operation.namesSame(as: names)
    }

    /// The index of one of the fields of a put in a list in order, nil where the list lacks it.
    ///
    /// - Precondition: There are more fields than that.
    package func index(ofField index: Int, in names: [FieldName]) -> Int? {
        storage.operation.index(ofField: index, in: names)
    }

    /// Whether the write says something of a field: a delete does, and a put that names it.
    package func concerns(_ field: FieldName) -> Bool { storage.operation.concerns(field) }

    /// Whether two puts give a field equal values; nil where one of them deletes or does not name the field.
    package func givesSame(as other: TaggedWrite, _ field: FieldName) -> Bool? {
        storage.operation.givesSame(as: other.storage.operation, field)
    }

    /// Whether a put gives the field at an index the value that an edit of another device, of which its writer knew, had displaced.
    ///
    /// The others are looked at where they lie: a copy would count a reference.
    @inline(never) package func undoes(
        _ edit: borrowing TaggedWrite?, displacing before: borrowing TaggedWrite?, atField index: Int
    ) -> Bool {
        switch before {
        case .none: return false
        case .some(let before):
            switch edit {
            case .none: return false
            case .some(let edit):
                // Asked in this order, for it is rare that an older value comes again.
                return !edit.isOfSameDevice(as: self) && hasCausalContext
                    && storage.operation.givesSame(at: index, as: before.storage.operation) == true
                    && storage.operation.givesSame(at: index, as: edit.storage.operation) == false
                    && hasSeen(edit, intervals: .withoutWindow) && edit.dot.device.firstWriter != dot.device.firstWriter
            }
        }
    }

    /// Whether the write removes the record.
    public var isDelete: Bool {
        if case .delete = storage.operation { true } else { false }
    }

    /// Whether the write is known to create its record: a put whose writer had seen nothing of it.
    ///
    /// With a cursor that is known once the write has been merged into the record.
    package var isInsert: Bool {
        !isDelete && (storage.isFirst || storage.context.withSeen { $0.isEmpty } == true)
    }

    /// The value that the write gives a field: null for a delete, nil where a put does not name the field.
    public func value(of field: FieldName) -> FieldValue? {
        switch storage.operation {
        case .put(let fields): fields[field]
        case .delete: .null
        }
    }

    /// The write with the hub's receipt.
    public func received(_ receipt: Receipt) -> TaggedWrite { with(receipt: receipt) }

    /// The write with some of its parts replaced.
    package func with(
        dot: Dot? = nil, operation: Operation? = nil, seen: VersionVector? = nil, receipt: Receipt? = nil
    ) -> TaggedWrite {
        TaggedWrite(
            dot: dot ?? self.dot, isNumbered: isNumbered, timestamp: timestamp, key: key, operation: operation ?? self.operation,
            seen: seen ?? self.seen, cursor: cursor, isFirst: storage.isFirst, receipt: receipt ?? self.receipt,
            rarities: storage.rarities)
    }

    /// The write with other fields that it carries.
    package func carrying(_ carried: FieldMap) -> TaggedWrite {
        TaggedWrite(
            dot: dot, isNumbered: isNumbered, timestamp: timestamp, key: key, operation: operation, seen: seen, cursor: cursor,
            isFirst: storage.isFirst, receipt: receipt,
            rarities: Rarities(
                order: order, app: app, carried: carried, clockOffset: storage.rarities?.clockOffset ?? 0, revision: revision))
    }

    /// The write with other values of its fields and of those that it carries.
    package func mapping(_ change: (FieldMap) -> FieldMap) -> TaggedWrite {
        guard let fields else { return self }
        let write = with(operation: .put(change(fields)))
        return carried.isEmpty ? write : write.carrying(change(carried))
    }

    /// The write, known to create its record although it has a cursor instead of a version vector.
    package func asFirst() -> TaggedWrite {
        TaggedWrite(
            dot: dot, isNumbered: isNumbered, timestamp: timestamp, key: key, operation: operation, seen: seen, cursor: cursor,
            isFirst: true, receipt: receipt, rarities: storage.rarities)
    }

    /// The write with the offset of its device's clock.
    ///
    /// - Parameter clockOffset: The milliseconds by which the clock runs ahead of the hub's.
    package func with(clockOffset: Int64) -> TaggedWrite {
        TaggedWrite(
            dot: dot, isNumbered: isNumbered, timestamp: timestamp, key: key, operation: operation, seen: seen, cursor: cursor,
            receipt: receipt,
            rarities: Rarities(order: order, app: app, carried: carried, clockOffset: clockOffset, revision: revision))
    }

    /// Whether this write comes before another in the total order: ``order``, milliseconds, counter, device as UTF-8 bytes, then number.
    public func precedes(_ other: TaggedWrite) -> Bool {
        let (mine, theirs) = (storage, other.storage)
        if mine.rarities != nil || theirs.rarities != nil, order != other.order { return order.lexicographicallyPrecedes(other.order) }
        return WriteOrder.isBefore(mine.timestamp, mine.dot, theirs.timestamp, theirs.dot)
    }
}

extension TaggedWrite.Operation {
    // Borrowed, so that no reference is counted.

    fileprivate var length: Int {
        @inline(never) borrowing get {
            switch self {
            case .put(let fields): fields.length
            case .delete: 0
            }
        }
    }

    @inline(never) fileprivate borrowing func namesSame(as names: [FieldName]) -> Bool {
        switch self {
        case .put(let fields): fields.sortedNames.isSame(as: names)
        case .delete: false
        }
    }

    @inline(never) fileprivate borrowing func mayHoldObject(withKeyPrefix prefix: StaticString) -> Bool {
        switch self {
        case .put(let fields): fields.mayHoldObject(withKeyPrefix: prefix)
        case .delete: false
        }
    }

    @inline(never) fileprivate borrowing func concerns(_ field: FieldName) -> Bool {
        switch self {
        case .put(let fields): fields.holds(field)
        case .delete: true
        }
    }

    @inline(never) fileprivate borrowing func givesSame(as other: borrowing TaggedWrite.Operation, _ field: FieldName) -> Bool? {
        switch self {
        case .put(let mine):
            switch other {
            case .put(let theirs): mine.holdsSame(as: theirs, field)
            case .delete: nil
            }
        case .delete: nil
        }
    }

    @inline(never) fileprivate borrowing func givesSame(at index: Int, as other: borrowing TaggedWrite.Operation) -> Bool? {
        switch self {
        case .put(let mine):
            switch other {
            case .put(let theirs): mine.holdsSame(at: index, as: theirs)
            case .delete: nil
            }
        case .delete: nil
        }
    }

    @inline(never) fileprivate borrowing func index(ofField index: Int, in names: [FieldName]) -> Int? {
        switch self {
        case .put(let fields): names.find(fields.sortedNames, at: index)
        case .delete: nil
        }
    }
}

extension TaggedWrite: Hashable {
    /// Whether both are the same write with equal parts.
    public static func == (left: TaggedWrite, right: TaggedWrite) -> Bool {
        left.storage === right.storage
            || left.dot.sequence == right.dot.sequence && left.dot.device == right.dot.device && left.isNumbered == right.isNumbered
                && left.timestamp == right.timestamp && left.key == right.key
                && left.operation == right.operation && left.seen == right.seen && left.cursor == right.cursor
                && left.receipt == right.receipt && left.order == right.order && left.app == right.app && left.carried == right.carried
                && left.revision == right.revision
    }

    /// Feeds dot and key into a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(dot)
        hasher.combine(key)
    }
}
