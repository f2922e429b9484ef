// swift-tools-version: 6.2
import PackageDescription

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "SyncAudit") }

#if os(macOS)
    let packages: [Package.Dependency] = []
    let adapters = [product("SyncAuditApple")]
    let settings: [SwiftSetting] = []
#else
    // Where Apple's frameworks are not to be had, the adapters are those that were compiled against stand-ins of them.
    let packages: [Package.Dependency] = [.package(name: "AppleStubs", path: "../../Tests/AppleStubs")]
    let adapters: [Target.Dependency] = [.product(name: "StandIns", package: "AppleStubs")]
    let settings: [SwiftSetting] = [.unsafeFlags(["-module-alias", "SyncAuditApple=AppleAdapter"])]
#endif

let package = Package(
    name: "SwiftDataNotes",
    platforms: [.macOS(.v14), .iOS(.v17)],
    products: [.library(name: "SwiftDataNotes", targets: ["SwiftDataNotes"])],
    dependencies: [.package(name: "SyncAudit", path: "../..")] + packages,
    targets: [
        .target(
            name: "SwiftDataNotes",
            dependencies: adapters, swiftSettings: settings),
        .executableTarget(name: "NotesApp", dependencies: ["SwiftDataNotes"] + adapters, swiftSettings: settings),
        .testTarget(
            name: "SwiftDataNotesTests",
            dependencies: ["SwiftDataNotes", product("SyncLayer"), product("SyncLayerTesting"), product("ConflictAuditTesting")] + adapters,
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
