import SyncModel

/// The numbers of a device's writes: given in memory, and reserved ahead in the shadow.
///
/// Only reserved ones are put into stamps, and a shadow that is opened goes on after the last one that was reserved, so that no number
/// names two versions. What is left out names none: an entry of a vector says that the store had held every version with a number up to its
/// own, and a version that was never made changes nothing of that.
package struct WriteNumbers: Sendable {
    /// How many are reserved at a time.
    static let batch: UInt64 = 10_000

    /// The number of the next write.
    private(set) var next: UInt64
    /// The number below which all are reserved.
    package var reserved: UInt64 = 1

    init(from next: UInt64 = 1) { self.next = next }

    /// Whether more should be reserved before they are needed.
    var isLow: Bool { reserved < next + Self.batch / 2 }

    func hasRoom(for count: Int) -> Bool { next + UInt64(count) <= reserved }

    /// The number up to which to reserve for a count of writes and a batch more.
    func bound(for count: Int) -> UInt64 { max(reserved, next + UInt64(count) + Self.batch) }

    mutating func take() -> UInt64 {
        defer { next += 1 }
        return next
    }

    /// Leaves out all numbers up to one; of a number that no device reaches, nothing is believed.
    mutating func skip(through number: UInt64) {
        if number < UInt64(1) << 62 { next = max(next, number + 1) }
    }
}
