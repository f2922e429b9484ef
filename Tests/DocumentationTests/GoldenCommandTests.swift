import DocumentationPages
import Foundation
import Testing

/// `.ci/golden` runs every test that holds an output against a file: it would pass over those that its filter does not name.
@Suite struct GoldenCommandTests {
    @Test func filterNamesEveryTestThatHasAFile() throws {
        let command = try Repository.text(".ci/golden")
        let filter = try #require(command.firstMatch(of: #/tests='([^']+)'/#)).output.1.split(separator: "|")
        let suites = ["Tests/AuditAnalysisTests", "Tests/AuditReportTests", "Tests/SyncAuditCommandsTests"]
        var found = 0
        for folder in try FileManager.default.contentsOfDirectory(atPath: Repository.path("Tests")).sorted() where folder != "GoldenFiles" {
            let root = "Tests/\(folder)"
            let files = FileManager.default.enumerator(atPath: Repository.path(root))?.compactMap { $0 as? String } ?? []
            for file in files where file.hasSuffix("Tests.swift") && !file.hasSuffix("GoldenCommandTests.swift") {
                let text = try Repository.text("\(root)/\(file)")
                guard text.contains("GoldenFile(") || text.contains("Golden.expect(") else { continue }
                found += 1
                #expect(suites.contains(root), "\(root)/\(file) is in no suite that .ci/golden runs")
                #expect(filter.contains { file.contains($0) }, "\(root)/\(file) is not named by the filter of .ci/golden")
            }
        }
        #expect(found >= 5)
    }
}
