import ConflictAudit
import OracleRules
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// Puts of whole records are read as the difference to what their writers had seen.
@Suite struct WholeRecordsTests {
    private static let settings: [Oracle.Settings] = [
        Oracle.Settings(), Oracle.Settings(policy: .firstWriterWins), Oracle.Settings(policy: .maximum),
        Oracle.Settings(isRecordLevel: true),
        Oracle.Settings(policy: .firstWriterWins, isRecordLevel: true),
    ]

    /// The same edits are saved once as they are and once as whole forms, which brute force makes of what the writer had seen.
    @Test(arguments: settings.indices, [RandomHistory.Mode.causal, .clocks])
    func wholeFormsGiveTheConflictsOfTheirEdits(settings: Int, mode: RandomHistory.Mode) {
        var settings = Self.settings[settings]
        var conflicts = 0
        for seed in 1...UInt64(histories(25, of: 300)) {
            settings.deletes = Oracle.Deletes.allCases[Int(seed) % Oracle.Deletes.allCases.count]
            let history = RandomHistory(seed: seed, mode: mode)
            var (edits, forms, edited): ([TaggedWrite], [TaggedWrite], [TaggedWrite]) = ([], [], [])
            for write in history.writes {
                guard let fields = write.fields else {
                    edits.append(write)
                    forms.append(write)
                    edited.append(write)
                    continue
                }
                let seen = edits.filter { Self.hasSeen(write, $0, history.writes, settings) && $0.key == write.key }
                let shown = Oracle.judge(seen, settings).state[write.key] ?? [:]
                var (form, edit) = (shown, FieldMap())
                for field in fields {
                    form[field.name] = field.value
                    if shown[field.name] ?? .null != field.value { edit[field.name] = field.value }
                }
                forms.append(write.with(operation: .put(form)))
                let made = write.with(operation: .put(edit))
                edits.append(made)
                if !edit.isEmpty || settings.isRecordLevel { edited.append(made) }
            }
            let expected = Oracle.judge(edited, settings, isWhole: true)
            var auditor = TraceAuditor(mergeRules: settings.rules, auditRules: AuditRules(wholeRecords: .all))
            let actual = forms.flatMap { auditor.observe($0) }.map(Self.account)
            func story() -> Comment { Comment(rawValue: RandomHistory.story(seed, forms)) }
            #expect(Set(actual) == Set(expected.findings.map(Self.account)), story())
            #expect(actual.count == expected.findings.count, story())
            let records = Dictionary(uniqueKeysWithValues: auditor.records().map { ($0.key, $0.fields) })
            #expect(records == expected.state, story())
            #expect(auditor.statistics.writesObserved == forms.count)
            conflicts += actual.count
        }
        #expect(conflicts > histories(8, of: 100))
    }

    private static func account(_ finding: Oracle.Finding) -> [String] {
        [
            finding.kind, "\(finding.key)", finding.field?.rawValue ?? "", "\(finding.winner)", "\(finding.loser)", finding.severity,
            finding.reason,
        ]
    }

    private static func account(_ conflict: Conflict) -> [String] {
        [
            conflict.kind.rawValue, "\(conflict.key)", conflict.field?.rawValue ?? "", "\(conflict.winner.dot)", "\(conflict.loser.dot)",
            conflict.severity.rawValue, conflict.reason.rawValue,
        ]
    }

    private static func hasSeen(_ write: TaggedWrite, _ other: TaggedWrite, _ all: [TaggedWrite], _ settings: Oracle.Settings) -> Bool {
        if other.dot.device == write.dot.device { return other.dot.sequence < write.dot.sequence }
        if let seen = write.seen { return seen[other.dot.device] >= other.dot.sequence }
        return write.timestamp.milliseconds > other.timestamp.milliseconds + settings.inference.window
    }

    private static func card(_ device: DeviceID, _ number: UInt64, at hour: Int, _ minute: Int, _ fields: FieldMap, saw: VersionVector)
        -> TaggedWrite
    {
        TaggedWrite(
            dot: Dot(device: device, sequence: number), timestamp: HybridTimestamp(milliseconds: Int64(hour * 60 + minute) * 60_000),
            key: RecordKey(type: "BusinessCard", id: "john"), operation: .put(fields), seen: saw)
    }

    private static let synced: FieldMap = [
        "name": "John Smith", "email": "john@oldcompany.com", "phone": "+1-555-0000", "company": "Old Corp",
    ]

    private static func cards() -> [TaggedWrite] {
        var (mine, theirs) = (synced, synced)
        mine["email"] = "john@newcompany.com"
        theirs["phone"] = "+1-555-1234"
        return [
            card("A", 1, at: 13, 0, synced, saw: [:]), card("B", 1, at: 14, 5, theirs, saw: ["A": 1]),
            card("A", 2, at: 14, 0, mine, saw: ["A": 1]),
        ]
    }

    @Test func twoDevicesEditDifferentPropertiesAndNothingIsLost() throws {
        var auditor = TraceAuditor(auditRules: AuditRules(wholeRecords: .types(["BusinessCard"])))
        let conflicts = Self.cards().flatMap { auditor.observe($0) }
        #expect(conflicts.map(\.kind) == [.disjointUpdate] && auditor.statistics.dataLost == 0)
        let record = try #require(auditor.records().first)
        #expect(record.fields["email"] == "john@newcompany.com" && record.fields["phone"] == "+1-555-1234")
    }

    @Test func whereRecordsAreKeptOrDroppedAsAWholeOneEditIsLost() throws {
        var auditor = TraceAuditor(
            mergeRules: MergeRules(standard: .record(.lastWriterWins)), auditRules: AuditRules(wholeRecords: .all))
        let conflicts = Self.cards().flatMap { auditor.observe($0) }
        #expect(conflicts.map(\.severity) == [.lossy])
        #expect(conflicts.first?.loser.value == .object(["email": "john@newcompany.com"]))
        #expect(auditor.records().first?.fields["email"] == "john@oldcompany.com")
    }

    @Test func otherTypesNameWhatWasEdited() {
        var auditor = TraceAuditor(auditRules: AuditRules(wholeRecords: .types(["Note"])))
        #expect(Self.cards().flatMap { auditor.observe($0) }.count == 4)
    }

    @Test func whoDoesNotNameItselfHadSeenItsOwnEditsAllTheSame() {
        var auditor = TraceAuditor(auditRules: AuditRules(wholeRecords: .all))
        let writes = [
            Self.card("A", 1, at: 13, 0, ["name": "Ann"], saw: [:]),
            Self.card("A", 2, at: 13, 5, ["name": "Ann", "city": "Rome"], saw: [:]),
            Self.card("B", 1, at: 13, 6, ["name": "Anna"], saw: ["A": 1]),
        ]
        #expect(writes.flatMap { auditor.observe($0) }.map(\.kind) == [.disjointUpdate])
    }
}
