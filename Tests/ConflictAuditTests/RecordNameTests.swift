import ConflictAudit
import SyncMerge
import SyncModel
import Testing

/// What a conflict says that its record is called.
@Suite struct RecordNameTests {
    private static let key = RecordKey(type: "Note", id: "1")
    private static let rules = AuditRules(displayFields: ["Note": "title"])

    private static func write(
        _ device: DeviceID, _ number: UInt64, _ operation: TaggedWrite.Operation, saw seen: VersionVector?, key: RecordKey = key
    ) -> TaggedWrite {
        TaggedWrite(
            dot: Dot(device: device, sequence: number), timestamp: HybridTimestamp(milliseconds: Int64(number) * 1000), key: key,
            operation: operation, seen: seen)
    }

    /// "field: name", for each conflict of some writes.
    private static func names(
        _ writes: [TaggedWrite], _ auditRules: AuditRules = rules, _ mergeRules: MergeRules = MergeRules()
    ) -> [String] {
        var auditor = TraceAuditor(mergeRules: mergeRules, auditRules: auditRules)
        return writes.flatMap { auditor.observe($0) }.map { "\($0.field?.rawValue ?? "-"): \($0.name?.text ?? "nil")" }
    }

    private static let plan = write("a", 1, .put(["title": "Plan", "body": "x"]), saw: [:])

    @Test func aConflictOverAnotherFieldCarriesTheNameThatIsShown() {
        let writes = [
            Self.plan, Self.write("b", 2, .put(["body": "y"]), saw: ["a": 1]), Self.write("a", 3, .put(["title": "Trip"]), saw: ["a": 1]),
            Self.write("a", 4, .put(["body": "z"]), saw: ["a": 3]),
        ]
        #expect(Self.names(Array(writes[0...1]) + [writes[3]]) == ["body: Plan"])
        #expect(Self.names(writes) == ["-: Trip", "body: Trip"])
        #expect(Self.names(writes, AuditRules()) == ["-: nil", "body: nil"])
        #expect(Self.names(writes, AuditRules(displayFields: ["Card": "title"])) == ["-: nil", "body: nil"])
    }

    @Test func aConflictOverTheNameCarriesTheWinner() {
        let writes = [
            Self.plan, Self.write("b", 2, .put(["title": "Trip"]), saw: ["a": 1]),
            Self.write("a", 3, .put(["title": "Tour"]), saw: ["a": 1]),
        ]
        #expect(Self.names(writes) == ["title: Tour"])
        #expect(Self.names([writes[0], writes[2], writes[1]]) == ["title: Tour"])
        let removed = Self.write("a", 3, .put(["title": .null]), saw: ["a": 1])
        #expect(Self.names([writes[0], writes[1], removed]) == ["title: Trip"], "what was lost is the name that is known")
    }

    @Test func aRecordThatIsDeletedIsCalledAsBefore() {
        let delete = Self.write("b", 2, .delete, saw: ["a": 1])
        let edit = Self.write("a", 3, .put(["body": "z"]), saw: ["a": 1])
        #expect(Self.names([Self.plan, delete, edit]) == ["body: Plan"])
        #expect(Self.names([Self.plan, edit, delete]) == ["body: Plan"])
        var auditor = TraceAuditor(auditRules: Self.rules)
        for write in [Self.plan, delete] { auditor.observe(write) }
        auditor.removeRecords()
        #expect([Self.write("c", 2, .delete, saw: [:]), edit].flatMap { auditor.observe($0) }.map(\.name) == [nil], "it is forgotten")
    }

    @Test func aRecordThatIsMergedWholeIsCalledByItsWinner() {
        let rules = MergeRules(standard: .record(.lastWriterWins))
        let writes = [
            Self.plan, Self.write("b", 2, .put(["title": "Trip", "body": "y"]), saw: ["a": 1]),
            Self.write("a", 3, .put(["title": "Tour", "body": "z"]), saw: ["a": 1]),
        ]
        #expect(Self.names(writes, Self.rules, rules) == ["-: Tour"])
    }

