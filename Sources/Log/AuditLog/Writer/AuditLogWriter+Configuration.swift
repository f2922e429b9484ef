extension AuditLogWriter {
    /// The configuration of a log writer.
    public struct Configuration: Hashable, Sendable {
        /// The policy by which lines go from memory to the file.
        public var flush = FlushPolicy.interval(.milliseconds(500))
        /// The policy by which the file is forced onto the disk.
        public var sync = SyncPolicy.interval(.seconds(5))
        /// The policy by which a new file is begun.
        public var rotation = RotationPolicy.daily(maximumBytes: 16 << 20)
        /// Which rotated files are kept.
        public var retention = RetentionPolicy(maximumFiles: 30, maximumBytes: 256 << 20)
        /// Which values are logged.
        public var values = ValuePrivacy.omitted
        /// The most bytes of a single value's JSON; longer ones are cut, see ``TruncatedValue``.
        public var maximumValueBytes = 4096
        /// The most bytes that wait in memory while the disk does not take them.
        ///
        /// A line that is longer on its own is dropped too.
        public var maximumQueuedBytes = 1 << 20
        /// The most lines that wait in memory.
        public var maximumQueuedLines = 10_000

        /// The defaults: nothing recorded waits for the disk, no values are logged, at most 272 MiB of files.
        public init() {}
    }

    /// The counts of a writer since it was opened.
    public struct Statistics: Hashable, Sendable {
        /// Lines in the file, the log's own included.
        public var linesWritten = 0
        /// The bytes of those lines.
        public var bytesWritten = 0
        /// Lines given up because the queue was full, a line was too long for it, or the writer was closed.
        public var linesDropped = 0
        /// Lines in memory.
        public var linesQueued = 0
        /// Values cut to the configured length.
        public var valuesTruncated = 0
        /// Bytes of torn lines that were found at the end of the file.
        public var bytesRecovered = 0
        /// Files closed for new ones.
        public var rotations = 0
        /// Files deleted as the retention policy asks.
        public var filesDeleted = 0
        /// Times that the file was forced onto the disk.
        public var syncs = 0
        /// Times that the system refused to open, write, sync, rename or delete.
        public var failures = 0
        /// The sentence of the last failure.
        public var lastFailure: String?
    }
}
