import SyncBytes
import SyncModel

/// Makes a record of JSON on each line of Apple's log, however it is printed.
///
/// For each line that goes in one comes out, blank where nothing begins there that is of use, so that a line keeps its number. Memory is
/// bounded by the longest record kept.
struct AppleLogConverter {
    /// How a log is written.
    enum Form: Hashable {
        /// Text, as Xcode's console, `log show` and `idevicesyslog` print it.
        case text
        /// A record of JSON on each line, as `log show --style ndjson` prints them.
        case json
        /// One array of records, as `log show --style json` prints them.
        case array
    }

    private let form: Form
    /// The line, or the record of an array, that has been begun but not ended.
    private var unfinished: [UInt8] = []
    /// Whether a line has been begun, however long it is.
    private var isWithinLine = false

    // Of text.
    private var record: AppleLogRecord?
    /// The line breaks to come behind the record.
    private var pendingBreaks = 0
    /// Whether the record has been written although lines of it may follow.
    private var isWritten = false
    /// Whether records begin with a time, so that whatever does not is more of the record before.
    private var hasDates = false
    /// The errors of records that stopped the export that has not been ended yet.
    private var fatalErrors: ArraySlice<UInt8>?

    // Of an array.
    private var depth = 0
    private var isWithinString = false
    private var isEscaped = false
    private var breaksWithin = 0
    /// Whether a record was written and no line break behind it.
    private var needsBreak = false

    /// A line or record longer than this is cut, in bytes.
    static let longestLine = (16 << 20) + 1

    /// A converter at the beginning of a log.
    init(_ form: Form) { self.form = form }

    /// Converts some bytes of the log.
    ///
    /// - Complexity: O(*n*) in the bytes, however they are cut up.
    mutating func convert(_ bytes: ArraySlice<UInt8>, to output: inout [UInt8]) {
        switch form {
        case .array: convertArray(bytes, to: &output)
        case .text, .json:
            var rest = bytes
            while let end = rest.firstIndex(of: 0x0a) {
                var line = rest[..<end]
                if isWithinLine {
                    keep(line)
                    line = unfinished[...]
                    unfinished = []
                    isWithinLine = false
                }
                if form == .text {
                    consume(line, to: &output)
                } else {
                    output += json(line) ?? Array(line)
                    output.append(0x0a)
                }
                rest = rest[(end + 1)...]
            }
            guard !rest.isEmpty else { return }
            keep(rest)
            isWithinLine = true
        }
    }

    /// Converts what was held back, at the end of the log.
    mutating func finish(to output: inout [UInt8]) {
        switch form {
        case .text:
            if isWithinLine { consume(unfinished[...], to: &output) }
            finishRecord(to: &output, isCutOff: isWithinLine)
        case .json:
            if isWithinLine { output += json(unfinished[...]) ?? unfinished }
        case .array:
            guard depth > 0 else { return }
            if needsBreak { output.append(0x0a) }
            // What is cut off is said of a line that is cut off.
            output += unfinished.isEmpty ? Self.tornLine : unfinished
            output.append(0x0a)
        }
    }

    /// The beginning of a record and no more.
    private static let tornLine = Array(#"{"eventMessage":"#.utf8)

    private mutating func keep(_ bytes: ArraySlice<UInt8>) { unfinished += bytes.prefix(max(0, Self.longestLine - unfinished.count)) }

    // MARK: Lines

    private mutating func consume(_ line: ArraySlice<UInt8>, to output: inout [UInt8]) {
        let line = line.last == 0x0d ? line.dropLast() : line
        if line.first == UInt8(ascii: "{"), line.dropFirst().first.map({ $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "}") }) ?? false {
            if let json = json(line) {
                finishRecord(to: &output)
                output += json
                return output.append(0x0a)
            }
        }
        if let (timestamp, time, subsystem, category) = AppleLogLine.metadata(line), !hasDates {
            pendingBreaks += 1
            record?.timestamp = timestamp
            record?.time = time
            if let subsystem { record?.subsystem = subsystem }
            if let category { record?.category = category }
            return finishRecord(to: &output)
        }
        if let head = AppleLogLine(line) {
            hasDates = true
            return begin(AppleLogRecord(head), to: &output)
        }
        if record.map({ $0.openBraces <= 0 }) ?? true, Self.beginsMessage(line) { return begin(AppleLogRecord(message: line), to: &output) }
        // No copy of the record is held, or each line would copy the whole message.
        if record.map({ !$0.time.isEmpty || Self.continues($0, line) }) ?? false {
            if isWritten { return output.append(0x0a) }
            record?.appendLine(line)
            return pendingBreaks += 1
        }
        finishRecord(to: &output)
        output.append(0x0a)
    }

