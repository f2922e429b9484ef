/// A random key for hashes of names, so that nobody can choose names that fall together and make every lookup slow.
///
/// What `HashKey` is, once more: a call across modules for each name of each line would take as long as the hash itself.
///
/// Two keyed words are multiplied and both halves of the product folded. Source: wyhash, Wang Yi.
struct NameHash: Sendable {
    private let keys = Self.keys
    /// Asked of the system once.
    private static let keys = (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max))

    /// What a name of so many bytes begins with, and of an owner.
    @inline(__always) func start(count: Int, owner: Int) -> UInt64 {
        keys.1 ^ UInt64(truncatingIfNeeded: owner &* 0x1_0000_0001 &+ count)
    }

    /// Mixes eight more bytes in.
    @inline(__always) func mix(_ word: UInt64, into hash: UInt64) -> UInt64 {
        let product = (word ^ keys.0).multipliedFullWidth(by: hash)
        return product.high ^ product.low
    }
}
