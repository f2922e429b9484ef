import ProjectDoctor
import Testing

/// Code that a target has and nothing of it calls.
struct UncalledCodeTests {
    private static let cloud = "ModelConfiguration(cloudKitDatabase: .private(\"iCloud.example.notes\"))"

    /// An enumeration with a function that nothing calls, and what is written elsewhere.
    @Test(arguments: [
        ("", "", false), ("", "let made = try? Stores.spare()", true), ("", "let maker = Stores.spare", true),
        ("public ", "", true), ("@objc ", "", true), ("", "extension Stores: Making {}", true),
        ("", "extension Stores: Sendable {}", false),
    ]) func aStoreThatNothingMakes(modifier: String, elsewhere: String, isMade: Bool) {
        var fixture = DoctorFixture()
        fixture.contents["Notes/Stores.swift"] = """
            import SwiftData
            enum Stores {
                \(modifier)static func spare() throws -> ModelContainer {
                    try ModelContainer(for: Note.self, configurations: configuration())
                }
                static func configuration() -> ModelConfiguration { ModelConfiguration("Spare") }
            }
            """
        fixture.contents["Notes/Elsewhere.swift"] = elsewhere
        let diagnosis = fixture.diagnosis()
        #expect(diagnosis.findings.map(\.rule) == (isMade ? ["deployment.database-unnamed"] : []))
        #expect(diagnosis.notes.map(\.sentence).contains("nothing calls the function that makes this container") != isMade)
    }

    /// The only store that may sync is the one that the app has iCloud for.
    @Test func theOnlyStoreNeedNotNameItsDatabase() {
        var fixture = DoctorFixture()
        fixture.replace(Self.cloud, with: "ModelConfiguration()", in: RuleTests.app)
        #expect(fixture.diagnosis().findings.map(\.severity) == [.advice])
        fixture.contents["Notes/Cache.swift"] =
            "let cache = try? ModelContainer(for: Tag.self, configurations: ModelConfiguration(\"Cache\"))"
        #expect(fixture.diagnosis().findings.filter { $0.rule == "deployment.database-unnamed" }.map(\.severity) == [.warning, .warning])
    }

    /// A schema of the function's own, whatever another function has of that name.
    @Test(arguments: [("Schema(Other.models)", "Tag"), ("Schema(other())", "Note+Tag"), ("Schema([Tag.self])", "Tag")])
    func aSchemaIsThatOfItsFunction(schema: String, classes: String) {
        var fixture = DoctorFixture()
        fixture.contents["Notes/Models.swift"] = """
            import SwiftData
            @Model final class Note { var title: String?; init() {} }
            @Model final class Tag { var title: String?; init() {} }
            enum Other { static let models: [any PersistentModel.Type] = [Tag.self] }
            """
        fixture.contents["Notes/NotesApp.swift"] = """
            func user() throws -> ModelContainer {
                let schema = Schema([Note.self])
                return try ModelContainer(for: schema, configurations: ModelConfiguration(schema: schema, cloudKitDatabase: .none))
            }
            func lines() throws -> ModelContainer {
                let schema = \(schema)
                return try ModelContainer(for: schema, configurations: ModelConfiguration(schema: schema, cloudKitDatabase: .none))
            }
            let all = [try? user(), try? lines()]
            """
        let stores = fixture.diagnosis().stores.map { $0.entities.sorted().joined(separator: "+") }
        #expect(Set(stores) == ["Note", classes])
    }

