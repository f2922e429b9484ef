import ProjectDoctor
import SyncOracle
import Testing

struct XcodeProjectTests {
    private static let project = ReaderFixtures.project(ReaderFixtures.files)

    private static func target(_ name: String) throws -> BuildTarget { try #require(project.targets.first { $0.name == name }) }

    @Test func targetsHaveKindsPlatformsAndDependencies() throws {
        #expect(Self.project.targets.map(\.name) == ["Notes", "Widget", "Tests"])
        #expect(Self.project.targets.map(\.kind) == [.app, .appExtension, .tests])
        #expect(Self.project.targets.map(\.platforms) == [[.iOS], [.iOS, .macOS], []])
        #expect(try Self.target("Notes").dependencies == ["Widget"])
        #expect(try Self.target("Notes").location == Location(path: "N.xcodeproj/project.pbxproj", line: 22, column: 9))
    }

    @Test func filesComeFromPhasesAndSynchronizedFolders() throws {
        #expect(
            try Self.target("Notes").files == [
                "App/App File.swift", "App/Model.xcdatamodeld", "Shared/S.swift", "Synced/A.swift", "Synced/Widget.xcconfig",
                "en.lproj/L.strings",
            ])
        #expect(try Self.target("Widget").files == ["Shared/S.swift", "Synced/Sub/Both.swift"])
        #expect(
            Self.project.notes.map(\.sentence) == [
                "1 files of the target \"Notes\" do not exist, such as \"App/Missing.swift\"",
                "a Swift file is in no target and is not read: \"Loose.swift\"",
            ])
    }

    @Test func settingsComeFromAllLevels() throws {
        let configurations = try Self.target("Notes").configurations
        #expect(configurations.map(\.name) == ["Debug", "Release"])
        #expect(configurations.map(\.isDebug) == [true, false])
        #expect(configurations.map(\.settingsFile) == ["Config/Base.xcconfig", nil])
        let debug = try #require(configurations.first)
        #expect(debug["CODE_SIGN_ENTITLEMENTS"]?.text == "App/Notes.entitlements")
        #expect(debug["CODE_SIGN_ENTITLEMENTS"]?.location.line == 50)
        #expect(debug["OTHER"]?.text == "-a -b -c")
        #expect(debug["PRODUCT_BUNDLE_IDENTIFIER"]?.text == "com.example.notes")
        #expect(debug["PREFIX"]?.location == Location(path: "Config/More.xcconfig", line: 1))
        let widget = try #require(try Self.target("Widget").configurations.first)
        #expect(widget.settingsFile == "Synced/Widget.xcconfig")
        #expect(widget["PREFIX"]?.text == "com.widget")
        #expect(widget["A"]?.text == "a")
        #expect(widget["A[sdk=macosx*]"]?.text == "a mac")
        #expect(widget.settingNames.contains("A[sdk=macosx*]"))
    }

    private static func read(_ pbxproj: String, _ more: [String: String] = [:]) -> Project {
        ReaderFixtures.project(more.merging(["X.xcodeproj/project.pbxproj": pbxproj]) { first, _ in first })
    }

    /// A project of one target, with objects and settings of a test.
    private static func small(_ objects: String, groups: String = "G", target: String = "", settings: String = "") -> String {
        """
        {objects = {P = {isa = PBXProject; mainGroup = \(groups); targets = (T); };
        T = {isa = PBXNativeTarget; name = T; productType = "com.apple.product-type.application"; buildConfigurationList = L; \(target)};
        L = {isa = XCConfigurationList; buildConfigurations = (C); };
        C = {isa = XCBuildConfiguration; name = Any; buildSettings = {\(settings)}; };
        \(objects)}; rootObject = P; }
        """
    }

    @Test(arguments: [
        ("application.watchapp2", BuildTarget.Kind.app), ("application.on-demand-install-capable", .app),
        ("extensionkit-extension", .appExtension),
        ("app-extension.messages", .appExtension), ("watchkit2-extension", .appExtension), ("framework.static", .library),
        ("library.dynamic", .library),
        ("bundle.ui-testing", .tests), ("tool", .other), ("bundle", .other),
    ]) func productTypesAreKinds(type: String, kind: BuildTarget.Kind) {
        let text = Self.small("").replacing("com.apple.product-type.application", with: "com.apple.product-type." + type)
        #expect(Self.read(text).targets.map(\.kind) == [kind])
    }

    @Test(arguments: [
        ("SDKROOT = iphoneos;", [BuildTarget.Platform.iOS]), ("SDKROOT = iphoneos; SUPPORTS_MACCATALYST = YES;", [.iOS, .catalyst]),
        ("SDKROOT = macosx14.0;", [.macOS]),
        ("SDKROOT = auto; SUPPORTED_PLATFORMS = \"xros xrsimulator watchos\";", [.visionOS, .watchOS]),
        ("SDKROOT = auto;", []), ("TARGETED_DEVICE_FAMILY = \"1,2,7\";", [.iOS, .visionOS]), ("TARGETED_DEVICE_FAMILY = 3;", [.tvOS]),
        ("SDKROOT = \"/Applications/Xcode.app/MacOSX.sdk\";", [.macOS]), ("SDKROOT = \"$(NONE)\";", []),
        ("SUPPORTED_PLATFORMS = \"$(P)\"; P = appletvos;", [.tvOS]),
    ]) func platformsComeFromSettings(settings: String, platforms: [BuildTarget.Platform]) {
        #expect(Self.read(Self.small("", settings: settings)).targets.map(\.platforms) == [Set(platforms)])
    }

    @Test(arguments: [("", "phone", nil), (" SUPPORTS_MACCATALYST = YES;", "any", "phone")] as [(String, String, String?)])
    func catalystLeavesConditionsUndecided(more: String, plain: String, conditional: String?) {
        let settings = "SDKROOT = iphoneos; A = any; \"A[sdk=iphoneos*]\" = phone;" + more
        let configuration = Self.read(Self.small("", settings: settings)).targets.first?.configurations.first
        #expect(configuration?["A"]?.text == plain)
        #expect(configuration?["A[sdk=iphoneos*]"]?.text == conditional)
    }

    @Test func groupsInsideThemselvesAreNoted() {
        let groups =
            "G = {isa = PBXGroup; children = (H); sourceTree = \"<group>\"; };"
            + "H = {isa = PBXGroup; children = (G, H); sourceTree = \"<group>\"; };"
        let project = Self.read(Self.small(groups))
        #expect(project.targets.count == 1)
        #expect(
            project.notes.map(\.sentence).sorted() == [
                "the group or file \"G\" is twice in the groups, or inside itself",
                "the group or file \"H\" is twice in the groups, or inside itself",
            ])
    }

    @Test func thousandsOfGroupsInsideEachOtherEnd() {
        let groups = (0..<histories(3_000, of: 30_000)).map {
            "G\($0) = {isa = PBXGroup; path = a; children = (G\($0 + 1)); sourceTree = \"<group>\"; };"
        }
        #expect(Self.read(Self.small(groups.joined(separator: "\n"), groups: "G0")).targets.count == 1)
    }

    @Test func filesOutsideOfTheFolderAreNoted() {
        let objects = """
            G = {isa = PBXGroup; children = (F, A, Q); sourceTree = "<group>"; };
            F = {isa = PBXFileReference; path = ../Other/F.swift; sourceTree = "<group>"; };
            A = {isa = PBXFileReference; path = /etc/passwd; sourceTree = "<absolute>"; };
            Q = {isa = PBXFileReference; path = Q.swift; sourceTree = SDKROOT; };
            S = {isa = PBXSourcesBuildPhase; files = (BF, BA, BQ, BO, BN); };
            BF = {isa = PBXBuildFile; fileRef = F; }; BA = {isa = PBXBuildFile; fileRef = A; }; BQ = {isa = PBXBuildFile; fileRef = Q; };
            BO = {isa = PBXBuildFile; fileRef = O; }; O = {isa = PBXFileReference; path = Orphan.swift; sourceTree = "<group>"; };
            """
        let project = Self.read(Self.small(objects, target: "buildPhases = (S); "))
        #expect(project.targets.map(\.files) == [[]])
        #expect(
            project.notes.map(\.sentence) == [
                "1 files of the target \"T\" do not exist, such as \"Orphan.swift\"",
                "2 files of the target \"T\" are outside of the project's folder and not read, such as \"../Other/F.swift\"",
            ])
    }

    @Test func projectsInFoldersHaveTheirFolder() throws {
        var files: [String: String] = [:]
        for (path, text) in ReaderFixtures.files { files["Sub/" + path] = text }
        let target = try #require(ReaderFixtures.project(files).targets.first)
        #expect(target.folder == "Sub")
        #expect(target.files.first == "Sub/App/App File.swift")
        #expect(target.configurations.first?["PREFIX"]?.text == "com.example")
    }

    @Test(arguments: [
        ("", "1:1 cannot be read: the file is empty"), ("{", "1:2 cannot be read: the file ends where a string is expected"),
        ("{a = \"b", "1:6 cannot be read: a string that is not closed"),
        ("{}", "1:1 cannot be read: the project file names no project in rootObject"),
        ("{objects = {\n<<<<<<< HEAD\nA", "2:1 cannot be read: a conflict of a merge that was not resolved"),
    ]) func projectFilesThatAreNoneAreNoted(text: String, note: String) {
        let project = Self.read(text)
        #expect(project.notes.map { "\($0.location.line):\($0.location.column) \($0.sentence)" } == [note])
        #expect(project.targets.isEmpty)
    }

    @Test func megabytesOfJunkEnd() {
        for (junk, count) in [("{(", 10), ("\"\\", 1), ("/*", 10), ("a=", 1), ("<0", 1), ("\u{0}\u{1}", 1)] {
            let project = Self.read(String(repeating: junk, count: count * histories(1 << 17, of: 1 << 20)))
            #expect(project.notes.count == 1, "\(junk)")
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>) func changedBytesNeverCrash(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let good = ReaderFixtures.files.mapValues { Array($0.utf8) }
        for _ in 0..<histories(100, of: 500) {
            var contents = good
            contents["N.xcodeproj/project.pbxproj"] = ReaderFixtures.mutated(Array(ReaderFixtures.pbxproj.utf8), &random)
            _ = ProjectReader.read(ProjectFiles(name: "", contents: contents))
        }
    }

    /// Identifiers that name other objects keep the syntax whole, so that what follows it is reached.
    @Test(arguments: 0..<4 as Range<UInt64>) func exchangedIdentifiersNeverCrash(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let words = ReaderFixtures.pbxproj.split(separator: " ").map(String.init)
        let names = words.filter { $0.utf8.allSatisfy { (0x30...0x5a).contains($0) } }
        let good = ReaderFixtures.files.mapValues { Array($0.utf8) }
        for _ in 0..<histories(20, of: 250) {
            var changed = words
            for index in changed.indices where names.contains(changed[index]) && random.percent(5) {
                changed[index] = names[random.below(names.count)]
            }
            var contents = good
            contents["N.xcodeproj/project.pbxproj"] = Array(changed.joined(separator: " ").utf8)
            _ = ProjectReader.read(ProjectFiles(name: "", contents: contents))
        }
    }
}
