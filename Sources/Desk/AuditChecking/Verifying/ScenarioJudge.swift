package import AuditAnalysis
package import AuditLog
import ConflictAudit
import SyncBytes
import SyncModel

/// Judges scenarios by the logs of the devices that somebody has worked through them with.
///
/// Of each scenario its latest occurrence counts. A write has arrived on another device at the next `remote_change` line, or end of an
/// import, after its line in that device's log; a `refresh` line says when its app showed it. The logs of observers name no writes of
/// others: there it has arrived where a conflict names it, where the device wrote having seen it, or where `remote_change` lines since then
/// tell of as many changes as there were writes; and that it has not, such a log cannot prove. Times of devices are compared by what their
/// logs last measured of their clocks.
///
/// - Complexity: O(1) a line, and judging is O(*n* log *n*) in what is kept: some words for each write, sync, network and conflict line. It
///   grows with the square of the devices.
package struct ScenarioJudge: EventObserver, Sendable {
    struct Location: Hashable, Sendable {
        let file: Int
        let line: Int
    }

    /// A write in its own device's log.
    struct Write: Sendable {
        let dot: Dot
        let key: RecordKey
        let time: Int64
        let location: Location
    }

    private struct Meeting: Sendable {
        let conflict: Conflict
        /// The time of the line.
        let time: Int64
        let location: Location
        let source: DeviceID
    }

    /// What a device's log tells.
    struct Log: Sendable {
        /// A time without a network.
        struct Offline: Sendable {
            let start: Int64
            /// Nil while it lasts.
            var end: Int64?
            let startLine: Location
            var endLine: Location?
        }

        /// Whose writes to which record were seen.
        struct Sight: Hashable, Sendable {
            let key: RecordKey
            let device: DeviceID
        }

        var writes: [Write] = []
        /// Writes of others whose lines have come, and when they were merged.
        var waiting: [(dot: Dot, location: Location)] = []
        var arrivals: [Dot: (time: Int64, location: Location)] = [:]
        /// When the device's own writes had seen how many of another's to a record, ever more; when it first told of a conflict with a
        /// write; and how many changes of others were merged when.
        var sights: [Sight: [(sequence: UInt64, time: Int64, location: Location)]] = [:]
        var met: [Dot: (time: Int64, location: Location)] = [:]
        var changes: [(count: Int, time: Int64, location: Location)] = []
        /// The times of lines other than writes: the app was running.
        var lines: [(time: Int64, location: Location)] = []
        /// When its app looked at what was merged, and whether it showed all of it then.
        var looks: [(time: Int64, showsAll: Bool)] = []
        /// When it had no network.
        var offline: [Offline] = []
        var hasNetworkLines = false
        var clockOffset: Int64 = 0
        /// Whether the log is of a device, and not of a hub or of an audit: it tells of syncs, merges or conflicts.
        var isDevices = false
    }

    /// How long an arrival may take, in milliseconds.
    private let limit: Int64
    /// How long a log is silent where its app is in the background, in milliseconds.
    static let silence: Int64 = 30_000
    /// How long a pause between edits of one batch may be, in milliseconds.
    private static let pause: Int64 = 5_000

    private var files: [String] = []
    private var numbers: [String: Int] = [:]
    private var logs: [DeviceID: Log] = [:]
    private var meetings: [Meeting] = []
    /// What the logs tell, in order of time; while something is judged.
    private var timelines: [DeviceID: ScenarioTimeline] = [:]

    /// - Parameter limit: How long an arrival may take, in milliseconds.
    package init(limit: Int64) {
        self.limit = limit
    }

    // MARK: Lines

    /// Takes a line.
    package mutating func observe(_ line: AuditLine, at position: AuditLogReader.Location) {
        guard let source = line.source, source != .auditOfTrace else { return }
        let file = numbers[position.file] ?? files.count
        if file == files.count {
            numbers[position.file] = file
            files.append(position.file.escaped(for: .terminal))
        }
        let location = Location(file: file, line: position.line)
        let time = line.event.milliseconds
        var log = logs.removeValue(forKey: source) ?? Log()
        defer { logs[source] = log }
        switch line.event.content {
        case .write(let write):
            // The time of such a line is the write's.
            if write.dot.device.isWriter(of: source) {
                log.writes.append(Write(dot: write.dot, key: write.key, time: time, location: location))
                for entry in write.seen?.entries ?? [] {
                    let sight = Log.Sight(key: write.key, device: entry.device)
                    guard log.sights[sight]?.last?.sequence ?? 0 < entry.sequence else { continue }
                    log.sights[sight, default: []].append((entry.sequence, time, location))
                }
            } else {
                log.waiting.append((write.dot, location))
            }
            return
        case .remoteChange(let change):
            log.isDevices = true
            log.changes.append((change.changes, time, location))
            log.merge(at: time)
        case .sync(let activity):
            log.isDevices = true
            // What is imported into another store of the device says nothing of the first.
            if activity.device == nil {
                if activity.phase == .import, activity.state == .succeeded { log.merge(at: time) }
                if !log.hasNetworkLines { log.observe(activity, at: time, location) }
            }
        case .refresh(let report):
            log.looks.append((time, !report.isBehind))
            // What is asked for in the background does not show that the app was open.
            guard report.isInForeground || report.trigger == .background else { return }
        case .network(let status, _):
            if !log.hasNetworkLines { log.offline = [] }
            log.hasNetworkLines = true
            log.setOnline(status == "connected", at: time, location)
        case .clock(let measurement) where measurement.device == source: log.clockOffset = measurement.offsetMilliseconds
        case .conflict(let conflict):
            log.isDevices = true
            // The time of such a line may be that of a write; it was merged no earlier than what the log tells before.
            let merged = max(time, log.lines.last?.time ?? time)
            for side in [conflict.winner, conflict.loser] where log.met[side.dot] == nil { log.met[side.dot] = (merged, location) }
            meetings.append(Meeting(conflict: conflict, time: merged, location: location, source: source))
        default: break
        }
        log.lines.append((time, location))
    }

    // MARK: Verdicts

    /// What the lines so far say of a scenario.
    package func verdict(on scenario: Scenario) -> ScenarioVerdict { verdicts(on: [scenario])[0] }

    /// What the lines so far say of scenarios.
    package func verdicts(on scenarios: [Scenario]) -> [ScenarioVerdict] {
        var judge = self
        judge.logs = logs.filter(\.value.isDevices)
        judge.timelines = judge.logs.mapValues(ScenarioTimeline.init)
        let count = judge.logs.count
        return scenarios.map { scenario in
            let (outcome, evidence) =
                count < 2 ? (.notSeen, [tooFew(count)]) : judge.judge(scenario)
            return ScenarioVerdict(scenario: scenario, outcome: outcome, evidence: evidence)
        }
    }

    private func tooFew(_ devices: Int) -> String {
        devices == 0
            ? "no line is of a device's own log, and it takes the logs of two"
            : "the logs are of \(HumanNumber.count(devices, "device")), and it takes two; name the other's log too"
    }

    private typealias Judgement = (ScenarioVerdict.Outcome, [String])

    private func judge(_ scenario: Scenario) -> Judgement {
        switch scenario {
        case .singleEdit: latest(batches { $0.count == 1 }, "nobody made a single edit while both apps were open")
        case .rapidBatch: latest(batches { $0.count >= 5 }, "nobody made 5 edits in a row while both apps were open")
        case .background: background()
        case .airplaneMode: airplaneMode(edits: 1, others: 0)
        case .partition: airplaneMode(edits: 3, others: 2)
        case .simultaneousEdits: meeting("no two devices edited one field") { $0.kind == .updateUpdate || $0.kind == .insertInsert }
        case .differentFields: meeting("no two devices edited different fields of one record") { $0.kind == .disjointUpdate }
        case .deleteAndEdit: meeting("no device deleted what another edited") { $0.kind == .deleteUpdate }
        }
    }

    /// A device's edits without a pause between.
    private func batches(_ isWanted: ([Write]) -> Bool) -> [(device: DeviceID, writes: [Write])] {
        var result: [(device: DeviceID, writes: [Write])] = []
        for (device, timeline) in timelines {
            var batch: [Write] = []
            for write in timeline.writes {
                if let last = batch.last, write.time.distance(after: last.time) > Self.pause {
                    if isWanted(batch) { result.append((device, batch)) }
                    batch = []
                }
                batch.append(write)
            }
            if isWanted(batch) { result.append((device, batch)) }
        }
        return result.ordered { (hubTime($0.writes[0].time, $0.device), $0.device) < (hubTime($1.writes[0].time, $1.device), $1.device) }
    }

    /// Judges the latest of some batches that were made while both apps were open.
    private func latest(_ batches: [(device: DeviceID, writes: [Write])], _ nothing: String) -> Judgement {
        var reason = [nothing]
        for (device, writes) in batches.reversed() {
            guard let first = writes.first, let last = writes.last, timelines[device]?.isOffline(at: first.time) == false else {
                continue
            }
            let due = hubTime(last.time, device).addingSaturated(limit)
            // Who was asleep or without a network when it should have come tells nothing of how fast it comes.
            let others = timelines.keys.sorted().filter { other in
                guard other != device, let timeline = timelines[other] else { return false }
                let (start, end) = (deviceTime(hubTime(first.time, device), other), deviceTime(due, other))
                return !timeline.isOffline(at: start) && timeline.hasLine(in: start...max(start, end))
            }
            guard !others.isEmpty else {
                reason = [
                    "\(name(first.location)): \(EventText.name(device.rawValue)) made \(edits(writes)), and no other log has a line in the "
                        + "\(limitText) after"
                ]
                continue
            }
            return arrivals(of: writes, from: device, on: others, since: hubTime(last.time, device), "made \(edits(writes))")
        }
        return (.notSeen, reason)
    }

    private func background() -> Judgement {
        let devices = timelines.keys.sorted()
        var silences: [(end: Int64, device: DeviceID, silence: ScenarioTimeline.Silence)] = []
        for device in devices { silences += (timelines[device]?.silences ?? []).map { (hubTime($0.end, device), device, $0) } }
        // The latest counts, so that the others need not be looked at.
        for (end, other, silence) in silences.ordered(by: { $0.end < $1.end }).reversed() {
            guard timelines[other]?.isOffline(at: silence.start) == false else { continue }
            let start = hubTime(silence.start, other)
            for device in devices.reversed() where device != other {
                guard let timeline = timelines[device] else { continue }
                let range = timeline.writes(from: deviceTime(start, device), to: deviceTime(end, device))
                let writes = timeline.writes[range].filter { !timeline.isOffline(at: $0.time) }
                guard !writes.isEmpty else { continue }
                let silent = "was silent for \(HumanNumber.duration(milliseconds: end - start)) until \(name(silence.endLine))"
                return arrivals(
                    of: writes, from: device, on: [other], since: end,
                    "made \(edits(writes)) while \(EventText.name(other.rawValue)) \(silent)")
            }
        }
        return (.notSeen, ["nobody edited while another log was silent for 30 s"])
    }

    private func airplaneMode(edits count: Int, others otherCount: Int) -> Judgement {
        let devices = timelines.keys.sorted()
        var spans: [(start: Int64, device: DeviceID, span: Log.Offline)] = []
        for device in devices { spans += (logs[device]?.offline ?? []).map { (hubTime($0.start, device), device, $0) } }
        for (start, device, span) in spans.ordered(by: { $0.start < $1.start }).reversed() {
            guard let timeline = timelines[device] else { continue }
            let writes = timeline.writes[timeline.writes(from: span.start, to: span.end ?? .max)]
            guard writes.count >= count else { continue }
            let end = span.end.map { hubTime($0, device) }
            let others = devices.filter { $0 != device }
            let theirs = others.compactMap { other in
                timelines[other].map { (other, $0.writes[$0.writes(from: deviceTime(start, other), to: deviceTime(end ?? .max, other))]) }
            }
            guard theirs.reduce(0, { $0 + $1.1.count }) >= otherCount else { continue }
            let what = "made \(edits(writes)) without a network, from \(name(span.startLine)) on"
            guard let end, let line = span.endLine else {
                return (.notSeen, ["\(EventText.name(device.rawValue)) \(what), and is not connected again yet"])
            }
            var judged = arrivals(of: Array(writes), from: device, on: others, since: end, what + " to \(name(line))")
            for (other, writes) in theirs where otherCount > 0 && !writes.isEmpty {
                let back = arrivals(of: Array(writes), from: other, on: [device], since: end, "made \(edits(writes)) meanwhile")
                judged = (worse(judged.0, back.0), judged.1 + back.1)
            }
            return judged
        }
        let nothing = count == 1 ? "nobody edited without a network" : "no two devices edited, 3 and 2 times, while one had no network"
        return (.notSeen, [nothing])
    }

    /// Judges the latest conflict of a kind: whether all who tell of it tell the same, and both who met have merged it in time.
    private func meeting(_ nothing: String, _ isWanted: (Conflict) -> Bool) -> Judgement {
        let wanted = meetings.filter { isWanted($0.conflict) }
        guard let last = wanted.max(by: { latestTime($0.conflict) < latestTime($1.conflict) }) else { return (.notSeen, [nothing]) }
        let all = wanted.filter { $0.conflict.id == last.conflict.id }
        let conflict = last.conflict
        let register = EventText.register(conflict.key, conflict.field)
        var evidence: [String] = []
        for one in all {
            let (winner, loser) = (one.conflict.winner, one.conflict.loser)
            let lost = one.conflict.severity.isLoss ? "discards" : "keeps"
            evidence.append(
                "\(name(one.location)): \(EventText.name(one.source.rawValue)) merges \(register), "
                    + "\(EventText.name(winner.dot.device.rawValue))'s "
                    + "\(winner.operation == .delete ? "delete" : "edit") wins "
                    + "and \(lost) that of \(EventText.name(loser.dot.device.rawValue))"
            )
        }
        if all.contains(where: { $0.conflict.winner.dot != conflict.winner.dot || $0.conflict.severity == .divergent }) {
            return (.failed, evidence + ["the devices do not agree on the winner"])
        }
        let sides = [conflict.winner, conflict.loser]
        // Both can have merged it once the second of them is there, or is back.
        let start =
            sides.map { side in log(of: side).map { ready($0, side.timestamp.milliseconds) } ?? side.timestamp.milliseconds }.max() ?? 0
        var outcome = ScenarioVerdict.Outcome.passed
        for (side, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            let (judged, sentence) = merging(of: other, on: side, all, since: start)
            outcome = worse(outcome, judged)
            if let sentence { evidence.append(sentence) }
        }
        return (outcome, evidence)
    }

    /// Judges whether the device of one side has merged the other in time, by its line of the conflict or of the merge.
    private func merging(
        of other: Conflict.Side, on side: Conflict.Side, _ lines: [Meeting], since start: Int64
    ) -> (ScenarioVerdict.Outcome, String?) {
        let label = EventText.name(side.dot.device.rawValue)
        guard let device = log(of: side), let log = logs[device] else { return (.notSeen, "there is no log of \(label)") }
        let line = lines.filter { $0.source == device }.min { $0.time < $1.time }
        if let merged = log.arrivals[other.dot].map({ ($0.time, $0.location) }) ?? line.map({ ($0.time, $0.location) }) {
            let delay = max(0, hubTime(merged.0, device).distance(after: start))
            guard delay > limit else { return (.passed, nil) }
            return (
                .failed,
                "\(name(merged.1)): \(label) had merged it \(HumanNumber.duration(milliseconds: delay)) later, more than \(limitText)"
            )
        }
        // A log that names no writes of others cannot tell that one is missing.
        let isOver = timelines[device]?.lastTime.map { hubTime($0, device) > start.addingSaturated(limit) } ?? false
        let isMissing = isOver && log.namesOthers
        return (isMissing ? .failed : .notSeen, "\(label) has not merged it\(isMissing ? " after \(limitText)" : ", by its log so far")")
    }

    /// The device in whose log a side's write would be its own.
    private func log(of side: Conflict.Side) -> DeviceID? {
        logs[side.dot.device] != nil ? side.dot.device : logs.keys.sorted().first { side.dot.device.isWriter(of: $0) }
    }

    /// When a device could send what it wrote: at once, with its network, or back from the background.
    ///
    /// - Parameter time: The write's time by the device's clock.
    /// - Returns: The time by the hub's clock; the end of all time where it has not come.
    private func ready(_ device: DeviceID, _ time: Int64) -> Int64 {
        guard let timeline = timelines[device] else { return hubTime(time, device) }
        let end = timeline.endOfOffline(at: time)
        return end == .max ? end : hubTime(timeline.endOfSilence(at: end), device)
    }

    private func latestTime(_ conflict: Conflict) -> Int64 {
        max(conflict.winner.timestamp.milliseconds, conflict.loser.timestamp.milliseconds)
    }

    /// Judges whether writes have come to other devices in time.
    private func arrivals(
        of writes: [Write], from device: DeviceID, on others: [DeviceID], since start: Int64, _ what: String
    ) -> Judgement {
        var evidence = ["\(writes.first.map { name($0.location) } ?? ""): \(EventText.name(device.rawValue)) \(what)"]
        var outcome = ScenarioVerdict.Outcome.passed
        for other in others {
            guard let log = logs[other] else { continue }
            let label = EventText.name(other.rawValue)
            let arrived = arrivals(of: writes, from: device, in: log, of: other)
            let missing = writes.filter { arrived[$0.dot] == nil }
            if !missing.isEmpty, !log.namesOthers {
                outcome = worse(outcome, .notSeen)
                evidence.append(
                    "\(label)'s log names no writes of others, and nothing in it shows \(missing.count == writes.count ? "" : "all of ")"
                        + "\(writes.count == 1 ? "it" : "them"); let it log a remote_change for what it merges, or the writes themselves")
                continue
            }
            if let first = missing.first {
                let isOver = timelines[other]?.lastTime.map { hubTime($0, other) > start.addingSaturated(limit) } ?? false
                outcome = worse(outcome, isOver ? .failed : .notSeen)
                evidence.append(
                    "\(label) has merged \(HumanNumber.count(writes.count - missing.count)) of \(edits(writes))"
                        + "\(isOver ? " after \(limitText)" : " so far"); "
                        + "the first that is missing is at \(name(first.location))")
                continue
            }
            let latest = writes.compactMap { arrived[$0.dot] }.max { $0.time < $1.time }
            guard let latest else { continue }
            let delay = max(0, hubTime(latest.time, other).distance(after: start))
            // What shows an arrival late does not show that it was late.
            if delay > limit { outcome = worse(outcome, log.namesOthers ? .failed : .notSeen) }
            let late =
                log.namesOthers ? ", more than \(limitText)" : " at the latest, and whether within \(limitText) its log does not tell"
            evidence.append(
                "\(name(latest.location)): \(label) had merged \(writes.count == 1 ? "it" : "all of them") "
                    + "\(HumanNumber.duration(milliseconds: delay)) later"
                    + (delay > limit ? late : "") + (log.showing(since: latest.time).map { ", " + $0 } ?? ""))
        }
        return (outcome, evidence)
    }

    /// When writes had arrived in the log of another device, as far as that tells: by the first line that shows it.
    private func arrivals(
        of writes: [Write], from device: DeviceID, in log: Log, of other: DeviceID
    ) -> [Dot: (time: Int64, location: Location)] {
        var arrivals: [Dot: (time: Int64, location: Location)] = [:]
        func show(_ write: Write, _ arrival: (time: Int64, location: Location)?) {
            guard let arrival, arrival.time < arrivals[write.dot]?.time ?? .max else { return }
            arrivals[write.dot] = arrival
        }
        for write in writes {
            if let arrival = log.arrivals[write.dot] {
                arrivals[write.dot] = arrival
                continue
            }
            let sights = log.sights[Log.Sight(key: write.key, device: write.dot.device)] ?? []
            let first = sights.partitioningIndex { $0.sequence >= write.dot.sequence }
            show(write, first < sights.count ? (sights[first].time, sights[first].location) : nil)
            show(write, log.met[write.dot])
        }
        guard let first = writes.first, !log.namesOthers else { return arrivals }
        // The changes merged since are these, as far as they are as many.
        var others = writes[...]
        let since = deviceTime(hubTime(first.time, device), other)
        for change in log.changes.filter({ $0.time >= since }).ordered(by: { $0.time < $1.time }) where change.count > 0 {
            for write in others.prefix(change.count) { show(write, (change.time, change.location)) }
            others = others.dropFirst(change.count)
        }
        return arrivals
    }

    private func worse(_ one: ScenarioVerdict.Outcome, _ other: ScenarioVerdict.Outcome) -> ScenarioVerdict.Outcome {
        if one == .failed || other == .failed { return .failed }
        return one == .notSeen ? one : other
    }

    // MARK: Words and times

    private var limitText: String { HumanNumber.duration(milliseconds: limit) }

    private func edits(_ writes: some Collection<Write>) -> String { HumanNumber.count(writes.count, "edit") }

    private func name(_ location: Location) -> String { "\(files[location.file]):\(location.line)" }

    private func hubTime(_ time: Int64, _ device: DeviceID) -> Int64 { time.distance(after: logs[device]?.clockOffset ?? 0) }

    private func deviceTime(_ time: Int64, _ device: DeviceID) -> Int64 { time.addingSaturated(logs[device]?.clockOffset ?? 0) }
}

