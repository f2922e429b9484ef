// swift-tools-version: 6.2
import PackageDescription

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "SyncAudit") }

/// Lets sources import a module by a name that it has in another package or on another system.
func alias(_ name: String, _ module: String) -> SwiftSetting { .unsafeFlags(["-module-alias", "\(name)=\(module)"]) }

// The adapters to Apple's frameworks, compiled against stand-ins of these frameworks and tested. Those targets are links to folders of the root package, with
// names of their own, since no two packages may have targets of one name.
let adapters: [Target] = [
    .target(
        name: "CoreDataAdapter",
        dependencies: [
            "CoreData", product("SyncObservation"), product("SyncModel"), product("ConflictAudit"), product("SyncMonitoring"),
        ]),
    .target(
        name: "SwiftDataAdapter",
        dependencies: [
            "SwiftData", "CoreData", "CoreDataAdapter", "os", product("SyncObservation"), product("SyncModel"), product("ConflictAudit"),
            product("SyncMonitoring"),
        ],
        swiftSettings: [alias("SyncObservationCoreData", "CoreDataAdapter")]),
    .target(
        name: "CloudKitAdapter",
        dependencies: [
            "CloudKit", product("SyncObservation"), product("SyncModel"), product("ConflictAudit"), product("SyncMonitoring"),
        ]),
    // Had the stand-in the name of Apple's framework, the package's own target could import it too, and have two monitors.
    .target(
        name: "NetworkAdapter", dependencies: ["NetworkStandIn", product("SyncMonitoring")],
        swiftSettings: [alias("Network", "NetworkStandIn")]),
    .target(name: "SystemLogAdapter", dependencies: ["os", product("AuditLog"), product("SyncModel"), product("ConflictAudit")]),
    .target(
        name: "ViewAdapter", dependencies: ["SwiftUI", product("SyncModel"), product("ConflictAudit"), product("SyncMonitoring")]),
]

let package = Package(
    name: "AppleStubs",
    platforms: [.macOS(.v14)],
    products: [
        // For the samples of apps, which are compiled against the same.
        .library(
            name: "StandIns",
            targets: ["SwiftData", "CoreData", "SwiftUI", "os", "SwiftDataAdapter", "ViewAdapter"])
    ],
    dependencies: [.package(name: "SyncAudit", path: "../..")],
    targets: [
        .target(name: "CoreData"), .target(name: "SwiftData", dependencies: ["CoreData"]), .target(name: "CloudKit"),
        .target(name: "SwiftUI"), .target(name: "os"), .target(name: "NetworkStandIn"),
        .testTarget(name: "CoreDataAdapterTests", dependencies: ["CoreDataAdapter", product("ConflictAuditTesting")]),
        .testTarget(
            name: "SwiftDataAdapterTests",
            dependencies: ["SwiftDataAdapter", product("ConflictAuditTesting"), product("SyncLayerTesting")]),
        .testTarget(name: "CloudKitAdapterTests", dependencies: ["CloudKitAdapter", product("ConflictAuditTesting")]),
        .testTarget(
            name: "NetworkTests", dependencies: ["NetworkAdapter", product("ConflictAuditTesting"), product("ConflictAudit")]),
        .testTarget(name: "SystemLogTests", dependencies: ["SystemLogAdapter", product("ConflictAuditTesting")]),
        .testTarget(name: "ViewTests", dependencies: ["ViewAdapter"]),
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
