import CSQLite

/// What went wrong with a database, in a form to act on and a sentence to read.
package struct SQLiteError: Error, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: Hashable, Sendable {
        /// The file is no database, or its content contradicts itself.
        case damaged
        /// A later version of this package wrote the tables.
        case newerSchema
        /// The file, or the directory that it is in, cannot be written to.
        case readOnly
        /// The file cannot be opened.
        case cannotOpen
        /// There is no room left for the write.
        case diskFull
        /// Another process has held the database for longer than this one was told to wait.
        case busy
        /// The database failed in another way.
        case storage
        /// The file, or what is in it, does not exist.
        case notFound
        /// The file was deleted or moved while it was open.
        case fileGone
    }

    /// The kind of failure.
    package let code: Code

    /// A sentence that names the file and the remedy, without its full stop.
    package let description: String

    /// What caused it, where that was an error too.
    package let underlying: (any Error)?

    /// States what went wrong.
    package init(_ code: Code, _ description: String, underlying: (any Error)? = nil) {
        self.code = code
        self.description = description
        self.underlying = underlying
    }
}

extension SQLiteError {
    init(fileGone path: String) {
        self.init(
            .fileGone,
            "\(path) was deleted, moved or replaced while it was open; nothing was changed: put the file back, or let go of the store and open it "
                + "again")
    }

    /// Puts a status of SQLite into words.
    init(status: Int32, message: String, path: String) {
        let cause = SQLiteFailure(status: status, message: message)
        switch status & 0xff {
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            self.init(
                .damaged,
                "\(path) is damaged or not a database of this package (\(cause)); nothing was changed: restore it from a backup, "
                    + "or move it away and sync again", underlying: cause)
        case SQLITE_READONLY, SQLITE_PERM:
            self.init(
                .readOnly,
                "\(path) cannot be written to (\(cause)): allow writing to the file and to its directory", underlying: cause)
        case SQLITE_CANTOPEN:
            self.init(.cannotOpen, "\(path) cannot be opened (\(cause)): the directory must exist and allow writing", underlying: cause)
        case SQLITE_FULL:
            self.init(
                .diskFull,
                "there is no room to write to \(path) (\(cause)); the write was undone: free some space and write again", underlying: cause)
        case SQLITE_BUSY, SQLITE_LOCKED:
            self.init(
                .busy,
                "another process kept \(path) to itself for too long; nothing was changed: try again, or raise busyTimeout",
                underlying: cause)
        default:
            self.init(.storage, "the database \(path) failed: \(cause)", underlying: cause)
        }
    }
}

/// What SQLite itself says of a failure.
package struct SQLiteFailure: Error, CustomStringConvertible {
    package let status: Int32
    package let message: String

    package var description: String { "SQLite \(status): \(message)" }
}
