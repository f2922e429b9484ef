import CSQLite

/// A prepared statement: bound, stepped through row by row, reset.
@safe package final class SQLiteStatement {
    private let handle: OpaquePointer
    /// The connection keeps its statements, so it outlives them.
    private unowned let connection: SQLiteConnection

    /// Says to SQLite that what is bound stays where it is until the statement is done with it.
    private static var isKept: sqlite3_destructor_type? { nil }

    /// Says to SQLite that it is to copy what is bound.
    private static var isCopied: sqlite3_destructor_type { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    /// Takes over a statement of a connection.
    @unsafe
    init(_ handle: OpaquePointer, connection: SQLiteConnection) {
        unsafe self.handle = unsafe handle
        self.connection = connection
    }

    deinit {
        unsafe sqlite3_finalize(handle)
    }

    /// Makes the statement ready to be bound again, and lets go of its row.
    package func reset() {
        unsafe sqlite3_reset(handle)
    }

    /// Goes to the next row.
    ///
    /// - Returns: False where there is none; the statement is then reset.
    package func step() throws(SQLiteError) -> Bool {
        let status = unsafe sqlite3_step(handle)
        if status == SQLITE_ROW { return true }
        // The message belongs to the step, and a reset may replace it.
        let failure = status == SQLITE_DONE ? nil : connection.error(status)
        reset()
        if let failure { throw failure }
        return false
    }

    /// Runs a statement that returns no rows.
    package func run() throws(SQLiteError) {
        while try step() {}
    }

    /// Binds bytes and runs a statement that returns no rows.
    ///
    /// SQLite reads the bytes where they lie, so that long ones are not copied.
    package func run(_ bytes: [UInt8], at index: Int32) throws(SQLiteError) {
        let failure: SQLiteError? = unsafe bytes.withUnsafeBytes { buffer in
            let bound =
                if let start = buffer.baseAddress {
                    unsafe sqlite3_bind_blob64(handle, index, start, UInt64(buffer.count), Self.isKept)
                } else { unsafe sqlite3_bind_zeroblob(handle, index, 0) }
            let status = unsafe bound == SQLITE_OK ? sqlite3_step(handle) : bound
            let failure = status == SQLITE_DONE ? nil : connection.error(status)
            reset()
            unsafe sqlite3_bind_null(handle, index)
            return failure
        }
        if let failure { throw failure }
    }

    /// Binds a string for the length of a body, which runs the statement to its end or resets it.
    ///
    /// SQLite reads the string where it lies.
    package func withBound<Result>(_ text: String, at index: Int32, _ body: () throws -> Result) throws -> Result {
        var text = text
        return try text.withUTF8 { bytes in
            try check(unsafe bind(bytes, at: index, Self.isKept))
            defer { unsafe sqlite3_bind_null(handle, index) }
            return try body()
        }
    }

    /// Binds a number; the first parameter is 1.
    package func bind(_ number: Int64, at index: Int32) throws(SQLiteError) {
        try check(unsafe sqlite3_bind_int64(handle, index, number))
    }

    package func bind(_ text: String, at index: Int32) throws(SQLiteError) {
        var text = text
        let status = text.withUTF8 { bytes in unsafe bind(bytes, at: index, Self.isCopied) }
        try check(status)
    }

    @unsafe
    private func bind(_ text: UnsafeBufferPointer<UInt8>, at index: Int32, _ owner: sqlite3_destructor_type?) -> Int32 {
        unsafe text.withMemoryRebound(to: CChar.self) { letters in
            // A null pointer would bind NULL instead of an empty string.
            guard let start = letters.baseAddress else { return unsafe sqlite3_bind_text(handle, index, "", 0, Self.isCopied) }
            return unsafe sqlite3_bind_text(handle, index, start, Int32(clamping: letters.count), owner)
        }
    }

    package func bind(_ bytes: [UInt8], at index: Int32) throws(SQLiteError) {
        let status = unsafe bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress else { return unsafe sqlite3_bind_zeroblob(handle, index, 0) }
            return unsafe sqlite3_bind_blob64(handle, index, start, UInt64(buffer.count), Self.isCopied)
        }
        try check(status)
    }

    /// The number in a column of the row; the first column is 0.
    package func integer(_ column: Int32) -> Int64 {
        unsafe sqlite3_column_int64(handle, column)
    }

    package func text(_ column: Int32) -> String {
        guard let start = unsafe sqlite3_column_text(handle, column) else { return "" }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    package func bytes(_ column: Int32) -> [UInt8] {
        guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// The value in a column of the row, of whatever kind the file holds there.
    package func value(_ column: Int32) -> SQLiteValue {
        switch unsafe sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(unsafe sqlite3_column_double(handle, column))
        case SQLITE_TEXT: .text(text(column))
        case SQLITE_BLOB: .blob(bytes(column))
        default: .null
        }
    }

    /// The bytes of the value in a column as it is stored, 8 for a number; nil where it is null.
    package func storedSize(_ column: Int32) -> Int? {
        switch unsafe sqlite3_column_type(handle, column) {
        case SQLITE_NULL: nil
        case SQLITE_INTEGER, SQLITE_FLOAT: 8
        default: byteCount(column)
        }
    }

    /// The names of the columns, in their order.
    package var columnNames: [String] {
        (0..<(unsafe sqlite3_column_count(handle))).map { column in
            unsafe sqlite3_column_name(handle, column).map { unsafe String(cString: $0) } ?? ""
        }
    }

    /// How many bytes ``bytes(_:)`` would return.
    package func byteCount(_ column: Int32) -> Int {
        Int(unsafe sqlite3_column_bytes(handle, column))
    }

    private func check(_ status: Int32) throws(SQLiteError) {
        if status != SQLITE_OK { throw connection.error(status) }
    }
}
