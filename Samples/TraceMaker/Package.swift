// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "TraceMaker",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "SyncAudit", path: "../..")],
    targets: [
        .executableTarget(
            name: "TraceMaker",
            dependencies: [
                .product(name: "AuditLog", package: "SyncAudit"), .product(name: "ConflictAudit", package: "SyncAudit"),
                .product(name: "SyncMerge", package: "SyncAudit"), .product(name: "SyncModel", package: "SyncAudit"),
            ])
    ]
)
