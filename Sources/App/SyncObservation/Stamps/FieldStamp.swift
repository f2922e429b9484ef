public import SyncModel

/// What is kept beside one audited field, or in the stamp of its record: which version of the field this is, and every version of it that
/// its writer's store had held.
///
/// The text is a version of the form, the version's own dot, the other entries of the vector, and a hash of the value:
/// `1phone.c;tablet.7;=1k2j3h4`. About 24 bytes for two devices with names of four characters.
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

    private static let form: Unicode.Scalar = "1"

    /// The stamp as it is kept in the model.
    public var text: String {
        var writer = StampWriter()
        Self.write(dot, vector, isFogged: isFogged, hash, to: &writer)
        return writer.text
    }

    /// Writes a stamp; whether the vector includes the version itself makes no difference.
    static func write(_ dot: Dot, _ vector: VersionVector, isFogged: Bool, _ hash: ValueHash, to writer: inout StampWriter) {
        writer.append(form)
        writer.append(dot.device, dot.sequence)
        writer.append(";")
        for entry in vector.entries where entry.device != dot.device {
            writer.append(entry.device, entry.sequence)
            writer.append(";")
        }
        writer.append(hash, isFogged: isFogged)
    }

    /// Reads a stamp; nil where the text is none, or has a form of a later version.
    ///
    /// - Complexity: O(*n* log *n*) in the number of devices.
    public init?(_ text: String) {
        guard var reader = StampReader(text), reader.skip(Self.form), let own = reader.dot(), reader.skip(";") else { return nil }
        var dots = [(device: own.device, sequence: own.sequence)]
        while true {
            if reader.isAtHash {
                guard let (hash, isFogged) = reader.hash(), reader.isAtEnd, let vector = VersionVector(unordered: dots) else { return nil }
                self.init(dot: own, vector: vector, isFogged: isFogged, hash: hash)
                return
            }
            guard dots.count < StampText.maximumEntries, let dot = reader.dot(), reader.skip(";") else { return nil }
            dots.append((dot.device, dot.sequence))
        }
    }

    /// Whether the stamp was made for this value.
    public func describes(_ value: FieldValue) -> Bool { hash == ValueHash(value) }
}
