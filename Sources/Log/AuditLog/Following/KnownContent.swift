/// The fingerprints of files that need not be read: they are older than the following, or have been read.
struct KnownContent {
    /// How many are remembered at most, each in some ten bytes.
    private static let limit = 1 << 20

    private var hashes: Set<Int> = []

    /// Nothing is known.
    init() {}

    /// Whether a fingerprint is remembered.
    func contains(_ fingerprint: Fingerprint) -> Bool { fingerprint.isComplete && hashes.contains(fingerprint.hashValue) }

    /// Remembers a fingerprint; one that could still grow says nothing.
    ///
    /// - Returns: Whether it was unknown.
    @discardableResult
    mutating func insert(_ fingerprint: Fingerprint) -> Bool {
        guard fingerprint.isComplete else { return false }
        // After so many rotations the oldest files are long gone; which those are is not worth remembering.
        if hashes.count >= Self.limit, let any = hashes.first { hashes.remove(any) }
        return hashes.insert(fingerprint.hashValue).inserted
    }
}
