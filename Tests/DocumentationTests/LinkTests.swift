import DocumentationPages
import Foundation
import Testing

/// DocC looks after the links in articles; nobody does after those of the README.
@Suite struct LinkTests {
    @Test func everyFileThatTheReadmeNamesIsThere() throws {
        let names = try Repository.text("README.md").matches(of: /\]\(([^)#:]+)[^)]*\)/).map { String($0.output.1) }
        #expect(names.count >= 10)
        for name in names { #expect(FileManager.default.fileExists(atPath: Repository.path(name)), "\(name)") }
    }
}
