import ChildProcess
import DocumentationPages
import Foundation
import TemporaryDirectory
import Testing

/// Every public symbol says what it is, and stands in a group on the page of its module.
///
/// The compiler's own account of the modules is asked, so that enumeration cases, requirements and extensions count too.
@Suite struct PublicSymbolTests {
    private struct Graph: Decodable {
        struct Symbol: Decodable {
            struct Comment: Decodable {
                struct Line: Decodable {
                    let text: String
                }

                let lines: [Line]
            }

            let pathComponents: [String]
            let docComment: Comment?
        }

        let symbols: [Symbol]
    }

    @Test func allAreDocumented() throws {
        let directory = try TemporaryDirectory()
        let modules = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "Modules").path
        let outcome = ChildProcess.run([Repository.path(".ci/symbol-graphs"), directory.path, modules])
        try #require(outcome.status == 0, "\(outcome.errors)")
        var count = 0
        for module in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
            let landing = try Repository.text("\(Repository.folder(of: module))/\(module).docc/\(module).md")
            for file in try FileManager.default.contentsOfDirectory(atPath: directory.file(module)) {
                let data = try Data(contentsOf: URL(filePath: directory.file("\(module)/\(file)")))
                for symbol in try JSONDecoder().decode(Graph.self, from: data).symbols {
                    count += 1
                    let isDocumented = symbol.docComment?.lines.contains { !$0.text.isEmpty } ?? false
                    #expect(isDocumented, "\(module): \(symbol.pathComponents.joined(separator: "."))")
                    // Extensions of other modules stand in a file of their own.
                    guard symbol.pathComponents.count == 1, file == "\(module).symbols.json" else { continue }
                    #expect(
                        landing.contains("\n- ``\(symbol.pathComponents[0])``\n"), "\(module).md groups \(symbol.pathComponents[0]) nowhere"
                    )
                }
            }
        }
        #expect(count > 1000)
    }
}
