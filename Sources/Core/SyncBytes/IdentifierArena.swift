/// Bytes of identifiers, one identifier behind another, so that each of many takes no more memory than its bytes.
///
/// Identifiers of up to 15 bytes hold their bytes themselves and take none of the arena's. The bytes of an arena are kept as long as one
/// identifier refers to their chunk of 4 KB, so it suits identifiers that are kept together. A value type; copies fill chunks of their own.
package struct IdentifierArena: Sendable {
    /// A chunk, and how much of it is filled.
    private final class Filling: @unchecked Sendable {
        // Sound: it is changed only by an arena that alone refers to it, and that arena belongs to the caller.
        let chunk = IdentifierChunk.create(minimumCapacity: IdentifierArena.chunkSize) { _ in () }
        @exclusivity(unchecked) var count = 0
    }

    private var filling: Filling?

    private static let chunkSize = 4096

    /// An arena without bytes.
    package init() {}

    /// Copies bytes into the arena, or into a chunk of their own where they would take an eighth of one or more.
    mutating func append(_ bytes: Span<UInt8>) -> LongIdentifier {
        guard bytes.count <= Self.chunkSize / 8 else { return LongIdentifier(bytes) }
        let filling = filling(room: bytes.count)
        let start = unsafe filling.count
        unsafe filling.count = start + bytes.count
        return LongIdentifier(bytes, in: filling.chunk, at: start)
    }

    /// The chunk that is being filled, or a new one where it has no room or another arena refers to it.
    private mutating func filling(room: Int) -> Filling {
        if isKnownUniquelyReferenced(&filling), let filling, unsafe filling.count + room <= Self.chunkSize { return filling }
        let new = Filling()
        filling = new
        return new
    }
}

/// Memory for the bytes of identifiers, behind the object's own header.
typealias IdentifierChunk = ManagedBuffer<Void, UInt8>

/// The bytes of an identifier of more than 15 bytes, in a chunk that it may share with others.
@usableFromInline package struct LongIdentifier: @unchecked Sendable {
    // Sound: its bytes of the chunk are written once, before the identifier exists, and no other identifier looks at them.
    private let chunk: IdentifierChunk
    private let count: UInt32
    private let start: UInt16

    /// Copies bytes into a chunk of their own.
    init(_ bytes: Span<UInt8>) {
        self.init(bytes, in: IdentifierChunk.create(minimumCapacity: bytes.count) { _ in () }, at: 0)
    }

    /// Copies bytes into a chunk that has room for them, where nothing has been written.
    fileprivate init(_ bytes: Span<UInt8>, in chunk: IdentifierChunk, at start: Int) {
        self.chunk = chunk
        count = UInt32(bytes.count)
        self.start = UInt16(start)
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe chunk.withUnsafeMutablePointerToElements { elements in
                guard let source = bytes.baseAddress else { return }
                unsafe (elements + start).initialize(from: source, count: bytes.count)
            }
        }
    }

    var span: Span<UInt8> {
        @_lifetime(borrow self) get {
            let elements = unsafe chunk.withUnsafeMutablePointerToElements { unsafe UnsafePointer($0) }
            let span = unsafe Span(_unsafeStart: elements + Int(start), count: Int(count))
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }
}
