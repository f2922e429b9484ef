/// The systems that a target is built for, by its resolved settings.
struct BuildPlatforms {
    /// The names of SDKs in the order in which they are named.
    private(set) var sdks: [String] = []
    /// The systems.
    private(set) var all: Set<BuildTarget.Platform> = []

    private static let platforms: [String: BuildTarget.Platform] = [
        "iphoneos": .iOS, "macosx": .macOS, "appletvos": .tvOS, "watchos": .watchOS, "xros": .visionOS,
    ]
    private static let simulators = [
        "iphonesimulator": "iphoneos", "appletvsimulator": "appletvos", "watchsimulator": "watchos", "xrsimulator": "xros",
    ]
    /// What a device family stands for where no SDK is named; Source: Xcode's build settings reference, TARGETED_DEVICE_FAMILY.
    private static let families = ["1": "iphoneos", "2": "iphoneos", "3": "appletvos", "4": "watchos", "6": "iphoneos", "7": "xros"]

    /// Adds the systems of one configuration, whose settings are found by name.
    mutating func add(_ setting: (String) -> String?) {
        var names = (setting("SUPPORTED_PLATFORMS") ?? "").split(separator: " ").compactMap { Self.sdk(String($0)) }
        if names.isEmpty, let name = Self.sdk(setting("SDKROOT") ?? "") { names = [name] }
        if names.isEmpty {
            let families = (setting("TARGETED_DEVICE_FAMILY") ?? "").split { $0 == "," || $0 == " " }
            names = families.compactMap { Self.families[String($0)] }
        }
        for name in names {
            add(sdk: name)
            if let platform = Self.platforms[name] { all.insert(platform) }
        }
        if names.contains("iphoneos"), setting("SUPPORTS_MACCATALYST")?.uppercased() == "YES" {
            // Built with the SDK of macOS, and no app of macOS.
            add(sdk: "macosx")
            all.insert(.catalyst)
        }
    }

    private mutating func add(sdk name: String) {
        if !sdks.contains(name) { sdks.append(name) }
    }

    /// The SDK for devices that a name with a version, a simulator's or a path of an SDK stands for; nil for `auto` and others.
    private static func sdk(_ text: String) -> String? {
        var name = RelativePath.name(of: text).lowercased()
        if name.hasSuffix(".sdk") { name.removeLast(4) }
        name = String(name.prefix { !$0.isNumber })
        name = simulators[name] ?? name
        return platforms[name] == nil ? nil : name
    }
}

extension BuildConfiguration {
    /// A configuration that is for development where its settings or its name say so.
    init(name: String, settings: [String: BuildSetting]) {
        let conditions = settings["SWIFT_ACTIVE_COMPILATION_CONDITIONS"]?.text.split(separator: " ") ?? []
        let definitions = settings["GCC_PREPROCESSOR_DEFINITIONS"]?.text.split(separator: " ") ?? []
        let isDebug = conditions.contains("DEBUG") || definitions.contains("DEBUG=1") || name.lowercased().contains("debug")
        self.init(name: name, isDebug: isDebug, settings: settings)
    }
}
