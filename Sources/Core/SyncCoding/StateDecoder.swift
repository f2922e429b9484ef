package import SyncBytes
import SyncMerge
package import SyncModel

/// Turns the bytes of ``StateEncoder`` back into what they were made of.
package struct StateDecoder {
    /// The version of the form.
    static let version: UInt8 = 2

    private var reader: ByteReader
    private var writes: [TaggedWrite] = []
    private var vectors: [VersionVector] = []
    private var keys: [RecordKey] = []
    private var devices: [DeviceID] = []
    private var sets: [SharedMaximalSet] = []

    /// - Parameter key: The key that was given to ``StateEncoder/init(key:)``.
    package init(_ bytes: [UInt8], key: RecordKey? = nil) throws(CodingFailure) {
        reader = ByteReader(bytes)
        if let key { keys.append(key) }
        let version = try reader.byte()
        guard version == Self.version else {
            throw CodingFailure("the form has version \(version), and this program reads version \(Self.version)")
        }
    }

    /// Whether nothing is left.
    package var isAtEnd: Bool { reader.isAtEnd }

    /// Makes sure that nothing is left.
    package func finish() throws(CodingFailure) {
        guard reader.isAtEnd else { throw CodingFailure("there are bytes left over") }
    }

    package mutating func byte() throws(CodingFailure) -> UInt8 { try reader.byte() }

    package mutating func flag() throws(CodingFailure) -> Bool {
        switch try reader.byte() {
        case 0: return false
        case 1: return true
        case let other: throw CodingFailure("\(other) is neither yes nor no")
        }
    }

    package mutating func number() throws(CodingFailure) -> UInt64 { try reader.number() }

    package mutating func count() throws(CodingFailure) -> Int { try reader.count() }

    package mutating func signedNumber() throws(CodingFailure) -> Int64 { try reader.signedNumber() }

    package mutating func text() throws(CodingFailure) -> String { try reader.text() }

    /// Bytes behind their count.
    package mutating func bytes() throws(CodingFailure) -> [UInt8] { try reader.counted() }

    package mutating func value() throws(CodingFailure) -> FieldValue { try reader.value() }

    package mutating func timestamp() throws(CodingFailure) -> HybridTimestamp {
        let milliseconds = try reader.signedNumber()
        guard let counter = UInt32(exactly: try reader.number()) else { throw CodingFailure("a clock's counter is too large") }
        return HybridTimestamp(milliseconds: milliseconds, counter: counter)
    }

    package mutating func device() throws(CodingFailure) -> DeviceID {
        if let known = try reference(among: devices) { return known }
        let device = DeviceID(try reader.text())
        devices.append(device)
        return device
    }

    package mutating func key() throws(CodingFailure) -> RecordKey {
        if let known = try reference(among: keys) { return known }
        let key = RecordKey(type: RecordType(try reader.text()), id: RecordID(try reader.text()))
        keys.append(key)
        return key
    }

    package mutating func vector() throws(CodingFailure) -> VersionVector {
        if let known = try reference(among: vectors) { return known }
        var pairs: [(device: DeviceID, sequence: UInt64)] = []
        for _ in 0..<(try reader.count()) { pairs.append((try device(), try reader.number())) }
        guard let vector = VersionVector(unordered: pairs) else { throw CodingFailure("a device stands twice in a version vector") }
        vectors.append(vector)
        return vector
    }

    package mutating func write() throws(CodingFailure) -> TaggedWrite {
        if let known = try reference(among: writes) { return known }
        let flags = try reader.byte()
        let device = try device()
        let sequence = try reader.number()
        guard sequence >= 1 else { throw CodingFailure("a write has the number 0") }
        let timestamp = try timestamp()
        let key = try key()
        let seen = flags & WriteFlags.hasSeen == 0 ? nil : try vector()
        let cursor = flags & WriteFlags.hasCursor == 0 ? nil : try reader.number()
        let hasRarities = flags & WriteFlags.hasRarities != 0
        let (order, app) = hasRarities ? (try reader.value().array ?? [], try reader.value().string) : ([], nil)
        let received = flags & WriteFlags.hasReceipt == 0 ? nil : try reader.signedNumber()
        let hubSequence = flags & WriteFlags.hasHubSequence == 0 ? nil : try reader.number()
        let receipt =
            received == nil && hubSequence == nil ? nil : TaggedWrite.Receipt(milliseconds: received, hubSequence: hubSequence)
        let operation: TaggedWrite.Operation = flags & WriteFlags.isDelete == 0 ? .put(try reader.fields()) : .delete
        let carried = flags & WriteFlags.carries == 0 ? FieldMap() : try reader.fields()
        let write = TaggedWrite(
            dot: Dot(device: device, sequence: sequence), isNumbered: flags & WriteFlags.isNumbered != 0, timestamp: timestamp, key: key,
            operation: operation, seen: seen, cursor: cursor, receipt: receipt, order: order, app: app, carried: carried)
        writes.append(write)
        return write
    }

    mutating func set() throws(CodingFailure) -> SharedMaximalSet {
        if let known = try reference(among: sets) { return known }
        let set = SharedMaximalSet(try MaximalSet(from: &self))
        sets.append(set)
        return set
    }

    /// Names in order, each once.
    mutating func names() throws(CodingFailure) -> [FieldName] {
        if let write = try reference(among: writes) {
            guard let names = write.fieldNames else { throw CodingFailure("a delete has no fields") }
            return names
        }
        var names: [FieldName] = []
        for _ in 0..<(try reader.count()) {
            let name = FieldName(try reader.text())
            // The fields are searched by halves: out of order, one would be missed and named twice.
            if let last = names.last, !(last < name) { throw CodingFailure("the fields are out of order") }
            names.append(name)
        }
        return names
    }

    package mutating func optionalWrite() throws(CodingFailure) -> TaggedWrite? { try flag() ? try write() : nil }

    package mutating func optionalValue() throws(CodingFailure) -> FieldValue? { try flag() ? try value() : nil }

    /// What a number points back at; nil where the element itself follows.
    private mutating func reference<Element>(among known: [Element]) throws(CodingFailure) -> Element? {
        let number = try reader.number()
        if number == 0 { return nil }
        guard number <= UInt64(known.count) else { throw CodingFailure("a reference points at nothing") }
        return known[Int(clamping: number) - 1]
    }
}
