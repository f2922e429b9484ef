package import SyncSystem

/// Where an audit keeps what does not fit into memory, and how much it may hold there.
package struct SpillSpace: Sendable {
    /// How many bytes of memory may be in use before writes to further records are kept in files.
    let limit: Int
    /// How many bytes of memory are in use.
    let memoryInUse: @Sendable () -> Int
    /// About how many writes are audited between two looks at that.
    let writesPerLook: Int
    /// Makes an empty file that goes with its descriptor.
    let makeFile: @Sendable () throws -> Int32
    /// What to say where such a file cannot be written or read.
    let failure: @Sendable (Errno) -> any Error

    /// Describes where.
    package init(
        limit: Int, memoryInUse: @escaping @Sendable () -> Int = bytesInUse, writesPerLook: Int = 4096,
        makeFile: @escaping @Sendable () throws -> Int32, failure: @escaping @Sendable (Errno) -> any Error
    ) {
        (self.limit, self.memoryInUse, self.writesPerLook) = (limit, memoryInUse, writesPerLook)
        (self.makeFile, self.failure) = (makeFile, failure)
    }

    /// Whether more memory is in use than may be.
    var isExceeded: Bool { memoryInUse() > limit }
}
