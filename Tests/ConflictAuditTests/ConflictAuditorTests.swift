import ConflictAudit
import ConflictAuditTesting
import SyncMerge
import SyncModel
import Testing

/// A replica's auditor.
@Suite struct ConflictAuditorTests {
    private func put(_ device: DeviceID, at milliseconds: Int64, _ fields: FieldMap, type: RecordType = "note") -> TaggedWrite {
        TaggedWrite(
            dot: Dot(device: device, sequence: 1), timestamp: HybridTimestamp(milliseconds: milliseconds),
            key: RecordKey(type: type, id: "1"), operation: .put(fields), seen: [:])
    }

    /// What the merge of two concurrent writes decides.
    private func decisions(_ mergeRules: MergeRules = MergeRules(), gap: Int64 = 10, fields: FieldMap = ["x": 1]) -> [MergeDecision] {
        var state = RecordState(key: RecordKey(type: "note", id: "1"))
        var other = fields
        for element in fields { other[element.name] = "other" }
        return [put("a", at: 1000, fields), put("b", at: 1000 + gap, other)].flatMap { state.merge($0, rules: mergeRules) }
    }

    private static let manual = MergeRules(standard: .fields(.manual))

    @Test(arguments: AuditRules.OutsideWindow.allCases)
    func aConflictOutsideTheWindowIsCountedAndReportedOnlyIfAllAre(outside: AuditRules.OutsideWindow) {
        let sink = CollectingAuditSink()
        let auditor = ConflictAuditor(rules: AuditRules(window: .milliseconds(500), outsideWindow: outside), sink: sink)
        let within = auditor.record(decisions(gap: 500))
        let without = auditor.record(decisions(gap: 501))
        #expect(within.map(\.withinWindow) == [true])
        #expect(without.map(\.withinWindow) == (outside == .log ? [false] : []))
        #expect(sink.conflicts == within + without)
        #expect(auditor.statistics.totalConflicts == 2)
        #expect(auditor.statistics.outsideWindow == 1)
    }

    @Test func eachConflictIsPassedOnWithItsDateAndItsBasis() {
        let sink = CollectingAuditSink()
        let auditor = ConflictAuditor(sink: sink)
        #expect(auditor.record([]) == [])
        let conflicts = auditor.record(decisions(fields: ["x": 1, "y": 2]), basis: .ancestor)
        #expect(conflicts.map(\.basis) == [.ancestor, .ancestor])
        #expect(sink.events == conflicts.map { AuditEvent(at: 1010, .conflict($0)) })
        auditor.recordWrites()
        auditor.recordWrites(4)
        #expect(auditor.statistics.writesObserved == 5)
    }

    @Test func conflictsAreFoundAndCountedWithoutASink() {
        let auditor = ConflictAuditor(sink: BroadcastingAuditSink([]))
        #expect(auditor.record(decisions()).count == 1)
        #expect(auditor.statistics.totalConflicts == 1)
    }

