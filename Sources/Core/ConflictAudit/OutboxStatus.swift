public import SyncModel

/// The number and size of the writes of a device that wait to be sent.
///
/// ```swift
/// let status = try replica.outboxStatus()
/// print(status.writes, "writes wait,", status.setAside, "are set aside")
/// ```
public struct OutboxStatus: Hashable, Sendable {
    /// Writes that wait.
    public let writes: Int
    /// The size of the writes that wait, in bytes.
    public let bytes: Int
    /// Writes that the hub refused or that are too large for it; they wait for the app and are not counted in ``writes``.
    public let setAside: Int
    /// The bytes that may wait before ``isOverWarningLevel`` says so.
    public let warningBytes: Int
    /// The time of the oldest write that waits, by the device's clock; nil where none does or where that is not known.
    public let oldest: WallTime?

    /// Whether more bytes wait than ``warningBytes``.
    public var isOverWarningLevel: Bool { bytes > warningBytes }

    /// The bytes that may wait before a warning unless told otherwise: 3 MB, a megabyte being 1,000,000 bytes.
    public static let defaultWarningBytes = SizeLimit.waiting

    /// Describes what waits; no number is negative.
    public init(
        writes: Int, bytes: Int, setAside: Int = 0, warningBytes: Int = OutboxStatus.defaultWarningBytes, oldest: WallTime? = nil
    ) {
        self.writes = writes
        self.bytes = bytes
        self.setAside = setAside
        self.warningBytes = warningBytes
        self.oldest = oldest
    }
}
