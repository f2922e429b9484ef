package import ConflictAudit
import SyncBytes
import SyncModel

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

/// Hashes the edit that a conflict discards, in every process alike: the register, and the write that loses it.
///
/// One edit may lose to several writes, on one device to this and on another to that: it is lost once. What is proven and what is only
/// suspected of it are two matters, so that neither hides the other.
package enum EditHash {
    /// The hash of the edit that a conflict discards.
    package static func value(of conflict: Conflict) -> UInt64 {
        var hash = FNV1a()
        hash.combine(conflict.key.type.rawValue)
        hash.combine(conflict.key.id.rawValue)
        if let field = conflict.field { hash.combine(field.rawValue) }
        return value(hash, DotHash(conflict.loser.dot.device.rawValue).value(of: conflict.loser.dot.sequence), conflict.isProven)
    }

    /// - Parameter field: The field; nil for the whole record.
    static func value(
        type: LineCursor.Text, id: LineCursor.Text, field: LineCursor.Text?, loser: DotHash, number: Int64, isProven: Bool
    ) -> UInt64 {
        var hash = FNV1a()
        hash.combine(counted: unsafe Span(_unsafeElements: type.bytes))
        hash.combine(counted: unsafe Span(_unsafeElements: id.bytes))
        if let field { hash.combine(counted: unsafe Span(_unsafeElements: field.bytes)) }
        return value(hash, loser.value(of: UInt64(number)), isProven)
    }

    private static func value(_ register: FNV1a, _ loser: UInt64, _ isProven: Bool) -> UInt64 {
        FNV1a.mixed((register.value ^ loser) &+ (isProven ? 0 : 1))
    }
}
