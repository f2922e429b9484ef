import SyncBytes
import SyncModel

/// What the stamps of one record are made of, in few bytes, so that a whole store's can be held in memory.
///
/// It is one byte of flags and the progress of the record's export, and then, in order of name, the fields that stamps describe. Fields and
/// devices are numbers of a table, ``StampWords``. The bytes never leave the process.
struct StampedRecord: Sendable {
    fileprivate let bytes: [UInt8]

    var byteCount: Int { bytes.count }

    /// Keeps what stamps of a level need to know of a record.
    init(_ record: RecordShadow, _ level: ObservationLevel, _ words: inout StampWords) {
        var writer = PackedWriter()
        writer.append(
            (record.wasDeletedThere || record.isOlder ? Flag.others : 0) | (record.begun == .min ? 0 : Flag.begun)
                | (record.ended == .min ? 0 : Flag.ended))
        if record.begun != .min { writer.append(signed: record.begun) }
        if record.ended != .min { writer.append(signed: record.ended) }
        for (name, field) in record.fields.sorted(by: { $0.key < $1.key }) {
            switch level {
            case .unstamped: break
            case .fieldStamps(let attributes):
                if attributes[name] != nil { writer.append(field, name, shown: field.shown, own: nil, &words) }
            case .recordStamp: writer.append(field, name, shown: [], own: field.current.flatMap { $0.isOwn ? $0 : nil }, &words)
            }
        }
        bytes = writer.bytes
    }

    fileprivate enum Flag {
        static let others: UInt8 = 1
        static let begun: UInt8 = 2
        static let ended: UInt8 = 4
        // Of a field:
        static let fogged: UInt8 = 1
        static let shown: UInt8 = 2
        static let own: UInt8 = 4
        static let ownFogged: UInt8 = 8
        static let ownVector: UInt8 = 16
    }
}

/// The fields and devices that the records of a store have in common, as numbers.
struct StampWords: Sendable {
    /// The most bytes of words: with more, the cache forgets all records.
    private static let maximumBytes = 1 << 20

    fileprivate var fields = Numbering<FieldName>()
    fileprivate var devices = Numbering<DeviceID>()

    var isFull: Bool { fields.bytes + devices.bytes > Self.maximumBytes }

    /// Words by their numbers, and the other way round.
    fileprivate struct Numbering<Word: StringIdentifier>: Sendable {
        private(set) var words: [Word] = []
        /// The memory that they take, about.
        private(set) var bytes = 0
        private var numbers: [Word: Int] = [:]

        mutating func number(of word: Word) -> Int {
            if let number = numbers[word] { return number }
            bytes += word.rawValue.utf8.count + 64
            numbers[word] = words.count
            words.append(word)
            return words.count - 1
        }
    }
}

/// Reads what is kept of a record, one field after the other.
struct StampedFields {
    /// Whether the store may have held versions of fields that are not among these.
    let mayHaveOthers: Bool
    /// The field that is read next; nil after the last.
    private(set) var next: Field?
    private let begun: Int64
    private let ended: Int64
    private var reader: PackedReader

    struct Field {
        let name: FieldName
        fileprivate let flags: UInt8
        /// Where its vectors begin.
        fileprivate let position: Int

        /// Whether the store may have held versions that its vector lacks.
        var isFogged: Bool { flags & StampedRecord.Flag.fogged != 0 }
    }

    init(_ record: StampedRecord, _ words: StampWords) {
        reader = PackedReader(record.bytes, words)
        let flags = reader.byte()
        mayHaveOthers = flags & StampedRecord.Flag.others != 0
        begun = flags & StampedRecord.Flag.begun == 0 ? .min : reader.signed()
        ended = flags & StampedRecord.Flag.ended == 0 ? .min : reader.signed()
        advance()
    }

    mutating func advance() {
        guard !reader.isAtEnd else { return next = nil }
        let name = reader.field()
        let end = reader.end()
        next = Field(name: name, flags: reader.byte(), position: reader.index)
        reader.index = end
    }

    /// A field that comes after all that were asked for; nil where none has the name.
    mutating func field(_ name: FieldName) -> Field? {
        while let field = next, field.name < name { advance() }
        guard let field = next, field.name == name else { return nil }
        advance()
        return field
    }

    /// Every version of a field that the store has held but a device's own, which a stamp of it need not name.
    mutating func held(_ field: Field, besides device: DeviceID) -> VersionVector {
        reading(field) { reader in reader.vector(besides: device) }
    }

    /// The same of what it had held while it showed a version; of everything where that is not known any more.
    mutating func held(_ field: Field, while dot: Dot, besides device: DeviceID) -> VersionVector {
        reading(field) { reader in
            let held = reader.vector(besides: device)
            if field.flags & StampedRecord.Flag.shown != 0, reader.dot() == dot { return held }
            let end = reader.end()
            var known: VersionVector?
            while reader.index < end {
                let shown = reader.dot()
                let vector = reader.vector(besides: device)
                if shown == dot { known = vector }
            }
            return known ?? held
        }
    }

