import ProjectDoctor
import SyncOracle
import Testing

/// Projects whose files are not what they seem.
struct HostileProjectTests {
    @Test(arguments: 0..<8) func changedBytesNeverCrash(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var fixture = DoctorFixture()
        RuleTests.addCoreData(&fixture)
        let contents = fixture.contents.mapValues { Array($0.utf8) }
        let paths = contents.keys.sorted()
        for _ in 0..<histories(10, of: 150) {
            var changed = contents
            for _ in 0..<(1 + random.next() % 4) {
                let path = paths[Int(random.next() % UInt64(paths.count))]
                changed[path] = ReaderFixtures.mutated(changed[path] ?? [], &random)
            }
            let files = ProjectFiles(name: "Notes", contents: changed)
            let diagnosis = Doctor.examine(files)
            _ = ProjectPatch(diagnosis, files).text
        }
    }

    @Test func namesWithEscapesStayInTheirFile() {
        var fixture = DoctorFixture()
        fixture.contents["Notes/\u{1b}[31m\n.swift"] = "@Model final class A\u{1b} { var x: Int }"
        let diagnosis = fixture.diagnosis()
        #expect(diagnosis.findings.allSatisfy { $0.rule != "" })
    }

    @Test func aSchemaThatEndsEarlyIsANote() {
        var fixture = DoctorFixture()
        fixture.contents["Notes.ckdb"] = "DEFINE SCHEMA RECORD TYPE CD_Note ( CD_id STRING"
        let diagnosis = fixture.diagnosis()
        #expect(diagnosis.notes.map(\.sentence) == ["the record type CD_Note is not closed"])
    }

    @Test func manyEntitiesThatReferToEachOtherTakeNoLonger() {
        var fixture = DoctorFixture()
        let count = histories(500, of: 2000)
        fixture.contents["Notes/Many.swift"] = (0..<count).map { index in
            "@Model final class M\(index) { var next: M\((index + 1) % count)?; var last: M\((index + count - 1) % count)? }"
        }.joined(separator: "\n")
        fixture.replace("for: Note.self", with: "for: M0.self, Note.self", in: RuleTests.app)
        fixture.contents["Notes.ckdb"] = nil
        var diagnosis: Diagnosis?
        let time = processorTime { diagnosis = fixture.diagnosis() }
        #expect(diagnosis?.stores.first?.entities.count == count + 2)
        #expect(time < .seconds(5))
    }

    /// Programs and libraries that all depend on each other, each with code that uses CloudKit.
    @Test func manyTargetsThatDependOnEachOtherEnd() {
        let count = histories(600, of: 1500)
        var contents: [String: String] = [:]
        var specification = "targets:\n"
        for index in 0..<count {
            let type = ["application", "framework", "app-extension"][index % 3]
            let names = (1...10).map { "T\((index * 7 + $0 * 13) % count)" }
            specification += "  T\(index): {type: \(type), platform: iOS, sources: [S\(index)], dependencies: "
            specification += "[" + names.map { "{target: \($0)}" }.joined(separator: ", ") + "]}\n"
            contents["S\(index)/a.swift"] = "@Model final class M\(index % 50) { var a: String }\nlet c = CKContainer.default()"
            contents["S\(index)/a.entitlements"] = DoctorFixture.entitlements
        }
        contents["project.yml"] = specification
        contents["One.ckdb"] = DoctorFixture.schema
        var diagnosis: Diagnosis?
        let time = processorTime { diagnosis = XcodeFixture.diagnosis(contents) }
        #expect(diagnosis?.notes("too many targets for each to be judged by itself") == true)
        #expect(time < .seconds(30))
    }

    /// Projects in which one thing occurs very often.
    private static let repetitions: [String: @Sendable (_ count: Int) -> [String: String]] = [
        "variables that are never closed": { count in
            let specification =
                "targetTemplates:\n  T: {settings: {base: {X: \"\(String(repeating: "${", count: count * 50))\"}}}\n"
                + "targets:\n  App: {type: application, platform: iOS, sources: [Src], templates: [T]}\n"
            return ["project.yml": specification, "Src/a.swift": "@Model final class Note { var a: Int = 0 }"]
        },
        "versions of a schema": { count in
            let versions = (0..<count).map { index in
                "enum V\(index): VersionedSchema { static var versionIdentifier = Schema.Version(\(index), 0, 0)\n"
                    + "static var models: [any PersistentModel.Type] { [Note.self] }\n"
                    + "@Model final class Note { var f\(index): Int = 0 } }\n"
            }
            return [
                "project.yml": "targets:\n  App: {type: application, platform: iOS, sources: [Src]}\n",
                "Src/a.swift": "import SwiftData\n" + versions.joined(),
            ]
        },
        "targets of one folder": { count in
            let targets = (0..<count).map { "  T\($0): {type: application, platform: iOS, sources: [Src]}\n" }
            return [
                "project.yml": "targets:\n" + targets.joined(),
                "Src/a.swift": """
                import SwiftData
                @Model final class Note { var title: String = "" }
                let c = try! ModelContainer(for: Note.self, configurations: ModelConfiguration(cloudKitDatabase: .private("iCloud.x")))
                """,
            ]
        },
    ]

    @Test(arguments: repetitions.keys.sorted()) func whatOccursVeryOftenTakesLinearTime(name: String) throws {
        let make = try #require(Self.repetitions[name])
        let count = histories(800, of: 2400)
        func time(_ count: Int) -> Duration {
            let contents = make(count)
            return processorTime { _ = XcodeFixture.diagnosis(contents) }
        }
        #expect(holdsWhenMeasured { time(count) < time(count / 4) * 8 + .milliseconds(300) })
    }
}
