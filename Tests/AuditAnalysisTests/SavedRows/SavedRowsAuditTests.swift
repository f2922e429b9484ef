import AuditAnalysis
import ConflictAudit
import SyncModel
import Testing

/// What saves took away, read from the rows of a table that remembers them.
@Suite struct SavedRowsAuditTests {
    private static let title: FieldMap = ["title": "plan", "body": "draft", "tags": []]

    /// A row of the record `1`, of which only what differs from the first is given.
    private func row(
        _ author: DeviceID?, _ version: Int, _ changes: FieldMap = [:], base: Int? = nil, made: Int64? = nil, received: Int64? = nil
    ) -> SavedRow {
        var fields = Self.title
        for change in changes { fields[change.name] = change.value }
        var row = SavedRow(key: RecordKey(type: "Note", id: "1"), fields: fields)
        (row.author, row.version, row.order, row.base) = (author, "\(version)", Int64(version), base.map { "\($0)" })
        (row.made, row.received) = (made, received)
        return row
    }

    private func delete(_ author: DeviceID, _ version: Int, base: Int? = nil) -> SavedRow {
        var row = SavedRow(key: RecordKey(type: "Note", id: "1"), isDelete: true)
        (row.author, row.version, row.order, row.base) = (author, "\(version)", Int64(version), base.map { "\($0)" })
        return row
    }

    private func losses(_ rows: [SavedRow], keeping: SavedRowsAudit.Keeping? = .wholeRows) -> [String] {
        var audit = SavedRowsAudit(keeping: keeping)
        for (index, row) in rows.enumerated() { audit.observe(row, line: index + 1) }
        return audit.finish().conflicts.map { conflict, line in
            let (lost, kind) = (conflict.loser.value?.string ?? conflict.loser.value.map { "\($0)" } ?? "", SavedLossKind(conflict))
            return
                "\(line) \(conflict.field ?? "") \(lost) of \(conflict.loser.dot.device) \(kind.rawValue) by \(conflict.winner.dot.device) "
                + conflict.basis.rawValue
        }
    }

    @Test func aRowThatRepeatsAnOlderVersionPutsBackWhatItSent() {
        let rows = [row("a", 1), row("b", 2, ["title": "Plan B"]), row("c", 3, ["body": "done"])]
        #expect(losses(rows) == ["3 title Plan B of b put back by c content"])
        #expect(losses([rows[0], rows[1], row("c", 3, ["title": "Plan B", "body": "done"])]) == [])
    }

    /// A server that merged fields would have left out what the record no longer had.
    @Test func aValueFromBeforeADeleteTellsThatRowsAreKeptWhole() {
        var again = SavedRow(key: RecordKey(type: "Note", id: "1"), fields: ["title": "new"])
        (again.author, again.version, again.order) = ("a", "3", 3)
        var audit = SavedRowsAudit()
        for (index, row) in [row("a", 1), delete("b", 2), again, row("c", 4, ["title": "newer"], base: 1)].enumerated() {
            audit.observe(row, line: index + 1)
        }
        let evidence = audit.finish().evidence
        #expect(evidence.map(\.putBack) == [2] && evidence.map(\.isUndecided) == [false])
    }

    @Test func aBaseThatIsToldIsProof() {
        let rows = [row("a", 1), row("b", 2, ["title": "Plan B"], base: 1)]
        #expect(losses(rows + [row("c", 3, ["title": "Plan C"], base: 1)]) == ["3 title Plan B of b replaced by c causal"])
        #expect(losses(rows + [row("c", 3, ["title": "Plan C"], base: 2)]) == [])
        #expect(losses(rows + [delete("c", 3, base: 1)]) == ["3 title Plan B of b deleted by c causal"])
        #expect(losses(rows + [delete("c", 3)]) == [], "what a deleter had seen is not known")
        #expect(losses(rows + [row("b", 3, base: 1)]) == [], "one's own edit is nobody's loss")
        #expect(losses(rows + [row("c", 3, ["title": "Plan C"], base: 0)]) == [], "no version 0 is there, so nothing is told")
    }

    /// A version that is counted up stands for all before it; one that is not there any more too.
    @Test func aBaseOfWhichTheRowIsMissingIsTheOneBefore() {
        let rows = [row("a", 1), row("b", 3, ["title": "Plan B"], base: 1), row("c", 5, ["body": "done"], base: 2)]
        #expect(losses(rows) == ["3 title Plan B of b put back by c causal"])
    }

