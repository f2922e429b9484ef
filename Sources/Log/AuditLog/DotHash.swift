import SyncBytes

/// Hashes the dots of one device, in every process alike.
package struct DotHash: BitwiseCopyable, Sendable {
    private let device: UInt64

    /// A hash of the dots of a device by its name.
    package init(_ device: String) {
        var hash = FNV1a()
        device.withBytes { hash.combine($0) }
        self.device = hash.value
    }

    init(_ device: LineCursor.Text) {
        var hash = FNV1a()
        hash.combine(unsafe Span(_unsafeElements: device.bytes))
        self.device = hash.value
    }

    /// The hash of the device's write of a number.
    package func value(of number: UInt64) -> UInt64 { FNV1a.mixed(device &+ number &* 0x9e37_79b9_7f4a_7c15) }
}
