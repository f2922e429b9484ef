package import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// Statements of SQL that give lost values back to the table whose rows they were.
///
/// A statement changes a record only where it still shows what it did at the end of the table that was read, so that an edit made
/// meanwhile is not replaced. Nothing in a value or a name can end its literal: what might is written in hexadecimal digits or refused.
///
/// ```swift
/// let statements = SQLStatements(dialect: .postgresql, table: nil, key: "id")
/// print(try statements.statement(for: record))  // UPDATE "notes" SET "title" = 'Berlin' WHERE "id" = '17' AND "title" = 'Bremen';
/// ```
package struct SQLStatements: Sendable {
    /// Whose SQL.
    package enum Dialect: String, CaseIterable, Sendable {
        case postgresql
        case sqlite
        case mysql
    }

    private let dialect: Dialect
    private let table: String?
    private let key: String

    /// - Parameters:
    ///   - dialect: Whose SQL.
    ///   - table: The table; nil where it has the name of the records' type.
    ///   - key: The column of a record's identity.
    package init(dialect: Dialect, table: String?, key: String) {
        (self.dialect, self.table, self.key) = (dialect, table, key)
    }

    /// What stands before the statements, as comments.
    package var head: String {
        let database =
            switch dialect {
            case .postgresql: "PostgreSQL"
            case .sqlite: "SQLite"
            case .mysql: "MySQL and MariaDB"
            }
        return """
            -- For \(database). Read it, then run it in a transaction.
            -- A statement that changes no row has found something else there than the table showed: look at that record.

            """
    }

    /// The statement for a record, with a comment for each loss that it makes good.
    ///
    /// - Throws: `RestoreRefusal` where a name cannot be written safely.
    package func statement(for record: SavedRestoration) throws(RestoreRefusal) -> String {
        var text = record.conflicts.reversed().map { "-- \(Self.comment($0))\n" }.joined()
        let identity = "\(try name(key, record)) = \(literal(.string(record.key.id.rawValue)))"
        let target = try name(table ?? record.key.type.rawValue, record)
        if record.now.isRemoved {
            let fields = record.fields.filter { $0.name.rawValue != key && $0.value != .null }
            var (columns, values) = ([try name(key, record)], [literal(.string(record.key.id.rawValue))])
            for field in fields {
                columns.append(try name(field.name.rawValue, record))
                values.append(literal(field.value))
            }
            text += "INSERT INTO \(target) (\(columns.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")));\n"
            return text
        }
        var (sets, conditions) = ([String](), [identity])
        for field in record.values {
            let column = try name(field.name.rawValue, record)
            let shown = record.now.fields[field.name] ?? .null
            sets.append("\(column) = \(literal(field.value))")
            conditions.append(shown == .null ? "\(column) IS NULL" : "\(column) = \(literal(shown))")
        }
        return text + "UPDATE \(target) SET \(sets.joined(separator: ", ")) WHERE \(conditions.joined(separator: " AND "));\n"
    }

    private static func comment(_ conflict: Conflict) -> String {
        func time(_ side: Conflict.Side) -> String { RFC3339.string(milliseconds: side.timestamp.milliseconds) }
        let verb = conflict.winner.operation == .delete ? "removed with the record" : conflict.isStale ? "put back" : "replaced"
        return "\(conflict.id), \(conflict.isProven ? "proven" : "suspected"): \(EventText.register(conflict.key, conflict.field)) by "
            + "\(EventText.name(conflict.loser.dot.device.rawValue)) at \(time(conflict.loser)), \(verb) by "
            + "\(EventText.name(conflict.winner.dot.device.rawValue)) at \(time(conflict.winner))"
    }

    /// A name, quoted.
    private func name(_ text: String, _ record: SavedRestoration) throws(RestoreRefusal) -> String {
        guard !text.isEmpty, !text.unicodeScalars.contains(where: { Self.isDangerous($0) || $0 == "\n" || $0 == "\t" }) else {
            throw RestoreRefusal(
                description:
                    "\(EventText.register(record.key, nil)): \(text.quoted) cannot be written as a name in SQL; give it back by hand",
                canBeForced: false)
        }
        return dialect == .mysql ? text.enclosed(in: "`", escapedAs: "``") : text.enclosed(in: "\"", escapedAs: "\"\"")
    }

    /// A value.
    private func literal(_ value: FieldValue) -> String {
        switch value {
        case .null: "NULL"
        case .bool(let isTrue): isTrue ? "TRUE" : "FALSE"
        case .number(let number): number.text
        case .string(let text): literal(text)
        case .array, .object: literal(JSONText.string(value))
        }
    }

    private func literal(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: Self.isDangerous) else {
            return text.enclosed(in: "'", escapedAs: "''")
        }
        let digits = text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return switch dialect {
        case .postgresql: "convert_from(decode('\(digits)', 'hex'), 'UTF8')"
        case .sqlite: "CAST(x'\(digits)' AS TEXT)"
        case .mysql: "CONVERT(x'\(digits)' USING utf8mb4)"
        }
    }

    /// Whether a terminal or the shell of a database might act on a character, or an older setting take it for an escape.
    private static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\\" || scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t"
    }
}
