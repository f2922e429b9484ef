import SyncBytes
import SyncSystem

/// Converts the bytes of an input where they are Apple's log, and hands them on as they are where they are not.
struct AppleLogInput {
    /// Whether the rest of the input is to be taken as it is.
    private(set) var isPlain = false

    private var detector = AppleLogDetector()
    private var converter: AppleLogConverter?
    /// What was read before it was known what the input is.
    private var head: [UInt8] = []
    /// What is to be handed on, and how much of it has been.
    private var output: [UInt8] = []
    private var given = 0
    private var isAtEnd = false
    /// Whether the input is taken as it is once ``output`` has been handed on.
    private var isKnownPlain = false

    /// Whether there is something to hand on without reading.
    var holdsMore: Bool { given < output.count }

    /// Fills room from its front and returns how many bytes it gave; 0 at the end.
    ///
    /// - Parameters:
    ///   - readsOnce: Whether the input is read no more than once, since that may wait.
    ///   - readPlain: Reads the input as it is.
    /// - Throws: What `readPlain` throws, and the error of nothing to read yet where all that was read is held back.
    mutating func read(
        into room: UnsafeMutableRawBufferPointer, readsOnce: Bool, readPlain: (UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int
    ) throws(ReadingError) -> Int {
        var hasRead = false
        while !holdsMore {
            if readsOnce, hasRead, !isAtEnd { throw ReadingError(Errno(number: EAGAIN)) }
            hasRead = true
            if isKnownPlain {
                isPlain = true
                return unsafe try readPlain(room)
            }
            if isAtEnd { return 0 }
            output.removeAll(keepingCapacity: true)
            given = 0
            let count = unsafe try readPlain(room)
            let bytes = unsafe [UInt8](UnsafeRawBufferPointer(rebasing: room[..<count]))
            isAtEnd = count == 0
            if converter == nil { judge(bytes) } else { convert(bytes[...]) }
        }
        let count = min(room.count, output.count - given)
        unsafe output[given..<(given + count)].withUnsafeBytes { unsafe room.copyMemory(from: $0) }
        given += count
        return count
    }

    private mutating func judge(_ bytes: [UInt8]) {
        head += bytes
        switch detector.judge(head, isWhole: isAtEnd) {
        case .open: return
        case .other:
            output = head
            isKnownPlain = true
        case .log(let form):
            converter = AppleLogConverter(form)
            convert(head.span.hasByteOrderMark ? head[3...] : head[...])
        }
        head = []
    }

    private mutating func convert(_ bytes: ArraySlice<UInt8>) {
        converter?.convert(bytes, to: &output)
        if isAtEnd { converter?.finish(to: &output) }
    }
}
