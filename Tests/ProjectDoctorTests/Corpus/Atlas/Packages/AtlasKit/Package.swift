// swift-tools-version: 5.10
import PackageDescription

let package = Package(
    name: "AtlasKit",
    platforms: [.iOS(.v17)],
    products: [
        .library(name: "AtlasModels", targets: ["AtlasModels"]),
        .library(name: "AtlasStore", targets: ["AtlasStore"]),
    ],
    targets: [
        .target(name: "AtlasModels"),
        .target(name: "AtlasStore", dependencies: ["AtlasModels"]),
        .testTarget(name: "AtlasStoreTests", dependencies: ["AtlasStore"]),
    ]
)
