/// A random key for hashes of names, so that nobody can choose names that fall together and make every lookup slow.
///
/// Two keyed words are multiplied and both halves of the product folded. Source: wyhash, Wang Yi.
@usableFromInline package struct HashKey: Sendable {
    @usableFromInline let keys = (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max))

    /// A key of its own.
    package init() {}

    /// The hash with which a name begins, from its length in bytes and its owner if there is one.
    @inlinable @inline(__always) package func start(count: Int, owner: Int = 0) -> UInt64 {
        keys.1 ^ (UInt64(truncatingIfNeeded: owner) &* 0x1_0000_0001 &+ UInt64(truncatingIfNeeded: count))
    }

    /// Mixes eight more bytes in.
    @inlinable @inline(__always) package func mix(_ word: UInt64, into hash: UInt64) -> UInt64 { fold(word ^ keys.0, hash) }

    /// Mixes sixteen more bytes in.
    @inlinable @inline(__always) package func mix(_ words: (UInt64, UInt64), into hash: UInt64) -> UInt64 {
        fold(words.0 ^ keys.0, words.1 ^ hash)
    }

    /// Mixes bytes in, and how many there are.
    package func mix(_ bytes: Span<UInt8>, into hash: UInt64) -> UInt64 {
        var hash = mix(UInt64(bytes.count), into: hash)
        guard bytes.count > 8 else { return mix(bytes.count < 8 ? bytes.word(at: 0, count: bytes.count) : bytes.word(at: 0), into: hash) }
        // The last eight bytes overlap those before.
        for index in stride(from: 0, to: bytes.count - 8, by: 8) { hash = mix(bytes.word(at: index), into: hash) }
        return mix(bytes.word(at: bytes.count - 8), into: hash)
    }

    @inlinable @inline(__always) func fold(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let product = one.multipliedFullWidth(by: other)
        return product.high ^ product.low
    }
}
