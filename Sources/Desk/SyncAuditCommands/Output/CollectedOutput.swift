/// Keeps all output.
final class CollectedOutput: ByteSink {
    private(set) var bytes: [UInt8] = []

    func write(_ bytes: [UInt8]) throws(CommandError) { self.bytes += bytes }

    func flush() throws(CommandError) {}
}
