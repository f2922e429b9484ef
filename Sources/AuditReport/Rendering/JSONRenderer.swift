import ConflictAudit
import SyncModel

/// Writes a summary as one JSON object on one line, with everything in it, so that `Summary(json:)` can read it back and merge it.
///
/// Keys come in the order below and lists in the order of their names, so that equal summaries give equal bytes. Every key is always
/// there unless marked with `?`; readers ignore keys that they do not know. A change that old readers would misread raises `summary`.
/// Moments are RFC 3339 in UTC, days `YYYY-MM-DD` in UTC, lengths of time in milliseconds.
///
/// | key | value |
/// |---|---|
/// | `summary` | version of this format, 1 |
/// | `conflicts`, `editsLost` | proven and suspected together |
/// | `writesObserved` | writes of all logs |
/// | `distinctConflicts` | how many different conflicts, by id, within the error that the tallies state |
/// | `isDistinct` | whether each conflict was counted once, however many devices had logged it |
/// | `linesDropped` | lines that the logs say could not be written |
/// | `filters` | list of `{since?, until?, devices?, recordTypes?, fields?, kinds?, severities?}`; `{}` lets everything pass |
/// | `proven`, `suspected` | a tally each, see below |
/// | `writes` | `{first?, last?, sources}`, with `sources` a list of `{source?, observed, reportedAt?, reported?}` |
/// | `clockWhatIf?` | `{decided, flipped, flippedLosses, devices, byWinner}`, see ``ClockWhatIf/Answer``; not part of the summary |
/// | `otherEvents` | `{sync, remote_change, network, account, clock, checkpoint, statistics, log}` |
///
/// A tally:
///
/// | key | value |
/// |---|---|
/// | `conflicts`, `editsLost`, `autoResolved`, `unresolved`, `clockSuspect`, `withinWindow`, `outsideWindow` | counts |
/// | `firstConflict?`, `lastConflict?` | moments |
/// | `byKind`, `bySeverity`, `byBasis`, `byReason` | count by name, every name there |
/// | `distinct` | `{count, standardError, ids}`, with `ids` a list of what is counted, as long as that is exact; then `{count, standardError, registers}`: the registers of a HyperLogLog in order, each a letter, `A`–`Z` for 0 to 25, `a`–`z` for 26 to 51; the id is mixed by the finaliser of MurmurHash3, its first 14 bits choose the register |
/// | `gaps` | `{p50Ms?, p95Ms?, p99Ms?, minMs?, maxMs?, buckets}`, with `buckets` a list of `[index, count]` as `GapHistogram` has them |
/// | `byRecordType` | list of `{recordType, conflicts, editsLost}` |
/// | `byField` | list of `{recordType, field?, conflicts, editsLost}`; no `field` where the register is the whole record |
/// | `byWinningDevice` | list of `{device, conflicts, editsLost, clockSuspect}` |
/// | `byLosingDevice` | list of `{device, conflicts, editsLost}` |
/// | `byDevicePair` | list of `{winner, loser, conflicts, editsLost}` |
/// | `byDay` | list of `{day, conflicts, editsLost}` |
/// | `byRecord` | list of `{recordType, recordID, conflicts, editsLost}` |
public struct JSONRenderer: Sendable {
    static let version = 1
    private static let pieceSize = 1 << 18

    /// A renderer.
    public init() {}

    /// The summary as UTF-8, ended by a line feed.
    ///
    /// - Complexity: O(*n* log *n*) in the distinct keys of the summary.
    public func render(_ summary: Summary) -> [UInt8] {
        var bytes: [UInt8] = []
        render(summary, clocks: nil) { bytes += $0 }
        return bytes
    }

    /// Writes the summary, and under `clockWhatIf` what would change if the clocks were right, where that was asked for and can be told.
    ///
    /// - Parameter write: Takes the bytes, about ``pieceSize`` at a time: where nearly every name is new, they are as many as the logs have.
    package func render<Failure: Error>(
        _ summary: Summary, clocks: ClockWhatIf.Answer?, _ write: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        var buffer = LineBuffer()
        var failure: Failure?
        func drain(_ buffer: inout LineBuffer) {
            guard buffer.count >= Self.pieceSize else { return }
            do throws(Failure) {
                if failure == nil { try write(buffer.array) }
            } catch {
                failure = error
            }
            buffer.truncate(to: 0)
        }
        buffer.writeObject { object, buffer in
            let losses = summary.proven.total.losses.addingCount(summary.suspected.total.losses)
            object.field("summary", Self.version, in: &buffer)
            object.field("conflicts", summary.proven.total.conflicts.addingCount(summary.suspected.total.conflicts), in: &buffer)
            object.field("editsLost", losses, in: &buffer)
            object.field("writesObserved", summary.writes.count, in: &buffer)
            object.field("distinctConflicts", summary.distinctConflicts.count, in: &buffer)
            object.field("isDistinct", summary.isDistinct, in: &buffer)
            object.field("linesDropped", summary.linesDropped, in: &buffer)
            object.list("filters", summary.filters, in: &buffer) { $0.append($1) }
            object.key("proven", in: &buffer)
            buffer.append(summary.proven, drain)
            object.key("suspected", in: &buffer)
            buffer.append(summary.suspected, drain)
            object.key("writes", in: &buffer)
            buffer.append(summary.writes, drain)
            object.key("otherEvents", in: &buffer)
            buffer.appendCounts(summary.otherEvents)
            if let clocks {
                object.key("clockWhatIf", in: &buffer)
                buffer.append(clocks)
            }
        }
        if let failure { throw failure }
        buffer.append(UInt8(ascii: "\n"))
        try write(buffer.array)
    }
}

extension LineBuffer {
    fileprivate mutating func append(_ filter: ReportFilter) {
        writeObject { object, buffer in
            if let since = filter.since { object.date("since", since, in: &buffer) }
            if let until = filter.until { object.date("until", until, in: &buffer) }
            for (key, names) in filter.names where !names.isEmpty {
                object.key(named: key, in: &buffer)
                buffer.writeList(names) { JSONText.append($1, to: &$0) }
            }
        }
    }

    fileprivate mutating func append(_ writes: WriteTally, _ drain: (inout LineBuffer) -> Void) {
        writeObject { object, buffer in
            if let date = writes.firstDate { object.date("first", date, in: &buffer) }
            if let date = writes.lastDate { object.date("last", date, in: &buffer) }
            object.list("sources", writes.sortedLogs, in: &buffer, drain) { buffer, element in
                buffer.writeObject { object, buffer in
                    if let device = element.device { object.field("source", device.rawValue, in: &buffer) }
                    object.field("observed", element.log.observed, in: &buffer)
                    guard let reported = element.log.reported else { return }
                    object.date("reportedAt", reported.milliseconds, in: &buffer)
                    object.field("reported", reported.writes, in: &buffer)
                }
            }
        }
    }
}

extension ReportFilter {
    /// The sets by their keys in JSON, each in order.
    var names: [(key: String, names: [String])] {
        [
            ("devices", devices.sorted().map(\.rawValue)),
            ("recordTypes", recordTypes.sorted().map(\.rawValue)),
            ("fields", fields.sorted().map(\.rawValue)),
            ("kinds", kinds.map(\.rawValue).sorted()),
            ("severities", severities.sorted().map(\.rawValue)),
        ]
    }
}
