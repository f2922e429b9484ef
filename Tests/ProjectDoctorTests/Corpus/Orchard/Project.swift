import ProjectDescription

let project = Project(
    name: "Orchard",
    organizationName: "Example",
    targets: [
        .target(
            name: "Orchard",
            destinations: [.iPhone, .iPad],
            product: .app,
            bundleId: "org.example.orchard",
            deploymentTargets: .iOS("17.4"),
            infoPlist: .extendingDefault(with: [
                "UILaunchScreen": [:],
                "UIBackgroundModes": ["remote-notification"],
            ]),
            sources: ["Orchard/Sources/**"],
            resources: ["Orchard/Resources/**"],
            entitlements: .file(path: "Orchard/Orchard.entitlements"),
            dependencies: []
        ),
        .target(
            name: "OrchardTests",
            destinations: [.iPhone],
            product: .unitTests,
            bundleId: "org.example.orchard.tests",
            infoPlist: .default,
            sources: ["Orchard/Tests/**"],
            dependencies: [.target(name: "Orchard")]
        ),
    ]
)
