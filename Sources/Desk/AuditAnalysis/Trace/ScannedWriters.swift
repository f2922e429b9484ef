import AuditLog
import SyncModel

/// The writers that scanned lines name, each pair of a log's device and a writer compared once.
///
/// - Complexity: O(1) expected for a line; memory grows with the pairs. A value type; its owner guards it.
struct ScannedWriters: Sendable {
    /// The writer of a line.
    struct Writer: Sendable {
        let name: DeviceID
        /// The device that logged the line; nil where it does not say.
        let source: DeviceID?
        /// Whether the writer is that device, under this name or an earlier one.
        let isOwn: Bool

        init(_ name: DeviceID, in source: DeviceID?) {
            (self.name, self.source) = (name, source)
            isOwn = source.map(name.isWriter) ?? false
        }
    }

    /// By a scanner's numbers of the two.
    private var known: [UInt64: Writer] = [:]

    /// The writer of a write's line.
    mutating func writer(of line: ScannedLine, _ names: ScannedNames) -> Writer {
        let pair = UInt64(UInt32(bitPattern: line.source)) << 32 | UInt64(UInt32(bitPattern: line.device))
        if let writer = known[pair] { return writer }
        func name(_ device: Int32) -> DeviceID { DeviceID(names.devices.name(Int(device)).text) }
        let writer = Writer(name(line.device), in: line.source < 0 ? nil : name(line.source))
        known[pair] = writer
        return writer
    }
}