extension ScenarioJudge.Log {
    fileprivate mutating func merge(at time: Int64) {
        for item in waiting where arrivals[item.dot] == nil { arrivals[item.dot] = (time, item.location) }
        waiting = []
    }

    /// Whether the log names writes of others, so that one that is not named has not come.
    fileprivate var namesOthers: Bool { !arrivals.isEmpty || !waiting.isEmpty }

    /// When the app showed what was merged by a time; nil where no line tells of a look.
    fileprivate func showing(since time: Int64) -> String? {
        guard !looks.isEmpty else { return nil }
        guard let shown = looks.lazy.filter({ $0.showsAll && $0.time >= time }).map(\.time).min() else {
            return "and its app has not shown it, by its log so far"
        }
        return "and its app showed it \(HumanNumber.duration(milliseconds: shown.distance(after: time))) after that"
    }

    /// Where no line tells of the network, a sync that fails does.
    fileprivate mutating func observe(_ activity: SyncActivity, at time: Int64, _ location: ScenarioJudge.Location) {
        switch activity.state {
        case .started: break
        case .failed: if !activity.wasCancelled { setOnline(false, at: time, location) }
        case .succeeded: if activity.phase == .export { setOnline(true, at: time, location) }
        }
    }

    fileprivate mutating func setOnline(_ isOnline: Bool, at time: Int64, _ location: ScenarioJudge.Location) {
        if let last = offline.last, last.end == nil {
            guard isOnline else { return }
            offline[offline.count - 1].end = time
            offline[offline.count - 1].endLine = location
        } else if !isOnline {
            offline.append(Offline(start: time, end: nil, startLine: location, endLine: nil))
        }
    }
}
