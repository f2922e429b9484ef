package import SyncBytes
import SyncCoding
package import SyncModel

/// Turns writes into bytes of a ``SpillFile`` and back.
///
/// What a `StateEncoder` makes is read by programs yet to come. This is read by the process that wrote it, so what comes again and again is
/// a number in a table kept in memory, and values are the JSON in which they came. A value type; its owner guards it.
package struct SpilledWriteCoder: Sendable {
    private var devices = RepeatedElements<DeviceID>()
    private var types = RepeatedElements<RecordType>()
    private var names = RepeatedElements<[FieldName]>()
    private let hashKey: HashKey

    /// A coder that knows no names.
    ///
    /// - Parameter hashKey: By which they are hashed.
    package init(hashKey: HashKey) { self.hashKey = hashKey }

    /// The hash of the record that a write is to, as it was when the write was kept.
    func recordHash(of write: TaggedWrite) -> UInt64 { write.recordHash(hashKey) }

    /// Appends a write.
    package mutating func append(_ write: TaggedWrite, to bytes: inout ByteWriter) {
        let (flags, key, receipt) = (WriteFlags.of(write), write.key, write.receipt)
        bytes.byte(flags)
        append(write.dot.device, to: &bytes)
        bytes.number(write.dot.sequence)
        bytes.signedNumber(write.timestamp.milliseconds)
        bytes.number(UInt64(write.timestamp.counter))
        if !types.append(key.type, hash: key.type.quickHash(hashKey), size: key.type.bytes.count, to: &bytes) {
            key.type.bytes.withBytes { bytes.counted($0) }
        }
        key.id.bytes.withBytes { bytes.counted($0) }
        if let entries = write.seen?.entries {
            bytes.number(UInt64(entries.count))
            for entry in entries {
                append(entry.device, to: &bytes)
                bytes.number(entry.sequence)
            }
        }
        if let cursor = write.cursor { bytes.number(cursor) }
        if flags & WriteFlags.hasRarities != 0 {
            bytes.value(.array(write.order))
            bytes.value(write.app.map(FieldValue.string) ?? .null)
        }
        if let milliseconds = receipt?.milliseconds { bytes.signedNumber(milliseconds) }
        if let sequence = receipt?.hubSequence { bytes.number(sequence) }
        if let fields = write.fields { append(fields, to: &bytes) }
        if flags & WriteFlags.carries != 0 { append(write.carried, to: &bytes) }
    }

    /// Reads a write.
    package func write(from bytes: inout ByteReader) throws(CodingFailure) -> TaggedWrite {
        let flags = try bytes.byte()
        func has(_ flag: UInt8) -> Bool { flags & flag != 0 }
        let dot = Dot(device: try device(from: &bytes), sequence: try bytes.number())
        let milliseconds = try bytes.signedNumber()
        let timestamp = HybridTimestamp(milliseconds: milliseconds, counter: UInt32(truncatingIfNeeded: try bytes.number()))
        let type = try types.element(from: &bytes) { bytes throws(CodingFailure) in try bytes.withCounted { RecordType($0) } }
        let id = try bytes.withCounted { RecordID($0) }
        let seen = has(WriteFlags.hasSeen) ? try vector(from: &bytes) : nil
        let cursor = has(WriteFlags.hasCursor) ? try bytes.number() : nil
        let (order, app) = has(WriteFlags.hasRarities) ? (try bytes.value().array ?? [], try bytes.value().string) : ([], nil)
        let received = has(WriteFlags.hasReceipt) ? try bytes.signedNumber() : nil
        let hubSequence = has(WriteFlags.hasHubSequence) ? try bytes.number() : nil
        let isReceived = received != nil || hubSequence != nil
        return TaggedWrite(
            dot: dot, isNumbered: has(WriteFlags.isNumbered), timestamp: timestamp, key: RecordKey(type: type, id: id),
            operation: has(WriteFlags.isDelete) ? .delete : .put(try fields(from: &bytes)), seen: seen, cursor: cursor,
            receipt: isReceived ? TaggedWrite.Receipt(milliseconds: received, hubSequence: hubSequence) : nil, order: order, app: app,
            carried: has(WriteFlags.carries) ? try fields(from: &bytes) : FieldMap())
    }

    private mutating func append(_ device: DeviceID, to bytes: inout ByteWriter) {
        if !devices.append(device, hash: device.quickHash(hashKey), size: device.bytes.count, to: &bytes) {
            device.bytes.withBytes { bytes.counted($0) }
        }
    }

    private func device(from bytes: inout ByteReader) throws(CodingFailure) -> DeviceID {
        try devices.element(from: &bytes) { bytes throws(CodingFailure) in try bytes.withCounted { DeviceID($0) } }
    }

    private func vector(from bytes: inout ByteReader) throws(CodingFailure) -> VersionVector {
        let count = try bytes.count()
        var entries: [VersionVector.Entry] = []
        entries.reserveCapacity(count)
        for _ in 0..<count { entries.append(VersionVector.Entry(device: try device(from: &bytes), sequence: try bytes.number())) }
        return VersionVector(sorted: entries)
    }

    private mutating func append(_ fields: FieldMap, to bytes: inout ByteWriter) {
        guard let texts = fields.texts else {
            bytes.byte(0)
            return bytes.fields(fields)
        }
        bytes.byte(1)
        let list = fields.sortedNames
        let hash = list.reduce(hashKey.start(count: list.count)) { $1.quickHash(hashKey, after: $0) }
        if !names.append(list, hash: hash, size: list.reduce(0) { $0 + $1.bytes.count + 16 }, to: &bytes) {
            bytes.number(UInt64(list.count))
            for name in list { name.bytes.withBytes { bytes.counted($0) } }
        }
        texts.withBytes { bytes.counted($0) }
    }

    private func fields(from bytes: inout ByteReader) throws(CodingFailure) -> FieldMap {
        if try bytes.byte() == 0 { return try bytes.fields() }
        let list = try names.element(from: &bytes) { bytes throws(CodingFailure) in
            var list: [FieldName] = []
            for _ in 0..<(try bytes.count()) { list.append(try bytes.withCounted { FieldName($0) }) }
            return list
        }
        return FieldMap(sortedNames: list, texts: try bytes.withCounted { ValueTexts(bytes: $0, count: list.count) })
    }
}

