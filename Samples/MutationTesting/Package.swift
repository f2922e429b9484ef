// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "MutationTesting",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "mutation-testing", targets: ["MutationTesting"])
    ],
    dependencies: [.package(url: "https://github.com/swiftlang/swift-syntax.git", exact: "603.0.1")],
    targets: [
        .executableTarget(
            name: "MutationTesting",
            dependencies: [
                .product(name: "SwiftOperators", package: "swift-syntax"), .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"), .strictMemorySafety(),
            ])
    ]
)
