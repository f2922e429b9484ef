package import SyncSystem

/// Where an audit keeps what does not fit into memory, and how much it may hold there.
package struct SpillSpace: Sendable {
    /// ``writesPerLook`` where nobody asks for another number.
    package static let usualWritesPerLook = 4096

    /// How many bytes of memory may be in use before writes to further records are kept in files.
    let limit: Int
    /// Whether more memory is in use than that.
    let isLimitExceeded: @Sendable (_ limit: Int) -> Bool
    /// About how many writes are audited between two looks at that.
    let writesPerLook: Int
    /// Into how many files the writes to records that do not fit are divided: a power of two.
    let groups: Int
    /// Makes an empty file that goes with its descriptor.
    let makeFile: @Sendable () throws -> Int32
    /// What to say where such a file cannot be written or read.
    let failure: @Sendable (Errno) -> any Error

    /// Describes where.
    ///
    /// - Parameter mostFiles: How many files each of the threads may make about; the fewer, the more often what they hold is divided again.
    package init(
        limit: Int, isLimitExceeded: @escaping @Sendable (_ limit: Int) -> Bool = usesMoreMemory, writesPerLook: Int = usualWritesPerLook,
        mostFiles: Int = .max,
        makeFile: @escaping @Sendable () throws -> Int32, failure: @escaping @Sendable (Errno) -> any Error
    ) {
        (self.limit, self.isLimitExceeded, self.writesPerLook) = (limit, isLimitExceeded, writesPerLook)
        (self.makeFile, self.failure) = (makeFile, failure)
        var groups = SpilledWrites.mostGroups
        while groups > 2, groups > mostFiles { groups /= 2 }
        self.groups = groups
    }

    /// Whether more memory is in use than may be.
    var isExceeded: Bool { isLimitExceeded(limit) }

    /// Whether writes that take so many bytes in a file can be too many for memory: a register takes about 300 bytes, and a write keeps 5
    /// for each.
    func mayBeExceeded(byFile bytes: Int64) -> Bool { bytes > Int64(limit / 64) }
}
