import ProjectDoctor
import Testing

/// Two programs of one project whose models have a name in common.
struct ForeignNameTests {
    /// The app that syncs, and another one beside it with a class `Note` of its own.
    private static func fixture(local: Bool = true, shared: Bool = false) -> DoctorFixture {
        var fixture = DoctorFixture()
        fixture.contents["Other/Other.swift"] = """
            import SwiftData
            import SyncObservationSwiftData
            @Model final class Note { @Attribute(.unique) var code: String; var isPinned: Double = 0 }
            let database = ModelConfiguration(cloudKitDatabase: \(local ? ".none" : ".private(\"iCloud.example.notes\")"))
            let container = try ModelContainer(for: Note.self, configurations: database)
            """
        fixture.contents["Other/Other.entitlements"] = DoctorFixture.entitlements
        fixture.contents["project.yml", default: ""] += """
              Other:
                type: application
                platform: iOS
                sources: [Other\(shared ? ", Notes" : "")]
                entitlements: {path: Other/Other.entitlements}
                settings:
                  base: {INFOPLIST_FILE: Notes/Info.plist, IPHONEOS_DEPLOYMENT_TARGET: "18.0"}
                  configs: {Debug: {APS_ENVIRONMENT: development}, Release: {APS_ENVIRONMENT: production}}

            """
        return fixture
    }

    private static func found(_ fixture: DoctorFixture) -> [String] {
        fixture.diagnosis().findings.map { "\($0.rule) \($0.location.path)" }
    }

    @Test func aLocalClassIsNotJudgedForAnotherApps() {
        let diagnosis = Self.fixture().diagnosis()
        #expect(diagnosis.findings.map(\.message) == [])
        #expect(diagnosis.notes.map(\.sentence) == [])
        #expect(diagnosis.stores.map { "\($0.syncs == true) \($0.entities.sorted())" } == ["true [\"Note\", \"Tag\"]", "false [\"Note\"]"])
        #expect(diagnosis.counts.entities == 3)
    }

    @Test func eachAppsOwnClassIsJudged() {
        let found = Self.found(Self.fixture(local: false))
        #expect(found.filter { $0.hasPrefix("schema") } == ["schema.optional Other/Other.swift", "schema.unique Other/Other.swift"])
        var fixture = Self.fixture()
        fixture.replace("var title: String?", with: "var title: String", in: RuleTests.models)
        #expect(Self.found(fixture) == ["schema.optional Notes/Models.swift"])
    }

    /// A change of the one is not taken for a change of the other.
    @Test func versionsAreThoseOfTheSameApp() {
        var fixture = Self.fixture(local: false)
        fixture.earlier = fixture.contents
        #expect(Self.found(fixture).filter { $0.hasPrefix("evolution") } == [])
        fixture.replace("    var title: String?\n", with: "\n", in: RuleTests.models)
        #expect(Self.found(fixture).filter { $0.hasPrefix("evolution") } == ["evolution.removed Notes/Models.swift"])
        // The other app is new, and then is gone.
        fixture.earlier = DoctorFixture().contents
        #expect(Self.found(fixture).filter { $0.hasPrefix("evolution") } == ["evolution.removed Notes/Models.swift"])
    }

    @Test func whatHadSeveralMeaningsIsNotCompared() {
        var fixture = DoctorFixture()
        fixture.earlier = Self.fixture(local: false).contents
        #expect(Self.found(fixture) == [])
        fixture.earlier?[RuleTests.models] = DoctorFixture.models.replacing("var name", with: "var old: Int?; var name")
        #expect(Self.found(fixture) == ["evolution.removed Notes/Models.swift"])
    }

    @Test func aFindingInASharedFileIsOne() {
        var fixture = Self.fixture(shared: true)
        fixture.addWidget(entitlements: DoctorFixture.entitlements)
        fixture.contents["Widget/Note.swift"] = "@Model final class Note { var x = 0 }"
        fixture.contents["Notes/Text.swift"] = "func f(_ d: CKModifyRecordsOperation) { d.savePolicy = .allKeys }"
        #expect(Self.found(fixture).filter { $0.hasPrefix("reporting.save") } == ["reporting.save-policy Notes/Text.swift"])
    }
}