    @Test func everySinkOfSeveralReceivesOneEventOrMany() {
        let sinks = [CollectingAuditSink(), CollectingAuditSink()]
        let broadcasting = BroadcastingAuditSink(sinks)
        let events = [AuditEvent(at: 1, .account(status: "available")), AuditEvent(at: 2, .log(.opened))]
        broadcasting.record(events[0])
        broadcasting.record(contentsOf: events)
        for sink in sinks { #expect(sink.events == [events[0]] + events) }
        let auditor = ConflictAuditor(sink: broadcasting)
        auditor.record(decisions())
        for sink in sinks { #expect(sink.conflicts.count == 1) }
    }

    @Test func aMeasuredClockMakesLaterDecisionsSuspect() {
        let auditor = ConflictAuditor(sink: CollectingAuditSink())
        #expect(auditor.record(decisions()).map(\.clockSuspect) == [false])
        auditor.record(ClockMeasurement(device: "b", offset: .milliseconds(900), uncertainty: .milliseconds(1)))
        #expect(auditor.record(decisions()).map(\.clockSuspect) == [true])
        auditor.record(ClockMeasurement(device: "b", offset: .zero, uncertainty: .milliseconds(1)))
        #expect(auditor.record(decisions()).map(\.clockSuspect) == [false])
    }

    @Test func waitingConflictsAreActiveOldestFirstUntilEachIsDecided() throws {
        let sink = CollectingAuditSink()
        let auditor = ConflictAuditor(sink: sink)
        let found = auditor.record(decisions(Self.manual, gap: 90) + decisions(Self.manual, fields: ["y": 1]) + decisions())
        #expect(auditor.activeConflicts.map(\.milliseconds) == [1010, 1090])
        #expect(auditor.statistics.unresolvedConflicts == 2)
        auditor.resolve(found[0].id, at: 7000, result: "chosen")
        #expect(auditor.activeConflicts.map(\.id) == [found[1].id])
        #expect(auditor.statistics.unresolvedConflicts == 1)
        let told = try #require(sink.conflicts.last)
        #expect(told.id == found[0].id)
        #expect(told.resolution == .manualResolved)
        #expect(told.result == "chosen")
        #expect(sink.events.last?.milliseconds == 7000)
        auditor.resolve(found[0].id, at: 8000, result: nil)
        auditor.resolve(found[2].id, at: 8000, result: nil)
        #expect(sink.conflicts.count == 4)
        #expect(auditor.statistics.unresolvedConflicts == 1)
        #expect(auditor.statistics.totalConflicts == 3)
    }

    @Test func restoredFindingsWaitAgainButAreNeitherCountedNorPassedOn() {
        let sink = CollectingAuditSink()
        let auditor = ConflictAuditor(sink: sink)
        let old = ConflictAuditor(sink: CollectingAuditSink()).record(decisions(Self.manual))
        auditor.restore(old)
        auditor.restore(old)
        #expect(auditor.activeConflicts == old)
        #expect(sink.events == [])
        #expect(auditor.statistics == ConflictStatistics())
        auditor.resolve(old[0].id, at: 5, result: nil)
        #expect(auditor.activeConflicts == [])
        #expect(sink.conflicts.map(\.resolution) == [.manualResolved])
        #expect(auditor.statistics.unresolvedConflicts == 0)
    }

    @Test func aConflictOfThisRunIsNotTakenForOneOfAnEarlierRun() {
        let auditor = ConflictAuditor(sink: CollectingAuditSink())
        let found = auditor.record(decisions(Self.manual))
        auditor.restore(found)
        auditor.resolve(found[0].id, at: 5, result: nil)
        #expect(auditor.statistics.unresolvedConflicts == 0)
    }

    @Test(arguments: AuditRules.OutsideWindow.allCases)
    func aDecisionIsReportedWhereItsConflictWas(outside: AuditRules.OutsideWindow) {
        let sink = CollectingAuditSink()
        let auditor = ConflictAuditor(rules: AuditRules(window: .milliseconds(5), outsideWindow: outside), sink: sink)
        auditor.record(decisions(Self.manual, gap: 5) + decisions(Self.manual, gap: 6, fields: ["y": 1]))
        #expect(auditor.activeConflicts.map(\.withinWindow) == [true, false])
        for conflict in auditor.activeConflicts { auditor.resolve(conflict.id, at: 5, result: nil) }
        #expect(auditor.activeConflicts == [])
        for resolution in [Conflict.Resolution.manualPending, .manualResolved] {
            let told = sink.conflicts.filter { $0.resolution == resolution }
            #expect(told.map(\.withinWindow) == (outside == .log ? [true, false] : [true]))
        }
    }

    @Test func theSummaryIsOneLine() {
        let auditor = ConflictAuditor(sink: CollectingAuditSink())
        #expect(auditor.summary == "No conflicts")
        auditor.record(decisions())
        #expect(auditor.summary == "1 conflict: 1 resolved automatically, 0 waiting, 1 lost an edit")
        auditor.record(decisions(Self.manual))
        #expect(auditor.summary == "2 conflicts: 1 resolved automatically, 1 waiting, 2 lost an edit")
    }

    @Test func anAuditorsCountsOfManyFieldsEqualStatistics() {
        let auditor = ConflictAuditor(sink: CollectingAuditSink())
        var expected = ConflictStatistics()
        for round in 0..<3 {
            for number in 0..<100 {
                var state = RecordState(key: RecordKey(type: number % 3 == 0 ? "task" : "note", id: "1"))
                let type = state.key.type
                let field = FieldName("f\(number)")
                let writes = [
                    put("a", at: 1000, [field: 1], type: type), put(DeviceID("d\(number % (40 + round))"), at: 900, [field: 2], type: type),
                ]
                for conflict in auditor.record(writes.flatMap { state.merge($0, rules: MergeRules()) }) { expected.record(conflict) }
            }
        }
        #expect(auditor.statistics == expected)
        #expect(expected.totalConflicts == 300)
    }
}
