public import SyncModel

/// What stands beside one audited field, or in the stamp of its record: which version of the field this is, and every version of it that its writer's store had held.
///
/// The text is a version of the form, the version's own dot, the other entries of the vector, and a hash of the value: `1phone.c;tablet.7;=1k2j3h4`.
/// About 24 bytes for two devices with names of four characters.
///
/// ```swift
/// let stamp = FieldStamp("1phone.c;=1k2j3h4")
/// ```
public struct FieldStamp: Hashable, Sendable {
    /// The version's name.
    public let dot: Dot
    /// Every version of the field that the writer's store had held, this one included.
    public let vector: VersionVector
    /// Whether the store had held a version that no stamp described, so that the vector may lack some.
    public let isFogged: Bool
    let hash: ValueHash

    init(dot: Dot, vector: VersionVector, isFogged: Bool, hash: ValueHash) {
        self.dot = dot
        self.vector = vector
        self.isFogged = isFogged
        self.hash = hash
    }

    private static let form: Character = "1"

    /// The stamp as it is kept in the model.
    public var text: String {
        String(Self.form) + (dots + [mark]).joined(separator: ";")
    }

    /// The version's own dot, and the other entries of the vector.
    var dots: [String] {
        let others = vector.entries.filter { $0.device != dot.device }
        return [StampText.dot(dot.device, dot.sequence)] + others.map { StampText.dot($0.device, $0.sequence) }
    }

    /// Whether it is in fog, and the hash.
    var mark: String { (isFogged ? "*" : "=") + StampText.number(hash.rawValue) }

    /// Reads a stamp; nil where the text is none, or has a form of a later version.
    ///
    /// - Complexity: O(*n* log *n*) in the number of devices.
    public init?(_ text: String) {
        guard text.first == Self.form, text.utf8.count <= StampText.maximumBytes else { return nil }
        var parts = StampText.split(text.dropFirst(), at: ";")
        guard let mark = parts.popLast() else { return nil }
        self.init(parts, mark)
    }

    /// Reads the dots and the mark of a stamp.
    init?(_ parts: [Substring], _ mark: Substring) {
        let dots = parts.compactMap(StampText.dot)
        guard dots.count == parts.count, dots.count <= StampText.maximumEntries, let own = dots.first,
            let kind = mark.first, kind == "*" || kind == "=",
            let hash = StampText.number(mark.dropFirst()), hash >> ValueHash.bits == 0,
            let vector = VersionVector(unordered: dots.map { ($0.device, $0.sequence) })
        else { return nil }
        self.init(dot: own, vector: vector, isFogged: kind == "*", hash: ValueHash(rawValue: hash))
    }

    /// Whether the stamp was made for this value.
    public func describes(_ value: FieldValue) -> Bool { hash == ValueHash(value) }
}
