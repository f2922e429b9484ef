// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "sync-benchmarks", targets: ["SyncBenchmarks"])
    ],
    dependencies: [
        .package(name: "SyncAudit", path: "../.."), .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .target(name: "SeededRandom"),
        .executableTarget(
            name: "LogBenchmarks",
            dependencies: [
                .product(name: "AuditLog", package: "SyncAudit"), .product(name: "ConflictAudit", package: "SyncAudit"),
                .product(name: "SyncMerge", package: "SyncAudit"), .product(name: "SyncModel", package: "SyncAudit"),
                "SeededRandom",
            ]),
        .executableTarget(
            name: "SyncBenchmarks",
            dependencies: [
                .product(name: "SyncModel", package: "SyncAudit"), .product(name: "SyncMerge", package: "SyncAudit"),
                .product(name: "ConflictAudit", package: "SyncAudit"), .product(name: "AuditLog", package: "SyncAudit"),
                .product(name: "SyncLayer", package: "SyncAudit"), .product(name: "SyncRecords", package: "SyncAudit"),
                .product(name: "SyncObservation", package: "SyncAudit"),
                .product(name: "GRDB", package: "GRDB.swift"), "CBareSQLite", "SeededRandom",
            ]),
        .systemLibrary(name: "CBareSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    ]
)