    @Test func theFieldOfTheTypeComesBeforeThoseOfAnyType() {
        var rules = Self.rules
        rules.displayFieldsInAnyType = ["code", "body"]
        let edits = [Self.write("b", 2, .put(["n": 1]), saw: ["a": 1]), Self.write("a", 3, .put(["n": 2]), saw: ["a": 1])]
        #expect(Self.names([Self.plan] + edits, rules) == ["n: Plan"])
        let unnamed = Self.write("a", 1, .put(["body": "x", "code": ""]), saw: [:])
        #expect(Self.names([unnamed] + edits, rules) == ["n: x"])
    }

    @Test func theVersionsOfAMergeTellTheName() {
        func name(result: FieldMap?, server: FieldMap) -> RecordName? {
            var auditor = TraceAuditor(auditRules: Self.rules)
            let conflicts = auditor.observe(
                RecordedMerge(
                    key: Self.key, at: WallTime(millisecondsSince1970: 5000), by: "phone",
                    ancestor: RecordedMerge.Version(fields: ["title": "Plan", "body": "x"]),
                    client: RecordedMerge.Version(fields: ["title": "Plan", "body": "y"]),
                    server: RecordedMerge.Version(fields: server), result: result.map { RecordedMerge.Version(fields: $0) }))
            return conflicts.first { $0.field == "body" }?.name
        }
        #expect(name(result: nil, server: ["title": "Trip", "body": "z"]) == RecordName(field: "title", value: "Trip"))
        #expect(
            name(result: ["title": "Tour", "body": "z"], server: ["title": "Trip", "body": "z"])
                == RecordName(field: "title", value: "Tour"))
    }

    @Test func aBrokenConstraintIsThatOfItsRecord() throws {
        var rules = Self.rules
        rules.uniqueFields = [ConflictStatistics.FieldKey(type: "Note", field: "code")]
        rules.references = [AuditRules.Reference(from: "Note", field: "folder", to: "Folder")]
        rules.displayFields["Folder"] = "label"
        let (second, folder) = (RecordKey(type: "Note", id: "2"), RecordKey(type: "Folder", id: "f"))
        let writes = [
            Self.write("a", 1, .put(["title": "Plan", "code": 7]), saw: [:]),
            Self.write("b", 2, .put(["title": "Trip", "code": 7]), saw: [:], key: second),
            Self.write("a", 3, .put(["label": "Inbox"]), saw: [:], key: folder),
            Self.write("b", 4, .delete, saw: ["a": 3], key: folder),
            Self.write("a", 5, .put(["folder": "f"]), saw: ["a": 1]),
        ]
        #expect(Self.names(writes, rules).sorted() == ["code: Plan", "folder: Plan"])
    }

    @Test func aNameIsATextOfBoundedLength() throws {
        for value: FieldValue? in [nil, .null, 5, "", ["a"], ["$omitted": "a:1"]] {
            #expect(RecordName(field: "title", value: value) == nil)
        }
        let long = try #require(RecordName(field: "title", value: .string(String(repeating: "é\u{301}", count: 500))))
        #expect(long.text.unicodeScalars.count == RecordName.maximumLength)
        #expect(RecordName(field: "title", value: .string(long.text)) == long)
        let most = String(repeating: "x", count: RecordName.maximumLength)
        #expect(RecordName(field: "title", value: .string(most))?.text == most)
    }

    @Test func theNamesOfDecisionsAreThoseOfTheirRecords() throws {
        var state = RecordState(key: Self.key)
        let writes = [
            Self.plan, Self.write("b", 2, .put(["body": "y"]), saw: ["a": 1]), Self.write("a", 3, .put(["body": "z"]), saw: ["a": 1]),
        ]
        let decisions = writes.flatMap { state.merge($0, rules: MergeRules()) }
        let auditor = ConflictAuditor(sink: BroadcastingAuditSink([]))
        let name = RecordName(field: "title", value: "Plan")
        #expect(auditor.record(decisions, names: [name]).map(\.name) == [name])
        #expect(auditor.record(decisions).map(\.name) == [nil] && auditor.record(decisions, names: [nil]).map(\.name) == [nil])
    }
}