    @Test func whatTheServerHadOnlyAfterTheEditWasNotSeen() {
        // Each author's fastest upload takes a second; c's clock is an hour ahead.
        let hour: Int64 = 3_600_000
        let rows = [
            row("a", 1, made: 0, received: 1000), row("c", 2, ["tags": ["x"]], made: hour + 10_000, received: 11_000),
            row("b", 3, ["title": "Plan B", "tags": ["x"]], made: 60_000, received: 61_000),
            row("c", 4, ["title": "Plan C", "tags": ["x"]], made: hour + 30_000, received: 90_000),
        ]
        #expect(losses(rows) == ["4 title Plan B of b replaced by c arrival"])
        let later = row("c", 4, ["title": "Plan C", "tags": ["x"]], made: hour + 80_000, received: 90_000)
        #expect(losses(rows.dropLast() + [later]) == [])
    }

    @Test func aServerThatMergesIsKnownByItsRows() {
        let rows = [
            row("a", 1), row("b", 2, ["title": "Plan B"], base: 1), row("c", 3, ["title": "Plan B", "body": "done"], base: 1),
            row("a", 4, ["title": "Plan A", "body": "done"], base: 1),
        ]
        #expect(losses(rows, keeping: nil) == ["4 title Plan B of b replaced by a causal"])
        var audit = SavedRowsAudit()
        for (index, row) in rows.enumerated() { audit.observe(row, line: index + 1) }
        let evidence = audit.finish().evidence
        #expect(evidence.map(\.keeping) == [.mergedFields] && evidence.map(\.kept) == [2] && evidence.map(\.putBack) == [0])
    }

    /// Where nothing tells what a save had seen, what it brought back does.
    @Test func theEvidenceOfWholeRowsIsNamed() {
        var audit = SavedRowsAudit()
        let rows = [row("a", 1), row("b", 2, ["title": "Plan B"]), row("c", 3, ["body": "done"])]
        for (index, row) in rows.enumerated() { audit.observe(row, line: index + 1) }
        let sentence =
            "the server keeps rows as they come: in 1 save that edited a field another came back with an old value; --keeps merged says otherwise"
        #expect(SavedRowsSentences(audit.finish()).all.contains(sentence))
    }

