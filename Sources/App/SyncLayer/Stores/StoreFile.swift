import SyncModel
import SyncSQLite

/// A database file whose failures are the sync layer's.
struct StoreFile: Sendable {
    private let database: SQLiteDatabase

    init(
        path: String, schema: SQLiteDatabase.Schema, busyTimeout: Duration, maximumBytes: Int?, mustExist: Bool = false
    ) throws(SyncLayerError) {
        do throws(SQLiteError) {
            database = try SQLiteDatabase(
                path: path, schema: schema, busyTimeout: Int(clamping: busyTimeout.wholeMilliseconds), maximumBytes: maximumBytes,
                mustExist: mustExist)
        } catch {
            throw SyncLayerError(error)
        }
    }

    /// Runs a body alone among all writers of all processes; its changes are kept when it returns and undone when it throws.
    ///
    /// - Parameter isDurable: Whether the changes, and all before them, must outlast a power failure before this returns.
    func write<Result: Sendable>(isDurable: Bool = false, _ body: (SQLiteConnection) throws -> Result) throws -> Result {
        do {
            return try database.write(isDurable: isDurable, body)
        } catch let error as SQLiteError {
            throw SyncLayerError(error)
        }
    }

    /// Runs a body that sees one state of the database throughout.
    func read<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        do {
            return try database.read(body)
        } catch let error as SQLiteError {
            throw SyncLayerError(error)
        }
    }

    /// Looks through the whole file for damage.
    func checkIntegrity() throws {
        do {
            try database.checkIntegrity()
        } catch let error as SQLiteError {
            throw SyncLayerError(error)
        }
    }
}

extension SyncLayerError {
    fileprivate init(_ error: SQLiteError) {
        let code: Code =
            switch error.code {
            case .damaged: .damaged
            case .newerSchema: .newerSchema
            case .readOnly: .readOnly
            case .cannotOpen: .cannotOpen
            case .diskFull: .diskFull
            case .busy: .busy
            case .storage: .storage
            case .notFound: .notFound
            case .fileGone: .fileGone
            }
        self.init(code, error.description, underlying: error.underlying)
    }
}