    /// The classes of a parameter that the call gives, or else of its default value.
    @Test(arguments: [("", "Note"), ("for: Second.self", "Tag")]) func aSchemaOfAParameter(argument: String, classes: String) {
        var fixture = DoctorFixture()
        fixture.contents["Notes/Models.swift"] = """
            import SwiftData
            enum First: VersionedSchema {
                static var versionIdentifier = Schema.Version(1, 0, 0)
                static var models: [any PersistentModel.Type] { [Note.self] }
            }
            enum Second: VersionedSchema {
                static var versionIdentifier = Schema.Version(1, 0, 0)
                static var models: [any PersistentModel.Type] { [Tag.self] }
            }
            @Model final class Note { var title: String?; init() {} }
            @Model final class Tag { var title: String?; init() {} }
            """
        fixture.contents["Notes/NotesApp.swift"] = """
            func open(for latest: any VersionedSchema.Type = First.self) throws -> ModelContainer {
                let schema = Schema(versionedSchema: latest)
                return try ModelContainer(for: schema, configurations: ModelConfiguration(schema: schema, cloudKitDatabase: .none))
            }
            let opened = try open(\(argument))
            """
        #expect(fixture.diagnosis().stores.map { $0.entities.sorted().joined(separator: "+") } == [classes])
    }

    /// Test data of who saves nothing.
    @Test(arguments: [(".private(\"iCloud.example.notes\")", Rule.Severity.warning), (".none", .advice)])
    func productionInADebugBuild(database: String, severity: Rule.Severity) {
        var fixture = DoctorFixture()
        fixture.replace(".private(\"iCloud.example.notes\")", with: database, in: RuleTests.app)
        fixture.replace(
            "\t<key>aps-environment</key>",
            with:
                "\t<key>com.apple.developer.icloud-container-environment</key>\n\t<string>Production</string>\n\t<key>aps-environment</key>",
            in: RuleTests.entitlements)
        let found = fixture.diagnosis().findings.filter { $0.rule == "deployment.production-in-debug" }
        #expect(found.map(\.severity) == [severity])
    }

    /// A static variable that nothing gives another value.
    @Test(arguments: [
        ("", "local"), ("func f() { Flags.isOn = true }", "syncs"), ("func f() { Flags.isOn.toggle() }", "syncs"),
        ("func f() { g(&Flags.isOn) }", "syncs"), ("func f() { print(Flags.isOn) }", "local"),
    ]) func aVariableThatNothingChanges(elsewhere: String, state: String) {
        var fixture = DoctorFixture()
        fixture.replace(".private(\"iCloud.example.notes\")", with: "Flags.isOn ? .private(\"a\") : .none", in: RuleTests.app)
        fixture.contents["Notes/Flags.swift"] = "enum Flags { static var isOn = false }"
        fixture.contents["Notes/Elsewhere.swift"] = elsewhere
        #expect(fixture.diagnosis().stores.map { $0.syncs == true ? "syncs" : "local" } == [state])
    }

    /// A store of another system's branch.
    @Test(arguments: [("!os(watchOS)", ["Notes"]), ("os(iOS) || os(watchOS)", ["Notes", "Watch"]), ("DEMO", ["Notes", "Watch"])])
    func pushesOfTheSystemThatSyncs(condition: String, names: [String]) {
        var fixture = DoctorFixture()
        fixture.replace("\t<key>aps-environment</key>\n\t<string>$(APS_ENVIRONMENT)</string>\n", with: "", in: RuleTests.entitlements)
        fixture.contents["Notes/NotesApp.swift"] = """
            #if \(condition)
            let container = try ModelContainer(
                for: Note.self, Tag.self, configurations: ModelConfiguration(cloudKitDatabase: .private("iCloud.example.notes")))
            #endif
            """
        fixture.contents["project.yml", default: ""] += """
              Watch:
                type: application
                platform: watchOS
                sources: [Notes]
                entitlements: {path: Notes/Notes.entitlements}

            """
        let found = fixture.diagnosis().findings.filter { $0.rule == "deployment.push" }
        #expect(names.allSatisfy { name in found.contains { $0.message.contains("of \(name) have") } } && found.count == names.count)
    }

