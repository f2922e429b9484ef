import DocumentationPages
import Foundation
import Testing

/// Every test is named by one scheme: a function's name in camel case that says what must hold, with no second name for display.
@Suite struct TestNameTests {
    private struct NamedTest {
        let location: String
        /// The name of the function, with its backticks if it has them.
        let name: String
        let hasDisplayName: Bool

        /// The rule that the name breaks, or `nil`.
        var violation: String? {
            if hasDisplayName { return "has a display name" }
            if name.hasPrefix("`") { return "is a raw identifier" }
            if name.count > 60 { return "has \(name.count) letters, more than 60" }
            if name.first?.isLowercase != true { return "does not begin with a lower-case letter" }
            if name.hasPrefix("test") { return "begins with \"test\"" }
            return nil
        }
    }

    /// The tests and suites in a file.
    private static func tests(in text: String, location: String) -> [NamedTest] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }
        return lines.indices.compactMap { index -> NamedTest? in
            let line = lines[index]
            guard let attribute = ["@Test", "@Suite"].first(where: { line.hasPrefix($0) }) else { return nil }
            let hasDisplayName =
                line.hasPrefix("\(attribute)(\"")
                || line == "\(attribute)(" && index + 1 < lines.count && lines[index + 1].hasPrefix("\"")
            let function = lines[index...].lazy.compactMap { line in line.firstRange(of: "func ").map { line[$0.upperBound...] } }.first
            let name = attribute == "@Suite" ? "suite" : function.map(Self.name) ?? ""
            return NamedTest(location: "\(location):\(index + 1)", name: name, hasDisplayName: hasDisplayName)
        }
    }

    private static func name(at text: Substring) -> String {
        if text.hasPrefix("`") { return "`\(text.dropFirst().prefix { $0 != "`" })`" }
        return String(text.prefix { $0 != "(" && $0 != "<" })
    }

    @Test func everyTestIsNamedByOneScheme() throws {
        var count = 0
        // The stand-ins for Apple's frameworks are a package of their own.
        for folder in try FileManager.default.contentsOfDirectory(atPath: Repository.path("Tests")).sorted() where folder != "AppleStubs" {
            let root = "Tests/\(folder)"
            let files = FileManager.default.enumerator(atPath: Repository.path(root))?.compactMap { $0 as? String } ?? []
            for file in files.sorted() where file.hasSuffix(".swift") {
                for test in Self.tests(in: try Repository.text("\(root)/\(file)"), location: "\(root)/\(file)") {
                    count += 1
                    #expect(test.violation == nil, "\(test.location): \(test.name)")
                }
            }
        }
        #expect(count > 1500)
    }

    @Test(arguments: [
        ("@Test func addsUp() {", nil),
        ("@Test(arguments: [1])\nfunc addsUp(number: Int) {", nil),
        ("@Test(\"adds up\") func addsUp() {", "has a display name"),
        ("@Suite(\"Sums\") struct SumTests {", "has a display name"),
        ("@Test(\n    \"adds up\", arguments: [1])\nfunc addsUp(number: Int) {", "has a display name"),
        ("@Test func `adds up`() {", "is a raw identifier"),
        ("@Test func AddsUp() {", "does not begin with a lower-case letter"),
        ("@Test func testSum() {", "begins with \"test\""),
        ("@Test func \(String(repeating: "a", count: 61))() {", "has 61 letters, more than 60"),
    ])
    func anotherNameIsFound(text: String, violation: String?) throws {
        let tests = Self.tests(in: text, location: "")
        #expect(tests.count == 1 && tests.first?.violation == violation)
    }
}
