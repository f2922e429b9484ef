public import SyncModel

/// What one attribute of a record holds: who wrote it last, and, for each field whose export had not begun then, every version of the field
/// that the writer's store had held.
///
/// The text is a version of the form, the write's dot and time, a table of the other devices, and for each field its name, the number of
/// its version where that is not the write's own, what else its vector names by the devices' indices in the table, and a hash:
/// `2phone.c:kf12oi2u:tablet;title:,0.7=1k2j3h4`. Fields that the stamp does not name are not described by it.
///
/// ```swift
/// let stamp = RecordStamp("2phone.c:kf12oi2u:tablet;title:,0.7=1k2j3h4")
/// ```
public struct RecordStamp: Hashable, Sendable {
    /// The name of the write that the stamp was made for.
    public let dot: Dot
    /// The time at which it was made, by its device's clock.
    public let time: WallTime
    /// What it says of the fields whose export had not begun: versions that its writer made.
    public let entries: [FieldName: FieldStamp]

    private static let form: Unicode.Scalar = "2"

    /// The stamp as it is kept in the model.
    public var text: String {
        var writer = StampWriter()
        let sorted = entries.sorted { $0.key < $1.key }.map { name, entry in
            Entry(name: name, sequence: entry.dot.sequence, vector: entry.vector, isFogged: entry.isFogged, hash: entry.hash)
        }
        Self.write(dot, time, sorted, to: &writer)
        return writer.text
    }

    /// What a stamp says of one field; whether the vector includes the version itself makes no difference.
    struct Entry {
        let name: FieldName
        let sequence: UInt64
        let vector: VersionVector
        let isFogged: Bool
        let hash: ValueHash
    }

    /// Writes a stamp whose entries are sorted by name.
    static func write(_ dot: Dot, _ time: WallTime, _ entries: [Entry], to writer: inout StampWriter) {
        writer.append(form)
        writer.append(dot.device, dot.sequence)
        writer.append(":")
        writer.append(UInt64(clamping: time.millisecondsSince1970))
        // The vectors of a record mostly name the same devices.
        var others = VersionVector()
        for entry in entries { others.formUnion(entry.vector) }
        let devices = others.isEmpty ? [] : others.entries.map(\.device).filter { $0 != dot.device }
        for index in devices.indices {
            writer.append(index == 0 ? ":" : ",")
            writer.append(word: devices[index].rawValue)
        }
        for entry in entries {
            writer.append(";")
            writer.append(word: entry.name.rawValue)
            writer.append(":")
            if entry.sequence != dot.sequence { writer.append(entry.sequence) }
            var index = 0
            // Both are sorted by device.
            for known in entry.vector.entries where known.device != dot.device {
                while devices[index] != known.device { index += 1 }
                writer.append(",")
                writer.append(UInt64(index))
                writer.append(".")
                writer.append(known.sequence)
            }
            writer.append(entry.hash, isFogged: entry.isFogged)
        }
    }

}

extension RecordStamp {
    /// Reads a stamp; nil where the text is none, or has a form of another version.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    public init?(_ text: String) {
        guard var reader = StampReader(text), reader.skip(Self.form), let dot = reader.dot(), reader.skip(":"), let time = reader.number(),
            let devices = reader.devices(besides: dot.device)
        else { return nil }
        var entries: [FieldName: FieldStamp] = [:]
        while reader.skip(";") {
            guard entries.count < StampText.maximumEntries, let name = reader.word(),
                let entry = reader.entry(of: dot, devices), entries.updateValue(entry, forKey: FieldName(name)) == nil
            else { return nil }
        }
        guard reader.isAtEnd else { return nil }
        self.dot = dot
        self.time = WallTime(millisecondsSince1970: Int64(clamping: time))
        self.entries = entries
    }
}

extension StampReader {
    /// Consumes the table of a stamp's other devices, which is sorted and empty where it is left out.
    fileprivate mutating func devices(besides writer: DeviceID) -> [DeviceID]? {
        var devices: [DeviceID] = []
        guard skip(":") else { return devices }
        repeat {
            guard devices.count < StampText.maximumEntries, let name = word() else { return nil }
            let device = DeviceID(name)
            if device == writer { return nil }
            if let last = devices.last, !(last < device) { return nil }
            devices.append(device)
        } while skip(",")
        return devices
    }

    /// Consumes what a stamp says of a field after its name.
    fileprivate mutating func entry(of write: Dot, _ devices: [DeviceID]) -> FieldStamp? {
        guard skip(":"), let sequence = isAtNumber ? number() : write.sequence, sequence >= 1 else { return nil }
        var dots = [(device: write.device, sequence: sequence)]
        var next: UInt64 = 0
        while skip(",") {
            // In the table's order, so that no device comes twice.
            guard let index = number(), index >= next, index < devices.count, let sequence = self.sequence() else { return nil }
            dots.append((devices[Int(clamping: index)], sequence))
            next = index + 1
        }
        guard let (hash, isFogged) = hash(), let vector = VersionVector(unordered: dots) else { return nil }
        return FieldStamp(dot: Dot(device: write.device, sequence: sequence), vector: vector, isFogged: isFogged, hash: hash)
    }
}
