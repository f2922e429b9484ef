import AuditLog
import SyncBytes
import SyncModel
import SyncSystem

/// Entries in a temporary file, written one after the other and read in the same order, any number of times.
///
/// What is read is what was written, or the reading fails: each block carries a keyed hash of its bytes. Thread-safe; the file is gone with
/// it.
final class SpillFile: Sendable {
    private struct State: ~Copyable {
        /// What is not in the file yet.
        var pending = ByteWriter()
        /// How many bytes are in the file.
        var written: Int64 = 0
    }

    /// How many bytes of entries make a block, which ends with an entry.
    private static let blockSize = 1 << 15
    /// The bytes of a block before its entries: how many they take, and their hash.
    private static let headSize = 16

    private let descriptor: Int32
    private let failure: @Sendable (Errno) -> any Error
    private let state = Locked(State())
    private let hashKey = HashKey()

    init(_ space: SpillSpace) throws {
        descriptor = try space.makeFile()
        failure = space.failure
    }

    deinit { close(descriptor) }

    /// How many bytes of blocks and entries there are.
    var size: Int64 { state.withLock { $0.written + Int64($0.pending.count) } }

    /// Appends an entry.
    ///
    /// - Parameter write: Writes it; how long it is is up to whoever reads it.
    func append(_ write: (inout ByteWriter) -> Void) throws {
        try state.withLock { state in
            write(&state.pending)
            if state.pending.count >= Self.blockSize { try flush(&state) }
        }
    }

    /// Ends a block, and returns where the next one begins.
    func endBlock() throws -> Int64 {
        try state.withLock { state in
            try flush(&state)
            return state.written
        }
    }

    private func flush(_ state: inout State) throws {
        guard state.pending.count > 0 else { return }
        let entries = state.pending.bytes
        var block: [UInt8] = []
        block.reserveCapacity(Self.headSize + entries.count)
        for number in [UInt64(entries.count), hash(of: entries, at: state.written)] {
            unsafe withUnsafeBytes(of: number.littleEndian) { unsafe block.append(contentsOf: $0) }
        }
        block += entries
        if let error = writeBytes(block, to: descriptor) { throw failure(error) }
        state.written += Int64(block.count)
        state.pending.removeAll()
    }

    /// The hash of a block's entries and of where the block begins.
    private func hash(of entries: [UInt8], at offset: Int64) -> UInt64 {
        hashKey.mix(entries.span, into: hashKey.start(count: Int(clamping: offset)))
    }

    /// Reads the entries between two ends of blocks.
    ///
    /// - Parameter onRead: Is told of every reading.
    func entries(from start: Int64 = 0, to end: Int64? = nil, onRead: ReadingObserver? = nil) throws -> Reader {
        Reader(file: self, offset: start, end: try end ?? endBlock(), onRead: onRead)
    }

    fileprivate func block(at offset: Int64) throws -> (entries: [UInt8], size: Int) {
        let head = try read(at: offset, count: Self.headSize)
        guard let count = Int(exactly: head.span.word(at: 0)), count <= size else { throw damage }
        let entries = try read(at: offset + Int64(Self.headSize), count: count)
        guard hash(of: entries, at: offset) == head.span.word(at: 8) else { throw damage }
        return (entries, Self.headSize + count)
    }

    private func read(at offset: Int64, count: Int) throws -> [UInt8] {
        do throws(Errno) {
            let bytes = try readBytes(descriptor, at: offset, count: count)
            guard bytes.count == count else { throw Errno(number: EIO) }
            return bytes
        } catch {
            throw failure(error)
        }
    }

    /// What is said where the file does not hold what was written.
    fileprivate var damage: any Error { failure(Errno(number: EIO)) }

    /// Reads entries in order.
    ///
    /// A value type; its owner guards it.
    struct Reader: Sendable {
        private let file: SpillFile
        private var offset: Int64
        private let end: Int64
        private let onRead: ReadingObserver?
        private var block = ByteReader([])

        fileprivate init(file: SpillFile, offset: Int64, end: Int64, onRead: ReadingObserver?) {
            (self.file, self.offset, self.end, self.onRead) = (file, offset, end, onRead)
        }

        /// The next entry, nil where there is none.
        ///
        /// - Parameter read: Reads what was written.
        mutating func next<Entry>(_ read: (inout ByteReader) throws(CodingFailure) -> Entry) throws -> Entry? {
            while block.isAtEnd {
                guard offset < end else { return nil }
                let (entries, size) = try file.block(at: offset)
                block = ByteReader(entries)
                offset += Int64(size)
                onRead?(size)
            }
            do throws(CodingFailure) {
                return try read(&block)
            } catch {
                throw file.damage
            }
        }
    }
}
