/// The targets of a `Project.swift` of Tuist, as far as it writes them out: nothing is evaluated.
///
/// Source: the reference of `ProjectDescription` of *tuist/tuist*.
struct TuistProject {
    let files: ProjectFiles
    let folder: String
    let path: String
    let lines: LineTable
    /// How many paths and patterns of paths the targets may still be given together.
    var remainingPaths = 5_000_000
    private(set) var notes: [Note] = []
    private(set) var targets: [BuildTarget] = []
    /// What will be written to property lists that do not exist, by their path.
    var generatedPropertyLists: [String: Project.GeneratedPropertyList] = [:]
    /// Whether every target that is found is read.
    private(set) var isComplete = true
    private var name: String
    private var settings: ManifestExpression?

    private static let kinds: [String: BuildTarget.Kind] = [
        "app": .app, "appClip": .app, "watch2App": .app, "appExtension": .appExtension, "extensionKitExtension": .appExtension,
        "watch2Extension": .appExtension, "messagesExtension": .appExtension, "stickerPackExtension": .appExtension,
        "tvTopShelfExtension": .appExtension, "framework": .library, "staticFramework": .library, "staticLibrary": .library,
        "dynamicLibrary": .library, "unitTests": .tests, "uiTests": .tests,
    ]
    private static let platforms: [String: (sdk: String, platform: BuildTarget.Platform)] = [
        "iOS": ("iphoneos", .iOS), "iPhone": ("iphoneos", .iOS), "iPad": ("iphoneos", .iOS), "macOS": ("macosx", .macOS),
        "mac": ("macosx", .macOS), "macCatalyst": ("macosx", .catalyst), "tvOS": ("appletvos", .tvOS), "appleTv": ("appletvos", .tvOS),
        "watchOS": ("watchos", .watchOS), "appleWatch": ("watchos", .watchOS), "visionOS": ("xros", .visionOS),
        "appleVision": ("xros", .visionOS),
    ]

    /// Reads a manifest; nil where a file of this name is no manifest.
    init?(_ file: SourceFile, files: ProjectFiles, settingsFiles: inout BuildSettingsFiles) {
        var reader = ManifestReader(file.bytes)
        guard reader.imports("ProjectDescription") else { return nil }
        self.files = files
        path = file.path
        folder = RelativePath.folder(of: file.path)
        lines = LineTable(file)
        let project = reader.calls(["Project"]).first
        name = project?["name"]?.string ?? RelativePath.name(of: folder)
        settings = project?["settings"]
        for call in reader.calls(["target", "Target"]) { read(call, &settingsFiles) }
    }

    mutating func note(_ offset: Int, _ sentence: String) { notes.append(Note(lines.location(at: offset), sentence)) }

    private mutating func read(_ call: ManifestExpression, _ settingsFiles: inout BuildSettingsFiles) {
        guard let name = call["name"]?.string, let product = call["product"]?.name else {
            // `.target(name:)` alone is a dependency.
            if !call.isUnknown, call["product"] == nil { return }
            isComplete = false
            return note(call.offset, "the name or product of a target is not written out; the target is not read")
        }
        var (sdks, platforms): ([String], Set<BuildTarget.Platform>) = ([], [])
        let destinations = call["destinations"] ?? call["platform"]
        for name in [destinations?.name].compactMap(\.self) + (destinations?.elements ?? []).compactMap(\.name) {
            guard let (sdk, platform) = Self.platforms[name] else { continue }
            if !sdks.contains(sdk) { sdks.append(sdk) }
            platforms.insert(platform)
        }
        var dependencies: [String] = []
        for dependency in call["dependencies"]?.elements ?? [] {
            let named = ["name", "target", "product"].compactMap { dependency[$0]?.string }.first
            if let name = named ?? dependency.arguments.first?.value.string { dependencies.append(name) }
        }
        let lists = propertyLists(call, name: name)
        let configurations = configurations(call["settings"]).map { configuration, isDebug in
            let levels = [settings, call["settings"]].map { assignments($0, configuration, &settingsFiles) }
            var resolver = BuildSettingsResolver(
                levels: [levels[0].assignments, lists + levels[1].assignments], target: name, configuration: configuration,
                project: self.name, sdks: sdks)
            let settings = resolver.all()
            var result = BuildConfiguration(name: configuration, settings: settings)
            if isDebug { result = BuildConfiguration(name: configuration, isDebug: true, settings: settings) }
            result.isComplete = levels.allSatisfy(\.isComplete)
            result.settingsFile = levels.compactMap(\.file).last
            return result
        }
        var target = BuildTarget(
            name: name, kind: Self.kinds[product] ?? .other, platforms: platforms, configurations: configurations,
            files: sources(of: call, name: name), dependencies: dependencies, location: lines.location(at: call.offset))
        target.folder = folder
        targets.append(target)
    }

    // MARK: Settings

    /// The configurations that a target or else the project names; without any Debug and Release.
    private func configurations(_ own: ManifestExpression?) -> [(name: String, isDebug: Bool)] {
        for settings in [own, settings] {
            let named = (settings?["configurations"]?.elements ?? []).prefix(100).map { (Self.configurationName($0), $0.name == "debug") }
            if !named.isEmpty { return named }
        }
        return [("Debug", true), ("Release", false)]
    }

    /// The name of `.debug(name: "Debug")`, `.release(name: .release)` or `.debug(name: .configuration("Beta"))`.
    private static func configurationName(_ call: ManifestExpression) -> String {
        let name = call["name"]
        return name?.string ?? name?.arguments.first?.value.string ?? ((name?.name ?? call.name) == "debug" ? "Debug" : "Release")
    }

    /// What settings give to a configuration, and whether all of it is written out.
    private func assignments(
        _ settings: ManifestExpression?, _ configuration: String, _ settingsFiles: inout BuildSettingsFiles
    ) -> (assignments: [BuildAssignment], isComplete: Bool, file: String?) {
        guard let settings else { return ([], true, nil) }
        guard settings.name == "settings" || settings.name == "Settings" else { return ([], false, nil) }
        let own = settings["configurations"]?.elements.first { Self.configurationName($0) == configuration }
        let file = own?["xcconfig"].flatMap { path($0) }
        var (result, isComplete): ([BuildAssignment], Bool) = ([], true)
        if let file, let offset = own?["xcconfig"]?.offset {
            result = settingsFiles.assignments(of: file, from: lines.location(at: offset))
            isComplete = settingsFiles.isComplete(file)
        } else if own?["xcconfig"].map({ $0.name != "nil" }) ?? false {
            isComplete = false
        }
        for dictionary in [settings["base"], settings[configuration.lowercased()], own?["settings"]].compactMap(\.self) {
            if dictionary.entries.isEmpty, !dictionary.elements.isEmpty || dictionary.isUnknown || dictionary.name != nil {
                isComplete = false
            }
            for (key, value) in dictionary.entries {
                let values = [value.string].compactMap(\.self) + value.elements.compactMap(\.string)
                let inner = value.arguments.first?.value
                let text = (values.isEmpty ? [inner?.string].compactMap(\.self) + (inner?.elements ?? []).compactMap(\.string) : values)
                    .joined(separator: " ")
                guard let name = key.string,
                    let assignment = BuildAssignment(spelled: name, text: text, location: lines.location(at: key.offset))
                else {
                    isComplete = false
                    continue
                }
                result.append(assignment)
            }
        }
        return (result, isComplete, file)
    }
}
