import ConflictAudit
import SyncMerge
import SyncModel
import Testing

private struct KeepingSink: AuditSink, ConflictKeeper {
    let ids: Set<ConflictID>

    func record(_ event: AuditEvent) {}
    func keptConflicts(among ids: Set<ConflictID>) -> Set<ConflictID>? { ids.intersection(self.ids) }
    var conflictKeeper: (any ConflictKeeper)? { self }
}

/// The examples in the documentation of the public types of ConflictAudit.
@Suite struct AuditExamples {
    private let sink = CountingSink()
    private let key = RecordKey(type: "Card", id: "42")
    private let write = Samples.writes[1]

    @Test func auditEventExample() {
        let event = AuditEvent(at: systemWallClock(), .network(status: "satisfied", interface: "wifi"))
        sink.record(event)
        #expect(sink.count == 1)
    }

    @Test func syncActivityExample() {
        let activity = SyncActivity(phase: .export, state: .succeeded, writes: 12, bytes: 4096, duration: .milliseconds(85))
        sink.record(AuditEvent(at: systemWallClock(), .sync(activity)))
        #expect(sink.count == 1)
    }

    @Test func writeAcknowledgementExample() {
        let acknowledgement = WriteAcknowledgement(
            dot: Dot(device: "phone", sequence: 7), key: RecordKey(type: "Card", id: "1"), fields: ["title"], number: 12, earliest: 12,
            arrived: 9)
        sink.record(AuditEvent(at: systemWallClock(), .acknowledgement(acknowledgement)))
        #expect(sink.count == 1)
    }

    @Test func remoteChangeExample() {
        let change = RemoteChange(changes: 12, refreshVersion: 3)
        sink.record(AuditEvent(at: systemWallClock(), .remoteChange(change)))
        #expect(sink.count == 1)
    }

    @Test func clockMeasurementExample() {
        let measurement = ClockMeasurement(device: "iPhone", offset: .milliseconds(4200), uncertainty: .milliseconds(40))
        sink.record(AuditEvent(at: systemWallClock(), .clock(measurement)))
        #expect(sink.count == 1)
    }

    @Test func checkpointExample() {
        let checkpoint = Checkpoint(seen: ["iPhone": 3, "iPad": 6], records: 2, digest: "00c0ffee00c0ffee")
        sink.record(AuditEvent(at: systemWallClock(), .checkpoint(checkpoint)))
        #expect(sink.count == 1)
    }

    @Test func logNoteExample() {
        let event = AuditEvent(at: systemWallClock(), .log(.dropped(2)))
        if case .log(.dropped(let count)) = event.content {
            print(count, "lines are missing from the log")
        }
        #expect(event.content == .log(.dropped(2)))
    }

    @Test func unobservedFieldExample() {
        let gap = UnobservedField(type: "Note", field: "color", reason: "its values cannot be compared")
        #expect(gap.field == "color")
    }

    @Test func auditRulesExample() {
        let rules = AuditRules(window: .seconds(60), uniqueFields: [.init(type: "Card", field: "email")])
        var auditor = TraceAuditor(auditRules: rules, sink: sink)
        #expect(auditor.observe(write).isEmpty)
    }

    @Test func auditSinkExample() {
        struct PrintingSink: AuditSink {
            func record(_ event: AuditEvent) { print(event.time, event.content) }
        }
        PrintingSink().record(contentsOf: [])
    }

    @Test func conflictKeeperExample() {
        guard case .conflict(let conflict)? = Samples.conflicts.first?.content else { return #expect(Bool(false), "no conflict") }
        let log = KeepingSink(ids: [conflict.id])
        let isKept = log.conflictKeeper?.keptConflicts(among: [conflict.id])?.contains(conflict.id) ?? false
        #expect(isKept)
    }

    @Test func broadcastingAuditSinkExample() {
        let (log, monitor) = (sink, CountingSink())
        let both = BroadcastingAuditSink([log, monitor])
        var auditor = TraceAuditor(sink: both)
        #expect(auditor.observe(write).isEmpty && log.count == monitor.count)
    }

    @Test func conflictExample() {
        var auditor = TraceAuditor(sink: sink)
        for conflict in auditor.observe(write) where conflict.severity.isLoss {
            print(conflict.key, conflict.field ?? "", "lost:", conflict.loser.value ?? "")
        }
        #expect(auditor.statistics.writesObserved == 1)
    }

    @Test func conflictAuditorExample() {
        var state = RecordState(key: key)
        let auditor = ConflictAuditor(sink: sink)
        auditor.record(state.merge(write, rules: MergeRules()))
        print(auditor.summary)
        #expect(auditor.statistics.totalConflicts == 0)
    }

    @Test func savedVersionsExample() {
        guard case .conflict(var conflict)? = Samples.conflicts.first?.content else { return #expect(Bool(false), "no conflict") }
        conflict.versions = SavedVersions(save: "12", lost: "9", base: "7", shown: "11", rows: SavedVersions.Rows(save: 12, lost: 9))
        if let versions = conflict.versions { print("version \(versions.save) replaced version \(versions.lost)") }
        if let name = conflict.name { print("\(conflict.key.type) \(name.text)") }
        #expect(conflict.versions?.base == "7")
    }

    @Test func conflictIDExample() {
        let id = ConflictID("00c0ffee00c0ffee")
        print(id?.description ?? "no identifier")  // 00c0ffee00c0ffee
        #expect(id?.description == "00c0ffee00c0ffee")
    }

    @Test func conflictStatisticsExample() {
        let auditor = TraceAuditor(sink: sink)
        let statistics = auditor.statistics
        print(statistics.dataLost, "edits lost in", statistics.totalConflicts, "conflicts")
        #expect(statistics.totalConflicts == 0)
    }

    @Test func gapHistogramExample() {
        var gaps = GapHistogram()
        gaps.record(.milliseconds(1500))
        print(gaps.percentile(0.5) ?? .zero)
        #expect(gaps.count == 1)
    }

    @Test func traceAuditorExample() {
        let writes = Samples.writes
        var auditor = TraceAuditor(sink: sink)
        for write in writes { auditor.observe(write) }
        print(auditor.statistics.dataLost, "edits lost")
        #expect(auditor.statistics.writesObserved == 2)
    }

    @Test func recordedMergeExample() {
        let merge = RecordedMerge(
            key: RecordKey(type: "Card", id: "1"), at: WallTime(millisecondsSince1970: 1_768_485_600_000), by: "phone",
            ancestor: RecordedMerge.Version(fields: ["name": "Ann"]), client: RecordedMerge.Version(fields: ["name": "Anna"]),
            server: RecordedMerge.Version(fields: ["name": "Anne"], device: "tablet"))
        #expect(merge.device == "phone")
    }
}