    /// A store in a file that is built for some systems of an app alone.
    @Test(arguments: [("", true), ("platformFilters = (macos, );", false), ("platformFilter = ios;", true)])
    func aFileOfOneSystem(filter: String, syncsOnPhones: Bool) {
        let contents = [
            "A/Store.swift": XcodeFixture.store("Entry"), "A/A.entitlements": XcodeFixture.entitlements(),
            "A/Info.plist": "<plist version=\"1.0\"><dict></dict></plist>",
            "A.xcodeproj/project.pbxproj": """
            {objectVersion = 56; rootObject = P; objects = {
            B = {isa = PBXBuildFile; fileRef = F; \(filter) };
            F = {isa = PBXFileReference; path = A/Store.swift; sourceTree = "<group>"; };
            G = {isa = PBXGroup; children = (F, ); sourceTree = "<group>"; };
            S = {isa = PBXSourcesBuildPhase; files = (B, ); };
            T = {isa = PBXNativeTarget; buildConfigurationList = L; buildPhases = (S, ); name = A;
            productType = "com.apple.product-type.application"; };
            P = {isa = PBXProject; buildConfigurationList = M; mainGroup = G; targets = (T, ); };
            C = {isa = XCBuildConfiguration; name = Release; buildSettings = {CODE_SIGN_ENTITLEMENTS = A/A.entitlements;
            INFOPLIST_FILE = A/Info.plist; APS_ENVIRONMENT = production; SUPPORTED_PLATFORMS = "iphoneos macosx"; }; };
            D = {isa = XCBuildConfiguration; name = Release; buildSettings = {}; };
            L = {isa = XCConfigurationList; buildConfigurations = (C, ); };
            M = {isa = XCConfigurationList; buildConfigurations = (D, ); };
            }; }
            """,
        ]
        let found = XcodeFixture.diagnosis(contents).findings.map(\.rule)
        #expect(found.contains("deployment.background") == syncsOnPhones)
    }

    /// Values of iCloud in a file that the watch has and does not name.
    @Test(arguments: ["", "let settings = Settings.shared"]) func aFileThatATargetDoesNotName(code: String) {
        var fixture = DoctorFixture()
        fixture.contents["Shared/Settings.swift"] = "final class Settings { static let shared = NSUbiquitousKeyValueStore.default }"
        fixture.replace("sources: [Notes]", with: "sources: [Notes, Shared]", in: "project.yml")
        fixture.contents["Watch/App.swift"] = code
        fixture.contents["Watch/Watch.entitlements"] = "<plist version=\"1.0\"><dict></dict></plist>"
        fixture.contents["project.yml", default: ""] += """
              Watch:
                type: application
                platform: watchOS
                sources: [Watch, Shared]
                entitlements: {path: Watch/Watch.entitlements}

            """
        let found = fixture.diagnosis().findings.filter { $0.rule == "deployment.key-value-store" && $0.message.hasPrefix("Watch") }
        #expect(found.isEmpty == code.isEmpty)
    }

    private static let twins = """
        name: Notes
        targets:
          Notes:
            type: application
            platform: iOS
            sources: [Notes, Shared]
            settings: {base: {CODE_SIGN_ENTITLEMENTS: Notes.entitlements}}
          Twin:
            type: application
            platform: iOS
            sources: [Twin, Shared]
            settings: {base: {CODE_SIGN_ENTITLEMENTS: "SETTING"}}
        """

    /// An app that shares the file of a store with the app that syncs.
    @Test(arguments: [
        ("Twin.entitlements", "let made = try? Stores.make()", [Rule.Severity.error]), ("Twin.entitlements", "", [.advice]),
        ("", "let made = try? Stores.make()", [.advice]),
    ]) func aTwinWithoutCloudKit(setting: String, code: String, severities: [Rule.Severity]) {
        var fixture = DoctorFixture()
        fixture.contents = [
            "project.yml": Self.twins.replacing("SETTING", with: setting), "Notes.entitlements": DoctorFixture.entitlements,
            "Twin.entitlements": "<plist version=\"1.0\"><dict></dict></plist>", "Notes/App.swift": "let store = try? Stores.make()",
            "Twin/App.swift": code,
            "Shared/Stores.swift": """
            import SwiftData
            @Model final class Note { var title: String?; init() {} }
            enum Stores {
                static func make() throws -> ModelContainer { try ModelContainer(for: Note.self, configurations: \(Self.cloud)) }
            }
            """,
        ]
        let found = fixture.diagnosis().findings.filter { $0.rule == "deployment.service" }
        #expect(found.map(\.severity) == severities)
    }
}
