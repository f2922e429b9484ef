import SyncSystem

/// The bytes of a file or an open descriptor, decompressed where they are gzip data; the first can be looked at before they are read.
///
/// A reference type, safe to use from several threads, one at a time.
package final class InputChunks: Sendable {
    private struct State: ~Copyable {
        var input: InputBytes
        /// What was looked at and is still to be read.
        var head: [UInt8] = []
        /// Room for one reading.
        var room = [UInt8](repeating: 0, count: InputChunks.size)

        /// Appends what one reading gives to what was looked at; false at the end.
        mutating func fill() throws(ReadingError) -> Bool {
            let result = unsafe room.withUnsafeMutableBytes { room in
                Result { () throws(ReadingError) in unsafe try input.read(into: room) }
            }
            let count = try result.get()
            head += room[..<count]
            return count > 0
        }
    }

    private let state: Locked<State>

    /// How many bytes are read at a time.
    private static let size = 256 << 10

    /// Opens a file.
    ///
    /// - Throws: ``AuditLogError`` that names the path.
    package convenience init(path: String, onRead: ReadingObserver? = nil) throws(AuditLogError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LineReader.openingFailed(path, .last) }
        if let status = try? FileStatus(descriptor: descriptor), status.isDirectory {
            close(descriptor)
            throw LineReader.openingFailed(path, Errno(number: EISDIR))
        }
        self.init(InputBytes(descriptor: descriptor, ownsDescriptor: true, onRead: onRead))
    }

    /// Reads from an open descriptor, which stays open.
    package convenience init(descriptor: Int32, onRead: ReadingObserver? = nil) {
        self.init(InputBytes(descriptor: descriptor, ownsDescriptor: false, onRead: onRead))
    }

    private init(_ input: consuming sending InputBytes) {
        state = Locked(State(input: input))
    }

    /// The first bytes: as many as asked for, fewer where the input ends or enough lines do, as a slow pipe may have no more for long.
    ///
    /// Nothing is read of the input that ``append(to:)`` does not give again.
    package func peek(count: Int, lines: Int = 1) throws(ReadingError) -> [UInt8] {
        let result = state.withLock { state in
            Result { () throws(ReadingError) in
                var ended = state.head.count { $0 == 0x0a }
                while state.head.count < count, ended < lines {
                    let start = state.head.count
                    guard try state.fill() else { break }
                    ended += state.head[start...].count { $0 == 0x0a }
                }
                return Array(state.head.prefix(count))
            }
        }
        return try result.get()
    }

    /// Appends the next bytes; false at the end.
    package func append(to bytes: inout [UInt8]) throws(ReadingError) -> Bool {
        let result = state.withLock { state in
            Result { () throws(ReadingError) in
                if state.head.isEmpty, try !state.fill() { return [UInt8]() }
                defer { state.head = [] }
                return state.head
            }
        }
        let next = try result.get()
        if bytes.isEmpty { bytes = next } else { bytes += next }
        return !next.isEmpty
    }

    /// The bytes for a reader of lines.
    ///
    /// - Parameter onRead: Is told of the bytes that are given, those included that were looked at.
    package func producer(onRead: ReadingObserver? = nil) -> LineProducer {
        { (bytes) throws(ReadingError) in
            let count = bytes.count
            defer { onRead?(bytes.count - count) }
            return try self.append(to: &bytes)
        }
    }
}
