import FileFormats
import ProjectDoctor
import SyncOracle
import Testing

@Suite struct SwiftRobustnessTests {
    /// Reads bytes and checks what holds of every file.
    private func check(_ bytes: [UInt8], _ comment: Comment) {
        let facts = SwiftReader.read(bytes)
        let offsets =
            facts.problems.map(\.offset) + facts.models.map(\.context.offset) + facts.uses.map(\.context.offset)
            + facts.increments.map(\.context.offset) + facts.models.flatMap(\.properties).flatMap { [$0.offset, $0.end] }
        #expect(offsets.allSatisfy { (0...bytes.count).contains($0) }, comment)
        #expect(facts.problems.count <= 300, comment)
    }

    @Test func everyPrefixIsRead() {
        let bytes = Array(SwiftFixtures.app.utf8)
        for count in stride(from: 0, to: bytes.count, by: histories(11, of: 1)) {
            check(Array(bytes[..<count]), "the first \(count) bytes of the app")
        }
        let library = Array(SwiftFixtures.library.utf8)
        for count in stride(from: 0, to: library.count, by: histories(53, of: 5)) {
            check(Array(library[..<count]), "the first \(count) bytes of the library")
        }
    }

    @Test(arguments: 0..<8) func mutationsAreRead(_ seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let original = Array((seed % 2 == 0 ? SwiftFixtures.library : SwiftFixtures.app).utf8)
        let pieces = [
            "{", "}", "(", ")", "[", "]", "\"", "\"\"\"", "#\"", "\"#", "/*", "*/", "//", "/", "#if X\n", "#else\n", "#endif\n", "\\(", "`",
            "@Model ",
            "class ", "var ", "func ", "init(", "<", ">", "=", ",", ":", "#/", "/#", "catch ", "do {", "#Unique", "ModelContainer(",
            ".init(", "\u{0}",
        ].map { Array($0.utf8) }
        for round in 0..<histories(20, of: 300) {
            var bytes = original
            for _ in 0...Int.random(in: 0..<6, using: &generator) {
                let start = Int.random(in: 0..<bytes.count, using: &generator)
                let end = min(bytes.count, start + Int.random(in: 0..<12, using: &generator))
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes.removeSubrange(start..<end)
                case 1: bytes.insert(contentsOf: pieces[Int.random(in: 0..<pieces.count, using: &generator)], at: start)
                case 2: bytes[start] = UInt8.random(in: 0...255, using: &generator)
                default: bytes.insert(contentsOf: Array(bytes[start..<end]), at: Int.random(in: 0...bytes.count, using: &generator))
                }
            }
            check(bytes, "seed \(seed), round \(round)")
        }
    }

    @Test(arguments: [
        "{", "(", "[", "}", ")", "]", "{}", "([{", "\"\\(", "\"", "\"\"\"", "#\"\"\"\n", "#", "/*", "/* \n", "\"\\(/*", "\n#/\n", "#if A\n",
        "#if A\n{\n", "#else\n",
        "#if A\n{\n#else\n{\n#endif\n", "`", "@", "@A(", "@A.", "var a = ", "let a: A<", "var a: (", "struct A: ", "class A { ",
        "struct A<", "func a(", "func ",
        "func a<", "init(", "a < b, ", "a<", "a.", "a.b += 1\n", "var a = 1\n", "{ a in ", "if let a = ", "let a = if let ",
        "CKContainer(identifier: a)\n",
        "ModelContainer(", "do { ModelContainer(for: a) } catch { ", "do { ", "catch { ", "extension A { ", "enum A: VersionedSchema { ",
        "savePolicy: A.",
        ".init(", "configurations: [.init(", "r[\"a\"] = 1; ", "let r: CKRecord\n", "a, ", "#Preview { ", "@Model class A { #Unique<",
        "= /", "\\", "where ", "1.",
        "? ", ": ", "-> ", "a.custom(fromVersion: ", "setOption(", "extension A: VersionedSchema {} ", "static let models = a\n",
    ])
    func repetitionsTakeLinearTime(_ piece: String) {
        let count = histories(100, of: 5_000)
        func time(_ count: Int) -> Duration {
            let bytes = Array(String(repeating: piece, count: count).utf8)
            return processorTime { check(bytes, "\(count) times \(piece)") }
        }
        // Ten times the bytes may take some thirty times as long, but not a hundred times.
        #expect(holdsWhenMeasured { time(10 * count) < time(count) * 30 + .milliseconds(20) }, "\(piece)")
    }

    @Test func manyLinesAreRead() {
        let lines = Array(String(repeating: "f(1) // b\n", count: histories(100_000, of: 1_000_000)).utf8)
        let facts = SwiftReader.read(lines + Array("@Model class A { var b = 2 }".utf8))
        #expect(facts.models.map { $0.properties.map(\.name) } == [["b"]])
        #expect(facts.problems.isEmpty)
    }

    @Test func deepNestingIsRead() {
        let count = histories(10_000, of: 100_000)
        let source =
            String(repeating: "struct S { ", count: count) + "@Model class A { var b = 1 }" + String(repeating: "}", count: count)
            + String(repeating: "f([", count: count) + String(repeating: "])", count: count)
        let facts = SwiftFixtures.facts(source)
        #expect(facts.models.map(\.name) == ["A"])
        #expect(facts.models.first?.context.types.count == 200)
        #expect(facts.problems.isEmpty)
    }

    @Test func goesOnAfterABrokenDeclaration() {
        let facts = SwiftFixtures.facts(
            "@Model class A { var a = f((1 }\n@Model class B { var b = \"x\nvar c = 1 }\n@Model class C { var d = 1 }")
        #expect(facts.models.map(\.name) == ["A", "B", "C"])
        #expect(facts.models.last?.properties.map(\.name) == ["d"])
        #expect(!facts.problems.isEmpty)
    }
}
