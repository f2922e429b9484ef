import ProjectDoctor
import Testing

/// Code that builds for users do not run, and classes that are not the current ones.
struct ReachTests {
    static let schemaWrites: [(code: String, lines: [Int])] = [
        ("func write(_ container: NSPersistentCloudKitContainer) {\n    try? container.initializeCloudKitSchema()\n}", [2]),
        (
            "func start() {\n#if DEBUG\nwrite()\n#endif\n}\nfunc write() {\n    let container = NSPersistentCloudKitContainer(name: \"A\", managedObjectModel: m)\n    try? container.initializeCloudKitSchema(options: [])\n}",
            []
        ),
        (
            "func start() {\n#if DEBUG\nwrite()\n#endif\nwrite()\n}\nfunc write() {\n    let container = NSPersistentCloudKitContainer(name: \"A\", managedObjectModel: m)\n    try? container.initializeCloudKitSchema(options: [])\n}",
            [9]
        ),
        (
            "#if DEBUG\nfunc first() { second() }\n#endif\nfunc second() { third() }\nfunc third() {\n    try? container.initializeCloudKitSchema(options: [.dryRun])\n}",
            []
        ),
        (
            "protocol P { func initializeCloudKitSchema() async }\nstruct Q {\n    let p: any P\n    func f() async { await p.initializeCloudKitSchema() }\n}",
            []
        ),
        ("final class A {\n    func initializeCloudKitSchema() {}\n    func b() { initializeCloudKitSchema() }\n}", []),
        (
            "final class Stack {\n    let container: NSPersistentCloudKitContainer\n    func initializeCloudKitSchema() {\n        try? container.initializeCloudKitSchema(options: [])\n    }\n}\nfunc start(_ stack: Stack) { stack.initializeCloudKitSchema() }",
            [4]
        ),
        (
            "final class Container: NSPersistentCloudKitContainer {\n    func write() { try? initializeCloudKitSchema() }\n}\nstruct Other { func initializeCloudKitSchema() {} }",
            [2]
        ),
    ]

    @Test(arguments: schemaWrites) func schemaWritesOfBuildsForUsers(code: String, lines: [Int]) {
        var fixture = DoctorFixture()
        fixture.contents["Notes/Schema.swift"] = code
        let found = fixture.diagnosis().findings.filter { $0.rule == "deployment.initialize-schema" }.map(\.location.line)
        #expect(found == lines)
    }

    /// A function that nothing calls may be for the developer's own use.
    @Test(arguments: [
        ("func publish() { try? container.initializeCloudKitSchema() }", Rule.Severity.advice),
        ("func publish() { try? container.initializeCloudKitSchema() }\nfunc f() { publish() }", .warning),
        ("func publish() { try? container.initializeCloudKitSchema() }\nlet all = [publish]", .warning),
        ("@objc func publish() { try? container.initializeCloudKitSchema() }", .warning),
        ("func publish(_ container: Any) { try? container.initializeCloudKitSchema() }", .warning),
    ]) func schemaWritesThatNothingCalls(code: String, severity: Rule.Severity) {
        var fixture = DoctorFixture()
        fixture.contents["Notes/Schema.swift"] = code
        #expect(fixture.diagnosis().findings.filter { $0.rule == "deployment.initialize-schema" }.map(\.severity) == [severity])
    }

    /// What Debug alone defines is not in Release.
    @Test func conditionsOfTheBuildSettings() {
        var fixture = DoctorFixture()
        fixture.replace(
            "SWIFT_ACTIVE_COMPILATION_CONDITIONS: DEBUG", with: "SWIFT_ACTIVE_COMPILATION_CONDITIONS: DEBUG TOOLS", in: "project.yml")
        fixture.replace(
            "    var title: String?\n", with: "    var title: String?\n    #if TOOLS\n    var tool: Int\n    #endif\n", in: RuleTests.models
        )
        #expect(fixture.diagnosis().findings.map(\.rule) == [])
        fixture.replace(
            "APS_ENVIRONMENT: production", with: "APS_ENVIRONMENT: production\n          SWIFT_ACTIVE_COMPILATION_CONDITIONS: TOOLS",
            in: "project.yml")
        #expect(fixture.diagnosis().findings.map(\.rule).contains("schema.optional"))
    }

    private static let first = """
        enum SchemaV1: VersionedSchema {
            static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
            static var models: [any PersistentModel.Type] { [Card.self] }
            @Model final class Card { var old: Int; init() {} }
        }
        """
    private static func second(_ models: String, _ body: String = "") -> String {
        """
        enum SchemaV2: VersionedSchema {
            static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
            static var models: [any PersistentModel.Type] { [\(models)] }
            \(body)
        }
        enum Plan: SchemaMigrationPlan { static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] } }
        """
    }
    private static let current = "@Model final class Card { var new: Int; init() {} }"

    @Test(arguments: [
        [first, current], [first, second("Card.self"), current], [first, second("SchemaV2.Card.self", current)],
        [first, second("Card.self", current), "typealias Card = SchemaV2.Card"],
        [first, second("Card.self"), "extension SchemaV2 { \(current) }", "typealias Card = SchemaV2.Card"],
        [
            "extension SchemaV1 { @Model final class Card { var old: Int; init() {} } }\nenum SchemaV1: VersionedSchema { static var models: [any PersistentModel.Type] { [Card.self] } }",
            current,
        ],
        ["enum Legacy { @Model final class Card { var old: Int; init() {} } }", current],
    ]) func theCurrentClassIsJudged(files: [String]) {
        for files in [files, files.reversed()] {
            var fixture = DoctorFixture()
            for (number, file) in files.enumerated() { fixture.contents["Notes/File\(number).swift"] = file }
            fixture.replace("for: Note.self", with: "for: Note.self, Card.self", in: RuleTests.app)
            let found = fixture.diagnosis().findings.filter { $0.rule == "schema.optional" }.map(\.message)
            #expect(found == ["Card.new is neither optional nor has it a default value"])
        }
    }
}
