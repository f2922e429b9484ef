import AuditLog
import ConflictAudit
import SyncBytes
import SyncModel

/// Writes a summary as one JSON object on one line, with everything in it, so that `Summary(json:)` can read it back and merge it.
///
/// ```swift
/// let bytes = JSONRenderer().render(summary)
/// ```
///
/// It is made to be put together with others; what a person or a program wants to look at is shorter: `syncaudit report --format json`.
///
/// Keys come in the order below and lists in the order of their names, so that equal summaries give equal bytes. Every key is always
/// there unless marked with `?`; readers ignore keys that they do not know. A change that old readers would misread raises `summary`.
/// Times are RFC 3339 in UTC, days `YYYY-MM-DD` in UTC, lengths of time in milliseconds.
///
/// - `summary`: version of this format, 3
/// - `conflicts`, `editsLost`: proven and suspected together
/// - `writesObserved`: writes of all logs
/// - `writesWithContext?`: those of them that carried a causal context; not there where that is not known
/// - `reverts?`: edits that writers who had seen them put back, as statistics say; not there where there are none
/// - `hasWriteLines`, `hasAudit`: whether there was a write line, and whether a line that only whoever has looked for conflicts logs
/// - `distinctConflicts`: how many different conflicts, by id, within the error that the tallies state
/// - `isDistinct`: whether each conflict and each write was counted once in each part, however many devices had logged it; else every line
///   counts
/// - `parts`: how many summaries that count once were put together: what several of them have counts in each
/// - `copiesLeftOut`: lines of conflicts that did not count, because the conflict had been counted
/// - `unchecked`: lines of conflicts that count, though the conflict may have been counted: of those beyond the first 4,000,000 every line
///   does
/// - `recordsMissing`: how many conflicts at most are missing from a row of `byRecord`: 0 up to 262,144 records, beyond which those with
///   few conflicts are forgotten
/// - `linesDropped`: lines that the logs say could not be written
/// - `filters`: list of `{since?, until?, devices?, recordTypes?, records?, fields?, kinds?, severities?}`; `{}` lets everything pass
/// - `proven`, `suspected`: a tally each, see below
/// - `writes`: `{first?, last?, writers?, distinct?, sources}`, with `writers` the devices that the writes are of; `distinct`, where each
///   write was counted once, `{count, withContext, unnumbered, isPutTogether, dots}` and `dots` as `distinct` of a tally, by hashes of
///   device and number; and `sources` a list of
///   `{source?, observed, observedWithContext, reportedAt?, reported?, reportedWithContext?, reportedReverts?}`
/// - `otherEvents`: `{merge, sync, remote_change, network, account, clock, checkpoint, statistics, log}`
/// - `health?`: what logs tell of sync itself: list of `{source?, others?, newest?, outbox?, phases?, failures?, otherFailures?,`
///   `network?, networkIsCut?, account?, clock?, activity?, delivered?, merged?}`, see below
/// - `examples?`: up to three lines of conflicts that lost an edit, to be shown; without the values
///
/// A tally:
///
/// - `conflicts`, `editsLost`, and every other counter of a statistics line by its key there: counts
/// - `firstConflict?`, `lastConflict?`: times
/// - `byKind`, `bySeverity`, `byBasis`, `byReason`: count by name, every name there
/// - `distinct`: `{count, standardError, ids}`, with `ids` a list of what is counted, as long as that is exact; then
///   `{count, standardError, registers}`: the registers of a HyperLogLog in order, each a letter, `A`–`Z` for 0 to 25, `a`–`z` for 26 to
///   51; the id is mixed by the finaliser of MurmurHash3, its first 14 bits choose the register
/// - `gaps`: `{p50Ms?, p95Ms?, p99Ms?, minMs?, maxMs?, buckets}`, with `buckets` a list of `[index, count]` as `GapHistogram` has them
/// - `byRecordType`: list of `{recordType, conflicts, editsLost}`
/// - `byField`: list of `{recordType, field?, conflicts, editsLost}`; no `field` where the register is the whole record
/// - `byWinningDevice`: list of `{device, conflicts, editsLost, clockSuspect}`
/// - `byLosingDevice`: list of `{device, conflicts, editsLost}`
/// - `byDevicePair`: list of `{winner, loser, conflicts, editsLost}`
/// - `byAppPair`: list of `{winner, loser, conflicts, editsLost}`: versions of the app, empty where a side does not tell it
/// - `byDay`: list of `{day, conflicts, editsLost}`
/// - `byRecord`: list of `{recordType, recordID, conflicts, editsLost}`
///
/// The health of sync on a device:
///
/// - `source?`, `others?`: the device, not there where lines do not name one; true where it stands for the devices beyond the first 512 by
///   name
/// - `newest?`: time of the newest line about sync
/// - `outbox?`: `{latest, largest}`, each what a line of an outbox says, and its time as `at`
/// - `phases?`: list of `{phase, started, succeeded, failed, cancelled, lastSuccess?, lastFailure?, durations}`, with `durations` of those
///   that ended well, as `gaps`
/// - `failures?`: list of `{phase, error, count}`: up to 16 errors, of more those that come first by their bytes
/// - `otherFailures?`: how often something failed by other errors
/// - `network?`, `networkIsCut?`: list of `{at, status}`, up to 256 changes, of more the newest; whether there were more
/// - `account?`: `{at, status}`, the latest
/// - `clock?`: `{at, offsetMs, uncertaintyMs}`: by how much the clock was ahead of the hub's when last measured
/// - `activity?`: `{at, phase, state, error?}`, the latest step of sync
/// - `delivered?`, `merged?`: how old the device's writes were when the hub took them, and those of others when they were merged here, as
///   `gaps`
/// - `showing?`: the app's looks whether it shows what was merged: `{looks, refreshes, deferrals, missedPulses, leavesBehind, latest?}`,
///   the latest as `{at, isInForeground, isBehind, pulseMs}`
/// - `storage?`: the size of the store, by the latest line and the first of each week: `{latest, weeks}`, each `{at, bytes}`
public struct JSONRenderer: Sendable {
    private static let pieceSize = 1 << 18

