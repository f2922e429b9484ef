// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "BusinessCards",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "SyncAudit", path: "../..")],
    targets: [
        .executableTarget(
            name: "BusinessCards",
            dependencies: [
                .product(name: "SyncModel", package: "SyncAudit"), .product(name: "SyncMerge", package: "SyncAudit"),
                .product(name: "ConflictAudit", package: "SyncAudit"), .product(name: "ConflictAuditTesting", package: "SyncAudit"),
                .product(name: "SyncLayer", package: "SyncAudit"), .product(name: "SyncLayerTesting", package: "SyncAudit"),
            ])
    ]
)
