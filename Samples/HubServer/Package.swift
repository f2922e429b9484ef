// swift-tools-version: 6.2
import PackageDescription

// A package of its own, since it depends on others: a server for the hubs of HTTPHub, and its tests over real sockets.
let package = Package(
    name: "HubServer",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "SyncAudit", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .target(
            name: "HubServing",
            dependencies: [
                .product(name: "SyncAudit", package: "SyncAudit"), .product(name: "SyncHTTP", package: "SyncAudit"),
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .executableTarget(
            name: "HubServer",
            dependencies: [
                "HubServing", .product(name: "SyncAudit", package: "SyncAudit"), .product(name: "Logging", package: "swift-log"),
            ]),
        .executableTarget(
            name: "TwoPhones",
            dependencies: [
                .product(name: "SyncAudit", package: "SyncAudit"), .product(name: "SyncHTTP", package: "SyncAudit"),
                .product(name: "SyncURLSession", package: "SyncAudit"),
            ]),
        .testTarget(
            name: "HubServerTests",
            dependencies: [
                "HubServing", .product(name: "SyncLayerTesting", package: "SyncAudit"), .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SyncURLSession", package: "SyncAudit"),
            ]),
    ]
)
