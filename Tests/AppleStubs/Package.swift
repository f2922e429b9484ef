// swift-tools-version: 6.2
import PackageDescription

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "SyncAudit") }

/// Lets sources import a module by a name that it has in another package or on another system.
func alias(_ name: String, _ module: String) -> SwiftSetting { .unsafeFlags(["-module-alias", "\(name)=\(module)"]) }

// The adapters to Apple's frameworks, compiled against stand-ins of these frameworks and tested. Those targets are links to folders of the root package, with
// names of their own, since no two packages may have targets of one name.
let foundation = alias("SyncObservationFoundation", "FoundationAdapter")
let coreData = alias("SyncObservationCoreData", "CoreDataAdapter")
let adapters: [Target] = [
    .target(name: "FoundationAdapter", dependencies: [product("SyncModel")]),
    .target(
        name: "CoreDataAdapter",
        dependencies: [
            "CoreData", "FoundationAdapter", product("SyncObservation"), product("SyncModel"), product("ConflictAudit"),
            product("SyncMonitoring"),
        ],
        swiftSettings: [foundation]),
    .target(
        name: "SwiftDataAdapter",
        dependencies: [
            "SwiftData", "CoreData", "CoreDataAdapter", "FoundationAdapter", "os", product("SyncObservation"), product("SyncModel"),
            product("SyncMerge"), product("ConflictAudit"), product("SyncMonitoring"),
        ],
        swiftSettings: [coreData, foundation]),
    .target(
        name: "CloudKitAdapter",
        dependencies: [
            "CloudKit", "FoundationAdapter", product("SyncObservation"), product("SyncModel"), product("ConflictAudit"),
            product("SyncMonitoring"),
        ],
        swiftSettings: [foundation]),
    // The one import of an app.
    .target(
        name: "AppleAdapter",
        dependencies: [
            "SwiftDataAdapter", "CoreDataAdapter", "CloudKitAdapter", "ViewAdapter", "SystemLogAdapter", product("AuditLog"),
            product("SyncObservation"), product("SyncMonitoring"), product("ConflictAudit"), product("SyncModel"),
        ],
        swiftSettings: [
            coreData, alias("SyncObservationSwiftData", "SwiftDataAdapter"), alias("SyncObservationCloudKit", "CloudKitAdapter"),
            alias("SyncObservationUI", "ViewAdapter"), alias("AuditSystemLog", "SystemLogAdapter"),
        ]),
    // Had the stand-in the name of Apple's framework, the package's own target could import it too, and have two monitors.
    .target(
        name: "NetworkAdapter", dependencies: ["NetworkStandIn", product("SyncMonitoring")],
        swiftSettings: [alias("Network", "NetworkStandIn")]),
    .target(name: "SystemLogAdapter", dependencies: ["os", product("AuditLog"), product("SyncModel"), product("ConflictAudit")]),
    .target(
        name: "ViewAdapter",
        dependencies: ["SwiftUI", product("SyncModel"), product("SyncMerge"), product("ConflictAudit"), product("SyncMonitoring")]),
]

let package = Package(
    name: "AppleStubs",
    platforms: [.macOS(.v14)],
    products: [
        // For the samples of apps, which are compiled against the same.
        .library(
            name: "StandIns",
            targets: ["SwiftData", "CoreData", "SwiftUI", "os", "SwiftDataAdapter", "ViewAdapter", "AppleAdapter"])
    ],
    dependencies: [.package(name: "SyncAudit", path: "../..")],
    targets: [
        // As Apple's frameworks are, so that their enumerations may have more cases than are known.
        .target(name: "CoreData", swiftSettings: [.unsafeFlags(["-enable-library-evolution", "-suppress-warnings"])]),
        .target(name: "CloudKit", swiftSettings: [.unsafeFlags(["-enable-library-evolution", "-suppress-warnings"])]),
        .target(name: "SwiftData", dependencies: ["CoreData"]),
        .target(name: "SwiftUI"), .target(name: "os"), .target(name: "NetworkStandIn"),
        .testTarget(name: "CoreDataAdapterTests", dependencies: ["CoreDataAdapter", product("ConflictAuditTesting")]),
        .testTarget(
            name: "SwiftDataAdapterTests",
            dependencies: ["SwiftDataAdapter", product("ConflictAuditTesting"), product("SyncLayerTesting")]),
        .testTarget(name: "CloudKitAdapterTests", dependencies: ["CloudKitAdapter", product("ConflictAuditTesting")]),
        .testTarget(
            name: "NetworkTests", dependencies: ["NetworkAdapter", product("ConflictAuditTesting"), product("ConflictAudit")]),
        .testTarget(
            name: "OneImportTests", dependencies: ["AppleAdapter", "SwiftData"],
            swiftSettings: [alias("SyncAuditApple", "AppleAdapter")]),
        .testTarget(name: "SystemLogTests", dependencies: ["SystemLogAdapter", product("ConflictAuditTesting")]),
        .testTarget(name: "ViewTests", dependencies: ["ViewAdapter", product("SyncObservation"), product("SyncMerge")]),
    ] + adapters,
    swiftLanguageModes: [.v6]
)

for target in adapters {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"), .strictMemorySafety(),
        ]
    if Context.environment["CI"] != nil { target.swiftSettings?.append(.treatAllWarnings(as: .error)) }
}
