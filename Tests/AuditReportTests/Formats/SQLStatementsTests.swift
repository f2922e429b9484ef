import AuditAnalysis
import AuditReport
import ConflictAudit
import SyncModel
import Testing

/// Values in the literals of three databases.
@Suite struct SQLStatementsTests {
    private func statement(_ dialect: SQLStatements.Dialect, _ lost: FieldValue) throws -> String {
        let key = RecordKey(type: "note", id: "1")
        var rows: [SavedRow] = []
        for (author, version, base, value): (DeviceID, String, String?, FieldValue) in [
            ("a", "1", nil, "old"), ("b", "2", "1", lost), ("c", "3", "1", "new"),
        ] {
            var row = SavedRow(key: key, fields: ["title": value])
            (row.author, row.version, row.base) = (author, version, base)
            rows.append(row)
        }
        var audit = SavedRowsAudit()
        for (index, row) in rows.enumerated() { audit.observe(row, line: index) }
        let losses = audit.finish().conflicts.map(\.conflict)
        let record = try #require(SavedRestorations(of: losses, isForced: false) { audit.state(of: $0) }.records.first)
        let text = try SQLStatements(dialect: dialect, table: nil, key: "id").statement(for: record)
        return String(text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().joined(separator: "\n"))
    }

    @Test(
        arguments: SQLStatements.Dialect.allCases,
        [
            ("plain", "'plain'"), ("it's", "'it''s'"), ("'\u{301}x", "'''\u{301}x'"), (.number(JSONNumber(15)), "15"),
            (.bool(true), "TRUE"), (.null, "NULL"),
            (.array(["a'b", 1]), #"'["a''b",1]'"#), ("a\nb", "'a\nb'"),
        ] as [(FieldValue, String)])
    func valuesAreLiterals(dialect: SQLStatements.Dialect, value: (FieldValue, String)) throws {
        let name = dialect == .mysql ? ("`note`", "`title`", "`id`") : (#""note""#, #""title""#, #""id""#)
        #expect(
            try statement(dialect, value.0) == "UPDATE \(name.0) SET \(name.1) = \(value.1) WHERE \(name.2) = '1' AND \(name.1) = 'new';\n")
    }

    /// A backslash ends a literal of MySQL's, and of an older PostgreSQL's; a shell may act on a control character.
    @Test(arguments: [
        (SQLStatements.Dialect.postgresql, "convert_from(decode('5c27', 'hex'), 'UTF8')"), (.sqlite, "CAST(x'5c27' AS TEXT)"),
        (.mysql, "CONVERT(x'5c27' USING utf8mb4)"),
    ])
    func whatMightEndALiteralIsWrittenInDigits(dialect: SQLStatements.Dialect, literal: String) throws {
        #expect(try statement(dialect, #"\'"#).contains(" = \(literal) WHERE"))
        #expect(try statement(dialect, "\u{1b}\0").contains("1b00'"))
    }
}