    private mutating func begin(_ next: AppleLogRecord, to output: inout [UInt8]) {
        finishRecord(to: &output)
        (record, pendingBreaks, isWritten) = (next, 1, false)
        // What is followed should be shown as it comes; only Xcode's console tells the time behind the message.
        if !next.isOfUse || hasDates && next.isComplete { write(to: &output) }
    }

    private mutating func finishRecord(to output: inout [UInt8], isCutOff: Bool = false) {
        if record != nil, !isWritten { write(to: &output, isCutOff: isCutOff) }
        record = nil
        output.append(contentsOf: repeatElement(0x0a, count: pendingBreaks))
        pendingBreaks = 0
    }

    private mutating func write(to output: inout [UInt8], isCutOff: Bool = false) {
        guard var record else { return }
        isWritten = true
        defer {
            output.append(contentsOf: repeatElement(0x0a, count: pendingBreaks))
            pendingBreaks = 0
        }
        guard record.isOfUse else { return }
        if isCutOff, record.isTorn { return output += Self.tornLine }
        complete(&record)
        if record.isTold { record.append(to: &output) }
    }

    /// Adds the errors of single records to the message of the end of their export.
    private mutating func complete(_ record: inout AppleLogRecord) {
        if let errors = record.fatalErrors { fatalErrors = errors }
        guard record.lacksItsErrors, let errors = fatalErrors else { return }
        record.append(Array("; partial errors: ".utf8)[...])
        record.append(errors)
        fatalErrors = nil
    }

    /// Whether a line without a time begins a message of Core Data.
    private static func beginsMessage(_ line: ArraySlice<UInt8>) -> Bool {
        line.prefix(64).contains("CoreData+CloudKit: -[") || line.dropping("CoreData: ") != nil
            || line.dropping("CoreData+CloudKit: ") != nil
    }

    /// Whether a line goes on with a message that has no time before it.
    private static func continues(_ record: AppleLogRecord, _ line: ArraySlice<UInt8>) -> Bool {
        if record.openBraces > 0 { return true }
        guard let first = line.first else { return false }
        return " \t}\")<".utf8.contains(first) || line.dropping("Error Domain=") != nil
    }

    /// A line of JSON as it is to be read; nil where the line is no record and no line of the audit's own, but whatever an app prints.
    private mutating func json(_ line: ArraySlice<UInt8>) -> [UInt8]? {
        let bytes = Array(line)
        guard let object = try? JSONParser.parse(bytes.span).object else { return nil }
        guard var record = AppleLogRecord(object) else { return object["event"] != nil ? bytes : nil }
        let isPlain = record.fatalErrors == nil && !record.lacksItsErrors
        complete(&record)
        if isPlain { return bytes }
        var rewritten: [UInt8] = []
        record.append(to: &rewritten)
        return rewritten
    }

    // MARK: Arrays

    private mutating func convertArray(_ bytes: ArraySlice<UInt8>, to output: inout [UInt8]) {
        for byte in bytes {
            if depth >= 2 {
                if unfinished.count < Self.longestLine { unfinished.append(byte == 0x0a || byte == 0x0d ? 0x20 : byte) }
                if byte == 0x0a { breaksWithin += 1 }
                if isWithinString {
                    if isEscaped {
                        isEscaped = false
                    } else if byte == UInt8(ascii: "\\") {
                        isEscaped = true
                    } else if byte == UInt8(ascii: "\"") {
                        isWithinString = false
                    }
                    continue
                }
            }
            switch byte {
            case UInt8(ascii: "\"") where depth >= 2: isWithinString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                if depth == 2 { unfinished = [byte] }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth = max(0, depth - 1)
                if depth == 1 { finishElement(to: &output) }
            case 0x0a where depth < 2:
                output.append(0x0a)
                needsBreak = false
            default: break
            }
        }
    }

    private mutating func finishElement(to output: inout [UInt8]) {
        if needsBreak { output.append(0x0a) }
        let element = unfinished[...]
        unfinished.removeAll()
        output += json(element) ?? Array(element)
        needsBreak = breaksWithin == 0
        output.append(contentsOf: repeatElement(0x0a, count: breaksWithin))
        breaksWithin = 0
    }
}
