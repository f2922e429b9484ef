import SyncBytes
package import SyncModel

/// How large what comes from outside may be: from the app, from a hub, from a device at a hub, from a line.
///
/// The one border between what anybody may say and what stores, queues and lines can hold. A write within it fits all of them, on every
/// device; one beyond it is refused, or skipped where it is in a hub's order already.
package enum WriteLimits {
    /// How deep arrays and objects may be nested in a field's value.
    ///
    /// Four less than in a line, whose deepest value is that of a field in the record of a side of a conflict.
    package static let depth = JSONParser.maximumDepth - 4

    /// The highest number of a device's write, and the last place in a hub's order: what a double, and so every JSON reader, holds exactly.
    package static let number: UInt64 = 1 << 53

    /// UTF-8 bytes in the name of a device, a record type, a record or a field.
    package static let nameBytes = 4096

    /// Bytes of one write's names and values together; a store keeps several writes of a record in one row, which SQLite limits to 10⁹
    /// bytes.
    package static let bytes = 128_000_000

    /// Milliseconds since 1970 that lines can write: the years 0000 to 9999.
    package static let milliseconds = RFC3339.range

    /// A wall clock's reading, moved into ``milliseconds``.
    package static func clamped(_ milliseconds: Int64) -> Int64 {
        min(max(milliseconds, Self.milliseconds.lowerBound), Self.milliseconds.upperBound)
    }

    /// Why a write is beyond the limits, as a sentence without its full stop; nil where it is within them.
    ///
    /// - Complexity: O(*n*) in the number of its fields, the values nested in them, and the devices that it names.
    package static func problem(with write: TaggedWrite) -> String? {
        problem(with: write.dot.device) ?? problem(with: write.key)
            ?? problem(with: write.fieldsAndCarried.map(TaggedWrite.Operation.put) ?? .delete)
            ?? problem(number: write.dot.sequence, "the write's number") ?? problem(
                milliseconds: write.timestamp.milliseconds, "its timestamp")
            ?? write.seen.flatMap { problem(with: $0, of: write.dot) } ?? write.receipt.flatMap(problem(with:))
            ?? write.app.flatMap { problem(name: $0, "the app's version") }
            ?? write.revision.flatMap { problem(name: $0.rev, "the revision's name") }
    }

    /// Why a device cannot have this name; nil where it can.
    package static func problem(with device: DeviceID) -> String? { problem(name: device.rawValue, "the device's name") }

    /// Why a record cannot have this key; nil where it can.
    package static func problem(with key: RecordKey) -> String? {
        // A line may leave the identity empty.
        problem(name: key.type.rawValue, "the record type")
            ?? (key.id.rawValue.isEmpty ? nil : problem(name: key.id.rawValue, "the record's identity"))
    }

    /// Why the fields of a put are too many, too deep or too large; nil where they are not.
    package static func problem(with operation: TaggedWrite.Operation) -> String? {
        guard case .put(let fields) = operation else { return nil }
        var room = bytes
        for field in fields {
            let (name, size) = (field.name.rawValue, field.name.rawValue.utf8.count)
            if size > nameBytes { return tooLong("the field's name", name, size) }
            room -= size
            if !field.value.isNested(atMost: depth, &room) {
                return room < 0
                    ? "its fields have more than \(bytes) bytes: write less at once"
                    : "the value of \(name.quoted) is nested more than \(depth) levels deep: split it up"
            }
        }
        return nil
    }

    private static func problem(with seen: VersionVector, of dot: Dot) -> String? {
        for entry in seen.entries {
            if let problem = problem(with: entry.device) ?? problem(number: entry.sequence, "a number that it has seen") { return problem }
        }
        guard seen[dot.device] > dot.sequence else { return nil }
        return
            "it names write \(seen[dot.device]) of its own device among those seen, and is write \(dot.sequence): it cannot have seen a later one"
    }

    private static func problem(with receipt: TaggedWrite.Receipt) -> String? {
        receipt.milliseconds.flatMap { problem(milliseconds: $0, "the time of its receipt") }
            ?? receipt.hubSequence.flatMap { problem(number: $0, "its place in the hub's order") }
    }

    private static func problem(number: UInt64, _ what: String) -> String? {
        (1...Self.number).contains(number) ? nil : "\(what) is \(number), and numbers go from 1 to \(Self.number)"
    }

    /// Why a time cannot be written in a line; nil where it can.
    ///
    /// - Parameter what: The time's name in the sentence.
    package static func problem(milliseconds: Int64, _ what: String) -> String? {
        Self.milliseconds.contains(milliseconds)
            ? nil : "\(what) is \(milliseconds) ms after 1970, out of the years 0000 to 9999: correct the clock of the device that wrote it"
    }

    package static func problem(name: String, _ what: String) -> String? {
        if name.isEmpty { return "\(what) is empty; it must name something" }
        let size = name.utf8.count
        return size > nameBytes ? tooLong(what, name, size) : nil
    }

    private static func tooLong(_ what: String, _ name: String, _ size: Int) -> String {
        "\(what) \(name.quoted) has \(size) bytes, and \(nameBytes) are allowed: shorten it"
    }
}

extension FieldValue {
    /// Whether arrays and objects are nested no deeper than a number of levels.
    package func isNested(atMost depth: Int) -> Bool {
        var room = Int.max
        return isNested(atMost: depth, &room)
    }

    /// Whether arrays and objects are nested no deeper than a number of levels, and the value fits.
    ///
    /// - Parameter room: Bytes that are left, to be reduced by the value's own; negative where it does not fit.
    fileprivate func isNested(atMost depth: Int, _ room: inout Int) -> Bool {
        switch self {
        case .null, .bool: room -= 1
        case .number(let number): room -= number.text.utf8.count
        case .string(let string): room -= string.utf8.count
        case .array(let elements):
            guard depth > 0 else { return false }
            for element in elements where !element.isNested(atMost: depth - 1, &room) { return false }
        case .object(let fields):
            guard depth > 0 else { return false }
            for field in fields {
                room -= field.name.rawValue.utf8.count
                if !field.value.isNested(atMost: depth - 1, &room) { return false }
            }
        }
        return room >= 0
    }
}
