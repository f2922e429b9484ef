import SyncLines
import SyncSystem

/// The bytes of a file or an open descriptor, decompressed where they are gzip data; the first can be looked at before they are read.
///
/// A reference type, safe to use from several threads, one at a time.
package final class InputChunks: Sendable {
    private struct State: ~Copyable {
        var input: InputBytes
        /// What was looked at and is still to be read.
        var head: [UInt8] = []
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

    /// The first bytes: as many as asked for, fewer where the input ends or a line does, as a slow pipe may have no more for long.
    ///
    /// Nothing is read of the input that ``append(to:)`` does not give again.
    package func peek(count: Int) throws(ReadingError) -> [UInt8] {
        let result = state.withLock { state in
            Result { () throws(ReadingError) in
                while state.head.count < count, !state.head.contains(0x0a), try Self.fill(&state.input, &state.head) {}
                return Array(state.head.prefix(count))
            }
        }
        return try result.get()
    }

    /// Appends the next bytes; false at the end.
    package func append(to bytes: inout [UInt8]) throws(ReadingError) -> Bool {
        var next: [UInt8] = []
        let result = state.withLock { state in
            Result { () throws(ReadingError) in
                if !state.head.isEmpty {
                    swap(&next, &state.head)
                    return true
                }
                return try Self.fill(&state.input, &next)
            }
        }
        let isMore = try result.get()
        if bytes.isEmpty { swap(&bytes, &next) } else { bytes += next }
        return isMore
    }

    private static func fill(_ input: inout InputBytes, _ bytes: inout [UInt8]) throws(ReadingError) -> Bool {
        let start = bytes.count
        bytes += [UInt8](repeating: 0, count: size)
        let result = unsafe bytes.withUnsafeMutableBytes { bytes in
            Result { () throws(ReadingError) in
                unsafe try input.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]))
            }
        }
        bytes.removeLast(size - ((try? result.get()) ?? 0))
        return try result.get() > 0
    }

    /// The bytes for a reader of lines.
    package var producer: LineProducer {
        { (bytes) throws(ReadingError) in try self.append(to: &bytes) }
    }
}
