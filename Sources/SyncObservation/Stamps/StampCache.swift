import SyncModel

/// What the next stamps are made of, as of the shadow's last commit: in memory, so that the thread that saves neither reads nor writes a file.
///
/// It holds the observer's state, the numbers that writes may get, hashes of the names of all records where they are no more than ``maximumNames``, and
/// what stamps need of the records that were used last, at most ``maximumRecords``. A record of which it does not know is read from the shadow.
struct StampCache: Sendable {
    /// What a commit has changed.
    struct Changes: Sendable {
        var state: ObserverState?
        /// Whether records have changed that are not named here.
        var isEveryRecord = false
        var records: [RecordKey: StampedRecord] = [:]
        /// The records that there are, where they were read; one more than ``maximumNames`` where there are more.
        var names: [RecordKey]?
    }

    /// The most records, of which at least the half that was used last is held: with four fields each, about two megabytes.
    static let maximumRecords = 2048
    /// The most records whose names are held, in about one megabyte.
    static let maximumNames = 1 << 16

    var numbers = WriteNumbers()
    private var state: ObserverState
    private let hashKey = HashKey()
    /// What is known of records, nil where the shadow has none, by their hashes: the half that was used last, and what was used before it.
    private var recent: [Name: StampedRecord?] = [:]
    private var older: [Name: StampedRecord?] = [:]
    private var names = Names.unread
    private var maker = StampMaker()

    private enum Names {
        case unread
        /// The hashes of the names of all records that the shadow has.
        case all(Set<UInt64>)
        case tooMany
    }

    /// A record's name with a hash that is made once.
    private struct Name: Hashable {
        let key: RecordKey
        let hash: UInt64

        func hash(into hasher: inout Hasher) { hasher.combine(hash) }
    }

    init(_ state: ObserverState) {
        self.state = state
    }

    /// Whether nobody has read yet which records there are.
    var needsNames: Bool { if case .unread = names { true } else { false } }

    mutating func apply(_ changes: Changes) {
        if let state = changes.state {
            self.state = state
            numbers.reserved = state.reserved
        }
        if changes.isEveryRecord { (recent, older) = ([:], [:]) }
        if let all = changes.names { hold(all.map { $0.quickHash(hashKey) }) }
        hold(changes.records.keys.map { $0.quickHash(hashKey) }, isAdded: true)
        for (key, record) in changes.records { keep(record, name(key)) }
    }

    /// The most numbers that a save needs.
    static func maximumNumbers(for changes: [LocalChange]) -> Int {
        changes.reduce(0) { sum, change in if case .put(let fields) = change.operation { sum + max(1, fields.count) } else { sum } }
    }

    /// The records of a save that must be read.
    mutating func missing(_ changes: [LocalChange]) -> [RecordKey] {
        changes.compactMap { record(name($0.key)) == nil ? $0.key : nil }
    }

    /// Makes the stamps for the puts of a save; nil where too few numbers are reserved, or records must be read first.
    ///
    /// - Parameter read: What has been read of records.
    mutating func stamps(
        for changes: [LocalChange], reading read: [RecordKey: StampedRecord?] = [:], _ configuration: SyncObserver.Configuration,
        at time: WallTime
    ) -> [FieldMap]? {
        let unused = numbers
        guard numbers.hasRoom(for: Self.maximumNumbers(for: changes)) else { return nil }
        var stamps: [FieldMap] = []
        stamps.reserveCapacity(changes.count)
        var type: RecordType?
        var level = ObservationLevel.unstamped
        for change in changes {
            if type != change.key.type {
                type = change.key.type
                level = configuration.level(of: change.key.type)
            }
            guard case .put(let fields) = change.operation, level.isStamped else {
                stamps.append(FieldMap())
                continue
            }
            guard let record = record(name(change.key)) ?? read[change.key] else {
                numbers = unused
                return nil
            }
            switch level {
            case .unstamped: break
            case .fieldStamps(let attributes):
                stamps.append(maker.fieldStamps(for: fields, change, record, attributes, state.writer, &numbers))
            case .recordStamp(let attribute):
                stamps.append(maker.recordStamp(for: fields, change, record, attribute, state, numbers.take(), at: time))
            }
        }
        for (key, record) in read { keep(record, name(key)) }
        return stamps
    }

