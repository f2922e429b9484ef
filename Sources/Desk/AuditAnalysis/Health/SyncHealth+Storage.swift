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

        /// The first line of each of the latest weeks that have any, oldest first.
        package private(set) var weeks: [Size]
        /// The latest line.
        package private(set) var latest: Size

        /// What one line says.
        init(_ size: Size) { (weeks, latest) = ([size], size) }

        /// What ``weeks`` and ``latest`` were.
        init?(weeks: [Size], latest: Size) {
            guard let first = weeks.first else { return nil }
            self.init(first)
            for size in weeks + [latest] { merge(Storage(size)) }
        }

        mutating func merge(_ other: Storage) {
            latest = max(latest, other.latest)
            var known: Set<Int64> = []
            weeks = Array((weeks + other.weeks).sorted().filter { known.insert(Self.week(of: $0)).inserted }.suffix(Self.mostWeeks))
        }

        /// The bytes by which the store has grown in 30 days, on average of four weeks or some more, 0 where it has not; nil where less is
        /// known.
        ///
        /// The first week does not count: what fills a new device is no growth.
        package var bytesPerMonth: Int? {
            guard let start = weeks.dropFirst().last(where: { latest.milliseconds.distance(after: $0.milliseconds) >= 28 * Self.day })
            else { return nil }
            let growth = Double(latest.bytes) - Double(start.bytes)
            let length = latest.milliseconds.distance(after: start.milliseconds)
            return Int(min(max(0, growth * Double(30 * Self.day) / Double(length)), 1e18))
        }

        private static func week(of size: Size) -> Int64 {
            let (week, rest) = size.milliseconds.quotientAndRemainder(dividingBy: 7 * day)
            return rest < 0 ? week - 1 : week
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
        /// More than a year tells nothing of what comes.
        private static let mostWeeks = 53
        /// Within how many days an end is worth a word.
        private static let soon = 182
    }
}
