import ChildProcess
import DocumentationPages
import Foundation
import TemporaryDirectory
import Testing

/// The Swift code in the pages of the documentation, held against code that is compiled and run: the files in `Snippets`, and the README's program.
///
/// A block's lines must stand in one of the files, one behind the other, however far they are indented there; and that file imports what the block
/// says, nothing less and nothing more.
@Suite struct SnippetTests {
    /// A block of code in a page.
    struct Block: CustomTestStringConvertible {
        let location: String
        let lines: [String]

        var testDescription: String { location }
        var imports: Set<String> { Set(lines.filter { $0.hasPrefix("import ") }) }
        var body: [String] { Array(lines.drop { $0.hasPrefix("import ") || $0.isEmpty }) }
        /// Whether it is somebody's `Package.swift`.
        var isManifest: Bool { lines.contains("import PackageDescription") }
    }

    static let blocks: [Block] = (try? Repository.pages().flatMap { page in try Self.blocks(of: "swift", in: page) }) ?? []

    static func blocks(of language: String, in page: String) throws -> [Block] {
        try CodeBlock.all(of: language, in: page).map { Block(location: $0.location, lines: $0.lines) }
    }

    /// A file of code that is compiled.
    struct Snippets {
        let name: String
        let lines: [String]

        /// What a file needs for itself, and no reader.
        private static let scaffold: Set<String> = ["import Testing", "import Foundation", "import TemporaryDirectory"]
        var imports: Set<String> { Set(lines.filter { $0.hasPrefix("import ") }).subtracting(Self.scaffold) }

        func holds(_ body: [String]) -> Bool {
            guard let first = body.first else { return false }
            return lines.indices.contains { start in
                guard lines[start].hasSuffix(first), lines.count - start >= body.count else { return false }
                let indentation = lines[start].dropLast(first.count)
                return indentation.allSatisfy { $0 == " " }
                    && zip(lines[start...], body).allSatisfy { $0 == ($1.isEmpty ? "" : indentation + $1) }
            }
        }
    }

    static func snippets() throws -> [Snippets] {
        let folder = "Tests/DocumentationTests/Snippets"
        let files = try FileManager.default.contentsOfDirectory(atPath: Repository.path(folder)).map { "\(folder)/\($0)" }
        return try (files + [ReadmeProgramTests.source]).map { file in
            Snippets(name: file, lines: try Repository.text(file).components(separatedBy: "\n"))
        }
    }

    @Test func thereIsCodeInReadmeAndArticles() {
        #expect(Self.blocks.count { $0.location.hasPrefix("README.md") } == 1)
        #expect(Self.blocks.count { $0.location.hasPrefix("Sources") } >= 15)
    }

    @Test(arguments: blocks.filter(\.isManifest)) func theManifestIsOne(block: Block) throws {
        let directory = try TemporaryDirectory()
        _ = try directory.create("Package.swift", block.lines.joined(separator: "\n") + "\n")
        let process = try ChildProcess(path: "/usr/bin/env", ["swift", "package", "--package-path", directory.path, "dump-package"])
        process.closeInput()
        let written = String(decoding: process.readToEnd(), as: UTF8.self)
        _ = process.wait()
        let products = written.matches(of: /"product"\s*:\s*\[\s*"(\w+)"/).map(\.output.1)
        #expect(!products.isEmpty, "\(written)")
        let own = try Repository.text("Package.swift")
        for product in products { #expect(own.contains(".library(name: \"\(product)\""), "\(product)") }
    }

    @Test(arguments: blocks) func theCodeIsCompiled(block: Block) throws {
        if block.isManifest { return }
        let holders = try Self.snippets().filter { $0.holds(block.body) }
        try #require(!holders.isEmpty, "\(block.location): no file in Snippets holds this code")
        // What goes on from a block before needs no imports of its own.
        if block.imports.isEmpty { return }
        #expect(holders.contains { $0.imports == block.imports }, "\(block.location): the imports are not those of \(holders.map(\.name))")
    }
}
