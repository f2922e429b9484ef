/// The first line of a file, or its first kilobyte where the line is longer: what a file goes on beginning with as long as it only grows.
///
/// Every line of a log carries its time and its number, so that no two files of a log begin alike.
struct Fingerprint: Hashable, Sendable {
    /// The most that is looked at, in bytes.
    static let length = 1024

    /// The line without its line break, as far as it is there.
    private(set) var bytes: [UInt8] = []

    /// Whether all of it is there, so that it can no longer grow.
    private(set) var isComplete = false

    /// The fingerprint of a file of which nothing is known.
    init() {}

    /// The fingerprint of a file that begins with these bytes.
    init(_ start: some Collection<UInt8>) {
        extend(with: start)
    }

    /// Appends the bytes that come next in the file.
    mutating func extend(with more: some Collection<UInt8>) {
        if isComplete { return }
        let line = more.prefix(Self.length - bytes.count).prefix { $0 != UInt8(ascii: "\n") }
        isComplete = line.count < more.count || bytes.count + line.count == Self.length
        bytes += line
    }

    /// Whether a file that had this fingerprint may have grown into one that has another.
    func canGrow(into later: Fingerprint) -> Bool {
        isComplete ? later == self : later.bytes.starts(with: bytes)
    }

    /// Whether the file holds gzip's magic number, and so no lines.
    var isCompressed: Bool { bytes.starts(with: [0x1f, 0x8b]) }
}
