import SyncBytes
import SyncLines
import SyncModel
import SyncSystem

/// The end of a log file as it was found: the number to go on from, and what a crash left of a line.
struct LogTail {
    /// The `seq` of the last line that has one; nil where none has.
    var lastSequence: UInt64?

    /// The bytes behind the last line break.
    var tornBytes = 0

    /// How many bytes of torn lines the log has to tell of; more than the torn bytes where an earlier writer was killed before it could
    /// tell.
    var bytesToTell = 0

    /// A hash of the bytes behind the last line break.
    var tornHash: UInt64 = 0

    /// What has to be done about them.
    enum Repair {
        /// Nothing is torn.
        case none
        /// They are the beginning of a line of this format, which nobody can read any more: they are cut off.
        case cutOff
        /// They are a whole line that lacks its line break, or nothing that this package wrote: they are kept and ended.
        case endLine
    }

    var repair = Repair.none

    /// Looks back no further than this for a line with a number.
    private static let maximumLength: Int64 = 64 << 20

    /// Reads the end of a file.
    ///
    /// - Complexity: O(*n*) in the bytes of the last line with a number and those after it.
    init(_ descriptor: Int32, size: Int64, calls: SystemCalls) throws(Errno) {
        guard size > 0 else { return }
        var length = min(size, 64 << 10)
        while true {
            let bytes = try calls.read(descriptor, at: size - length, count: Int(clamping: length))
            let isWhole = length == size
            let isLast = isWhole || length >= Self.maximumLength
            guard let lineBreak = bytes.lastIndex(of: 0x0a) ?? (isLast ? -1 : nil) else {
                length = min(size, length * 8)
                continue
            }
            let torn = bytes[(lineBreak + 1)...]
            tornBytes = torn.count
            bytesToTell = torn.count
            var hash = FNV1a()
            hash.combine(torn.span)
            tornHash = hash.unmixed
            repair = Self.repair(torn)
            if case .endLine = repair { lastSequence = Self.sequence(torn) }
            if lastSequence == nil { lastSequence = Self.lastSequence(bytes.prefix(max(lineBreak, 0)), startsLine: isWhole) }
            if lastSequence != nil || isLast { return }
            length = min(size, length * 8)
        }
    }

    private static func repair(_ torn: ArraySlice<UInt8>) -> Repair {
        if torn.isEmpty { return .none }
        if isObject(torn) { return .endLine }
        let start = Array(#"{"v":1,"ts":""#.utf8).prefix(torn.count)
        return torn.starts(with: start) ? .cutOff : .endLine
    }

    /// The number of the last line that has one; the first is left out where the bytes may begin in its middle.
    private static func lastSequence(_ bytes: ArraySlice<UInt8>, startsLine: Bool) -> UInt64? {
        var rest = bytes
        while let lineBreak = rest.lastIndex(of: 0x0a) {
            if let sequence = sequence(rest[(lineBreak + 1)...]) { return sequence }
            rest = rest[..<lineBreak]
        }
        return startsLine ? sequence(rest) : nil
    }

    private static func isObject(_ line: ArraySlice<UInt8>) -> Bool {
        (try? JSONParser.parse(line.span))?.object != nil
    }

    private static func sequence(_ line: ArraySlice<UInt8>) -> UInt64? {
        return (try? LineFields(parsing: line.span)?.optionalInteger(.sequence, in: 1 ... .max)).flatMap { $0 }.map { UInt64($0) }
    }
}
