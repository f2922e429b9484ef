import AuditLog
import ConflictAudit
import SyncBytes
import SyncLines
import SyncModel
import SyncSQLite

/// The setups, imports and exports that mirroring has noted, in the order in which it did.
struct MirroringEvents {
    /// One of them.
    struct Event {
        let phase: SyncActivity.Phase
        let state: SyncActivity.State
        /// When it began, in milliseconds since 1970.
        let start: Int64
        /// When it ended; nil where it had not.
        let end: Int64?
        let records: Int
        let error: String?

        /// The event as a log has it: at its end, or at its beginning where it has not ended.
        var line: AuditEvent {
            let activity = SyncActivity(
                phase: phase, state: state, writes: records, bytes: 0, duration: .milliseconds(max(0, (end ?? start) - start)),
                error: error)
            return AuditEvent(at: end ?? start, .sync(activity))
        }
    }

    private let rows: SQLiteStatement

    /// Nil where the store has no such table.
    init?(_ tables: CoreDataTables, _ file: CoreDataFile) throws {
        let names = Set(try tables.columns(of: "ANSCKEVENT")?.map(\.name) ?? [])
        guard names.isSuperset(of: ["ZCLOUDKITEVENTTYPE", "ZSTARTEDAT"]) else { return nil }
        func column(_ name: String) -> String { names.contains(name) ? name : "NULL" }
        let optional = ["ZENDEDAT", "ZSUCCEEDED", "ZERRORDOMAIN", "ZERRORCODE", "ZCOUNTFINISHEDOBJECTS"].map(column).joined(separator: ", ")
        rows = try file.connection.prepare("SELECT ZCLOUDKITEVENTTYPE, ZSTARTEDAT, \(optional) FROM ANSCKEVENT")
    }

    /// The next one; rows that say nothing are passed over.
    func next() throws -> Event? {
        while try rows.step() {
            guard let type = rows.value(0).integer, let phase = Self.phases[type], let start = CoreDataTime.milliseconds(rows.value(1))
            else {
                continue
            }
            let end = CoreDataTime.milliseconds(rows.value(2))
            let succeeded = rows.value(3).integer == 1
            let code = rows.value(5).integer ?? 0
            let domain = rows.value(4).text.flatMap { $0.isEmpty ? nil : $0.shortened }
            let state: SyncActivity.State = end == nil ? .started : succeeded ? .succeeded : .failed
            return Event(
                phase: phase, state: state, start: start, end: end, records: Int(clamping: max(0, rows.value(6).integer ?? 0)),
                error: state == .failed ? Self.describe(domain, code) : nil)
        }
        return nil
    }

    /// An error by its name where it is CloudKit's, else by domain and code, which is all that the store has of it.
    private static func describe(_ domain: String?, _ code: Int64) -> String {
        domain == "CKErrorDomain" ? CloudKitErrorCode.description(Int(clamping: code)) : "\(domain ?? "error") \(code)"
    }

    private static let phases: [Int64: SyncActivity.Phase] = [0: .setup, 1: .import, 2: .export]
}

/// Times as Core Data keeps them.
enum CoreDataTime {
    /// Milliseconds since 1970 from seconds since 2001-01-01, moved into what a line can hold; nil for what is no number.
    static func milliseconds(_ value: SQLiteValue) -> Int64? {
        guard let seconds = value.number, seconds.isFinite else { return nil }
        let milliseconds = (seconds * 1000).rounded() + 978_307_200_000
        let range = WriteLimits.milliseconds
        return milliseconds <= Double(range.lowerBound)
            ? range.lowerBound : milliseconds >= Double(range.upperBound) ? range.upperBound : Int64(milliseconds)
    }
}
