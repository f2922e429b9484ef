import AuditLog
import SyncLines
import SyncSystem

/// Entries in a temporary file, written one after the other and read in the same order, any number of times.
///
/// Thread-safe; the file is gone with it.
final class SpillFile: Sendable {
    /// What was kept of a line.
    struct Entry: Sendable {
        /// The position of the line in the trace.
        let position: UInt64
        /// A number that goes with it.
        let number: UInt64
        let bytes: [UInt8]
    }

    private struct State {
        /// What is not in the file yet.
        var pending: [UInt8] = []
        /// How many bytes are in the file.
        var written: Int64 = 0
    }

    private static let pendingSize = 1 << 15
    /// The bytes of an entry before its own: its position, its number and how many bytes follow.
    fileprivate static let headSize = 20

    private let descriptor: Int32
    private let failure: @Sendable (Errno) -> any Error
    private let state = Locked(State())

    init(_ space: SpillSpace) throws {
        descriptor = try space.makeFile()
        failure = space.failure
    }

    deinit { close(descriptor) }

    /// Where the next entry begins.
    var end: Int64 { state.withLock { $0.written + Int64($0.pending.count) } }

    /// Appends an entry.
    func append(position: UInt64, number: UInt64, _ bytes: some Collection<UInt8>) throws {
        try state.withLock { state in
            unsafe withUnsafeBytes(of: (position.littleEndian, number.littleEndian)) { unsafe state.pending.append(contentsOf: $0) }
            unsafe withUnsafeBytes(of: UInt32(bytes.count).littleEndian) { unsafe state.pending.append(contentsOf: $0) }
            state.pending.append(contentsOf: bytes)
            if state.pending.count >= Self.pendingSize { try flush(&state) }
        }
    }

    private func flush(_ state: inout State) throws {
        if let error = writeBytes(state.pending, to: descriptor) { throw failure(error) }
        state.written += Int64(state.pending.count)
        state.pending.removeAll(keepingCapacity: true)
    }

    /// Reads the entries between two ends.
    ///
    /// - Parameter onRead: Is told of every reading.
    func entries(from start: Int64 = 0, to end: Int64? = nil, onRead: ReadingObserver? = nil) throws -> Reader {
        try state.withLock { try flush(&$0) }
        return Reader(file: self, offset: start, end: end ?? self.end, onRead: onRead)
    }

    fileprivate func read(at offset: Int64, count: Int) throws -> [UInt8] {
        do throws(Errno) {
            return try readBytes(descriptor, at: offset, count: count)
        } catch {
            throw failure(error)
        }
    }

    /// Reads entries in order.
    ///
    /// A value type; its owner guards it.
    struct Reader: Sendable {
        private static let blockSize = 1 << 15

        private let file: SpillFile
        private var offset: Int64
        private let end: Int64
        private let onRead: ReadingObserver?
        private var block: [UInt8] = []
        private var index = 0

        fileprivate init(file: SpillFile, offset: Int64, end: Int64, onRead: ReadingObserver?) {
            (self.file, self.offset, self.end, self.onRead) = (file, offset, end, onRead)
        }

        /// The next entry, nil where there is none.
        mutating func next() throws -> Entry? {
            guard try fill(SpillFile.headSize) else { return nil }
            let (position, number, count) = unsafe block.withUnsafeBytes { bytes in
                (
                    unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)),
                    unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index + 8, as: UInt64.self)),
                    unsafe Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index + 16, as: UInt32.self)))
                )
            }
            index += SpillFile.headSize
            guard try fill(count) else { throw file.failure(Errno(number: EIO)) }
            defer { index += count }
            return Entry(position: position, number: number, bytes: Array(block[index..<index + count]))
        }

        /// Makes sure that so many bytes are at hand; false where there are none left.
        private mutating func fill(_ count: Int) throws -> Bool {
            guard block.count - index < count else { return true }
            block.removeFirst(index)
            index = 0
            let wanted = Int(min(Int64(max(Self.blockSize, count) - block.count), end - offset))
            let more = try file.read(at: offset, count: max(0, wanted))
            offset += Int64(more.count)
            onRead?(more.count)
            block += more
            return block.count >= count
        }
    }
}
