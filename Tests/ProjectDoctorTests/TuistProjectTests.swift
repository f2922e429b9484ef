import FileFormats
import ProjectDoctor
import SyncOracle
import Testing

struct TuistProjectTests {
    static let manifest = #"""
        import ProjectDescription

        let appName = "Notes"
        let shared: [String] = ["Shared/**"]
        let project = Project(
            name: appName,
            settings: .settings(
                base: ["LIST": ["a", "b"]],
                configurations: [.debug(name: "Debug", settings: ["A": "1", "APS_ENVIRONMENT": "development"]), .release(name: .release, xcconfig: "Config/Release.xcconfig")]),
            targets: [
                .target(
                    name: appName, destinations: [.iPhone, .iPad], product: .app, bundleId: "example.\(appName)",
                    infoPlist: .extendingDefault(with: ["UIBackgroundModes": ["remote-notification"], "Other": .dictionary(["a": .boolean(true)])]),
                    sources: ["\(appName)/Sources/**", .glob("More/**/*.swift", excluding: "More/Old/**")],
                    resources: .resources(["Notes/Resources/**"]), entitlements: .file(path: .relativeToRoot("Notes/Notes.entitlements")),
                    dependencies: [.target(name: "Kit"), .external(name: "Lib"), .project(target: "Far", path: "../Far")],
                    settings: .settings(base: ["B": .string("2")]), coreDataModels: [.coreDataModel("Notes/M.xcdatamodeld")]),
                Target.target(name: "Kit", destinations: .iOS, product: .framework, bundleId: "k", sources: .sourceFilesList(globs: shared)),
                .target(name: "Tests", destinations: .iOS, product: .unitTests, bundleId: "t", sources: "Tests/**", entitlements: nil),
                .target(name: "Widget", destinations: .iOS, product: .appExtension, bundleId: "w", infoPlist: .default,
                        buildableFolders: ["Widget"], entitlements: .dictionary(["aps-environment": "development"])),
            ])
        """#

    private static let files = [
        "Project.swift": manifest, "Notes/Sources/a.swift": "", "Notes/Resources/r.json": "", "Notes/M.xcdatamodeld/m/contents": "",
        "Notes/Notes.entitlements": "<plist><dict/></plist>", "More/b.swift": "", "More/In/c.swift": "", "More/Old/d.swift": "",
        "Shared/s.swift": "", "Tests/t.swift": "", "Widget/w.swift": "", "Tuist/ProjectDescriptionHelpers/h.swift": "",
        "Config/Release.xcconfig": "APS_ENVIRONMENT = production;\n",
    ]

    @Test func targetsOfAManifest() throws {
        let project = ReaderFixtures.project(Self.files)
        #expect(project.targets.map(\.name) == ["Notes", "Kit", "Tests", "Widget"])
        #expect(project.targets.map(\.kind) == [.app, .library, .tests, .appExtension])
        #expect(project.targets.map(\.platforms) == [[.iOS], [.iOS], [.iOS], [.iOS]])
        #expect(
            project.targets.map(\.files) == [
                ["More/In/c.swift", "More/b.swift", "Notes/M.xcdatamodeld", "Notes/Resources/r.json", "Notes/Sources/a.swift"],
                ["Shared/s.swift"], ["Tests/t.swift"], ["Widget/w.swift"],
            ])
        #expect(project.notes.map(\.sentence) == ["a Swift file is in no target and is not read: \"More/Old/d.swift\""])
        let app = try #require(project.targets.first)
        #expect(app.dependencies == ["Kit", "Lib", "Far"])
        #expect(app.configurations.map(\.name) == ["Debug", "Release"])
        #expect(app.configurations.map(\.isDebug) == [true, false])
        #expect(app.configurations.map { $0["APS_ENVIRONMENT"]?.text } == ["development", "production"])
        #expect(app.configurations.map { $0["A"]?.text } == ["1", nil])
        #expect(app.configurations.map { $0["B"]?.text } == ["2", "2"])
        #expect(app.configurations.first?["LIST"]?.text == "a b")
        #expect(app.configurations.first?["CODE_SIGN_ENTITLEMENTS"]?.text == "Notes/Notes.entitlements")
        #expect(app.location.line == 11)
        #expect(
            project.generatedPropertyLists["Derived/InfoPlists/Notes-Info.plist"]?.list["UIBackgroundModes"]?.strings
                == ["remote-notification"])
        #expect(
            project.generatedPropertyLists["Derived/Entitlements/Widget.entitlements"]?.list["aps-environment"]?.string == "development")
    }

    /// An app with everything, written as a manifest.
    private static func app(_ targets: String, _ more: [String: String] = [:]) -> [String: String] {
        let contents = XcodeFixture().contents.merging(["App/Store.swift": XcodeFixture.store("Entry", "var title: String")]) { $1 }
        return contents.merging(["Project.swift": "import ProjectDescription\nlet project = Project(name: \"App\", \(targets))"]) { $1 }
            .merging(more) { $1 }
    }

    private static let target = """
        .target(name: "App", destinations: .iOS, product: .app, bundleId: "a", infoPlist: "App/Info.plist", sources: ["App/**"],
            entitlements: "App/App.entitlements", settings: .settings(base: ["APS_ENVIRONMENT": "production"]))
        """

    @Test func anAppOfAManifestIsJudged() {
        let diagnosis = XcodeFixture.diagnosis(Self.app("targets: [\(Self.target)]"))
        // One value for all configurations is wrong in one of them.
        #expect(
            diagnosis.told == ["error schema.optional App/Store.swift:2", "warning deployment.push-environment App/App.entitlements:2"])
        #expect(diagnosis.state("iCloud") == .yes)
        #expect(diagnosis.notes.isEmpty)
    }

    /// What helpers make is not read; what is in no other target is one app's.
    @Test(arguments: [
        "targets: makeTargets()", "targets: [.feature(name: \"App\")]", "targets: [.target(name: name(), product: .app, sources: [])]",
        "targets: [.target(name: \"App\", product: product)]",
    ]) func whatIsNotWrittenOutIsOneApp(targets: String) {
        let diagnosis = XcodeFixture.diagnosis(Self.app(targets))
        #expect(diagnosis.told == ["error schema.optional App/Store.swift:2"])
        #expect(
            diagnosis.notes.contains { $0.location.path == "Project.swift" && $0.sentence.contains("which targets there are is not known") }
        )
    }

    /// What cannot be known of a target is not said to be missing.
    @Test func entitlementsThatAreNotWrittenOutAreUnknown() {
        let manifest = "targets: [\(Self.target.replacing("entitlements: \"App/App.entitlements\"", with: "entitlements: .app(for: x)"))]"
        let diagnosis = XcodeFixture.diagnosis(Self.app(manifest))
        #expect(diagnosis.told == ["error schema.optional App/Store.swift:2"])
    }

    @Test func aGeneratedProjectAndAFileOfTheNameCountForThemselves() {
        var fixture = XcodeFixture()
        fixture.contents["Project.swift"] = Self.manifest
        #expect(ReaderFixtures.project(fixture.all).targets.map(\.name) == ["App"])
        fixture.contents["Project.swift"] = nil
        fixture.contents["App/Project.swift"] = XcodeFixture.store("Project", "var title: String")
        #expect(fixture.diagnosis().told == ["error schema.optional App/Project.swift:2"])
    }

    @Test(arguments: 0..<4 as Range<UInt64>) func changedBytesNeverCrash(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let good = Self.files.mapValues { Array($0.utf8) }
        for _ in 0..<histories(80, of: 500) {
            var changed = good
            changed["Project.swift"] = ReaderFixtures.mutated(Array(Self.manifest.utf8), &random)
            _ = ProjectReader.read(ProjectFiles(name: "", contents: changed))
        }
    }

    /// Constants that name each other twice would make a list of any length.
    @Test func constantsThatNameEachOtherEnd() {
        var text = "import ProjectDescription\nlet a0 = [\"x\"]\nlet s0 = \"\(String(repeating: "y", count: 100))\"\nlet loop = [loop]\n"
        for level in 1...60 {
            text += "let a\(level) = [a\(level - 1), a\(level - 1)]\nlet s\(level) = \"\\(s\(level - 1))\\(s\(level - 1))\"\n"
        }
        text += "let p = Project(name: s60, targets: [.target(name: \"A\", product: .app, sources: [a60, loop, s60])])"
        text += String(repeating: "[.target(", count: histories(2_000, of: 20_000))
        let time = processorTime { _ = ReaderFixtures.project(["Project.swift": text, "App/a.swift": ""]) }
        #expect(time < .seconds(5))
    }
}
