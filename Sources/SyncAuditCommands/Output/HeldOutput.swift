import SyncSystem

/// Holds output back, in memory and what is too much for that in a file that has no name, until it is known that it may be written.
final class HeldOutput: ByteSink {
    private let output: any ByteSink
    private let context: CommandContext
    private let mayBeWritten: () -> Bool
    private var isHolding = true
    private var bytes: [UInt8] = []
    /// Holds what came first; negative where there is no such file.
    private var file: Int32 = -1

    private static let mostInMemory = 1 << 20

    /// Prepares to hold output back.
    ///
    /// - Parameters:
    ///   - output: Takes what may be written.
    ///   - mayBeWritten: Asked before each piece until it is true.
    init(_ output: any ByteSink, _ context: CommandContext, until mayBeWritten: @escaping () -> Bool = { false }) {
        self.output = output
        self.context = context
        self.mayBeWritten = mayBeWritten
    }

    deinit {
        if file >= 0 { close(file) }
    }

    /// Takes output.
    func write(_ more: [UInt8]) throws(CommandError) {
        if isHolding, mayBeWritten() { try release() }
        if !isHolding { return try output.write(more) }
        bytes += more
        guard bytes.count > Self.mostInMemory else { return }
        if file < 0 { file = try ScratchFile.make(for: "what may not be written yet has to be kept", context) }
        if let error = writeBytes(bytes, to: file) {
            throw CommandError(.inputOutput, "the temporary file for what may not be written yet cannot be written: \(error.sentence)")
        }
        bytes.removeAll(keepingCapacity: true)
    }

    /// Brings out what is no longer held.
    func flush() throws(CommandError) {
        if isHolding, mayBeWritten() { try release() }
        if !isHolding { try output.flush() }
    }

    /// Forgets what is held.
    func discard() {
        bytes = []
        if file >= 0 { close(file) }
        file = -1
    }

    /// Writes what is held, and holds nothing back any more.
    func release() throws(CommandError) {
        guard isHolding else { return }
        isHolding = false
        if file >= 0 {
            lseek(file, 0, SEEK_SET)
            var block = [UInt8](repeating: 0, count: 1 << 18)
            while true {
                let count = unsafe block.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                if count < 0 { throw CommandError(.inputOutput, "the temporary file cannot be read: \(Errno.last.sentence)") }
                if count == 0 { break }
                try output.write(Array(block.prefix(count)))
            }
        }
        let rest = bytes
        discard()
        if !rest.isEmpty { try output.write(rest) }
    }
}
