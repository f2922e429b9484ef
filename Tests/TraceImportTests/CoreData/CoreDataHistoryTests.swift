import ConflictAudit
import CoreDataStore
import Foundation
import SyncModel
import Testing

@testable import TraceImport

/// Reads a store; a line for each event, as short as it can be.
func events(of path: String, counts: ((CoreDataHistory.Counts) -> Void)? = nil) throws -> [String] {
    var history = try CoreDataHistory(path, device: "phone")
    var lines: [String] = []
    try history.forEach { event in
        let seconds = Double(event.milliseconds - 978_307_200_000) / 1000 - CoreDataStore.epoch
        let time = seconds.formatted(.number.grouping(.never).precision(.fractionLength(0...2)))
        switch event.content {
        case .write(let write):
            let what = write.fields.map { "\($0.names.map(\.rawValue))" } ?? "deleted"
            lines.append("\(time) \(write.dot) \(write.key.id): \(what)")
        case .sync(let activity):
            lines.append("\(time) \(activity.phase) \(activity.state) \(activity.durationMilliseconds) ms \(activity.error ?? "")")
        case .conflict(let conflict):
            lines.append(
                "\(time) conflict \(conflict.kind.rawValue) \(conflict.severity) \(conflict.basis) \(conflict.key.id).\(conflict.field ?? "-"): "
                    + "\(conflict.winner.dot) over \(conflict.loser.dot)")
        default: Issue.record("an unexpected event: \(event)")
        }
    }
    counts?(history.counts)
    return lines
}