    /// A renderer.
    public init() {}

    /// The summary as UTF-8, ended by a line feed.
    ///
    /// - Complexity: O(*n* log *n*) in the distinct keys of the summary.
    public func render(_ summary: Summary) -> [UInt8] {
        var bytes: [UInt8] = []
        render(summary) { bytes += $0 }
        return bytes
    }

    /// Writes the summary.
    ///
    /// - Parameter write: Takes the bytes, about ``pieceSize`` at a time: where nearly every name is new, they are as many as the logs
    ///   have.
    package func render<Failure: Error>(
        _ summary: Summary, _ write: ([UInt8]) throws(Failure) -> Void
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
        buffer.object { object in
            let losses = summary.proven.total.losses.addingCount(summary.suspected.total.losses)
            object.field("summary", Summary.formatVersion)
            object.field("conflicts", summary.proven.total.conflicts.addingCount(summary.suspected.total.conflicts))
            object.field("editsLost", losses)
            object.field("writesObserved", summary.writes.count)
            if let count = summary.writes.countWithContext { object.field("writesWithContext", count) }
            if summary.writes.reverts > 0 { object.field("reverts", summary.writes.reverts) }
            object.field("hasWriteLines", summary.hasWriteLines)
            object.field("hasAudit", summary.hasAudit)
            object.field("distinctConflicts", summary.distinctConflicts.count)
            object.field("isDistinct", summary.isDistinct)
            object.field("parts", summary.parts)
            object.field("copiesLeftOut", summary.copiesLeftOut)
            object.field("unchecked", summary.unchecked)
            object.field("recordsMissing", summary.recordsMissing)
            object.field("linesDropped", summary.linesDropped)
            object.list("filters", summary.filters) { $0.append($1) }
            object.key("proven")
            object.append(summary.proven, drain)
            object.key("suspected")
            object.append(summary.suspected, drain)
            object.key("writes")
            object.append(summary.writes, drain)
            object.key("otherEvents")
            object.appendCounts(summary.otherEvents)
            if !summary.health.isEmpty {
                object.key("health")
                object.append(summary.health)
            }
            if !summary.examples.conflicts.isEmpty {
                object.list("examples", summary.examples.conflicts) { $0.append(lineOf: $1) }
            }
        }
        if let failure { throw failure }
        buffer.append(UInt8(ascii: "\n"))
        try write(buffer.array)
    }
}

extension LineBuffer {
    fileprivate mutating func append(_ filter: ReportFilter) {
        object { object in
            if let since = filter.since { object.date("since", since.millisecondsSince1970) }
            if let until = filter.until { object.date("until", until.millisecondsSince1970) }
            for (key, names) in filter.names where !names.isEmpty {
                object.key(named: key)
                object.list(names) { JSONText.append($1, to: &$0) }
            }
        }
    }

    /// Appends the line of a conflict as an object.
    fileprivate mutating func append(lineOf conflict: Conflict) {
        // A summary is passed on further than a log: it tells which edits were lost, and not what they said.
        let conflict = ValuePrivacy.omitted.applied(to: conflict)
        var line = LineBuffer()
        LineEncoder.append(AuditEvent(at: conflict.milliseconds, .conflict(conflict)), sequence: nil, source: nil, to: &line)
        let bytes = Array(line.array.dropLast())
        append(bytes)
    }

    private mutating func append(_ writes: WriteTally.Distinct) {
        object { object in
            object.field("count", writes.count)
            object.field("withContext", writes.withContext)
            object.field("unnumbered", writes.unnumbered)
            object.field("isPutTogether", writes.isPutTogether)
            object.key("dots")
            object.append(writes.dots)
        }
    }

    fileprivate mutating func append(_ writes: WriteTally, _ drain: (inout LineBuffer) -> Void) {
        object { object in
            if let date = writes.firstMilliseconds { object.date("first", date) }
            if let date = writes.lastMilliseconds { object.date("last", date) }
            if !writes.writers.isEmpty {
                object.list("writers", writes.writers.sorted(), drain) { JSONText.append($1.rawValue, to: &$0) }
            }
            if let distinct = writes.distinct {
                object.key("distinct")
                object.append(distinct)
            }
            object.list("sources", writes.sortedLogs, drain) { object, element in
                object.object { object in
                    if let device = element.device { object.field("source", device.rawValue) }
                    object.field("observed", element.log.observed)
                    object.field("observedWithContext", element.log.observedWithContext)
                    guard let reported = element.log.reported else { return }
                    object.date("reportedAt", reported.milliseconds)
                    object.field("reported", reported.writes)
                    if let count = reported.withContext { object.field("reportedWithContext", count) }
                    if reported.reverts > 0 { object.field("reportedReverts", reported.reverts) }
                }
            }
        }
    }
}

extension ReportFilter {
    /// The sets by their keys in JSON, each in order.
    package var names: [(key: String, names: [String])] {
        [
            ("devices", devices.sorted().map(\.rawValue)),
            ("recordTypes", recordTypes.sorted().map(\.rawValue)),
            ("records", records.sorted().map(\.description)),
            ("fields", fields.sorted().map(\.rawValue)),
            ("kinds", kinds.map(\.rawValue).sorted()),
            ("severities", severities.sorted().map(\.rawValue)),
        ]
    }
}
