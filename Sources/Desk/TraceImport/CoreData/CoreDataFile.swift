import AuditLog
import SyncBytes
import SyncSQLite
import SyncSystem

/// A store's file, open to be read with the log beside it.
///
/// Neither is written, and no other file is made.
struct CoreDataFile {
    /// What gives access to the tables.
    let connection: SQLiteConnection
    /// Whether the file is one that keeps a log, and there is none beside it.
    let lacksLog: Bool
    private let path: String
    private let files: [FileStatus?]

    /// Opens a store.
    ///
    /// - Throws: ``TraceImportError`` where there is none, or it was being written when it was copied.
    init(_ path: String) throws(TraceImportError) {
        self.path = path
        _ = try DatabaseFile.status(path, remedy: "name the store's file, such as default.store")
        files = Self.statuses(path)
        guard let header = try DatabaseFile.header(of: path) else {
            throw TraceImportError(
                .badData,
                "\(path.escaped(for: .terminal)): this is no SQLite database; name the file of a Core Data or SwiftData store, such as default.store"
            )
        }
        if let journal = files[2], journal.size > 0, try DatabaseFile.start(of: path + "-journal", count: 1).first != 0 {
            throw TraceImportError(
                .badData,
                "\(path.escaped(for: .terminal)): the store was being written when it was copied, for a -journal is beside it; "
                    + "end the app and copy again")
        }
        let hasLog = try DatabaseFile.hasLog(path, noun: "store")
        lacksLog = header[18] == 2 && files[1] == nil
        do throws(SQLiteError) {
            connection = try SQLiteConnection(path: path, access: .copied(hasLog: hasLog), busyTimeout: 0)
        } catch {
            throw Self.error(error, path)
        }
    }

    /// The store, its log and its journal.
    private static func statuses(_ path: String) -> [FileStatus?] { DatabaseFile.statuses(path, ["", "-wal", "-journal"]) }

    private var isChanged: Bool { Self.statuses(path) != files }

    /// Runs a body that reads, and puts its failures into words.
    func reading<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            let result = try body()
            if isChanged { throw beingWritten }
            return result
        } catch let error as SQLiteError {
            throw isChanged ? beingWritten : Self.error(error, path)
        }
    }

    private var beingWritten: TraceImportError {
        TraceImportError(
            .inputOutput,
            "\(path.escaped(for: .terminal)): the store was written while it was read, so what was read need not belong together; "
                + "end the app, or copy the store with the -wal beside it and name the copy")
    }

    /// An error that names the store.
    func error(_ sentence: String) -> TraceImportError { TraceImportError(.badData, "\(path.escaped(for: .terminal)): \(sentence)") }

    private static func error(_ error: SQLiteError, _ path: String) -> TraceImportError {
        let cause = error.underlying.map { "\($0)" } ?? error.description
        switch error.code {
        case .damaged:
            return TraceImportError(
                .badData, "\(path.escaped(for: .terminal)): the store is damaged (\(cause)); copy it again, with the -wal beside it")
        case .cannotOpen, .readOnly, .notFound, .fileGone:
            return TraceImportError(.noInput, "\(path.escaped(for: .terminal)): the store cannot be opened (\(cause))")
        case .newerSchema, .diskFull, .busy, .storage:
            return TraceImportError(.badData, "\(path.escaped(for: .terminal)): the store cannot be read (\(cause))")
        }
    }
}
