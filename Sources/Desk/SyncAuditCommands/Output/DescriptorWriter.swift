import SyncSystem

/// Collects output and writes it to an open descriptor in large pieces.
///
/// Leaves the descriptor open.
package final class DescriptorWriter: ByteSink {
    private let descriptor: Int32
    private let name: String
    private let capacity: Int
    package let canBeTakenBack: Bool
    private var buffer: [UInt8] = []
    /// Once writing has failed there is a hole in the output, and nothing may come after it.
    private var failure: CommandError?

    /// A writer.
    ///
    /// - Parameters:
    ///   - descriptor: Where to write. `SIGPIPE` must be ignored, or the process ends where nobody reads on.
    ///   - name: What messages call it.
    ///   - capacity: How many bytes are kept before they are written.
    ///   - canBeTakenBack: Whether the descriptor is that of a file which was empty and nobody else reads yet.
    package init(descriptor: Int32, name: String, capacity: Int = 64 * 1024, canBeTakenBack: Bool = false) {
        self.descriptor = descriptor
        self.canBeTakenBack = canBeTakenBack
        self.name = name
        self.capacity = capacity
    }

    package func write(_ bytes: [UInt8]) throws(CommandError) {
        // A large piece need not be gathered with others.
        if bytes.count >= capacity {
            try flush()
            return try writeOut(bytes)
        }
        if let failure { throw failure }
        buffer += bytes
        if buffer.count >= capacity { try flush() }
    }

    package func flush() throws(CommandError) {
        try writeOut(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    package func takeBack() throws(CommandError) {
        precondition(canBeTakenBack, "what others may have read is not taken back")
        buffer.removeAll(keepingCapacity: true)
        if let failure { throw failure }
        if ftruncate(descriptor, 0) != 0 || lseek(descriptor, 0, SEEK_SET) != 0 { throw failed(.last) }
    }

    private func writeOut(_ bytes: [UInt8]) throws(CommandError) {
        if let failure { throw failure }
        guard let error = writeBytes(bytes, to: descriptor) else { return }
        throw failed(error)
    }

    private func failed(_ error: Errno) -> CommandError {
        let failure =
            error.number == EPIPE ? CommandError.outputClosed : CommandError(.inputOutput, "writing \(name) failed: \(error.sentence)")
        self.failure = failure
        return failure
    }
}
