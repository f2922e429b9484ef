import ProjectDoctor
import Testing

@Suite struct SwiftSchemaTests {
    @Test(arguments: [
        "static var models: [any PersistentModel.Type] { [A.self, X.B.self] }",
        "static var models: [any PersistentModel.Type] { return [A.self, X.Y.B.self] }",
        "static var models: [any PersistentModel.Type] { get { [A.self,\n // C.self\n B.self,\n] } }",
        "static let models: [any PersistentModel.Type] = [A.self, B.self]",
        "static var models: [PersistentModel.Type] = [\nA.self, B.self\n]\nstatic func other() { [C.self] }",
        "public static var models: [any PersistentModel.Type]\n{\n[A.self, Self.B.self]\n}",
    ])
    func readsTheModelsOfASchema(_ member: String) {
        let source = "enum V1: VersionedSchema {\n\(member)\nstatic let versionIdentifier = Schema.Version(1, 2, 3)\n@Model class A {} }"
        let facts = SwiftFixtures.facts(source)
        #expect(facts.schemas.map(\.name) == ["V1"])
        #expect(facts.schemas.first?.models == ["A", "B"])
        #expect(facts.schemas.first?.version == [1, 2, 3])
        #expect(facts.models.first?.context.types == ["V1"])
        #expect(facts.problems.isEmpty)
    }

    @Test(arguments: [
        ("static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }", [2, 0, 0]),
        ("static var versionIdentifier: Schema.Version = .init(0, 10, 1)", [0, 10, 1]),
        ("static let versionIdentifier = Schema.Version(1, 0, 0), other = 7", [1, 0, 0]),
    ])
    func readsTheVersionOfASchema(_ member: String, _ expected: [Int]) {
        #expect(SwiftFixtures.facts("struct V: SwiftData.VersionedSchema { \(member) }").schemas.first?.version == expected)
    }

    @Test func reportsModelsThatAreNoList() {
        let facts = SwiftFixtures.facts(
            "enum V2: VersionedSchema { static var models: [any PersistentModel.Type] { V1.models + [B.self] } }")
        #expect(facts.schemas.first?.models == ["B"])
        #expect(facts.problems.count == 1)
    }

    @Test func addsWhatAnExtensionSays() {
        let facts = SwiftFixtures.facts(
            """
            enum V1 {}
            extension V1: VersionedSchema { static var versionIdentifier: Schema.Version { .init(1, 0, 0) } }
            extension V1 { static var models: [any PersistentModel.Type] { [Item.self] } }
            extension V1 { @Model final class Item { var a = 1 } }
            extension Outer.V1 { @Model final class Other { var a = 1 } }
            """)
        #expect(facts.schemas.map(\.models) == [["Item"]])
        #expect(facts.schemas.map(\.version) == [[1, 0, 0]])
        #expect(facts.models.map(\.context.types) == [["V1"], ["Outer", "V1"]])
    }

    @Test func readsAPlanWithItsStages() {
        let source = """
            enum Plan: SchemaMigrationPlan {
                static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, Old.V3.self] }
                static var stages: [MigrationStage] { [first, .custom(fromVersion: V2.self, toVersion: V3.self, willMigrate: nil)] }
                static let first = MigrationStage.custom(
                    fromVersion: V1.self, toVersion: V2.self, willMigrate: { context in shape.custom(1); try context.save() }, didMigrate: nil)
                static let second = MigrationStage.lightweight(fromVersion: V1.self, toVersion: V2.self)
            }
            // MigrationStage.custom(fromVersion: V1.self)
            """
        let plan = SwiftFixtures.facts(source).plans.first
        #expect(plan?.name == "Plan")
        #expect(plan?.schemas == ["V1", "V2", "V3"])
        #expect(
            plan?.customStages.map { SwiftFixtures.string(source, from: $0).prefix(22) } == [
                ".custom(fromVersion: V", "MigrationStage.custom(",
            ])
    }

    @Test func givesALooseStageToTheOnlyPlan() {
        let stage = "let stage = MigrationStage.custom(fromVersion: A.self, toVersion: B.self, willMigrate: nil, didMigrate: nil)\n"
        let plan = "enum P: SchemaMigrationPlan { static var schemas: [any VersionedSchema.Type] = [A.self] }\n"
        #expect(SwiftFixtures.facts(stage + plan).plans.map(\.customStages.count) == [1])
        #expect(SwiftFixtures.facts(stage + plan + plan).plans.map(\.customStages.count) == [0, 0])
    }
}
