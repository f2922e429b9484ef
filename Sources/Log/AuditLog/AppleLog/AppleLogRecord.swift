import ConflictAudit
import SyncBytes
import SyncModel

/// A record of Apple's log, as far as it has been read, and the line that `log show --style ndjson` would print of it.
struct AppleLogRecord {
    /// The keys of a record in JSON that are of use here.
    enum Key {
        static let message: FieldName = "eventMessage"
        static let timestamp: FieldName = "timestamp"
        static let subsystem: FieldName = "subsystem"
        static let category: FieldName = "category"
        /// The time as it is in a log that tells no year, no offset from UTC or no time at all; in no record of Apple's.
        static let undated: FieldName = "undated"
    }

    /// The timestamp as Apple's JSON has it; nil where the log does not tell a whole one.
    var timestamp: String?
    /// The time as it is in the log.
    var time: String
    /// The subsystem; nil where the log tells none.
    var subsystem: String?
    /// The category; nil where the log tells none.
    var category: String?
    /// The message.
    private(set) var message: [UInt8]
    /// How many braces are open at the end of the message.
    private(set) var openBraces = 0

    /// The longest message kept, in bytes; what is longer is cut.
    static let longestMessage = 1 << 20

    /// A record whose first line is known.
    init(_ line: AppleLogLine) {
        (timestamp, time, subsystem, category) = (line.timestamp, line.time, line.subsystem, line.category)
        message = []
        append(line.message)
    }

    /// A record that is a message alone, as Xcode's console prints it.
    init(message: ArraySlice<UInt8>) {
        (time, self.message) = ("", [])
        append(message)
    }

    /// A record in JSON; nil where it has no message.
    init?(_ object: FieldMap) {
        guard let text = object[Key.message]?.string else { return nil }
        (timestamp, time) = (object[Key.timestamp]?.string, "")
        (subsystem, category) = (object[Key.subsystem]?.string, object[Key.category]?.string)
        message = Array(text.utf8)
    }

    /// Adds another line of the message.
    mutating func appendLine(_ line: ArraySlice<UInt8>) {
        append([0x0a])
        append(line)
    }

    /// Adds bytes to the message.
    mutating func append(_ bytes: ArraySlice<UInt8>) {
        message += bytes.prefix(max(0, Self.longestMessage - message.count))
        for byte in bytes {
            if byte == UInt8(ascii: "{") { openBraces += 1 } else if byte == UInt8(ascii: "}") { openBraces -= 1 }
        }
    }

    /// Whether the message is one of those that are understood: about mirroring, an error of CloudKit, or a line of the audit's own.
    var isOfUse: Bool {
        if message.first == UInt8(ascii: "{") { return message[...].contains("\"event\"") }
        if subsystem ?? MirroringMessage.subsystem == MirroringMessage.subsystem {
            return message.prefix(64).end(of: "CoreData+CloudKit: ") != nil
        }
        return subsystem == "com.apple.cloudkit" && message[...].contains("CKError")
    }

    /// Whether there is more to say of the message than that it was there.
    var isTold: Bool {
        let isMirroring = message.first != UInt8(ascii: "{") && subsystem ?? MirroringMessage.subsystem == MirroringMessage.subsystem
        return !isMirroring || MirroringMessage.activity(message[...]) != nil
    }

    /// Whether all is known that a line of the log is made of, though lines may follow.
    var isComplete: Bool {
        if message.first == UInt8(ascii: "{") { return openBraces == 0 }
        return MirroringMessage.activity(message[...]).map { $0.state != .failed } ?? false
    }

    // MARK: The errors of single records

    /// The errors of single records that stopped an export, from the message before the one of its end.
    var fatalErrors: ArraySlice<UInt8>? {
        let message = message[...]
        guard message.contains("_recoverFromPartialError:") else { return nil }
        return message.end(of: "fatal errors were found: ").map { message[$0...] }
    }

    /// Whether the message is of the end of a request that failed because of some records, and does not tell of which.
    var lacksItsErrors: Bool {
        let message = message[...]
        guard message.contains("_finishedRequest:withResult:"), message.contains("success: 0") else { return false }
        let isPartial = message.contains("\"Partial Failure\" (2") || message.contains("CKErrorDomain Code=2 ")
        return isPartial && !message.contains("artial errors: {") && !message.contains("CKPartialErrors")
    }

    // MARK: JSON

    /// Appends the record as a line of JSON, without its line break.
    func append(to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        field(timestamp == nil ? Key.undated : Key.timestamp, timestamp ?? time, &output)
        field(Key.subsystem, subsystem ?? MirroringMessage.subsystem, &output)
        if let category { field(Key.category, category, &output) }
        field(Key.message, message[...].string, &output)
        output[output.count - 1] = UInt8(ascii: "}")
    }

    private func field(_ key: FieldName, _ value: String, _ output: inout [UInt8]) {
        JSONText.append(key.rawValue, to: &output)
        output.append(UInt8(ascii: ":"))
        JSONText.append(value, to: &output)
        output.append(UInt8(ascii: ","))
    }
}

extension AppleLogRecord {
    /// Whether the message, the last of a log that ends within a line, is one that says less than it would whole.
    var isTorn: Bool {
        let message = message[...]
        if message.first == UInt8(ascii: "{") { return openBraces > 0 }
        guard let activity = MirroringMessage.activity(message) else {
            return message.contains("_finishedRequest:withResult:")
                || message.contains("checkAndExecuteNextRequest") && !message.contains("): ")
        }
        return activity.state == .failed && !(message.last.map { ")>}".utf8.contains($0) } ?? false)
    }
}
