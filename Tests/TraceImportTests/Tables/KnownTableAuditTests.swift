import AuditAnalysis
import ConflictAudit
import SyncModel
import TemporaryDirectory
import Testing

@testable import TraceImport

/// In the history that each tool writes, exactly the edits that were lost are found.
@Suite struct KnownTableAuditTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func audit(_ tool: KnownTool) throws -> (losses: [String], result: SavedRowsAudit.Result) {
        let table = try SavedRowTexts.table(tool.content, name: tool.file, in: directory)
        if let name = tool.name { #expect(table.columnSentences.first == "the columns are those of the \(name)") }
        var audit = SavedRowsAudit()
        var row = NumberedRow()
        while let line = try table.next(&row, &audit.numbers) {
            #expect(audit.numbers.records[row.record].type.rawValue == tool.type)
            audit.observe(row, line: line)
        }
        #expect(table.doubts.isEmpty)
        let result = audit.finish()
        return (result.conflicts.map { tool.text($0.conflict) }.sorted(), result)
    }

    @Test(arguments: KnownTool.all)
    func exactlyTheLostEditsAreFound(tool: KnownTool) throws {
        let (losses, result) = try audit(tool)
        #expect(losses == tool.losses)
        #expect(result.missing == 0)
        #expect(result.evidence.map(\.keeping) == [.wholeRows])
    }

    /// Without the rows that are current the last version of a record may have been replaced as well as deleted.
    @Test func aHistoryAloneTellsNoDeleteByItsEnd() throws {
        func history(showsCurrent: Bool) -> KnownTool {
            .temporal(
                "system-versioned table of MariaDB", "row_start", "row_end", digits: 6, open: "2038-01-19 03:14:07.999999",
                showsCurrent: showsCurrent)
        }
        // The fourth note was deleted and made anew, the fifth deleted for good.
        #expect(try audit(history(showsCurrent: true)).result.ends == 2)
        let alone = try audit(history(showsCurrent: false))
        #expect(alone.result.ends == 0 && alone.losses.isEmpty)
    }

    @Test func allKnownTablesAreAudited() {
        #expect(Set(KnownTable.all.map(\.name)) == Set(KnownTool.all.compactMap(\.name)))
    }
}

extension KnownTool {
    /// A loss as ``ToolHistory`` states it, in its own names.
    fileprivate func text(_ conflict: Conflict) -> String {
        func own(_ names: [String: String], _ name: String) -> String { names.first { $0.value == name }?.key ?? name }
        let note = (1...5).first { id($0) == conflict.key.id.rawValue }.map(String.init) ?? conflict.key.id.rawValue
        let (loser, winner) = (conflict.loser.dot.device.rawValue, conflict.winner.dot.device.rawValue)
        return
            "\(note) \(own(fields, conflict.field?.rawValue ?? "")) \(own(people, loser))→\(own(people, winner)) \(SavedLossKind(conflict).rawValue)"
    }
}
