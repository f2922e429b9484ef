import DocumentationPages
import Foundation
import Testing

/// Every public type of the modules that an app or its tests import shows how it is used, with code that is compiled.
@Suite struct TypeExampleTests {
    private struct PublicType: CustomTestStringConvertible {
        let name: String
        let location: String
        /// The lines of the code in its comment, empty where there is none.
        let example: [String]

        var testDescription: String { "\(location): \(name)" }
    }

    private static let modules = [
        "SyncModel", "SyncMerge", "ConflictAudit", "ConflictAuditTesting", "SyncLayer", "SyncRecords", "SyncLayerTesting",
        "SyncMonitoring", "SyncObservation", "SyncHTTP", "SyncURLSession", "AuditLog", "AuditAnalysis", "AuditChecking", "SyncSimulation",
        "CloudKitSimulation",
    ]

    private static let types: [PublicType] = (try? modules.flatMap(types)) ?? []

    private static func types(of module: String) throws -> [PublicType] {
        let folder = try Repository.folder(of: module)
        let files = FileManager.default.enumerator(atPath: Repository.path(folder))?.compactMap { $0 as? String } ?? []
        let paths = files.filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
        return try paths.sorted().flatMap { path in try types(in: try Repository.text(path), location: path) }
    }

    /// The public types at the outermost level of a file.
    private static func types(in text: String, location: String) throws -> [PublicType] {
        var types: [PublicType] = []
        var comment: [Substring] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("///") {
                comment.append(line.dropFirst(4))
            } else if let match = line.firstMatch(of: /^public (?:final )?(?:struct|enum|class|protocol|actor) (\w+)/) {
                types.append(PublicType(name: String(match.output.1), location: location, example: example(in: comment)))
                comment = []
            } else if !line.hasPrefix("@") {
                comment = []
            }
        }
        return types
    }

    private static func example(in comment: [Substring]) -> [String] {
        comment.drop { $0 != "```swift" }.dropFirst().prefix { $0 != "```" }.map(String.init)
    }

    @Test func thereAreTypesInEveryModule() throws {
        for module in Self.modules {
            let folder = try Repository.folder(of: module) + "/"
            #expect(Self.types.contains { $0.location.hasPrefix(folder) }, "\(module)")
        }
        #expect(Self.types.count > 110)
    }

    @Test(arguments: types) private func itHasAnExampleThatIsCompiled(type: PublicType) throws {
        try #require(!type.example.isEmpty, "the comment of \(type.name) has no code")
        #expect(try SnippetTests.snippets().contains { $0.holds(type.example) }, "no file in Snippets holds the example of \(type.name)")
    }

    @Test func aTypeWithoutAnExampleIsFound() throws {
        let text = "/// A.\n///\n/// ```swift\n/// a()\n/// ```\npublic struct A {}\n\n/// B.\npublic enum B {}\n"
        let types = try Self.types(in: text, location: "")
        #expect(types.map(\.name) == ["A", "B"] && types.map(\.example) == [["a()"], []])
    }
}
