import AuditAnalysis
import AuditLog
import AuditSamples
import ConflictAudit
import SyncMerge
import SyncModel
import Testing

@Suite struct ConflictListingTests {
    private let location = AuditLogReader.Location(file: "a.jsonl", line: 1)

    private func line(_ conflict: Conflict, from source: DeviceID? = nil) -> AuditLine {
        AuditLine(source: source, event: AuditEvent(at: conflict.milliseconds, .conflict(conflict)))
    }

    @Test(arguments: [0, 1, 7, 149, 150, 151, Int.max]) func theGravestAreKeptInWhicheverOrderTheyCome(limit: Int) {
        var random = RandomEvents(seed: 3)
        var conflicts = (0..<150).map { _ in random.conflict() }
        let order = conflicts.sorted {
            if $0.severity != $1.severity { return $0.severity > $1.severity }
            return $0.milliseconds == $1.milliseconds ? $0.id < $1.id : $0.milliseconds > $1.milliseconds
        }
        for _ in 0..<3 {
            conflicts.shuffle(using: &random.generator)
            var listing = ConflictListing(limit: limit)
            // Each twice, as two devices log it.
            for conflict in conflicts { for _ in 0..<2 { listing.observe(line(conflict), at: location) } }
            _ = listing.looksAgain()
            #expect(listing.entries.map(\.details.conflict.id) == order.prefix(limit).map(\.id))
            #expect(listing.hasMore == (limit < 150))
        }
    }

    @Test func onlyWhatPassesTheFilterIsListed() {
        var listing = ConflictListing(limit: 9, filter: ReportFilter(severities: [.benign]))
        listing.observe(line(conflict()), at: location)
        listing.observe(line(conflict(field: "b", severity: .benign)), at: location)
        _ = listing.looksAgain()
        #expect(listing.entries.map(\.details.conflict.severity) == [.benign])
        #expect(!listing.hasMore)
    }

    @Test func theLinesAroundAConflictAreToldAsShowTellsThem() throws {
        let met = conflict()
        func side(_ side: Conflict.Side) -> TaggedWrite {
            TaggedWrite(
                dot: side.dot, timestamp: side.timestamp, key: met.key, operation: .put(["title": side.value ?? 0]), seen: ["mac": 1])
        }
        let writes = [
            write(device: "mac", at: 1_768_485_000_000), side(met.loser), side(met.winner),
            write(RecordKey(type: "Note", id: "other"), device: "mac"), write(device: "watch", at: 1_768_485_700_000),
        ]
        let lines = writes.map { AuditLine(event: AuditEvent(at: $0.timestamp.milliseconds, .write($0))) } + [line(met, from: "phone")]
        var listing = ConflictListing(limit: 9)
        for line in lines { listing.observe(line, at: location) }
        _ = listing.looksAgain()
        for line in lines { listing.observe(line.event) }
        var history = RecordHistory(of: met)
        for line in lines { history.observe(line.event) }
        let entry = try #require(listing.entries.first)
        #expect(entry.details == ConflictDetails(LoggedConflict(met, from: "phone"), history: history))
        #expect(entry.details.timeline.entries.map(\.role) == [.ancestor, .loser, .winner, .other])
        #expect(entry.details.successor == Dot(device: "watch", sequence: 1))
        #expect(entry.isWhole)
    }

    @Test func aRecordWithTooManyLinesIsToldWithoutThem() throws {
        let (busy, quiet) = (conflict(), conflict(RecordKey(type: "Note", id: "2")))
        var listing = ConflictListing(limit: 9)
        listing.observe(line(busy), at: location)
        listing.observe(line(quiet), at: location)
        _ = listing.looksAgain()
        for number in 0...ConflictListing.recordLimit {
            listing.observe(AuditEvent(at: 0, .write(write(device: DeviceID("d\(number)")))))
        }
        listing.observe(AuditEvent(at: 0, .write(write(RecordKey(type: "Note", id: "2"), device: "mac"))))
        let whole = Dictionary(uniqueKeysWithValues: listing.entries.map { ($0.details.conflict.id, $0.isWhole) })
        #expect(whole == [busy.id: false, quiet.id: true])
        let told = try #require(listing.entries.first { $0.details.conflict.id == busy.id })
        #expect(told.details == ConflictDetails(LoggedConflict(busy, from: nil), history: RecordHistory(of: busy)))
    }
}
