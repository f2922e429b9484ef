import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel
import Testing

/// Fields that nobody edits: the time of a save, and what is declared to be so.
@Suite struct BookkeepingTests {
    /// 2026-01-15T14:00:00Z.
    private static let start: Int64 = 1_768_485_600_000
    private static let key = RecordKey(type: "Card", id: "42")

    private static func put(
        _ device: DeviceID, _ number: UInt64, minute: Int64, _ fields: FieldMap, seen: [(DeviceID, UInt64)] = [("a", 1)]
    ) -> TaggedWrite {
        TaggedWrite(
            dot: Dot(device: device, sequence: number), timestamp: HybridTimestamp(milliseconds: start + minute * 60_000), key: key,
            operation: .put(fields), seen: VersionVector(seen.map { Dot(device: $0.0, sequence: $0.1) }))
    }

    private static func conflicts(
        _ writes: [TaggedWrite], standard: MergeRules.Scope = .fields(.lastWriterWins),
        bookkeeping: BookkeepingFields = BookkeepingFields(), wholeRecords: AuditRules.WholeRecords = .none
    ) -> [Conflict] {
        var auditor = TraceAuditor(
            mergeRules: MergeRules(standard: standard, bookkeeping: bookkeeping), auditRules: AuditRules(wholeRecords: wholeRecords))
        return writes.flatMap { auditor.observe($0) }
    }

    /// How an app may write the time of a save, so many seconds after 14:00 on that day.
    private static let forms: [@Sendable (Int64) -> FieldValue] = [
        { .number(JSONNumber(start / 1000 + $0)) }, { .number(JSONNumber(start + $0 * 1000)) },
        { .number(JSONNumber((start + $0 * 1000) * 1000)) }, { .number(JSONNumber((start + $0 * 1000) * 1_000_000)) },
        { .number(JSONNumber(Double(start / 1000 - 978_307_200 + $0) + 0.25) ?? JSONNumber(0)) }, { .string("\(start / 1000 + $0).5") },
        { .string(RFC3339.string(milliseconds: start + $0 * 1000)) },
        { .string(RFC3339.string(milliseconds: start + $0 * 1000).replacing("T", with: " ").replacing("Z", with: "")) },
        { .string(RFC3339.string(milliseconds: start + 7_200_000 + $0 * 1000).replacing("T", with: " ").replacing("Z", with: "+02")) },
    ]

    @Test(arguments: 0..<forms.count) func theTimesOfTheirOwnWritesAreBookkeeping(form: Int) {
        let time = Self.forms[form]
        func writes(_ second: Int64, _ third: Int64) -> [TaggedWrite] {
            [
                Self.put("a", 1, minute: 0, ["title": "x", "saved": time(0)], seen: []),
                Self.put("b", 1, minute: 5, ["title": "y", "saved": time(second)]),
                Self.put("a", 2, minute: 7, ["title": "z", "saved": time(third)]),
            ]
        }
        let near = Self.conflicts(writes(300, 420 - 59)).filter { $0.field == "saved" }
        #expect(near.map(\.severity) == [.benign])
        #expect(near.map(\.isBookkeeping) == [true])
        #expect(near.map(\.harmlessness) == [.bookkeeping])
        #expect(near.first?.losesEdit == false)
        // An edit of a date far from the time of the save is an edit like any other.
        let far = Self.conflicts(writes(300, 600)).filter { $0.field == "saved" }
        #expect(far.map(\.severity) == [.lossy])
        #expect(far.map(\.isBookkeeping) == [false])
    }

    @Test func aDeclaredFieldLosesNoEditInItsTypeAlone() {
        let writes = [
            Self.put("a", 1, minute: 0, ["title": "x", "version": 1], seen: []), Self.put("b", 1, minute: 5, ["title": "y", "version": 2]),
            Self.put("a", 2, minute: 7, ["title": "z", "version": 3]),
        ]
        func severity(_ bookkeeping: BookkeepingFields) -> [Conflict.Severity] {
            Self.conflicts(writes, bookkeeping: bookkeeping).filter { $0.field == "version" }.map(\.severity)
        }
        #expect(severity(BookkeepingFields(["Card": ["version"]])) == [.benign])
        #expect(severity(BookkeepingFields(inAnyType: ["version"])) == [.benign])
        #expect(severity(BookkeepingFields(["Note": ["version"]])) == [.lossy])
        #expect(severity(BookkeepingFields()) == [.lossy])
    }

