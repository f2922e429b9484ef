/// Hashes the dots of one device, in every process alike.
///
/// Sources: FNV-1a (Fowler, Noll and Vo); the finaliser of MurmurHash3 (Appleby).
package struct DotHash: BitwiseCopyable, Sendable {
    private let device: UInt64

    /// A hash of the dots of a device by its name.
    package init(_ device: String) { self.init(bytes: device.utf8) }

    init(bytes: some Sequence<UInt8>) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        device = Self.mixed(hash)
    }

    /// The hash of the device's write of a number.
    package func value(of number: UInt64) -> UInt64 { Self.mixed(device &+ number &* 0x9e37_79b9_7f4a_7c15) }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = (value ^ (value >> 33)) &* 0xff51_afd7_ed55_8ccd
        mixed = (mixed ^ (mixed >> 33)) &* 0xc4ce_b9fe_1a85_ec53
        return mixed ^ (mixed >> 33)
    }
}
