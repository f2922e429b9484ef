import ProjectDoctor
import SyncOracle
import Testing

/// Folders whose project says less than it could, or nothing.
struct IncompleteProjectTests {
    /// Without any entitlements nothing is known of groups.
    @Test(arguments: [(false, []), (true, ["warning deployment.app-group App/Group.swift:2"])]) func groupsAreHeldAgainstWhatIsRead(
        hasFile: Bool, expected: [String]
    ) {
        var contents = [
            "App/Group.swift": """
            import Foundation
            let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.a.b")
            """
        ]
        if hasFile { contents["App/App.entitlements"] = XcodeFixture.entitlements() }
        #expect(XcodeFixture.diagnosis(contents).told == expected)
    }

    /// A target whose settings name no file has no groups; of one whose file is not in the folder it is not known.
    @Test(arguments: [("", true), ("CODE_SIGN_ENTITLEMENTS = Gone.entitlements;", false)]) func groupsOfAnExtension(
        settings: String, isTold: Bool
    ) {
        var fixture = XcodeFixture()
        let settings = "INFOPLIST_FILE = App/Info.plist; " + settings
        fixture.targets.append(.init(name: "Widget", type: "app-extension", settings: ["Debug": settings, "Release": settings]))
        fixture.contents["Widget/a.entitlements"] = XcodeFixture.entitlements()
        fixture.contents["Widget/b.entitlements"] = XcodeFixture.entitlements()
        fixture.contents["Widget/Group.swift"] =
            "let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: \"group.a.b\")"
        #expect(fixture.diagnosis().told == (isTold ? ["warning deployment.app-group Widget/Group.swift:1"] : []))
    }

    private static let broken = "// !$*UTF8*$!\n{\n\tobjects = {\n<<<<<<< ours\n\t\tA = {isa = X; };\n=======\n>>>>>>> theirs\n\t};\n}\n"

    private static func folder(_ more: [String: String] = [:]) -> [String: String] {
        var fixture = XcodeFixture()
        fixture.contents["App/Store.swift"] = XcodeFixture.store("Entry", "var title: String")
        return fixture.contents.merging(more) { $1 }
    }