    @Test func versionsThatMeetInAHandlerLoseNoTimeOfASaveEither() {
        func version(_ title: FieldValue, minute: Int64, by device: DeviceID) -> RecordedMerge.Version {
            let time = Self.start + minute * 60_000
            return RecordedMerge.Version(
                fields: ["title": title, "saved": .string(RFC3339.string(milliseconds: time))], at: WallTime(millisecondsSince1970: time),
                device: device)
        }
        var auditor = TraceAuditor()
        let conflicts = auditor.observe(
            RecordedMerge(
                key: Self.key, at: WallTime(millisecondsSince1970: Self.start + 480_000), by: "a",
                ancestor: version("x", minute: 0, by: "a"), client: version("y", minute: 5, by: "a"),
                server: version("z", minute: 7, by: "b")))
        #expect(conflicts.filter(\.losesEdit).map(\.field) == ["title"])
        #expect(conflicts.filter(\.isBookkeeping).map(\.field) == ["saved"])
    }

    @Test func twoDeletesAreBenignForTheyAreEqual() {
        func delete(_ device: DeviceID, _ number: UInt64) -> TaggedWrite {
            TaggedWrite(
                dot: Dot(device: device, sequence: number), timestamp: HybridTimestamp(milliseconds: Self.start), key: Self.key,
                operation: .delete, seen: ["a": 1])
        }
        let conflicts = Self.conflicts([Self.put("a", 1, minute: 0, ["title": "x"], seen: []), delete("a", 2), delete("b", 1)])
        #expect(conflicts.map(\.kind) == [.deleteDelete])
        #expect(conflicts.map(\.harmlessness) == [.equal])
    }

    @Test func aDeleteTakesNoEditWithTheTimeOfASave() {
        let saved = RFC3339.string(milliseconds: Self.start + 300_000)
        let delete = TaggedWrite(
            dot: Dot(device: "b", sequence: 1), timestamp: HybridTimestamp(milliseconds: Self.start + 360_000), key: Self.key,
            operation: .delete, seen: VersionVector([Dot(device: "a", sequence: 1)]))
        let conflicts = Self.conflicts([
            Self.put("a", 1, minute: 0, ["title": "x"], seen: []),
            Self.put("a", 2, minute: 5, ["title": "y", "saved": .string(saved)]), delete,
        ])
        #expect(conflicts.filter(\.losesEdit).map(\.field) == ["title"])
        #expect(conflicts.filter(\.isBookkeeping).map(\.field) == ["saved"])
    }

    /// Whole records: who saves a form without editing it moves its time alone, and takes nothing away by losing.
    @Test(arguments: [true, false]) func aSaveThatMovesTheTimeAloneIsNoEdit(isEdited: Bool) {
        func form(_ title: FieldValue, _ minute: Int64) -> FieldMap {
            ["title": title, "saved": .string(RFC3339.string(milliseconds: Self.start + minute * 60_000))]
        }
        let conflicts = Self.conflicts(
            [
                Self.put("a", 1, minute: 0, form("x", 0), seen: []), Self.put("b", 1, minute: 5, form(isEdited ? "y" : "x", 5)),
                Self.put("a", 2, minute: 7, form("z", 7)),
            ], standard: .record(.lastWriterWins))
        #expect(conflicts.map(\.losesEdit) == [isEdited])
    }

    /// A card that two people saved whole, one with a new address and one with a new number.
    @Test func wholeRecordsKeepBothEditsAndLoseNoTime() {
        func form(_ minute: Int64, mail: FieldValue, phone: FieldValue) -> FieldMap {
            [
                "mail": mail, "phone": phone, "company": "Old",
                "modified": .string(RFC3339.string(milliseconds: Self.start + minute * 60_000)),
            ]
        }
        let writes = [
            Self.put("a", 1, minute: 0, form(0, mail: "old", phone: "0"), seen: []),
            Self.put("b", 1, minute: 65, form(65, mail: "old", phone: "1")),
            Self.put("a", 2, minute: 60, form(60, mail: "new", phone: "0")),
        ]
        let whole = Self.conflicts(writes, wholeRecords: .all)
        #expect(whole.map(\.field) == ["modified"])
        #expect(whole.map(\.isBookkeeping) == [true])
        let plain = Self.conflicts(writes)
        #expect(plain.filter(\.losesEdit).map(\.field) == ["mail"])
        #expect(plain.filter(\.isStale).map(\.field) == ["mail"])
    }
}
