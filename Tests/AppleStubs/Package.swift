// swift-tools-version: 6.2
import PackageDescription

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "SyncAudit") }

// The adapters to Apple's frameworks, compiled against stand-ins of these frameworks and tested. Those targets are links to folders of the root package, with
// names of their own, since no two packages may have targets of one name.
let adapters: [Target] = [
    .target(
        name: "CoreDataAdapter",
        dependencies: ["CoreData", product("SyncObservation"), product("SyncModel"), product("ConflictAudit")]),
    // With the sources of the adapter to Core Data, on which it stands: what it imports by their name is empty here.
    .target(
        name: "SwiftDataAdapter",
        dependencies: [
            "SwiftData", "CoreData", "os", product("SyncObservationCoreData"), product("SyncObservation"), product("SyncModel"),
            product("ConflictAudit"), product("SyncMonitoring"),
        ]),
    .target(
        name: "CloudKitAdapter",
        dependencies: [
            "CloudKit", product("SyncObservation"), product("SyncModel"), product("ConflictAudit"), product("SyncMonitoring"),
        ]),
    .target(name: "NetworkAdapter", dependencies: ["Network", product("SyncMonitoring")]),
    .target(name: "SystemLogAdapter", dependencies: ["os", product("AuditLog"), product("SyncModel"), product("ConflictAudit")]),
    .target(
        name: "ViewAdapter", dependencies: ["SwiftUI", product("SyncModel"), product("ConflictAudit"), product("SyncMonitoring")]),
]

let package = Package(
    name: "AppleStubs",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "SyncAudit", path: "../..")],
    targets: [
        .target(name: "CoreData"), .target(name: "SwiftData", dependencies: ["CoreData"]), .target(name: "CloudKit"),
        .target(name: "SwiftUI"), .target(name: "os"), .target(name: "Network"),
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
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"), .strictMemorySafety(),
    ]
    if Context.environment["CI"] != nil { target.swiftSettings?.append(.treatAllWarnings(as: .error)) }
}