/// Elements that come again and again, as numbers from 1.
///
/// Bounded: once they take megabytes, any other is written out each time, behind a 0.
private struct RepeatedElements<Element: Equatable & Sendable>: Sendable {
    private var elements: [Element] = []
    private var index = HashIndex()
    /// How many bytes of elements are yet to be taken.
    private var room = 4 << 20

    /// About what an element takes besides its bytes.
    private static var overhead: Int { 32 }

    /// Appends the number of an element.
    ///
    /// - Parameter size: How many bytes it has.
    /// - Returns: Whether it has one; if not, the element itself is to follow.
    mutating func append(_ element: Element, hash: UInt64, size: @autoclosure () -> Int, to bytes: inout ByteWriter) -> Bool {
        var number = index.find(hash) { elements.span[$0] == element }.map { $0 + 1 }
        if number == nil, case let size = size() + Self.overhead, size <= room {
            room -= size
            index.insert(elements.count, hash: hash)
            elements.append(element)
            number = elements.count
        }
        bytes.number(UInt64(number ?? 0))
        return number != nil
    }

    /// Reads an element.
    ///
    /// - Parameter read: Reads one that has no number.
    func element(
        from bytes: inout ByteReader, _ read: (inout ByteReader) throws(CodingFailure) -> Element
    ) throws(CodingFailure) -> Element {
        let number = try bytes.number()
        if number == 0 { return try read(&bytes) }
        guard number <= UInt64(elements.count) else { throw CodingFailure("a number points at nothing") }
        return elements[Int(clamping: number) - 1]
    }
}
