import SyncBytes
package import SyncModel

/// What the next stamps are made of, as of the shadow's last commit: in memory, so that the thread that saves neither reads nor writes a
/// file.
///
/// It holds the observer's state, the numbers that writes may get, and of each record what stamps need to know of it, as far as that takes
/// no more than ``standardBytes``: some 40,000 records of four fields. Of others it knows that the shadow has them, and they are read from
/// there.
package struct StampCache: ~Copyable, Sendable {
    /// What a commit has changed.
    struct Changes {
        var state: ObserverState?
        /// Whether records have changed that are not named here.
        var isEveryRecord = false
        var records: [RecordKey: RecordShadow] = [:]
    }

    /// The most memory that records are given, about, unless it is told otherwise.
    package static let standardBytes = 8 << 20
    /// The most records of which it is known at least that the shadow has them.
    static let maximumNames = 1 << 17
    /// What a record takes besides its bytes.
    private static let recordCost = 64
    private static let nameCost = 16

    package var numbers = WriteNumbers()
    private let configuration: SyncObserver.Configuration
    /// The most memory that records are given, about.
    private let maximumBytes: Int
    private var state: ObserverState
    private let hashKey = HashKey()
    /// Records by the hashes of their names; nil for one that the shadow has, and that must be read.
    ///
    /// Of 100,000 records any two have one hash by a chance of one in four billion.
    private var records: [UInt64: StampedRecord?] = [:]
    private var words = StampWords()
    /// The memory that they take, about.
    package private(set) var bytes = 0
    /// Whether there is no other record than these.
    private var isComplete = false
    /// How often records were forgotten together with their names.
    package private(set) var losses = 0
    /// Whether the shadow should be read because all of it has changed.
    var needsReading = false
    private var maker = StampMaker()

    package init(_ configuration: SyncObserver.Configuration, maximumBytes: Int = Self.standardBytes) {
        self.configuration = configuration
        self.maximumBytes = maximumBytes
        state = ObserverState(writer: configuration.device, installation: configuration.installation)
    }

    /// Takes what a commit has changed but for the records, which follow.
    mutating func apply(_ changes: Changes) {
        if let state = changes.state {
            self.state = state
            numbers.reserved = state.reserved
        }
        if changes.isEveryRecord {
            forget()
            needsReading = true
        }
    }

    /// Takes records that have changed.
    mutating func keep(_ records: some Sequence<(key: RecordKey, record: RecordShadow)>) {
        for (key, record) in records { keep(record, key) }
    }

    /// Takes some of the shadow's records, read one part after the other; only their names where there is little room left.
    ///
    /// - Parameters:
    ///   - isLast: Whether there is no other.
    ///   - losses: What ``losses`` was when the first were read.
    /// - Returns: Whether there is room for more.
    package mutating func keep(_ shadows: [(key: RecordKey, record: RecordShadow)], isLast: Bool, since losses: Int) -> Bool {
        for (key, record) in shadows { if bytes < maximumBytes / 4 * 3 { keep(record, key) } else { keepName(key) } }
        if isLast, losses == self.losses { isComplete = true }
        return losses == self.losses && records.count < Self.maximumNames
    }

    /// The most numbers that a save needs.
    func maximumNumbers(for changes: [LocalChange]) -> Int {
        changes.reduce(0) { sum, change in
            guard case .put(let fields) = change.operation, isStamped(change) else { return sum }
            return sum + max(1, fields.count)
        }
    }

    /// The records of a save that must be read.
    package func missing(_ changes: [LocalChange]) -> [RecordKey] {
        changes.compactMap { change in isStamped(change) && record(change.key) == nil ? change.key : nil }
    }

    /// Whether a change gets stamps.
    private func isStamped(_ change: LocalChange) -> Bool {
        if case .put = change.operation { configuration.level(of: change.key.type).isStamped } else { false }
    }

    /// Makes the stamps for the puts of a save; nil where too few numbers are reserved, or records must be read first.
    ///
    /// - Parameter read: What has been read of records.
    package mutating func stamps(
        for changes: [LocalChange], reading read: [RecordKey: RecordShadow?] = [:], at time: WallTime
    ) -> [FieldMap]? {
        let unused = numbers
        guard numbers.hasRoom(for: maximumNumbers(for: changes)) else { return nil }
        var stamps: [FieldMap] = []
        stamps.reserveCapacity(changes.count)
        var type: RecordType?
        var level = ObservationLevel.unstamped
        for index in changes.indices {
            if type != changes[index].key.type {
                type = changes[index].key.type
                level = configuration.level(of: changes[index].key.type)
            }
            guard case .put(let fields) = changes[index].operation, level.isStamped else {
                stamps.append(FieldMap())
                continue
            }
            let key = changes[index].key
            guard let record = record(key) ?? read[key].map({ $0.map { StampedRecord($0, level, &words) } }) else {
                numbers = unused
                return nil
            }
            let known = record.map { StampedFields($0, words) }
            switch level {
            case .unstamped: break
            case .fieldStamps(let attributes):
                stamps.append(
                    maker.fieldStamps(
                        for: fields, shownAs: changes[index].snapshot, isNew: changes[index].isNew, known, attributes, state.writer,
                        &numbers))
            case .recordStamp(let attribute):
                stamps.append(
                    maker.recordStamp(for: fields, isNew: changes[index].isNew, known, attribute, state, numbers.take(), at: time))
            }
        }
        for (key, record) in read { if let record { keep(record, key) } }
        return stamps
    }

    /// What is known of a record, nil inside where there is none; nil where it must be read.
    private func record(_ key: RecordKey) -> StampedRecord?? {
        guard let known = records[key.quickHash(hashKey)] else { return isComplete ? .some(nil) : nil }
        return known.map { .some($0) }
    }

    private mutating func keep(_ record: RecordShadow, _ key: RecordKey) {
        let level = configuration.level(of: key.type)
        guard level.isStamped else { return }
        if words.isFull { forget() }
        replace(key, by: StampedRecord(record, level, &words))
    }

    private mutating func keepName(_ key: RecordKey) {
        if configuration.level(of: key.type).isStamped, records[key.quickHash(hashKey)] == nil { replace(key, by: nil) }
    }

    private mutating func replace(_ key: RecordKey, by record: StampedRecord?) {
        let old = records.updateValue(record, forKey: key.quickHash(hashKey))
        bytes += Self.cost(record) - (old.map { Self.cost($0) } ?? 0)
        if bytes > maximumBytes || records.count > Self.maximumNames { makeRoom() }
    }

    private static func cost(_ record: StampedRecord?) -> Int { record.map { $0.byteCount + recordCost } ?? nameCost }

    private mutating func forget() {
        (records, words, bytes, isComplete) = ([:], StampWords(), 0, false)
        losses += 1
    }

    /// Gives up half of what is known of records, and names too where they alone are too many: which ones, is left to chance.
    private mutating func makeRoom() {
        var isKept = false
        func keeps() -> Bool {
            isKept.toggle()
            return isKept
        }
        if records.count > Self.maximumNames {
            isComplete = false
            losses += 1
            records = records.filter { _ in keeps() }
        }
        records = records.mapValues { $0 != nil && keeps() ? $0 : nil }
        bytes = records.values.reduce(0) { $0 + Self.cost($1) }
    }
}