    @Test func aProjectFileThatCannotBeReadIsNone() {
        let diagnosis = XcodeFixture.diagnosis(Self.folder(["Notes.xcodeproj/project.pbxproj": Self.broken]))
        #expect(diagnosis.told == ["error schema.optional App/Store.swift:2"])
        #expect(
            diagnosis.notes.contains {
                $0.location.path == "Notes.xcodeproj/project.pbxproj" && $0.location.line == 4
                    && $0.sentence == "cannot be read: a conflict of a merge that was not resolved"
            })
        #expect(diagnosis.notes("taken for those of one app \"Notes\""))
        #expect(diagnosis.state("iCloud") == .yes)
    }

    /// The files of targets that are known are not the unknown app's.
    @Test func onlyTheFolderOfTheBrokenProjectIsTaken() {
        var other = XcodeFixture()
        other.folder = "Other/"
        var contents = other.all
        for (path, text) in Self.folder(["App.xcodeproj/project.pbxproj": Self.broken]) { contents["Mine/" + path] = text }
        contents["Loose.swift"] = ""
        let project = ReaderFixtures.project(contents)
        #expect(project.targets.map(\.name) == ["App", "App"])
        #expect(project.targets.last?.files.contains("Mine/App/Store.swift") == true)
        #expect(project.targets.last?.files.allSatisfy { $0.hasPrefix("Mine/") } == true)
        #expect(project.notes.last?.sentence == "a Swift file is in no target and is not read: \"Loose.swift\"")
    }

    @Test func aSpecificationBesideABrokenProjectCounts() {
        let specification = "targets: {App: {type: application, platform: iOS, sources: App}}"
        let project = ReaderFixtures.project(
            Self.folder(["Notes.xcodeproj/project.pbxproj": Self.broken, "project.yml": specification, "Script.swift": ""]))
        #expect(project.targets.map(\.name) == ["App"])
        #expect(project.targets.first?.location.path == "project.yml")
    }

    @Test func withoutAProjectListsCount() {
        let diagnosis = XcodeFixture.diagnosis(
            Self.folder([
                "App/Store.swift": XcodeFixture.store("Entry", "var title: String").replacing(
                    ".private(\"iCloud.example.app\")", with: ".automatic"),
                "schema.ckdb": "DEFINE SCHEMA\n RECORD TYPE CD_Entry ( CD_entityName STRING );",
                // Neither an extension's lists nor those of tests are the app's.
                "Widget/Widget.entitlements": "<plist><dict/></plist>",
                "Widget/Info.plist": "<plist><dict><key>NSExtension</key><dict/></dict></plist>",
                "AppTests/Test.swift": "@Model final class Entry { var title: String }",
            ]))
        #expect(diagnosis.told == ["error schema.optional App/Store.swift:2", "error production.field App/Store.swift:2"])
        #expect(diagnosis.state("iCloud") == .yes)
        #expect(diagnosis.notes("\"App/App.entitlements\" is taken for it"))
        #expect(diagnosis.notes("\"App/Info.plist\" is taken for it"))
        #expect(diagnosis.counts.targets == 2)
    }

    /// Of a list with a conflict in it, or of a binary one, nothing is said but that.
    @Test(
        arguments: ["App/App.entitlements", "App/Info.plist"],
        [("<plist><dict>\n<<<<<<< ours\n</dict></plist>", 2), ("bplist00\u{1}\n", 1)])
    func listsThatCannotBeReadAreUnknown(path: String, list: (text: String, line: Int)) {
        let text = list.text
        for contents in [Self.folder([path: text]), XcodeFixture().all.merging([path: text]) { $1 }] {
            let diagnosis = XcodeFixture.diagnosis(contents)
            #expect(!diagnosis.told.contains { $0.contains("deployment") })
            #expect(diagnosis.notes.contains { $0.location.path == path && $0.location.line == list.line })
        }
    }

    /// Packages beside an app of which nothing says that it is one.
    @Test(arguments: [true, false]) func filesBesideAPackageAreAnAppWithEntitlements(isApp: Bool) {
        var contents = Self.folder([
            "Kit/Package.swift": "let p = Package(targets: [.target(name: \"Kit\")])", "Kit/Sources/Kit/k.swift": "",
        ])
        if !isApp { contents["App/App.entitlements"] = nil }
        let diagnosis = XcodeFixture.diagnosis(contents)
        #expect(diagnosis.told == (isApp ? ["error schema.optional App/Store.swift:2"] : []))
        #expect(diagnosis.notes("all files in no package are taken for those of one app \"Folder\"") == isApp)
        #expect(diagnosis.notes("a Swift file is in no target and is not read: \"App/Store.swift\"") != isApp)
    }

    // MARK: Settings that are missing

    @Test func theOnlyListsBesideTheSourcesCount() {
        var fixture = XcodeFixture()
        fixture.targets[0].settings = [:]
        fixture.contents["App/GoogleService-Info.plist"] = "<plist><dict/></plist>"
        #expect(fixture.diagnosis().told == [])
        #expect(
            fixture.diagnosis().notes(
                "CODE_SIGN_ENTITLEMENTS is not set for App: \"App/App.entitlements\", the only such file beside its sources, is taken for it"
            ))
        // Another target's are not.
        fixture.contents["App/App.entitlements"] = nil
        fixture.contents["Widget/Widget.entitlements"] = XcodeFixture.entitlements()
        fixture.contents["Widget/Widget.swift"] = ""
        fixture.targets.append(.init(name: "Widget", type: "app-extension"))
        #expect(fixture.diagnosis().told.first == "error deployment.service App.xcodeproj/project.pbxproj:7")
    }

    @Test func ofSeveralListsNothingIsKnown() {
        var fixture = XcodeFixture()
        fixture.targets[0].settings = [:]
        fixture.contents["App/Other.entitlements"] = "<plist><dict/></plist>"
        fixture.contents["App/Other-Info.plist"] = "<plist><dict/></plist>"
        #expect(fixture.diagnosis().told == [])
        #expect(fixture.diagnosis().notes("which of 2 files is meant is not known: \"App/App.entitlements\", \"App/Other.entitlements\""))
        // A list that is made of settings is known.
        fixture.contents["App/Other.entitlements"] = nil
        fixture.settings += " GENERATE_INFOPLIST_FILE = YES;"
        #expect(fixture.diagnosis().told == ["warning deployment.background App.xcodeproj/project.pbxproj:7"])
        fixture.settings += " INFOPLIST_KEY_UIBackgroundModes = \"fetch remote-notification\";"
        #expect(fixture.diagnosis().told == [])
    }

    /// What a missing file of settings may set is not known to be unset.
    @Test(arguments: [
        ("", false), ("#include \"none.xcconfig\"\n", false), ("#include? \"none.xcconfig\"\n", true), ("<<<<<<< a\n", false),
    ])
    func settingsThatAreMissingAreUnknown(text: String, isKnown: Bool) {
        var fixture = XcodeFixture()
        fixture.targets[0].settings = [:]
        fixture.contents["App/App.entitlements"] = nil
        fixture.settingsFile = "Base.xcconfig"
        fixture.contents["Base.xcconfig"] = text.isEmpty ? nil : text
        #expect(fixture.diagnosis().told.contains { $0.contains("deployment.service") } == isKnown)
        fixture.settingsFile = "Pods/Base.xcconfig"
        #expect(fixture.diagnosis().told.contains { $0.contains("deployment.service") } == false)
    }

    @Test(arguments: 0..<4 as Range<UInt64>) func conflictsAnywhereNeverCrash(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var fixture = XcodeFixture()
        fixture.settingsFile = "Base.xcconfig"
        fixture.contents["Base.xcconfig"] = "A = b;\nC = d\n"
        fixture.contents["App.ckdb"] = DoctorFixture.schema
        let all = fixture.all
        let paths = all.keys.sorted()
        for _ in 0..<histories(20, of: 200) {
            var changed = all
            let path = paths[random.below(paths.count)]
            var lines = (all[path] ?? "").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            for marker in ["<<<<<<< HEAD", "=======", ">>>>>>> x"] { lines.insert(marker, at: random.below(lines.count + 1)) }
            changed[path] = lines.joined(separator: "\n")
            let diagnosis = XcodeFixture.diagnosis(changed)
            #expect(!diagnosis.findings.contains { $0.severity == .error && $0.rule.hasPrefix("deployment") }, "\(path)\n\(lines)")
        }
    }
}
