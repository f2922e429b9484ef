import SyncSystem

/// Is told after each reading how many bytes it took from the input, before they are decompressed.
package typealias ReadingObserver = @Sendable (Int) -> Void

/// Appends more lines to an array, about 64 KiB of them; false at the end.
///
/// Called by one thread at a time, and no more once it has thrown or returned false.
package typealias LineProducer = @Sendable (inout [UInt8]) throws(ReadingError) -> Bool

/// The bytes of an open descriptor, from front to back: as they are, or decompressed where they are gzip data, which their first bytes
/// tell.
///
/// Reads with `read(2)`: it serves files, pipes and terminals, and a file that another process truncates meanwhile just ends early.
struct InputBytes: ~Copyable {
    /// The descriptor, to wait for.
    let descriptor: Int32
    private let ownsDescriptor: Bool
    private let onRead: ReadingObserver?
    /// Whether the first bytes have been seen.
    private var isRecognized = false
    /// Nil where the bytes are taken as they are.
    private var decoder: GzipDecoder?
    /// Makes the lines, where they are read from nowhere; what it has made and what of that has been given.
    private let produce: LineProducer?
    private var produced: [UInt8] = []
    private var given = 0
    private var ending: Result<Int, ReadingError>?
    /// Converts Apple's log; nil where the bytes are taken as they are.
    private var appleLog: AppleLogInput?

    /// Reads from an open descriptor.
    init(descriptor: Int32, ownsDescriptor: Bool, onRead: ReadingObserver? = nil) {
        self.descriptor = descriptor
        self.ownsDescriptor = ownsDescriptor
        self.onRead = onRead
        produce = nil
    }

    /// Takes lines that are made.
    init(_ produce: @escaping LineProducer) {
        descriptor = -1
        ownsDescriptor = false
        onRead = nil
        self.produce = produce
    }

    deinit {
        if ownsDescriptor { close(descriptor) }
    }

    /// Whether there may be more to come without reading from the descriptor.
    var holdsMore: Bool { appleLog?.holdsMore ?? false || decoder?.holdsMore ?? false }

    /// Whether Apple's log is converted to records of JSON on a line each, which its first lines tell; set before anything is read.
    var readsAppleLog: Bool {
        get { appleLog != nil }
        set { appleLog = newValue ? AppleLogInput() : nil }
    }

    /// Whether the first bytes were those of gzip data.
    var isCompressed: Bool { decoder != nil }

    /// Fills room of at least two bytes from its front, and returns how many bytes it gave; 0 at the end.
    ///
    /// - Throws: ``ReadingError``; again with the next call where compressed data are at fault.
    mutating func read(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        guard var appleLog = appleLog.take() else { return unsafe try readPlain(into: room) }
        defer { if !appleLog.isPlain { self.appleLog = appleLog } }
        return unsafe try appleLog.read(into: room, readsOnce: readsOnce) { room throws(ReadingError) in unsafe try readPlain(into: room) }
    }

    /// Whether a reading waits for no more than one of the descriptor.
    var readsOnce = false

    private mutating func readPlain(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        if let produce { return unsafe try take(from: produce, into: room) }
        guard isRecognized else { return unsafe try readFirst(into: room) }
        guard let decoder else { return unsafe try Self.read(descriptor, room, onRead) }
        let (descriptor, onRead) = (descriptor, onRead)
        return unsafe try decoder.decode(into: room) { input throws(ReadingError) in unsafe try Self.read(descriptor, input, onRead) }
    }

    private mutating func take(from produce: LineProducer, into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        while given == produced.count {
            if let ending { return try ending.get() }
            produced.removeAll(keepingCapacity: true)
            given = 0
            do throws(ReadingError) {
                if try !produce(&produced) { ending = .success(0) }
            } catch {
                // What was made before comes first.
                ending = .failure(error)
            }
        }
        let count = min(room.count, produced.count - given)
        unsafe produced[given..<given + count].withUnsafeBytes { unsafe room.copyMemory(from: $0) }
        given += count
        return count
    }

    private mutating func readFirst(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        var count = 0
        // The two bytes may come one by one.
        repeat {
            let more: Int
            do throws(ReadingError) {
                more = unsafe try Self.read(descriptor, UnsafeMutableRawBufferPointer(rebasing: room[count...]), onRead)
            } catch {
                // What has been read is not lost.
                if count > 0 { break }
                throw error
            }
            if more == 0 { break }
            count += more
            if unsafe room[0] != GzipDecoder.magic.0 { break }
        } while count < 2
        isRecognized = count > 0
        let start = unsafe UnsafeRawBufferPointer(rebasing: room[..<count])
        guard unsafe GzipDecoder.recognizes(start) else { return count }
        decoder = unsafe GzipDecoder(start: start)
        return unsafe try readPlain(into: room)
    }

    private static func read(
        _ descriptor: Int32, _ room: UnsafeMutableRawBufferPointer, _ onRead: ReadingObserver?
    ) throws(ReadingError) -> Int {
        while true {
            let count = unsafe systemRead(descriptor, room)
            if count >= 0 {
                onRead?(count)
                return count
            }
            if errno != EINTR { throw ReadingError(.last) }
        }
    }
}

/// Why there is nothing more to read.
package struct ReadingError: Error, Hashable {
    /// What sort of thing went wrong.
    package let code: AuditLogError.Code
    /// What went wrong, without the place.
    package let sentence: String
    /// The number of the system's error, 0 where it was none.
    let number: Int32

    /// The system said no.
    init(_ error: Errno) {
        code = .inputOutput
        sentence = "reading failed: \(error.sentence)"
        number = error.number
    }

    /// What was read makes no sense.
    package init(badData sentence: String) {
        code = .badData
        self.sentence = sentence
        number = 0
    }
}
