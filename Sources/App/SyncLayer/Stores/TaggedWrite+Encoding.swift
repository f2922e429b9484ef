import SyncBytes
import SyncCoding
import SyncModel

extension TaggedWrite {
    /// The write as stores and queues keep it.
    var encoded: [UInt8] {
        var encoder = StateEncoder()
        encoder.append(self)
        return encoder.bytes
    }

    init(encoded: [UInt8]) throws(CodingFailure) {
        var decoder = try StateDecoder(encoded)
        self = try decoder.write()
        try decoder.finish()
    }

    init(encoded: [UInt8], from source: String) throws(SyncLayerError) {
        do throws(CodingFailure) {
            try self.init(encoded: encoded)
        } catch {
            throw SyncLayerError(damaged: source, error)
        }
    }
}

extension StoreEntry {
    /// The write that an entry of the outbox holds.
    func waitingWrite() throws -> TaggedWrite { try TaggedWrite(encoded: content, from: "the outbox") }
}
