import SyncSystem

/// Holds output back, in memory and what is too much for that in a file that has no name, until it is known that it may be written.
final class HeldOutput: ByteSink {
    private let output: any ByteSink
    private let context: CommandContext
    private let mayBeWritten: () -> Bool
    private var isHolding = true
    /// As they came: what is large is not copied.
    private var pieces: [[UInt8]] = []
    /// The bytes that the pieces take.
    private var size = 0
    /// Holds what came first; negative where there is no such file.
    private var file: Int32 = -1
    /// How many bytes of it are whole: what a full disk cut off is among the pieces still.
    private var sizeOfFile: Int64 = 0

    private static let mostInMemory = 1 << 20
    private static let sizeOfArray = 40

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
        pieces.append(more)
        size += more.count + Self.sizeOfArray
        guard size > Self.mostInMemory else { return }
        if file < 0 { file = try ScratchFile.make(for: "what may not be written yet has to be kept", context) }
        let writer = DescriptorWriter(descriptor: file, name: "the temporary file for what may not be written yet")
        for piece in pieces { try writer.write(piece) }
        try writer.flush()
        sizeOfFile += Int64(pieces.reduce(0) { $0 + $1.count })
        pieces.removeAll(keepingCapacity: true)
        size = 0
    }

    /// Brings out what is no longer held.
    func flush() throws(CommandError) {
        if isHolding, mayBeWritten() { try release() }
        if !isHolding { try output.flush() }
    }

    /// Forgets what is held.
    func discard() {
        (pieces, size) = ([], 0)
        if file >= 0 { close(file) }
        (file, sizeOfFile) = (-1, 0)
    }

    /// Writes what is held, and holds nothing back any more.
    func release() throws(CommandError) {
        guard isHolding else { return }
        isHolding = false
        if file >= 0 {
            var offset: Int64 = 0
            while case let block = try block(at: offset), !block.isEmpty {
                try output.write(block)
                offset += Int64(block.count)
            }
        }
        let rest = pieces
        discard()
        for piece in rest { try output.write(piece) }
    }

    private func block(at offset: Int64) throws(CommandError) -> [UInt8] {
        do {
            return try readBytes(file, at: offset, count: Int(clamping: min(1 << 18, sizeOfFile - offset)))
        } catch {
            throw CommandError(.inputOutput, "the temporary file cannot be read: \(error.sentence)")
        }
    }
}
