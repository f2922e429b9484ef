import SyncBytes
import SyncMerge
package import SyncModel

/// Turns writes, and what a replica makes of them, into bytes that ``StateDecoder`` turns back into the same.
///
/// A write, a version vector, a key or a device's name that comes again is a number that points back at the first time, because the
/// registers of a record mostly hold the same few writes.
package struct StateEncoder: ~Copyable {
    private var writer = ByteWriter()
    private var writes = Backlog<TaggedWrite>()
    private var vectors = Backlog<VersionVector>()
    private var keys = Backlog<RecordKey>()
    private var devices = Backlog<DeviceID>()
    private var sets = Backlog<SetReference>()

    /// Bytes that hold nothing yet but the version of the form.
    ///
    /// - Parameter key: A key that the reader knows, so that it is nothing but a number; nil for none.
    package init(key: RecordKey? = nil) {
        begin(key: key)
    }

    /// Forgets everything and begins anew, in the same memory unless that is large.
    package mutating func begin(key: RecordKey? = nil) {
        writer.removeAll()
        writes.removeAll()
        vectors.removeAll()
        keys.removeAll()
        devices.removeAll()
        sets.removeAll()
        writer.byte(StateDecoder.version)
        if let key { keys.append(key) }
    }

    /// A copy of the bytes so far.
    package var bytes: [UInt8] { writer.bytes }

    package mutating func append(_ byte: UInt8) { writer.byte(byte) }

    package mutating func append(_ number: UInt64) { writer.number(number) }

    package mutating func append(_ number: Int) { writer.number(UInt64(number)) }

    package mutating func append(_ number: Int64) { writer.signedNumber(number) }

    package mutating func append(_ text: String) { writer.text(text) }

    /// Appends bytes behind their count.
    package mutating func append(bytes: [UInt8]) { writer.counted(bytes.span) }

    /// The same of what another has made.
    package mutating func append(bytesOf other: borrowing StateEncoder) { writer.counted(other.writer) }

    /// Appends what was appended to another, as if it had been appended here: numbers, strings and bytes, nothing that points back.
    package mutating func append(contentOf other: borrowing StateEncoder) { writer.append(other.writer, from: 1) }

    package mutating func append(_ value: FieldValue) { writer.value(value) }

    package mutating func append(_ timestamp: HybridTimestamp) {
        writer.signedNumber(timestamp.milliseconds)
        writer.number(UInt64(timestamp.counter))
    }

    package mutating func append(_ device: DeviceID) {
        if writer.refers(to: device, among: &devices) { return }
        writer.text(device.rawValue)
    }

    package mutating func append(_ key: RecordKey) {
        if writer.refers(to: key, among: &keys) { return }
        writer.text(key.type.rawValue)
        writer.text(key.id.rawValue)
    }

    package mutating func append(_ vector: VersionVector) {
        if writer.refers(to: vector, among: &vectors) { return }
        writer.number(UInt64(vector.entries.count))
        for entry in vector.entries {
            append(entry.device)
            writer.number(entry.sequence)
        }
    }

    package mutating func append(_ write: TaggedWrite) {
        if writer.refers(to: write, among: &writes) { return }
        let flags = WriteFlags.of(write)
        writer.byte(flags)
        append(write.dot.device)
        writer.number(write.dot.sequence)
        append(write.timestamp)
        append(write.key)
        if let seen = write.seen { append(seen) }
        if let cursor = write.cursor { writer.number(cursor) }
        if flags & WriteFlags.hasRarities != 0 {
            writer.value(.array(write.order))
            writer.value(write.app.map(FieldValue.string) ?? .null)
        }
        if let milliseconds = write.receipt?.milliseconds { writer.signedNumber(milliseconds) }
        if let sequence = write.receipt?.hubSequence { writer.number(sequence) }
        if let fields = write.fields { writer.fields(fields) }
        if !write.carried.isEmpty { writer.fields(write.carried) }
    }

    mutating func append(_ set: SharedMaximalSet) {
        if writer.refers(to: SetReference(set: set), among: &sets) { return }
        set.value.encode(into: &self)
    }

    /// Appends names in order: as those of a write that came before, where they are the same.
    mutating func append(names: [FieldName]) {
        let known = names.isEmpty ? nil : writes.number { $0.fieldNames == names }
        writer.number(UInt64(known ?? 0))
        if known != nil { return }
        writer.number(UInt64(names.count))
        for name in names { writer.text(name.rawValue) }
    }

    package mutating func append(_ write: TaggedWrite?) {
        writer.byte(write == nil ? 0 : 1)
        if let write { append(write) }
    }

    package mutating func append(_ value: FieldValue?) {
        writer.byte(value == nil ? 0 : 1)
        if let value { writer.value(value) }
    }
}

/// What a write has, as it is in bytes.
package enum WriteFlags {
    package static let isDelete: UInt8 = 1
    package static let isNumbered: UInt8 = 2
    package static let hasSeen: UInt8 = 4
    package static let hasReceipt: UInt8 = 8
    package static let hasHubSequence: UInt8 = 16
    package static let hasCursor: UInt8 = 32
    package static let hasRarities: UInt8 = 64
    package static let carries: UInt8 = 128

    /// Those of a write.
    package static func of(_ write: TaggedWrite) -> UInt8 {
        var flags: UInt8 = 0
        let receipt = write.receipt
        if write.isDelete { flags |= isDelete }
        if write.isNumbered { flags |= isNumbered }
        if write.seen != nil { flags |= hasSeen }
        if receipt?.milliseconds != nil { flags |= hasReceipt }
        if receipt?.hubSequence != nil { flags |= hasHubSequence }
        if write.cursor != nil { flags |= hasCursor }
        if !write.order.isEmpty || write.app != nil { flags |= hasRarities }
        if !write.carried.isEmpty { flags |= carries }
        return flags
    }
}

/// What has been written out, to point back at.
private struct Backlog<Element: Equatable> {
    private var elements: [Element] = []

    /// How far back a repetition is looked for.
    ///
    /// A missed one costs bytes and nothing else.
    private static var reach: Int { 32 }

    /// The number of an element, counted from 1; nil, and the element is noted, where it did not come before.
    mutating func number(of element: Element) -> Int? {
        let known = number { $0 == element }
        if known == nil { elements.append(element) }
        return known
    }

    /// The number of the latest element that is as wanted; nil without one.
    func number(where isWanted: (Element) -> Bool) -> Int? {
        var index = elements.count
        let limit = max(0, index - Self.reach)
        while index > limit {
            index -= 1
            if isWanted(elements[index]) { return index + 1 }
        }
        return nil
    }

    /// Appends an element that the reader knows.
    mutating func append(_ element: Element) { elements.append(element) }

    /// Forgets everything and keeps the memory.
    mutating func removeAll() {
        if !elements.isEmpty { elements.removeAll(keepingCapacity: true) }
    }
}

/// A set that is the same only where it is kept once: looking is not worth more.
private struct SetReference: Equatable {
    let set: SharedMaximalSet

    static func == (left: SetReference, right: SetReference) -> Bool { left.set.isIdentical(to: right.set) }
}

extension ByteWriter {
    /// Points back at an element; where it did not come before, says that it follows.
    fileprivate mutating func refers<Element: Equatable>(to element: Element, among backlog: inout Backlog<Element>) -> Bool {
        let known = backlog.number(of: element)
        number(UInt64(known ?? 0))
        return known != nil
    }
}
