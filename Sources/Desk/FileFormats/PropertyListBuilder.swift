import SyncBytes

/// A stack of the arrays and dictionaries that are being filled, so that no reader of property lists needs recursion.
struct PropertyListBuilder {
    private struct Frame {
        let isDictionary: Bool
        let offset: Int
        var elements: [PropertyList] = []
        var entries: [PropertyList.Entry] = []
        var key: (text: String, offset: Int)?
    }

    private var frames: [Frame] = []
    private var count = 0
    private let maximumCount: Int
    /// The value at the top, once it is complete.
    private(set) var result: PropertyList?

    /// How many values may be inside each other.
    static let maximumDepth = 512

    init(maximumCount: Int) { self.maximumCount = maximumCount }

    /// Whether the innermost list is a dictionary that waits for a key.
    var needsKey: Bool { frames.last.map { $0.isDictionary && $0.key == nil } ?? false }
    /// Whether the innermost list is a dictionary; nil outside of all lists.
    var isInDictionary: Bool? { frames.last?.isDictionary }
    var depth: Int { frames.count }

    mutating func open(isDictionary: Bool, at offset: Int) throws(FormatError) {
        guard frames.count < Self.maximumDepth else {
            throw FormatError(at: offset, "more than \(Self.maximumDepth) lists inside each other")
        }
        frames.append(Frame(isDictionary: isDictionary, offset: offset))
    }

    /// Names the next value of the innermost list.
    ///
    /// - Precondition: `needsKey`.
    mutating func key(_ text: String, at offset: Int) {
        precondition(needsKey, "a dictionary waits for a key")
        frames[frames.count - 1].key = (text, offset)
    }

    mutating func append(_ value: PropertyList.Value, at offset: Int) throws(FormatError) {
        try append(PropertyList(value, at: offset))
    }

    /// Completes the innermost list.
    mutating func close(at offset: Int) throws(FormatError) {
        guard let frame = frames.popLast() else { throw FormatError(at: offset, "a list ends that has not begun") }
        if let key = frame.key { throw FormatError(at: offset, "the key \(key.text.quoted) has no value") }
        try append(PropertyList(frame.isDictionary ? .dictionary(frame.entries) : .array(frame.elements), at: frame.offset))
    }

    private mutating func append(_ list: PropertyList) throws(FormatError) {
        count += 1
        guard count <= maximumCount else { throw FormatError(at: list.offset, "the property list holds more than \(maximumCount) values") }
        guard !frames.isEmpty else {
            guard result == nil else { throw FormatError(at: list.offset, "a second value at the top") }
            result = list
            return
        }
        let last = frames.count - 1
        if !frames[last].isDictionary {
            frames[last].elements.append(list)
        } else if let key = frames[last].key {
            frames[last].key = nil
            frames[last].entries.append(PropertyList.Entry(key: key.text, keyOffset: key.offset, value: list))
        } else {
            throw FormatError(at: list.offset, "a value without a key in a dictionary")
        }
    }
}
