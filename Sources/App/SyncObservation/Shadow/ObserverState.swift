import SyncBytes
import SyncCoding
import SyncModel

/// What a shadow knows of its device and of the engine's progress.
struct ObserverState: Equatable {
    /// The name under which this device writes.
    var writer: DeviceID
    /// The token that the shadow was made with.
    var installation: String
    /// The number below which all numbers may have been given to writes, and from which on none has been; it is raised durably before they
    /// are.
    var reserved: UInt64 = 1
    /// The latest of the store's transactions that was reported as saved here.
    var transaction: Int64 = 0
    /// The transactions whose export has begun.
    var begun: Int64 = 0
    /// The transactions that the server has taken.
    var ended: Int64 = 0
    /// The transactions of which an export ended without an answer, so that the server may have them although a later export is refused.
    var unanswered: Int64 = .min
    /// What had been saved when the export under way began; nil where none is under way that may take up more.
    var open: Int64?
    /// Whether the store held records when the shadow was made.
    var hasOlderRecords = false
    /// The latest timestamp given to a write.
    var latest = HybridTimestamp(milliseconds: 0)
    /// Rises with every batch of arrivals.
    var refreshVersion: UInt64 = 0

    init(writer: DeviceID, installation: String) {
        self.writer = writer
        self.installation = installation
    }

    var encoded: [UInt8] {
        var encoder = StateEncoder()
        encoder.append(writer)
        encoder.append(installation)
        encoder.append(reserved)
        for number in [transaction, begun, ended, unanswered] { encoder.append(number) }
        encoder.append(open == nil ? 0 : 1 as UInt8)
        encoder.append(open ?? 0)
        encoder.append(latest)
        encoder.append(refreshVersion)
        encoder.append(hasOlderRecords ? 1 : 0 as UInt8)
        return encoder.bytes
    }

    init(encoded bytes: [UInt8]) throws(CodingFailure) {
        var decoder = try StateDecoder(bytes)
        writer = try decoder.device()
        installation = try decoder.text()
        reserved = try decoder.number()
        transaction = try decoder.signedNumber()
        begun = try decoder.signedNumber()
        ended = try decoder.signedNumber()
        unanswered = try decoder.signedNumber()
        let isOpen = try decoder.flag()
        let started = try decoder.signedNumber()
        open = isOpen ? started : nil
        latest = try decoder.timestamp()
        refreshVersion = try decoder.number()
        // Shadows of before 25 November 2026 do not say.
        hasOlderRecords = decoder.isAtEnd ? false : try decoder.flag()
        try decoder.finish()
        guard (1..<(1 << 63)).contains(reserved) else { throw CodingFailure("a device's writes are numbered from 1") }
    }

    /// The timestamp of a write by the device's own clock; the counter keeps writes of one millisecond apart.
    mutating func timestamp(_ milliseconds: Int64) -> HybridTimestamp {
        latest = latest.milliseconds == milliseconds ? latest.next : HybridTimestamp(milliseconds: milliseconds)
        return latest
    }

    /// Takes note that an export begins, of the transactions up to a number: one that began before and has not ended well was not answered.
    mutating func beginExport(through transaction: Int64) {
        if begun > ended { unanswered = max(unanswered, begun) }
        begun = max(begun, transaction)
    }

    /// Whether the export of a transaction has begun, and whether the server has taken it.
    func progress(of transaction: Int64, _ record: RecordShadow) -> ExportProgress {
        progress(of: transaction, begun: record.begun, ended: record.ended)
    }

    /// The same by what is known of the export of its record.
    func progress(of transaction: Int64, begun recordBegun: Int64, ended recordEnded: Int64) -> ExportProgress {
        if transaction <= max(ended, recordEnded), transaction != .min { return .ended }
        return open != nil || transaction <= max(begun, recordBegun) ? .begun : .waiting
    }
}

/// How far the export of a write has come.
enum ExportProgress {
    /// It has not begun: nobody else can have seen the write.
    case waiting
    /// It has begun: somebody may.
    case begun
    /// The server has taken it.
    case ended
}