/// The history of a store.
@Suite struct CoreDataHistoryTests {
    @Test func aHistoryIsWritesEventsAndReplacedChanges() throws {
        let store = try CoreDataStore()
        try store.name(1, "A1")
        try store.name(2, "B2")
        try store.event(0, from: 0, to: 0.5)
        try store.transaction(at: 10)
        try store.insert(1)
        try store.insert(2)
        try store.event(2, from: 11, to: 12.25)
        try store.transaction(at: 100)
        try store.update(1, .phone)
        try store.transaction(at: 130, by: .cloud)
        try store.update(1, [.name, .phone])
        try store.transaction(at: 200, by: .widget)
        try store.update(2, [.owner, .visits, .born])
        try store.event(2, from: 201, to: 205, error: 2)
        try store.transaction(at: 300, by: .cloud)
        try store.delete(2)
        var counts = CoreDataHistory.Counts()
        #expect(
            try events(of: store.copy()) { counts = $0 } == [
                "0.5 setup succeeded 500 ms ", "10 phone:1 A1: []", "10 phone:2 B2: []", "12.25 export succeeded 1250 ms ",
                #"100 phone:3 A1: ["PHONE"]"#, #"130 iCloud:1 A1: ["NAME", "PHONE"]"#,
                "130 conflict update_update lossy arrival A1.PHONE: iCloud:1 over phone:3",
                #"200 phone (widget):1 B2: ["BORN", "OWNER", "VISITS"]"#, "205 export failed 4000 ms partial failure (CKError 2)",
                "300 iCloud:2 B2: deleted", "300 conflict delete_update destructive arrival B2.OWNER: iCloud:2 over phone (widget):1",
                "300 conflict delete_update destructive arrival B2.BORN: iCloud:2 over phone (widget):1",
                "300 conflict delete_update destructive arrival B2.VISITS: iCloud:2 over phone (widget):1",
            ])
        #expect(counts.local == 4 && counts.imported == 2 && counts.events == 3 && counts.failedEvents == 1 && counts.conflicts == 4)
        #expect(counts.unknown == 0 && counts.unreadable == 0)
    }

    /// What the store says of exports between a change at 100 and an import at 200, and whether that is a conflict.
    enum Evidence: String, CaseIterable {
        case noExport, exported, exportedLater, begunAndEndedLater, begunNeverEnded, failed, failedThenExported, exportedBefore
        case neverExported, exportedAtSomeTime, nothing
    }

    @Test(arguments: Evidence.allCases)
    func anImportConflictsWhereNoExportOfTheChangeHadEnded(_ evidence: Evidence) throws {
        let store = try CoreDataStore()
        if ![.neverExported, .exportedAtSomeTime, .nothing].contains(evidence) { try store.event(0, from: 0, to: 1) }
        var (conflicts, unknown) = (1, 0)
        switch evidence {
        case .noExport: break
        case .exported:
            try store.event(2, from: 101, to: 102)
            conflicts = 0
        case .exportedLater: try store.event(2, from: 201, to: 202)
        case .begunAndEndedLater: try store.event(2, from: 199, to: 201)
        case .begunNeverEnded: try store.event(2, from: 199, to: nil)
        case .failed: try store.event(2, from: 101, to: 102, error: 1)
        case .failedThenExported:
            try store.event(2, from: 101, to: 102, error: 1)
            try store.event(2, from: 150, to: 160)
            conflicts = 0
        case .exportedBefore: try store.event(2, from: 90, to: 110)
        case .neverExported: try store.name(1, "A1", lastExport: 0)
        case .exportedAtSomeTime:
            try store.name(1, "A1", lastExport: 9)
            (conflicts, unknown) = (0, 1)
        case .nothing: (conflicts, unknown) = (0, 1)
        }
        try store.transaction(at: 100)
        try store.update(1, .name)
        try store.transaction(at: 200, by: .cloud)
        try store.update(1, .name)
        var counts = CoreDataHistory.Counts()
        _ = try events(of: store.copy()) { counts = $0 }
        #expect(counts.conflicts == conflicts && counts.unknown == unknown, "\(evidence)")
    }

    @Test func otherPropertiesAndEarlierImportsAreNoConflict() throws {
        let store = try CoreDataStore()
        try store.event(0, from: 0, to: 1)
        try store.transaction(at: 50, by: .cloud)
        try store.update(1, .name)
        try store.transaction(at: 100)
        try store.update(1, .name)
        try store.transaction(at: 200, by: .cloud)
        try store.update(1, .phone)
        try store.update(2, .name)
        try store.transaction(at: 300)
        try store.delete(1)
        try store.transaction(at: 400, by: .cloud)
        try store.update(1, .name)
        #expect(try !events(of: store.copy()).contains { $0.contains("conflict") })
    }

    @Test func aChangeCountsOnceHoweverManyImportsFollow() throws {
        let store = try CoreDataStore()
        try store.event(0, from: 0, to: 1)
        try store.transaction(at: 100)
        try store.update(1, .name)
        try store.update(1, .name)
        try store.transaction(at: 200, by: .cloud)
        try store.update(1, .name)
        try store.update(1, .name)
        #expect(
            try events(of: store.copy()).filter { $0.contains("conflict") } == [
                "200 conflict update_update lossy arrival p1.NAME: iCloud:1 over phone:2"
            ])
    }

    @Test func withoutMirroringRecordsHaveTheirKeysAndNoExports() throws {
        let store = try CoreDataStore(isMirrored: false)
        try store.transaction(at: 1)
        try store.update(7, .name)
        try store.checkpoint()
        let path = try store.copy(withLog: false)
        #expect(try events(of: path) == [#"1 phone:1 p7: ["NAME"]"#])
        #expect(try CoreDataHistory(path, device: "phone").lacksLog)
        #expect(try !CoreDataHistory(store.copy(), device: "phone").lacksLog)
    }

    @Test func changesInTheLogAloneAreReadAndNeitherFileIsTouched() throws {
        let store = try CoreDataStore()
        try store.checkpoint()
        try store.transaction(at: 1)
        try store.insert(1)
        for state in ["written", "checkpointed", "empty"] {
            if state == "checkpointed" {
                try store.execute("PRAGMA wal_checkpoint")
            } else if state == "empty" {
                try store.checkpoint()
            }
            let path = try store.copy()
            let directory = (path as NSString).deletingLastPathComponent
            func contents() throws -> [String: Data] {
                let names = try FileManager.default.contentsOfDirectory(atPath: directory)
                return try names.reduce(into: [:]) { $0[$1] = try Data(contentsOf: URL(fileURLWithPath: directory + "/" + $1)) }
            }
            let before = try contents()
            #expect(before.count == 2)
            #expect(try events(of: path) == ["1 phone:1 p1: []"], "\(state)")
            #expect(try contents() == before, "\(state)")
        }
    }
}