    /// What the stamp of a record says of a version that its device saved and that nobody else can have seen; nil where a field shows none.
    mutating func waiting(_ field: Field, _ state: ObserverState) -> RecordStamp.Entry? {
        guard field.flags & StampedRecord.Flag.own != 0 else { return nil }
        return reading(field) { [begun, ended] reader in
            var vector = reader.vector(besides: state.writer)
            if field.flags & StampedRecord.Flag.shown != 0 { _ = reader.dot() }
            reader.index = reader.end()
            let (sequence, transaction, hash) = (reader.number(), reader.signed(), reader.number())
            guard state.progress(of: transaction, begun: begun, ended: ended) == .waiting else { return nil }
            if field.flags & StampedRecord.Flag.ownVector != 0 { vector = reader.vector(besides: state.writer) }
            return RecordStamp.Entry(
                name: field.name, sequence: sequence, vector: vector, isFogged: field.flags & StampedRecord.Flag.ownFogged != 0,
                hash: ValueHash(rawValue: hash))
        }
    }

    /// Reads what is kept of a field, and goes on where the next one begins.
    private mutating func reading<Result>(_ field: Field, _ body: (inout PackedReader) -> Result) -> Result {
        let index = reader.index
        defer { reader.index = index }
        reader.index = field.position
        return body(&reader)
    }
}

/// The bytes of a packed record that is being made.
private struct PackedWriter: ~Copyable {
    private var buffer = LineBuffer(capacity: 256)

    var bytes: [UInt8] { buffer.array }

    mutating func append(_ byte: UInt8) { buffer.append(byte) }

    /// Seven bits to a byte, lowest first.
    mutating func append(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            buffer.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        buffer.append(UInt8(rest))
    }

    mutating func append(signed number: Int64) { append(UInt64(bitPattern: (number << 1) ^ (number >> 63))) }

    mutating func append(_ vector: VersionVector, _ words: inout StampWords) {
        append(UInt64(vector.entries.count))
        for entry in vector.entries { append(Dot(device: entry.device, sequence: entry.sequence), &words) }
    }

    mutating func append(_ dot: Dot, _ words: inout StampWords) {
        append(UInt64(words.devices.number(of: dot.device)))
        append(dot.sequence)
    }

    /// Appends what other writes, behind its length.
    mutating func append(_ part: borrowing PackedWriter) {
        append(UInt64(part.buffer.count))
        buffer.append(part.buffer)
    }

    mutating func append(_ field: FieldShadow, _ name: FieldName, shown: [ShownVersion], own: HeldVersion?, _ words: inout StampWords) {
        let held = field.held(while: nil)
        let current = field.current?.dot
        let ownDot = own?.dot
        var flags: UInt8 = field.isFogged || field.mergedIn?.isFogged ?? false ? StampedRecord.Flag.fogged : 0
        if current != nil { flags |= StampedRecord.Flag.shown }
        if ownDot != nil { flags |= StampedRecord.Flag.own }
        if field.isFogged { flags |= StampedRecord.Flag.ownFogged }
        if let own, own.vector != held { flags |= StampedRecord.Flag.ownVector }
        var part = PackedWriter()
        part.append(flags)
        part.append(held, &words)
        if let current { part.append(current, &words) }
        var earlier = PackedWriter()
        for version in shown {
            earlier.append(version.dot, &words)
            earlier.append(version.vector, &words)
        }
        part.append(earlier)
        if let own, let ownDot {
            part.append(ownDot.sequence)
            part.append(signed: own.transaction ?? .min)
            part.append(ValueHash(own.value).rawValue)
            if own.vector != held { part.append(own.vector, &words) }
        }
        append(UInt64(words.fields.number(of: name)))
        append(part)
    }
}

/// The bytes of a packed record that are left to read: this process made them, and they are not doubted.
private struct PackedReader {
    private let bytes: [UInt8]
    private let fields: [FieldName]
    private let devices: [DeviceID]
    var index = 0

    init(_ bytes: [UInt8], _ words: StampWords) {
        self.bytes = bytes
        (fields, devices) = (words.fields.words, words.devices.words)
    }

    var isAtEnd: Bool { index == bytes.count }

    mutating func byte() -> UInt8 {
        defer { index += 1 }
        return bytes[index]
    }

    mutating func number() -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = byte()
            number |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
    }

    mutating func signed() -> Int64 {
        let number = number()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    /// Where a part ends whose length comes next.
    mutating func end() -> Int {
        let length = Int(clamping: number())
        return index + length
    }

    mutating func field() -> FieldName { fields[Int(clamping: number())] }

    mutating func dot() -> Dot { Dot(device: devices[Int(clamping: number())], sequence: number()) }

    /// A vector without the entry of one device.
    mutating func vector(besides device: DeviceID) -> VersionVector {
        var vector = VersionVector()
        for _ in 0..<number() {
            let dot = dot()
            if dot.device != device { vector.insert(dot) }
        }
        return vector
    }
}
