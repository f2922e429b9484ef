import AuditLog
import CommandWorld
import Foundation
import SyncAuditCommands
import SyncModel
import Testing

/// The edit history of a software project, among the package's samples.
@Suite struct AuditOfRealHistory {
    private static let path = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Samples/traces/languages-writes.jsonl.gz").standardizedFileURL.path

    private static func lines() throws -> [String] {
        var reader = try LineReader(path: path, maximumLength: 1 << 20)
        var lines: [String] = []
        while case .bytes(let range) = try reader.next() {
            lines.append(
                reader.withBytes(range) { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) })
        }
        return lines
    }

    @Test func conflictsAreThoseThatHappenedAndTheStateIsTheSameInAnyOrder() throws {
        let world = TestWorld()
        let directory = try TemporaryDirectory()
        #expect(world.run("audit", Self.path, "--state", directory.file("state")) == .success)
        let conflicts = try world.lines
        func counts(_ key: FieldName) -> [String: Int] {
            Dictionary(conflicts.compactMap { $0[key]?.string }.map { ($0, 1) }, uniquingKeysWith: +)
        }
        #expect(conflicts.count == 910)
        #expect(counts("kind") == ["update_update": 641, "disjoint_update": 210, "insert_insert": 55, "delete_update": 4])
        #expect(counts("severity") == ["benign": 633, "merged": 210, "lossy": 63, "destructive": 4])
        #expect(conflicts.count { $0["withinWindow"] == true } == 6)
        #expect(world.errorText.hasPrefix("syncaudit: 7,103 writes, 910 conflicts; 67 edits lost\nsyncaudit: 371 edits were put back"))
        let state = try #require(directory.content("state"))
        #expect(state.split(separator: "\n").count == 829)

        // Backwards is as far from the order of arrival as a trace can be.
        let backwards = try directory.path(try Self.lines().reversed().joined(separator: "\n"))
        #expect(world.run("audit", backwards, "--state", directory.file("state2")) == .success)
        #expect(directory.content("state2") == state)
    }
}
