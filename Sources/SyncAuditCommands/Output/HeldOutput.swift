import SyncSystem

/// Holds output back, in a file that has no name, until it is known that it may be written.
final class HeldOutput: ByteSink {
    private let output: any ByteSink
    private let mayBeWritten: () -> Bool
    /// What is held; negative once nothing is.
    private var held: Int32

    /// Prepares to hold output back.
    ///
    /// - Parameters:
    ///   - output: Takes what may be written.
    ///   - mayBeWritten: Asked before each piece until it is true.
    /// - Throws: ``CommandError`` where no file can be made.
    init(_ output: any ByteSink, _ context: CommandContext, until mayBeWritten: @escaping () -> Bool) throws(CommandError) {
        self.output = output
        self.mayBeWritten = mayBeWritten
        held = try ScratchFile.make(for: "what may not be written yet has to be kept", context)
    }

    deinit {
        if held >= 0 { close(held) }
    }

    /// Takes output.
    func write(_ bytes: [UInt8]) throws(CommandError) {
        if held >= 0, mayBeWritten() { try release() }
        if held < 0 { return try output.write(bytes) }
        if let error = writeBytes(bytes, to: held) {
            throw CommandError(.inputOutput, "the temporary file for what may not be written yet cannot be written: \(error.sentence)")
        }
    }

    /// Brings out what is no longer held.
    func flush() throws(CommandError) {
        if held >= 0, mayBeWritten() { try release() }
        if held < 0 { try output.flush() }
    }

    private func release() throws(CommandError) {
        let file = held
        held = -1
        defer { close(file) }
        lseek(file, 0, SEEK_SET)
        var block = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = unsafe block.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw CommandError(.inputOutput, "the temporary file cannot be read: \(Errno.last.sentence)") }
            if count == 0 { return }
            try output.write(Array(block.prefix(count)))
        }
    }
}
