import ProjectDoctor
import Testing

/// An exported schema is of one container, and says nothing of other apps.
struct SchemaOwnerTests {
    private static let schema = "DEFINE SCHEMA\n RECORD TYPE CD_Entry ( CD_entityName STRING, CD_title STRING );"

    /// Two projects beside each other, each with a class of its own.
    private static func folder(_ path: String, _ text: String = schema, container: String = "iCloud.example.two", type: String = "Task")
        -> [String: String]
    {
        var (first, second) = (XcodeFixture(), XcodeFixture())
        (first.folder, second.folder) = ("One/", "Two/")
        second.contents["App/App.entitlements"] = XcodeFixture.entitlements(container: container)
        second.contents["App/Store.swift"] = XcodeFixture.store(type, "var name: String?", container: container)
        return first.all.merging(second.all) { $1 }.merging([path: text]) { $1 }
    }

    private static let own = "error production.type Two/App/Store.swift:2"
    private static let other = "error production.type One/App/Store.swift:2"

    @Test(
        arguments: [
            // The nearest app's.
            ("One/schema.ckdb", []), ("One/Cloud/schema.ckdb", []), ("Two/schema.ckdb", [own]), ("Two/App/schema.ckdb", [own]),
            // Named for its container, wherever it is.
            ("iCloud.example.app.ckdb", []), ("Two/iCloud.example.app.ckdb", []), ("Schemas/iCloud.example.two/s.ckdb", [own]),
            // That of the app with what it has.
            ("schema.ckdb", []),
        ] as [(String, [String])]) func aSchemaIsOfTheNearestApp(path: String, told: [String])
    {
        #expect(XcodeFixture.diagnosis(Self.folder(path)).told == told)
    }

    @Test func appsOfOneContainerShareASchema() {
        #expect(XcodeFixture.diagnosis(Self.folder("One/schema.ckdb", container: "iCloud.example.app")).told == [Self.own])
    }

    /// What nothing decides is told, and held against neither.
    @Test func aSchemaOfEitherIsOfNeither() {
        let diagnosis = XcodeFixture.diagnosis(Self.folder("schema.ckdb", "DEFINE SCHEMA RECORD TYPE CD_Page ( CD_x STRING );"))
        #expect(diagnosis.told == [])
        #expect(diagnosis.notes("which app's schema it is"))
    }

    @Test func aSchemaThatIsNamedLikeAnAppIsTheApps() {
        var fixture = XcodeFixture()
        fixture.targets.append(.init(name: "Tasks", settings: ["Debug": Self.second, "Release": Self.second]))
        fixture.contents["Tasks/Tasks.entitlements"] = XcodeFixture.entitlements(container: "iCloud.example.tasks")
        fixture.contents["Tasks/Store.swift"] = XcodeFixture.store("Job", container: "iCloud.example.tasks")
        fixture.contents["tasks-production.ckdb"] = "DEFINE SCHEMA RECORD TYPE CD_Page ( CD_x STRING );"
        #expect(fixture.diagnosis().told == ["error production.type Tasks/Store.swift:2"])
    }

    private static let second = "CODE_SIGN_ENTITLEMENTS = Tasks/Tasks.entitlements; INFOPLIST_FILE = App/Info.plist;"

    /// Records that code writes itself are held against the schema of their own app too.
    @Test(arguments: ["One", "Two"]) func ownRecordsAreHeldAgainstTheirAppsSchema(folder: String) {
        var contents = Self.folder(
            "One/schema.ckdb", "DEFINE SCHEMA RECORD TYPE Page ( name STRING ); RECORD TYPE CD_Entry ( CD_title STRING );")
        contents["\(folder)/App/Own.swift"] =
            "func f() { let p = CKRecord(recordType: \"Page\"); p[\"size\"] = 1; _ = CKRecord(recordType: \"Leaf\") }"
        let told = XcodeFixture.diagnosis(contents).told
        #expect(told.contains { $0.contains("production.own-field One/") } == (folder == "One"))
        #expect(told.contains { $0.contains("production.own-type") } == (folder == "One"))
    }
}
