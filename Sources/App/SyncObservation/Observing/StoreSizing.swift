/// When the size of a store is to be measured: once a day at most.
struct StoreSizing: Sendable {
    private let bytes: (@Sendable () -> Int64?)?
    /// When it was measured last, in milliseconds since 1970.
    private var last: Int64?

    /// Nothing to measure, or a store.
    init(bytes: (@Sendable () -> Int64?)? = nil) { self.bytes = bytes }

    private static let day: Int64 = 86_400_000

    /// What measures the store, where it is time to; then it counts as measured.
    ///
    /// A clock that was put back does not put that off.
    mutating func due(at milliseconds: Int64) -> (@Sendable () -> Int64?)? {
        guard let bytes else { return nil }
        if let last, milliseconds >= last, milliseconds - last < Self.day { return nil }
        last = milliseconds
        return bytes
    }
}