    private func name(_ key: RecordKey) -> Name { Name(key: key, hash: key.quickHash(hashKey)) }

    /// What is known of a record, as one that is used now.
    private mutating func record(_ name: Name) -> StampedRecord?? {
        if let known = recent[name] { return known }
        if let known = older[name] {
            keep(known, name)
            return known
        }
        if case .all(let hashes) = names, !hashes.contains(name.hash) { return .some(nil) }
        return nil
    }

    private mutating func keep(_ record: StampedRecord?, _ name: Name) {
        if recent.count >= Self.maximumRecords / 2, recent[name] == nil {
            older = recent
            recent = [:]
        }
        recent[name] = .some(record)
    }

    /// Holds the hashes of all names, or adds some, while they are not too many.
    private mutating func hold(_ hashes: [UInt64], isAdded: Bool = false) {
        var all: Set<UInt64> = []
        if isAdded {
            guard case .all(let known) = names else { return }
            all = known
            // So that there is one set, which grows where it is.
            names = .unread
        }
        all.formUnion(hashes)
        names = all.count > Self.maximumNames ? .tooMany : .all(all)
    }
}

/// The numbers of a device's writes: given in memory, and reserved ahead in the shadow.
///
/// Only reserved ones are put into stamps, and a shadow that is opened goes on after the last one that was reserved, so that no number names two versions. What
/// is left out names none: an entry of a vector says that the store had held every version with a number up to its own, and a version that
/// was never made changes nothing of that.
struct WriteNumbers: Sendable {
    /// How many are reserved at a time.
    static let batch: UInt64 = 1000

    /// The number of the next write.
    private(set) var next: UInt64
    /// The number below which all are reserved.
    var reserved: UInt64 = 1

    init(from next: UInt64 = 1) { self.next = next }

    /// Whether more should be reserved before they are needed.
    var isLow: Bool { reserved < next + Self.batch / 2 }

    func hasRoom(for count: Int) -> Bool { next + UInt64(count) <= reserved }

    /// The number up to which to reserve for a count of writes and a batch more.
    func bound(for count: Int) -> UInt64 { max(reserved, next + UInt64(count) + Self.batch) }

    mutating func take() -> UInt64 {
        defer { next += 1 }
        return next
    }

    /// Leaves out all numbers up to one; of a number that no device reaches, nothing is believed.
    mutating func skip(through number: UInt64) {
        if number < 1 << 62 { next = max(next, number + 1) }
    }
}

/// What the stamps of one record are made of.
struct StampedRecord: Sendable {
    /// Sorted by name.
    let fields: [Field]
    let wasDeletedThere: Bool
    let begun: Int64
    let ended: Int64

    struct Field: Sendable {
        let name: FieldName
        /// The version that is shown, where it has a name.
        let current: Dot?
        /// Every version that the store has held, and whether some may be missing.
        let held: VersionVector
        let isFogged: Bool
        let shown: [ShownVersion]
        /// What the stamp of the record says of a version that this device made.
        let own: RecordStamp.Entry?
        let transaction: Int64
    }

    init(_ record: RecordShadow) {
        wasDeletedThere = record.wasDeletedThere
        begun = record.begun
        ended = record.ended
        fields = record.fields.sorted { $0.key < $1.key }.map { Field($0, $1) }
    }

    /// A field by its name; few fields are sooner looked at one after the other.
    func index(of name: FieldName) -> Int? {
        let fields = fields.span
        for index in fields.indices where fields[index].name == name { return index }
        return nil
    }
}

extension StampedRecord.Field {
    fileprivate init(_ name: FieldName, _ field: FieldShadow) {
        self.name = name
        current = field.current?.dot
        held = field.held(while: nil)
        isFogged = field.isFogged || field.mergedIn?.isFogged ?? false
        shown = field.shown
        transaction = field.current?.transaction ?? .min
        own = field.current.flatMap { version in
            guard version.isOwn, let dot = version.dot else { return nil }
            return RecordStamp.Entry(
                name: name, sequence: dot.sequence, vector: version.vector, isFogged: field.isFogged, hash: ValueHash(version.value))
        }
    }

    /// Every version that the store had held while it showed one; all of them where that is not known any more.
    func held(while dot: Dot) -> VersionVector {
        dot == current ? held : shown.last { $0.dot == dot }?.vector ?? held
    }
}
