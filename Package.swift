// swift-tools-version: 6.2
import PackageDescription

// The path of a write, top to bottom. A target imports only targets above it. Core has the words and the decisions, App what an app
// embeds, Log what is written of them, Desk what reads it afterwards.
let package = Package(
    name: "SyncAudit",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .library(name: "SyncModel", targets: ["SyncModel"]),
        .library(name: "SyncMerge", targets: ["SyncMerge"]),
        .library(name: "SyncMonitoring", targets: ["SyncMonitoring"]),
        .library(name: "SyncObservation", targets: ["SyncObservation"]),
        .library(name: "SyncObservationCoreData", targets: ["SyncObservationCoreData"]),
        .library(name: "SyncObservationSwiftData", targets: ["SyncObservationSwiftData"]),
        .library(name: "SyncObservationCloudKit", targets: ["SyncObservationCloudKit"]),
        .library(name: "SyncObservationUI", targets: ["SyncObservationUI"]),
        .library(name: "SyncAuditApple", targets: ["SyncAuditApple"]),
        .library(name: "SyncLayer", targets: ["SyncLayer"]),
        .library(name: "SyncRecords", targets: ["SyncRecords"]),
        .library(name: "SyncLayerTesting", targets: ["SyncLayerTesting"]),
        .library(name: "ConflictAudit", targets: ["ConflictAudit"]),
        .library(name: "ConflictAuditTesting", targets: ["ConflictAuditTesting"]),
        .library(name: "AuditLog", targets: ["AuditLog"]),
        .library(name: "SyncHTTP", targets: ["SyncHTTP"]),
        .library(name: "SyncURLSession", targets: ["SyncURLSession"]),
        .library(name: "AuditSystemLog", targets: ["AuditSystemLog"]),
        .library(name: "AuditAnalysis", targets: ["AuditAnalysis"]),
        .library(name: "AuditChecking", targets: ["AuditChecking"]),
        .library(name: "SyncAudit", targets: ["SyncAudit"]),
        .library(name: "SyncSimulation", targets: ["SyncSimulation"]),
        .library(name: "CloudKitSimulation", targets: ["CloudKitSimulation"]),
        .executable(name: "syncaudit", targets: ["syncaudit"]),
    ],
    targets: [
        .systemLibrary(name: "CAtomic", path: "Sources/Core/CAtomic"),
        .systemLibrary(name: "CMalloc", path: "Sources/Core/CMalloc"),
        .target(name: "SyncSystem", dependencies: ["CAtomic", "CMalloc"], path: "Sources/Core/SyncSystem"),
        .target(
            name: "SyncBytes", dependencies: ["SyncSystem"], path: "Sources/Core/SyncBytes",
            swiftSettings: [.enableExperimentalFeature("Lifetimes")]),
        .target(name: "SyncModel", dependencies: ["SyncBytes", "SyncSystem"], path: "Sources/Core/SyncModel"),
        .target(name: "SyncLines", dependencies: ["SyncModel"], path: "Sources/Core/SyncLines"),
        .target(name: "SyncMerge", dependencies: ["SyncModel"], path: "Sources/Core/SyncMerge"),
        .target(name: "SyncCoding", dependencies: ["SyncMerge"], path: "Sources/Core/SyncCoding"),
        .target(name: "ConflictAudit", dependencies: ["SyncMerge", "SyncCoding", "SyncSystem"], path: "Sources/Core/ConflictAudit"),
        .target(name: "ConflictAuditTesting", dependencies: ["ConflictAudit"], path: "Sources/Core/ConflictAuditTesting"),
        .systemLibrary(
            name: "CSQLite", path: "Sources/App/CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .target(name: "SyncSQLite", dependencies: ["SyncSystem", "CSQLite"], path: "Sources/App/SyncSQLite"),
        .target(
            name: "SyncLayer", dependencies: ["SyncLines", "SyncCoding", "ConflictAudit", "SyncSystem", "SyncSQLite"],
            path: "Sources/App/SyncLayer"),
        // Apart, since it brings Foundation.
        .target(
            name: "SyncRecords", dependencies: ["SyncLayer", "ConflictAudit", "SyncMerge", "SyncModel", "SyncBytes", "SyncSystem"],
            path: "Sources/App/SyncRecords"),
        .systemLibrary(name: "CZlib", path: "Sources/Core/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .target(name: "SyncHTTP", dependencies: ["SyncLayer", "SyncLines", "SyncSystem", "CZlib"], path: "Sources/App/SyncHTTP"),
        // Apart, since it brings Foundation.
        .target(name: "SyncURLSession", dependencies: ["SyncHTTP", "SyncSystem"], path: "Sources/App/SyncURLSession"),
        .target(name: "SyncMonitoring", dependencies: ["ConflictAudit", "SyncSystem"], path: "Sources/App/SyncMonitoring"),
        .target(
            name: "SyncObservation", dependencies: ["SyncCoding", "ConflictAudit", "SyncMonitoring", "SyncSystem", "SyncSQLite"],
            path: "Sources/App/SyncObservation"),
        // The adapters to Apple's frameworks, empty elsewhere; Tests/AppleStubs compiles them against stand-ins.
        .target(name: "SyncObservationFoundation", dependencies: ["SyncModel"], path: "Sources/App/SyncObservationFoundation"),
        .target(
            name: "SyncObservationCoreData",
            dependencies: ["SyncObservationFoundation", "SyncObservation", "SyncMonitoring", "SyncModel", "ConflictAudit"],
            path: "Sources/App/SyncObservationCoreData"),
        .target(
            name: "SyncObservationSwiftData",
            dependencies: [
                "SyncObservationCoreData", "SyncObservationFoundation", "SyncObservation", "SyncMonitoring", "SyncModel", "SyncMerge",
                "ConflictAudit",
            ], path: "Sources/App/SyncObservationSwiftData"),
        .target(
            name: "SyncObservationCloudKit",
            dependencies: ["SyncObservationFoundation", "SyncObservation", "SyncMonitoring", "SyncModel", "ConflictAudit"],
            path: "Sources/App/SyncObservationCloudKit"),
        .target(
            name: "SyncObservationUI", dependencies: ["SyncMonitoring", "SyncModel", "SyncMerge", "ConflictAudit"],
            path: "Sources/App/SyncObservationUI"),
        .target(
            name: "SyncAuditApple",
            dependencies: [
                "SyncObservationSwiftData", "SyncObservationCoreData", "SyncObservationCloudKit", "SyncObservationUI", "AuditSystemLog",
                "AuditLog", "SyncObservation", "SyncMonitoring", "ConflictAudit", "SyncModel",
            ], path: "Sources/App/SyncAuditApple"),
        .target(name: "AuditSystemLog", dependencies: ["AuditLog", "SyncModel", "ConflictAudit"], path: "Sources/Log/AuditSystemLog"),
        .target(
            name: "SyncLayerTesting", dependencies: ["SyncLayer", "SyncMonitoring", "SyncSystem"], path: "Sources/App/SyncLayerTesting"),
        .systemLibrary(name: "CVector", path: "Sources/Log/CVector"),
        .target(
            name: "AuditLog", dependencies: ["ConflictAudit", "SyncLines", "SyncSystem", "CZlib", "CVector"], path: "Sources/Log/AuditLog"),
        .target(
            name: "SyncAudit",
            dependencies: ["SyncModel", "SyncMerge", "ConflictAudit", "SyncLayer", "SyncRecords", "SyncMonitoring", "AuditLog"],
            path: "Sources/App/SyncAudit"),
        .target(name: "AuditAnalysis", dependencies: ["AuditLog", "SyncCoding", "SyncSystem"], path: "Sources/Desk/AuditAnalysis"),
        .target(name: "FileFormats", dependencies: ["SyncModel"], path: "Sources/Desk/FileFormats"),
        .target(name: "ProjectDoctor", dependencies: ["FileFormats", "SyncModel", "SyncSystem"], path: "Sources/Desk/ProjectDoctor"),
        .target(name: "AuditChecking", dependencies: ["AuditAnalysis", "SyncSystem"], path: "Sources/Desk/AuditChecking"),
        .target(name: "AuditReport", dependencies: ["AuditAnalysis", "FileFormats", "ProjectDoctor"], path: "Sources/Desk/AuditReport"),
        .target(name: "AuditLive", dependencies: ["AuditAnalysis", "AuditReport"], path: "Sources/Desk/AuditLive"),
        .target(
            name: "TraceImport", dependencies: ["ConflictAudit", "AuditLog", "FileFormats", "SyncSQLite", "SyncSystem"],
            path: "Sources/Desk/TraceImport"),
        .target(name: "SyncSimulation", dependencies: ["SyncLayer", "AuditLog", "SyncSystem"], path: "Sources/Desk/SyncSimulation"),
        // No part of the command, which is built without observers.
        .target(
            name: "CloudKitSimulation",
            dependencies: ["SyncSimulation", "SyncObservation", "SyncMonitoring", "AuditAnalysis", "AuditLog", "SyncSystem"],
            path: "Sources/Desk/CloudKitSimulation"),
        .target(
            name: "SyncAuditCommands",
            dependencies: [
                "AuditAnalysis", "AuditChecking", "AuditReport", "AuditLive", "ProjectDoctor", "FileFormats", "SyncLayer", "TraceImport",
                "SyncSimulation", "SyncSystem",
            ], path: "Sources/Desk/SyncAuditCommands"),
        .executableTarget(name: "syncaudit", dependencies: ["SyncAuditCommands", "SyncSystem"], path: "Sources/Desk/syncaudit"),

        .testTarget(name: "SyncBytesTests", dependencies: ["SyncBytes", "SyncOracle"]),
        .testTarget(name: "SyncModelTests", dependencies: ["SyncModel", "SyncOracle"]),
        // The brute force that the product must agree with. It depends on the plain values alone, so that no decision can be shared.
        .target(name: "SyncOracle", dependencies: ["SyncModel"], path: "Tests/SyncOracle"),
        .testTarget(name: "SyncLinesTests", dependencies: ["SyncLines", "SyncOracle"]),
        .target(name: "OracleRules", dependencies: ["SyncMerge", "SyncOracle"], path: "Tests/OracleRules"),
        .target(name: "ChildProcess", dependencies: ["SyncSystem"], path: "Tests/ChildProcess"),
        .target(name: "TemporaryDirectory", path: "Tests/TemporaryDirectory"),
        .target(name: "GitRepository", dependencies: ["ChildProcess", "TemporaryDirectory"], path: "Tests/GitRepository"),
        .target(name: "CoreDataStore", dependencies: ["SyncSQLite", "TemporaryDirectory"], path: "Tests/CoreDataStore"),
        .target(name: "GoldenFiles", path: "Tests/GoldenFiles"),
        .target(name: "CompressedData", dependencies: ["CZlib"], path: "Tests/CompressedData"),
        .testTarget(name: "SyncMergeTests", dependencies: ["SyncCoding", "SyncSystem", "SyncOracle", "OracleRules"]),
        .testTarget(
            name: "ConflictAuditTests",
            dependencies: ["ConflictAudit", "ConflictAuditTesting", "AuditLog", "SyncOracle", "OracleRules"]),
        .testTarget(
            name: "SyncLayerTests",
            dependencies: [
                "SyncLayer", "SyncLayerTesting", "SyncSQLite", "SyncSystem", "ConflictAuditTesting", "SyncLayerTestHelper", "SyncOracle",
                "ChildProcess", "FleetHistories",
            ]),
        .testTarget(
            name: "SyncRecordsTests",
            dependencies: ["SyncRecords", "SyncLayer", "SyncLayerTesting", "ConflictAuditTesting", "SyncOracle", "FleetHistories"]),
        .testTarget(
            name: "SyncHTTPTests",
            dependencies: [
                "SyncHTTP", "SyncLayer", "SyncLayerTesting", "ConflictAuditTesting", "SyncOracle", "CompressedData", "SyncSystem",
            ]),
        .testTarget(
            name: "SyncMonitoringTests",
            dependencies: ["SyncMonitoring", "SyncLayer", "SyncLayerTesting", "SyncSystem", "ConflictAuditTesting", "SyncOracle"]),
        .testTarget(
            name: "SyncObservationTests",
            dependencies: [
                "SyncObservation", "ConflictAuditTesting", "SyncSystem", "TemporaryDirectory", "SyncOracle", "ObserverProcess",
                "ChildProcess", "AuditLog", "FleetHistories", "SyncObservationFoundation", "SyncMonitoring", "SyncSQLite",
            ]),
        // An observed app in a process of its own, to be killed.
        .executableTarget(
            name: "ObserverProcess", dependencies: ["SyncObservation", "AuditLog", "ConflictAudit", "SyncModel", "SyncSystem"],
            path: "Tests/ObserverProcess"),
        // The other process, where a test needs one.
        .executableTarget(name: "SyncLayerTestHelper", dependencies: ["SyncLayer", "SyncSystem"], path: "Tests/SyncLayerTestHelper"),
        .testTarget(
            name: "AuditLogTests",
            dependencies: [
                "AuditLog", "SyncSystem", "ConflictAuditTesting", "SyncOracle", "AuditLogProcess", "ChildProcess", "CompressedData",
                "TemporaryDirectory",
            ]),
        // A writer in a process of its own, to be killed.
        .executableTarget(name: "AuditLogProcess", dependencies: ["AuditLog", "SyncSystem"], path: "Tests/AuditLogProcess"),
        // Fuzzed lines and what is held against them; a few in the suite, as many as one likes with `swift run -c release LineFuzzer`.
        .target(
            name: "LineFuzzing", dependencies: ["SyncAuditCommands", "ConflictAuditTesting", "SyncOracle"], path: "Tests/LineFuzzing"),
        .executableTarget(name: "LineFuzzer", dependencies: ["LineFuzzing"], path: "Tests/LineFuzzer"),
        // Events and a summary for tests of what is made of them.
        .target(name: "AuditSamples", dependencies: ["AuditAnalysis", "SyncOracle"], path: "Tests/AuditSamples"),
        .testTarget(
            name: "AuditAnalysisTests",
            dependencies: [
                "AuditAnalysis", "AuditChecking", "AuditSamples", "ConflictAuditTesting", "SyncOracle", "OracleRules", "CompressedData",
                "GoldenFiles",
                "SyncSystem",
            ], exclude: ["Golden"]),
        .testTarget(
            name: "AuditReportTests", dependencies: ["AuditReport", "AuditSamples", "GoldenFiles", "SyncOracle"], exclude: ["Golden"]),
        .testTarget(name: "AuditLiveTests", dependencies: ["AuditLive", "AuditSamples"]),
        .testTarget(
            name: "TraceImportTests",
            dependencies: [
                "TraceImport", "ConflictAudit", "AuditAnalysis", "AuditLog", "SyncSQLite", "SyncOracle", "GitImportProcess",
                "GitRepository", "CoreDataStore", "TemporaryDirectory", "CompressedData",
                "ChildProcess",
            ]),
        .testTarget(
            name: "ProjectDoctorTests", dependencies: ["ProjectDoctor", "FileFormats", "SyncOracle", "TemporaryDirectory"],
            exclude: ["Corpus"]),
        // An import in a process of its own, which finds another git on its path.
        .executableTarget(name: "GitImportProcess", dependencies: ["TraceImport", "SyncSystem"], path: "Tests/GitImportProcess"),
        // Observers of a simulated CloudKit against the truth; a few histories in the suite, more with `swift run -c release CloudKitHistories`.
        .executableTarget(name: "CloudKitHistories", dependencies: ["CloudKitSimulation"], path: "Tests/CloudKitHistories"),
        .testTarget(
            name: "SyncSimulationTests",
            dependencies: [
                "SyncSimulation", "CloudKitSimulation", "SyncOracle", "SyncLayerTesting", "SyncMonitoring", "ConflictAuditTesting",
                "AuditAnalysis", "SyncSystem", "FleetHistories", "TemporaryDirectory",
            ]),
        .testTarget(
            name: "SyncAuditCommandsTests",
            dependencies: [
                "SyncAuditCommands", "syncaudit", "SyncSystem", "CompressedData", "LineFuzzing", "SyncLayerTesting", "SyncOracle",
                "ChildProcess", "GoldenFiles", "GitRepository", "AuditSamples", "CoreDataStore", "TemporaryDirectory", "CommandWorld",
            ], exclude: ["Golden"]),
        // Long histories, large batches and simulated fleets, run optimised: see `.ci/test`. Each has a short form in a suite above.
        .testTarget(
            name: "HistoryTests",
            dependencies: [
                "LineFuzzing", "FleetHistories", "CommandWorld", "AuditSamples", "ConflictAuditTesting", "AuditChecking",
                "SyncAuditCommands", "TraceImport", "SyncSimulation", "SyncLayer",
                "SyncObservation", "AuditAnalysis", "AuditLog", "ConflictAudit", "SyncMerge", "SyncModel", "SyncLines", "SyncOracle",
                "OracleRules", "TemporaryDirectory", "CloudKitSimulation", "DocumentationPages", "syncaudit", "ProjectDoctor",
                "FileFormats",
                "AuditReport", "SyncSystem", "CompressedData", "GitRepository",
            ]),
        // What needs the programs of others (a browser, shells, databases), or processes to be killed.
        .testTarget(
            name: "ProgramTests",
            dependencies: [
                "CommandWorld", "SyncAuditCommands", "syncaudit", "ChildProcess", "TemporaryDirectory", "SyncOracle", "SyncSystem",
                "GitRepository", "FleetHistories", "SyncLayerTestHelper", "ObserverProcess", "AuditLog", "AuditLogProcess",
                "ConflictAudit", "SyncModel", "GitImportProcess",
            ]),
        // Lets a few tests run at a time, so that results come as they go.
        .target(name: "TestPace", path: "Tests/TestPace"),
        // Histories of simulated devices, and what is held against each.
        .target(
            name: "FleetHistories",
            dependencies: [
                "SyncSimulation", "CloudKitSimulation", "SyncLayer", "SyncLayerTesting", "SyncMonitoring", "ConflictAuditTesting",
                "AuditAnalysis", "SyncOracle", "ChildProcess", "TemporaryDirectory", "SyncSystem",
            ],
            path: "Tests/FleetHistories"),
        // A command's input, output and clock, and the logs of simulated fleets to run it on.
        .target(
            name: "CommandWorld",
            dependencies: ["SyncAuditCommands", "SyncLayerTesting", "SyncOracle", "TemporaryDirectory"], path: "Tests/CommandWorld"),
        // What pages say, and what is held against it.
        .target(
            name: "DocumentationPages", dependencies: ["SyncSimulation", "AuditAnalysis", "ChildProcess", "TemporaryDirectory"],
            path: "Tests/DocumentationPages"),
        // The README's program, to run as it is.
        .executableTarget(name: "TwoDevices", dependencies: ["SyncAudit"], path: "Tests/TwoDevices"),
        // Holds what the documentation says against what the code does.
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "SyncAuditCommands", "SyncLayerTesting", "SyncObservation", "CloudKitSimulation", "ConflictAuditTesting", "ChildProcess",
                "SyncURLSession", "TwoDevices", "DocumentationPages", "TemporaryDirectory", "SyncObservationSwiftData",
                "SyncObservationCloudKit",
                "SyncObservationUI", "AuditSystemLog",
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// The suites of `.ci/test`, and the targets of each.
let suites: KeyValuePairs = [
    "merge": ["SyncBytesTests", "SyncModelTests", "SyncLinesTests", "SyncMergeTests", "ConflictAuditTests"],
    "log": ["AuditLogTests"],
    "layer": ["SyncLayerTests", "SyncRecordsTests", "SyncHTTPTests", "SyncMonitoringTests", "SyncSimulationTests"],
    "observe": ["SyncObservationTests"],
    "doctor": ["ProjectDoctorTests"],
    "report": ["AuditAnalysisTests", "AuditReportTests", "AuditLiveTests"],
    "commands": ["TraceImportTests", "SyncAuditCommandsTests"],
    "docs": ["DocumentationTests"],
    "histories": ["HistoryTests"],
    "programs": ["ProgramTests"],
]

// `swift test` runs what takes seconds. SYNCAUDIT_TESTS names other suites, so that one alone is compiled.
let named = Context.environment["SYNCAUDIT_TESTS"]?.split(separator: ",").map(String.init)
let chosen = suites.filter { named?.contains($0.key) ?? !["histories", "programs"].contains($0.key) }.flatMap(\.value)
package.targets.removeAll { $0.type == .test && !chosen.contains($0.name) }
for target in package.targets where target.type == .test { target.dependencies.append("TestPace") }

// One loop, so that no target is held to a lower bar than the others.
for target in package.targets where target.type != .system {
    var settings = target.swiftSettings ?? []
    settings += [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .strictMemorySafety(),
    ]
    if Context.environment["CI"] != nil {
        settings.append(.treatAllWarnings(as: .error))
    }
    // Samples/quickstart: what an audit and a report spend no time in is compiled a fifth as long, and runs slower. So is of the histories what
    // states and compares; what makes them up and what judges them is optimised, and the sync layer in which they happen. Nobody who depends
    // on the package sees a flag that SwiftPM calls unsafe.
    var cold = [
        "FileFormats", "ProjectDoctor", "AuditReport", "AuditLive", "AuditChecking", "SyncAuditCommands", "TraceImport", "SyncSQLite",
        "HistoryTests", "DocumentationPages", "CommandWorld", "ChildProcess", "GitRepository", "CompressedData", "TemporaryDirectory",
    ]
    if named != ["histories"] { cold += ["SyncSimulation", "SyncLayer"] }
    if Context.environment["SYNCAUDIT_QUICK"] != nil, cold.contains(target.name) {
        settings.append(.unsafeFlags(["-Onone"]))
    }
    target.swiftSettings = settings
}
