/// Code that is mutated, and the tests that are to notice.
struct Target {
    /// Which tests run together, as `swift test` filters them.
    struct Tests {
        let filter: String
        var skip: String?
    }

    let name: String
    /// The folder of its sources.
    let folder: String
    /// The module's folder, where it is another.
    let module: String
    /// The test targets of its own tests.
    let testTargets: [String]
    /// Its own tests, the fast ones first.
    let tests: [Tests]

    /// Every target.
    static let all = [
        Target(
            name: "SyncMerge", folder: "Sources/Core/SyncMerge", module: "Sources/Core/SyncMerge",
            testTargets: ["SyncMergeTests", "ConflictAuditTests"],
            tests: [
                Tests(filter: "^SyncMergeTests\\.", skip: slowMergeTests), Tests(filter: slowMergeTests),
                Tests(filter: "^ConflictAuditTests\\.", skip: "RealTraceTests"),
            ]),
        Target(
            name: "SyncCoding", folder: "Sources/Core/SyncCoding", module: "Sources/Core/SyncCoding",
            testTargets: ["SyncMergeTests"],
            tests: [Tests(filter: "^SyncMergeTests\\.", skip: slowMergeTests), Tests(filter: slowMergeTests)]),
        Target(
            name: "ConflictAudit", folder: "Sources/Core/ConflictAudit", module: "Sources/Core/ConflictAudit",
            testTargets: ["ConflictAuditTests"],
            tests: [Tests(filter: "^ConflictAuditTests\\.", skip: "RealTraceTests")]),
        Target(
            name: "SyncLayer", folder: "Sources/App/SyncLayer", module: "Sources/App/SyncLayer",
            testTargets: ["SyncLayerTests"],
            tests: [
                // Their limits of time are for a machine that has time.
                Tests(filter: "^SyncLayerTests\\.", skip: otherProcesses),
                Tests(filter: "^SyncLayerTests\\.\(otherProcesses)"),
            ]),
        Target(
            name: "AuditLog/Writer", folder: "Sources/Log/AuditLog/Writer", module: "Sources/Log/AuditLog",
            testTargets: ["AuditLogTests"],
            tests: [Tests(filter: "^AuditLogTests\\.(Writer|TornLine|Envelope|RotatedNames|SystemCalls)")]),
    ]

    /// Histories by the thousand.
    private static let slowMergeTests =
        "(MergePropertyTests|OracleAgreementTests|TallyAgreementTests|RecordStateCodingTests|ManyDevicesTests)"
    private static let otherProcesses = "(ProcessTests|FullDiskTests)"

    /// The tests of everything, simulated devices among them, that what survives is tried against.
    static let others = Tests(
        filter: "^(SyncSimulationTests|ConflictAuditTests|SyncMergeTests|SyncLayerTests)\\.", skip: "RealTraceTests")
    /// Their test targets.
    static let otherTestTargets = ["SyncMergeTests", "ConflictAuditTests", "SyncLayerTests", "SyncSimulationTests"]
}
