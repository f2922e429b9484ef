/// The numbers of the values of a record's versions: of each version one for each field, 0 where there is none.
struct VersionValues: Sendable {
    let width: Int
    private var numbers: [Int32] = []

    /// Values of no version.
    ///
    /// - Parameters:
    ///   - width: How many fields there are.
    ///   - capacity: How many versions are expected.
    init(width: Int, capacity: Int = 0) {
        self.width = width
        numbers.reserveCapacity(width * capacity)
    }

    /// The fields by their numbers.
    var fields: Range<Int> { 0..<width }

    subscript(version: Int, field: Int) -> Int32 {
        @inline(__always) get { numbers[version * width + field] }
        @inline(__always) set { numbers[version * width + field] = newValue }
    }

    /// The values of a version.
    subscript(version: Int) -> ArraySlice<Int32> { numbers[version * width..<(version + 1) * width] }

    /// Adds the values of the next version, none of the fields behind the last that is given.
    mutating func append(_ values: some Collection<Int32>) {
        numbers += values
        numbers += repeatElement(0, count: width - values.count)
    }

    /// Adds a version that has no values.
    mutating func appendNone() { numbers += repeatElement(0, count: width) }

    /// Adds a version that has the same values as the one before.
    mutating func appendSame() {
        // One by one, since what is appended to itself whole is copied first.
        for index in numbers.count - width..<numbers.count { numbers.append(numbers[index]) }
    }

    /// Fills what a version lacks from another.
    mutating func fill(_ version: Int, from other: Int) {
        for field in fields where self[version, field] == 0 {
            let value = self[other, field]
            if value != 0 { self[version, field] = value }
        }
    }

    /// The values of versions in another order.
    func ordered(by order: [Int]) -> VersionValues {
        var ordered = VersionValues(width: width, capacity: order.count)
        for version in order { ordered.append(self[version]) }
        return ordered
    }
}
