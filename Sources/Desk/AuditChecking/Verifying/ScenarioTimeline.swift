import AuditAnalysis
import SyncBytes
import SyncModel

/// What a device's log tells, in order of the device's time.
///
/// - Complexity: O(*n* log *n*) to make; questions are O(log *n*).
struct ScenarioTimeline: Sendable {
    /// A time without lines of which the app may have been in the background.
    struct Silence: Sendable {
        let start: Int64
        let end: Int64
        let endLine: ScenarioJudge.Location
    }

    /// The device's own writes.
    let writes: [ScenarioJudge.Write]
    /// The silences, the first first.
    let silences: [Silence]
    private let lines: [Int64]
    /// The times of all lines, the device's own writes among them: the app was running.
    private let presence: [Int64]
    /// When times without a network began, and for each the latest end of it and those before.
    private let offlineStarts: [Int64]
    private let offlineEnds: [Int64]

    init(_ log: ScenarioJudge.Log) {
        writes = log.writes.ordered { ($0.time, $0.dot.sequence) < ($1.time, $1.dot.sequence) }
        let sorted = log.lines.ordered { $0.time < $1.time }
        lines = sorted.map(\.time)
        let present = (log.lines + log.writes.map { ($0.time, $0.location) }).ordered { $0.time < $1.time }
        presence = present.map(\.time)
        silences = zip(present, present.dropFirst()).compactMap { before, after in
            guard after.time.distance(after: before.time) >= ScenarioJudge.silence else { return nil }
            return Silence(start: before.time, end: after.time, endLine: after.location)
        }
        let offline = log.offline.ordered { $0.start < $1.start }
        offlineStarts = offline.map(\.start)
        var latest = Int64.min
        offlineEnds = offline.map { span in
            latest = max(latest, span.end ?? .max)
            return latest
        }
    }

    /// The time of the last line.
    var lastTime: Int64? { lines.last }

    /// Whether the device had no network.
    func isOffline(at time: Int64) -> Bool { endOfOffline(at: time) > time }

    /// When the device had its network again; the time itself where it had it, and the end of all time where it has none yet.
    func endOfOffline(at time: Int64) -> Int64 {
        let count = offlineStarts.firstIndexInOrder { $0 > time }
        return count == 0 ? time : max(time, offlineEnds[count - 1])
    }

    /// When the app was there again, where a silence follows; else the time itself.
    func endOfSilence(at time: Int64) -> Int64 {
        let next = presence.firstIndexInOrder { $0 >= time }
        return next < presence.count && presence[next].distance(after: time) >= ScenarioJudge.silence ? presence[next] : time
    }

    /// Whether there is a line.
    func hasLine(in times: ClosedRange<Int64>) -> Bool {
        let index = lines.firstIndexInOrder { $0 >= times.lowerBound }
        return index < lines.count && times.contains(lines[index])
    }

    /// The indices of the writes from a time to before another.
    func writes(from start: Int64, to end: Int64) -> Range<Int> {
        let first = writes.firstIndexInOrder { $0.time >= start }
        return first..<max(first, writes.firstIndexInOrder { $0.time >= end })
    }
}
