import AuditLog
import ConflictAudit
import SyncModel
import TemporaryDirectory
import Testing

@Suite struct ReadingSnippets {
    @Test func reading() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.create("audit.jsonl", Samples.lines.joined(separator: "\n"))
        var reader = AuditLogReader(isLenient: true)
        try reader.read(path: path) { line, place in
            if case .conflict(let conflict) = line.event.content, conflict.severity.isLoss {
                print(place, conflict.key, conflict.field ?? "")
            }
        }
        print(reader.counts.skipped, "lines could not be understood")
        #expect(reader.counts.lines == Samples.lines.count)
    }
}