    /// An edit is lost once, by the save that takes it from the screen.
    @Test func whatWasPutBackIsNotLostAgain() {
        let rows = [
            row("a", 1), row("b", 2, ["title": "Plan B"], base: 1), row("c", 3, ["body": "x"], base: 1),
            row("d", 4, ["body": "y"], base: 2),
        ]
        #expect(
            losses(rows) == ["3 title Plan B of b put back by c causal", "4 body x of c replaced by d causal"],
            "d shows b's title again, and takes c's body")
    }

    @Test func rowsComeInAnyOrderAndDeletedRecordsBeginAnew() {
        let rows = [
            row("a", 1), row("b", 2, ["title": "Plan B"], base: 1), delete("a", 3, base: 2), row("b", 4, ["title": "new"]),
            row("c", 5, ["body": "done"], base: 1),
        ]
        let expected = ["title new of b put back by c causal", "body draft of b replaced by c causal"]
        for order in [rows, rows.reversed(), [rows[3], rows[0], rows[4], rows[2], rows[1]]] {
            #expect(Set(losses(order).map { $0.split(separator: " ", maxSplits: 1)[1] }) == Set(expected.map { Substring($0) }))
        }
    }

    /// A row that is not there is told by the old row of the next, and nobody is known to have made it.
    @Test func anOldRowThatNobodyWroteIsAVersionOfNobody() {
        var third = row("c", 3, ["title": "Plan C"], base: 1)
        third.before = ["title": "Plan X", "body": "draft", "tags": []]
        #expect(losses([row("a", 1), third]) == [])
        third.before = Self.title
        #expect(losses([row("a", 1), third]) == [])
    }

    /// Who writes on in a text keeps what was there, and so tells which version he had been shown.
    @Test func aTextThatWasWrittenOnTellsItsBase() {
        let rows = [row("a", 1, ["body": "buy some milk"]), row("b", 2, ["body": "buy some milk, and bread"])]
        #expect(
            losses(rows + [row("c", 3, ["body": "buy some milk tomorrow"])])
                == ["3 body buy some milk, and bread of b replaced by c content"])
        #expect(losses(rows + [row("c", 3, ["body": "buy some milk, and bread tomorrow"])]) == [])
        #expect(losses(rows + [row("c", 3, ["body": "nothing of it"])]) == [])
        let lists = [row("a", 1, ["tags": ["x", "y"]]), row("b", 2, ["tags": ["x", "y", "b"]])]
        #expect(losses(lists + [row("c", 3, ["tags": ["x", "y", "c"]])]).count == 1)
        #expect(losses(lists + [row("c", 3, ["tags": ["x", "y", "b", "c"]])]) == [])
        #expect(losses(rows + [row("c", 3, ["body": "buy some milk tomorrow"])], keeping: .mergedFields).count == 1)
    }

    /// A switch that is set back on purpose tells nothing: several of them have to show what an older version did.
    @Test func aSwitchThatIsSetBackIsNoOldRow() {
        let rows = [row("a", 1, ["done": false, "pinned": false]), row("b", 2, ["done": true, "pinned": true])]
        #expect(losses(rows + [row("c", 3, ["done": false, "pinned": false, "title": "Plan C"])]) == [])
        #expect(losses(rows + [row("c", 3, ["done": false, "pinned": false, "title": "Plan C"], base: 1)]).count == 2)
    }

    /// What nobody signed took something away or not: it is counted, and no all-clear.
    @Test func savesOfNobodyAndMissingVersionsAreTold() {
        var third = row("c", 4, ["title": "Plan C"])
        third.before = ["title": "Plan X", "body": "draft", "tags": []]
        var audit = SavedRowsAudit()
        for (index, row) in [row("a", 1), row(nil, 2, ["body": "x"]), third].enumerated() { audit.observe(row, line: index + 1) }
        let result = audit.finish()
        #expect(result.conflicts.isEmpty && result.unsigned == 1 && result.missing == 1)
        let sentence = "1 row names no author, and 1 version has no row, as old rows tell: what was taken away there is not known"
        #expect(SavedRowsSentences(result).all.contains(sentence), "\(SavedRowsSentences(result).all)")
    }

    /// Rows that are stated to be what devices sent are merged by their times, and without them nothing is said.
    @Test func sentRowsWithoutTimesAreCounted() {
        var audit = SavedRowsAudit(keeping: .laterEdits)
        for (index, row) in [row("a", 1, received: 5), row("b", 2, made: 1, received: 6)].enumerated() { audit.observe(row, line: index) }
        #expect(audit.finish().untimed == 1)
    }

    /// One row that lacks a time leaves its type to the other readings, instead of being passed over.
    @Test func aTypeIsSentAsAWholeOrNotAtAll() {
        func row(_ record: RecordID, _ author: DeviceID, _ made: Int64?, _ received: Int64, _ fields: FieldMap) -> SavedRow {
            var row = SavedRow(key: RecordKey(type: "Card", id: record), fields: fields)
            (row.author, row.made, row.received) = (author, made, received)
            return row
        }
        // The last shows what b and c had edited together, which no row did before.
        let sent = ["1", "3"].flatMap { record in
            [
                row(record, "a", 0, 1, ["x": "old", "y": "old", "z": "old"]),
                row(record, "b", 100_000, 100_001, ["x": "new of b", "y": "old", "z": "old"]),
                row(record, "c", 50_000, 200_000, ["x": "old", "y": "new of c", "z": "old"]),
                row(record, "d", 300_000, 300_001, ["x": "new of b", "y": "new of c", "z": "new of d"]),
            ]
        }
        func keeping(_ rows: [SavedRow]) -> [SavedRowsAudit.Keeping] {
            var audit = SavedRowsAudit()
            for (index, row) in rows.enumerated() { audit.observe(row, line: index) }
            return audit.finish().evidence.map(\.keeping)
        }
        let other = row("2", "a", nil, 5, ["x": "p", "y": "q"])
        #expect(keeping(sent) == [.laterEdits])
        #expect(keeping(sent + [other]) == [.wholeRows])
    }

    /// Each record of a type of its own, as hostile input may have it: 8 times the types take about 8 times as long, not 64.
    @Test func timeGrowsWithTheTypesAndNotWithTheirSquare() {
        func seconds(_ types: Int) -> Double {
            let duration = ContinuousClock().measure {
                var audit = SavedRowsAudit()
                for type in 0..<types {
                    for save in 0..<2 {
                        var row = SavedRow(key: RecordKey(type: RecordType("t\(type)"), id: "1"), fields: ["x": .string("\(type) \(save)")])
                        (row.author, row.made, row.received) = (DeviceID("d\(save)"), Int64(save) * 600_000, Int64(save) * 600_000 + 1)
                        audit.observe(row, line: 2 * type + save)
                    }
                }
                #expect(SavedRowsSentences(audit.finish()).all.count < 20)
            }
            return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        }
        let few = min(seconds(1000), seconds(1000))
        #expect(seconds(8000) < 32 * few)
    }

    @Test func aFormThatSendsSomeFieldsKeepsTheOthers() {
        var part = row("c", 3, base: 1)
        part.fields = ["body": "done"]
        #expect(losses([row("a", 1), row("b", 2, ["title": "Plan B"], base: 1), part]) == [])
        part.fields = ["title": "plan"]
        #expect(
            losses([row("a", 1), row("b", 2, ["title": "Plan B"], base: 1), part]) == ["3 title Plan B of b put back by c causal"])
    }

    /// The end of a version that tells of a delete has the version's row.
    @Test func versionsBesideALossAreThoseOfItsRowsAlsoWhereTheyEnd() throws {
        var rows = [row("a", 1), row("b", 2, ["title": "Plan B"], base: 1), row("a", 3, ["body": "done"], base: 1), row("a", 1)]
        for (index, times) in [(10, 20), (20, 30), (30, 40), (10, nil)].enumerated() as EnumeratedSequence<[(Int64, Int64?)]> {
            (rows[index].received, rows[index].until) = times
        }
        rows[3].key = RecordKey(type: "Note", id: "2")
        var audit = SavedRowsAudit()
        for (index, row) in rows.enumerated() { audit.observe(row, line: index + 1) }
        let loss = try #require(audit.finish().conflicts.first { $0.conflict.field == "title" && $0.conflict.isStale }?.conflict)
        let versions = audit.versions(of: loss)
        #expect(versions.map(\.role) == [.base, .lost, .save])
        #expect(versions.map { $0.fields?["title"] } == ["plan", "Plan B", "plan"])
        #expect(audit.state(of: rows[0].key)?.isRemoved == true)
        #expect(audit.state(of: rows[3].key)?.isRemoved == false)
    }

    /// So many records that each thread has some.
    @Test(arguments: [2, 3, 4]) func severalThreadsFindWhatOneDoes(threads: Int) throws {
        var audit = SavedRowsAudit()
        var (line, saves, told) = (0, 0, 0)
        for record in 0..<4333 {
            let key = RecordKey(type: RecordType("t\(record % 3)"), id: RecordID("\(record)"))
            var rows = [row("a", 1), row("b", 2, ["title": .string("Plan \(record % 10)")]), row("c", 3, ["body": "done"])]
            if record % 5 == 0 { rows.append(row("d", 4, ["title": .string("Plan \(record % 10)"), "body": "begun"], base: 2)) }
            if record % 11 == 0 { rows.append(delete("e", 5, base: 3)) }
            for var row in rows {
                line += 1
                row.key = key
                if record % 13 == 0 { row.author = nil }
                audit.observe(row, line: line)
            }
            if record % 13 == 0 { continue }
            saves += rows.count - 1
            told += rows.count { $0.base != nil }
        }
        var other = audit
        let (one, several) = (audit.finish(), other.finish(threads: threads))
        #expect(one.conflicts.count > 1500 && one.staleSaves > 0 && one.unsigned > 0)
        #expect(one.saves == saves && one.told == told && one.repeatedRecords == 3999)
        #expect(several.conflicts.map(\.line) == one.conflicts.map(\.line))
        #expect(several.conflicts.map(\.conflict) == one.conflicts.map(\.conflict))
        func counts(_ result: SavedRowsAudit.Result) -> [Int] {
            [result.saves, result.told, result.staleSaves, result.rows, result.records, result.repeatedRecords, result.authors]
                + [result.unsigned, result.missing, result.ends, result.untimed]
                + result.evidence.flatMap { [$0.putBack, $0.kept, $0.cameBack, $0.losses, $0.lossesOtherwise] }
        }
        #expect(counts(several) == counts(one))
        #expect(SavedRowsSentences(several).all == SavedRowsSentences(one).all)
        let loss = try #require(one.conflicts.last?.conflict)
        #expect(other.versions(of: loss) == audit.versions(of: loss) && !audit.versions(of: loss).isEmpty)
    }
}
