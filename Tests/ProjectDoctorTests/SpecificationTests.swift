import FileFormats
import ProjectDoctor
import Testing

/// The targets of `project.yml` and `Package.swift`.
struct SpecificationTests {
    private static let files = [
        "project.yml": ReaderFixtures.yaml, "App/a.swift": "", "App/M.xcdatamodeld/M.xcdatamodel/contents": "", "Shared/s.swift": "",
        "Shared/d/r.md": "",
        "Shared/Old/o.swift": "", "Shared/Old/deep/o.swift": "", "Widget/w.swift": "",
    ]

    @Test func targetsOfASpecification() throws {
        let project = ReaderFixtures.project(Self.files)
        #expect(
            project.notes.map(\.sentence) == [
                "2 Swift files are in no target and are not read, such as \"Shared/Old/deep/o.swift\", \"Shared/Old/o.swift\""
            ])
        #expect(project.targets.map(\.name) == ["App", "Widget"])
        #expect(project.targets.map(\.kind) == [.app, .appExtension])
        let app = try #require(project.targets.first)
        #expect(app.platforms == [.iOS, .macOS])
        #expect(app.files == ["App/M.xcdatamodeld", "App/a.swift", "Shared/s.swift"])
        #expect(app.dependencies == ["Widget"])
        #expect(app.location == Location(path: "project.yml", line: 11, column: 3))
        #expect(app.configurations.map(\.name) == ["Debug", "Release"])
        #expect(app.configurations.map(\.isDebug) == [true, false])
        #expect(
            app.configurations.first?.settingNames == [
                "APS", "CODE_SIGN_ENTITLEMENTS", "FOLDED", "PRODUCT_BUNDLE_IDENTIFIER", "SHARED", "SWIFT_VERSION",
            ])
        #expect(app.configurations.first?["FOLDED"]?.text == "one two")
        #expect(app.configurations.first?["SHARED"]?.text == "YES")
        #expect(app.configurations.first?["APS"]?.location == Location(path: "project.yml", line: 28, column: 17))
        #expect(app.configurations.last?["APS"] == nil)
        #expect(app.configurations.last?["PRODUCT_BUNDLE_IDENTIFIER"]?.text == "com.example.App")
        #expect(app.configurations.last?["CODE_SIGN_ENTITLEMENTS"]?.text == "App/App.entitlements")
    }

    @Test func propertiesAreThoseOfAListThatDoesNotExist() throws {
        let list = try #require(ReaderFixtures.project(Self.files).generatedPropertyLists["App/App.entitlements"]?.list)
        #expect(
            PropertyListTests.short(list)
                == #"{aps-environment: "development", com.apple.developer.icloud-services: ["CloudKit"], on: true}"#)
        #expect(ReaderFixtures.project(Self.files.merging(["App/App.entitlements": ""]) { $1 }).generatedPropertyLists.isEmpty)
    }

    @Test func whatASpecificationDoesNotSayIsNoted() {
        let text = """
            include: other.yml
            configs: {Beta: debug}
            configFiles: {Beta: none.xcconfig}
            targets:
              A:
                templates: [T]
                type: application
                platform: dreamOS
                sources: [none, ../out, {path: Maybe, optional: true}, {path: a.swift, buildPhase: none}]
                settings: {groups: [g], X: $(inherited)y}
            """
        let project = ReaderFixtures.project(["project.yml": text, "a.swift": ""])
        #expect(
            project.notes.map { "\($0.location.line) \($0.sentence)" } == [
                "1 the specification \"other.yml\" is not read: the file \"other.yml\" is not in the project's folder",
                "6 the template \"T\" is not defined",
                "8 the platform \"dreamOS\" is not known", "10 the group of settings \"g\" is not defined",
                "9 the source \"../out\" is outside of the project's folder and not read",
                "9 the source \"none\" of the target \"A\" does not exist",
                "3 the file \"none.xcconfig\" is not in the project's folder",
                "1 a Swift file is in no target and is not read: \"a.swift\"",
            ])
        #expect(project.targets.map(\.files) == [[]])
        #expect(project.targets.first?.configurations.map(\.isDebug) == [true])
    }

    private static let included = [
        "project.yml": """
        include: [base.yml, {path: Shared/more.yml}, {path: none.yml, enable: false}]
        name: App
        targets:
          App:
            templates: [Application, Synced]
            templateAttributes: {team: T1}
            sources: [App]
            settings: {base: {OWN: yes, LEVEL: own}}
        """,
        "base.yml": """
        targetTemplates:
          Application:
            type: application
            platform: iOS
            sources: [Common]
            settings: {base: {TEAM: "${team}", LEVEL: first, NAME: "${target_name} ${unknown}"}}
          Synced:
            templates: [Inner]
            settings: {base: {LEVEL: second}}
          Inner:
            entitlements:
              path: "${target_name}.entitlements"
              properties: {aps-environment: development}
        """,
        "Shared/more.yml": """
        include: ../base.yml
        targets:
          Kit: {type: framework, sources: [Kit, {path: ../Common}], settings: {base: {A: 1}}}
          App: {sources: [Extra]}
        """,
        "App/a.swift": "", "Common/c.swift": "", "Shared/Kit/k.swift": "", "Shared/Extra/e.swift": "",
    ]

    @Test func includedFilesAndTemplatesAreMerged() throws {
        let project = ReaderFixtures.project(Self.included)
        #expect(project.notes == [])
        #expect(project.targets.map(\.name) == ["Kit", "App"])
        #expect(
            project.targets.map(\.files) == [
                ["Common/c.swift", "Shared/Kit/k.swift"], ["App/a.swift", "Common/c.swift", "Shared/Extra/e.swift"],
            ])
        let app = try #require(project.targets.last)
        #expect(app.kind == .app)
        #expect(app.platforms == [.iOS])
        let settings = try #require(app.configurations.first)
        #expect(settings["TEAM"]?.text == "T1")
        #expect(settings["LEVEL"]?.text == "own")
        #expect(settings["NAME"]?.text.hasPrefix("App ") == true)
        #expect(settings["TEAM"]?.location == Location(path: "base.yml", line: 6, column: 23))
        let list = try #require(project.generatedPropertyLists["App.entitlements"])
        #expect(list.path == "base.yml")
        let offset = try #require(list.list.entry("aps-environment")).keyOffset
        let text = try #require(Self.included["base.yml"])
        #expect(SwiftFixtures.string(text, from: offset).hasPrefix("aps-environment: development"))
    }

    @Test(arguments: [
        ("include: project.yml\ntargets: {A: {}}", "the specification \"project.yml\" includes itself"),
        ("include: a.yml\ntargets: {A: {}}", "the specification \"project.yml\" includes itself"),
        (
            "include: ../a.yml\ntargets: {A: {}}",
            "the specification \"../a.yml\" is outside of the project's folder, or named by a variable"
        ),
        (
            "include: ${A}.yml\ntargets: {A: {}}",
            "the specification \"${A}.yml\" is outside of the project's folder, or named by a variable"
        ),
        ("include: [[]]\ntargets: {A: {}}", "an included specification names no path"),
        ("include: b0.yml\ntargets: {A: {}}", "more than 100 specifications that include each other"),
        (
            "targetTemplates: {T: {templates: [T, T]}}\ntargets: {A: {templates: [T]}}",
            "too many templates, or templates that name each other"
        ),
    ]) func whatIncludesItselfEnds(text: String, note: String) {
        var files = ["project.yml": text, "a.yml": "include: project.yml"]
        for level in 0..<40 { files["b\(level).yml"] = "include: [b\(level + 1).yml, b\(level + 1).yml]" }
        let project = ReaderFixtures.project(files)
        #expect(project.notes.contains { $0.sentence.hasPrefix(note) }, "\(project.notes.map(\.sentence))")
        #expect(project.targets.map(\.name) == ["A"])
        #expect(project.notes.count < 500)
    }

    @Test func groupsOfSettingsThatNameEachOtherEnd() {
        let text =
            "settingGroups: {a: {groups: [b], base: {A: 1}}, b: {groups: [a, a], base: {B: 1}}}\ntargets: {T: {settings: {groups: [a]}}}"
        let project = ReaderFixtures.project(["project.yml": text])
        #expect(project.notes.first?.sentence == "more than 100 groups of settings, or groups that name each other")
        #expect(project.targets.first?.configurations.first?["A"]?.text == "1")
    }

    @Test func configurationsMatchByAPartOfTheirName() {
        let text = """
            configs: {Debug: debug, Debug Beta: debug, Release Beta: release}
            settingGroups: {pushes: {APS: production, LEVEL: group}}
            targets:
              T:
                settings:
                  configs:
                    debug: {APS: development}
                    Debug: {LEVEL: exact}
                    release: {groups: [pushes], base: {LEVEL: own}}
            """
        let configurations = ReaderFixtures.project(["project.yml": text]).targets.first?.configurations ?? []
        #expect(configurations.map { $0["APS"]?.text } == ["development", "development", "production"])
        #expect(configurations.map { $0["LEVEL"]?.text } == ["exact", nil, "own"])
    }

    @Test func targetsOfAPackage() {
        let project = ReaderFixtures.project([
            "Package.swift": ReaderFixtures.package, "Sources/Core/a.swift": "", "Sources/Core/Old/o.swift": "",
            "Elsewhere/Base/b.swift": "",
            "Sources/tool/main.swift": "", "Tests/CoreTests/t.swift": "",
        ])
        #expect(project.targets.map(\.name) == ["Core", "Base", "tool", "CoreTests"])
        #expect(project.targets.map(\.kind) == [.library, .library, .other, .tests])
        #expect(
            project.targets.map(\.files) == [
                ["Sources/Core/a.swift"], ["Elsewhere/Base/b.swift"], ["Sources/tool/main.swift"], ["Tests/CoreTests/t.swift"],
            ])
        #expect(project.targets.map(\.dependencies) == [["Base", "X"], [], ["Core", "Base"], ["Core"]])
        #expect(project.targets.map(\.location.line) == [11, 14, 15, 16])
        #expect(
            project.notes.map { "\($0.location.line) \($0.sentence)" } == [
                "17 the name of a target is no plain string; the target is not read",
                "1 a Swift file is in no target and is not read: \"Sources/Core/Old/o.swift\"",
            ])
    }

    @Test(arguments: [
        (".target(name: \"A", 0, "this string is not closed"), ("/* .target(name: \"A\")", 0, "this comment is not closed"),
        (".target(name: a", 0, "this bracket is not closed"),
        (".target(name: \"A\" + b)", 0, "the name of a target is no plain string; the target is not read"),
        (".target(name: \"A\\(b(\"x\"))\")", 0, "the name of a target is no plain string; the target is not read"),
        (".target(name: \"A\", path: p)", 0, "the path of the target \"A\" is no plain string; the target is not read"),
        (".target(name: \"A\", path: \"../x\")", 0, "the folder \"../x\" of the target \"A\" is outside of the project's folder"),
        (".target(name: \"A\")", 1, "the folder \"Sources/A\" of the target \"A\" does not exist"),
    ]) func whatAPackageDoesNotSayIsNoted(text: String, count: Int, note: String) {
        let project = ReaderFixtures.project(["Package.swift": text])
        #expect(project.targets.count == count)
        #expect(project.notes.map(\.sentence).last == note)
    }

    /// SwiftPM gives the whole folder to the only target of a kind, and looks in folders of several names.
    @Test(
        arguments: [
            (".target(name: \"A\"), .testTarget(name: \"T\")", ["Sources/a.swift", "Sources/In/b.swift"], ["Tests/t.swift"]),
            (".target(name: \"A\"), .target(name: \"B\")", [], []),
            (".target(name: \"in\"), .target(name: \"B\")", ["Sources/In/b.swift"], []),
            (".target(name: \"A\"), .executableTarget(name: \"B\")", [], []),
            (".target(name: \"Old\"), .target(name: \"B\")", ["src/Old/c.swift"], []),
        ] as [(String, [String], [String])]) func anOnlyTargetHasTheFolder(targets: String, first: [String], second: [String])
    {
        let project = ReaderFixtures.project([
            "Package.swift": "let p = Package(targets: [\(targets)])", "Sources/a.swift": "", "Sources/In/b.swift": "", "Tests/t.swift": "",
            "src/Old/c.swift": "",
        ])
        #expect(project.targets.map { $0.files.sorted() } == [first.sorted(), second])
    }

    /// Who links a product has the files of its targets.
    @Test func aProductIsItsTargets() throws {
        let project = ReaderFixtures.project([
            "Kit/Package.swift": """
            let p = Package(name: "Kit", products: [.library(name: "KitUI", targets: ["Views", "Model"])], targets: [
                .target(name: "Views"), .target(name: "Model"), .target(name: "Other")])
            """,
            "Kit/Sources/Views/v.swift": "", "Kit/Sources/Model/m.swift": "", "Kit/Sources/Other/o.swift": "", "App/a.swift": "",
            "project.yml": "targets: {A: {type: application, sources: App, dependencies: [{package: Kit, product: KitUI}]}}",
        ])
        let app = try #require(project.targets.first { $0.kind == .app })
        #expect(app.dependencies == ["KitUI", "Views", "Model"])
    }

    @Test func aPackageOfManyCallsInsideEachOtherEnds() {
        let text = String(repeating: ".target(name: [", count: 10_000) + String(repeating: "{", count: 10_000)
        #expect(ReaderFixtures.project(["Package.swift": text]).notes.count >= 1)
    }
}
