import SyncModel

extension SyncHealth {
    /// How large a device's store is, and how fast it grows: a monoid.
    package struct Storage: Hashable, Sendable {
        /// What a line says of the size, and when.
        package struct Size: Hashable, Comparable, Sendable {
            /// The time of the line, in milliseconds since 1970.
            package let milliseconds: Int64
            /// The bytes of the store's files.
            package let bytes: Int

            /// Whether the left one comes first.
            package static func < (left: Size, right: Size) -> Bool {
                (left.milliseconds, left.bytes) < (right.milliseconds, right.bytes)
            }
        }

        /// The first line.
        package private(set) var first: Size
        /// The latest line.
        package private(set) var latest: Size

        /// What one line says.
        init(_ size: Size) { (first, latest) = (size, size) }

        /// The lines between which nothing else matters; in either order.
        init(_ one: Size, _ other: Size) { (first, latest) = (min(one, other), max(one, other)) }

        mutating func merge(_ other: Storage) { (first, latest) = (min(first, other.first), max(latest, other.latest)) }

        /// The bytes by which the store has grown in 30 days, on average from the first line to the latest, 0 where it has not; nil where
        /// these are less than a week apart.
        package var bytesPerMonth: Int? {
            let length = latest.milliseconds.distance(after: first.milliseconds)
            guard length >= 7 * Self.day else { return nil }
            let growth = Double(latest.bytes) - Double(first.bytes)
            return Int(min(max(0, growth * Double(30 * Self.day) / Double(length)), 1e18))
        }

        /// The days until the store has all that iCloud gives for nothing, if it goes on growing so, 0 where it has; nil where it does not
        /// grow, or where that is not known.
        package var daysLeft: Int? {
            let left = Self.limit - latest.bytes
            if left <= 0 { return 0 }
            guard let growth = bytesPerMonth, growth > 0 else { return nil }
            return Int(min(max(1, Double(left) / Double(growth) * 30), 1e9))
        }

        /// Whether the store has most of what iCloud gives for nothing, or will have all of it within half a year.
        package var isFillingUp: Bool {
            latest.bytes >= Self.limit / 10 * 8 || daysLeft.map { $0 <= Self.soon } == true
        }

        /// What iCloud gives for nothing, in bytes.
        private static let limit = Int(clamping: SizeLimit.freeStorage)
        private static let day: Int64 = 86_400_000
        /// Within how many days an end is worth a word.
        private static let soon = 182
    }
}
