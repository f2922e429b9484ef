package import FileFormats
import SyncBytes

/// The targets of a specification for XcodeGen, `project.yml`.
///
/// Source: `Docs/ProjectSpec.md` of *yonaskolb/XcodeGen*.
package struct XcodeGenProject {
    let files: ProjectFiles
    let folder: String
    private var specification: XcodeGenSpecification
    private var list: PropertyList { specification.list }
    /// How many paths and patterns of paths the targets may still be given together.
    var remainingPaths = 5_000_000
    private var remainingSettings = 5_000_000
    private let name: String
    private var ownNotes: [Note] = []
    /// What could not be read or decided.
    package var notes: [Note] { specification.notes + ownNotes }
    package private(set) var targets: [BuildTarget] = []
    /// What will be written to property lists that do not exist, by their path.
    package private(set) var generatedPropertyLists: [String: Project.GeneratedPropertyList] = [:]

    /// Reads a specification; nil where the file has no targets and is none.
    package init?(_ file: SourceFile, files: ProjectFiles, settingsFiles: inout BuildSettingsFiles) throws(FormatError) {
        specification = try XcodeGenSpecification(file, files: files)
        let list = specification.list
        guard list["targets"] != nil || list["include"] != nil && list["name"] != nil else { return nil }
        self.files = files
        folder = RelativePath.folder(of: file.path)
        name = list["name"]?.scalarText ?? RelativePath.name(of: folder)
        for entry in list["targets"]?.entries ?? [] { read(entry, &settingsFiles) }
    }

    mutating func note(_ offset: Int, _ sentence: String) {
        ownNotes.append(Note(location(at: offset), sentence))
    }

    private func location(at offset: Int) -> SourceLocation { specification.location(at: offset) }

    private mutating func read(_ entry: PropertyList.Entry, _ settingsFiles: inout BuildSettingsFiles) {
        let target = specification.resolved(entry)
        let type = target["type"]?.scalarText ?? ""
        let platforms = platforms(of: target)
        var dependencies: [String] = []
        for dependency in target["dependencies"]?.elements ?? [] {
            if let name = dependency["target"]?.scalarText ?? dependency["product"]?.scalarText ?? dependency["package"]?.scalarText {
                // A target of another project is named behind a slash.
                dependencies.append(RelativePath.name(of: name))
            }
        }
        let defaults = defaultAssignments(target, name: entry.key)
        let configurations = configurations.map { name, type in
            let levels = [
                fileAssignments(list["configFiles"], configuration: name, &settingsFiles),
                assignments(list["settings"], configuration: name),
                fileAssignments(target["configFiles"], configuration: name, &settingsFiles),
                defaults + assignments(target["settings"], configuration: name),
            ]
            remainingSettings -= levels.reduce(0) { $0 + $1.count }
            guard remainingSettings > 0 else {
                note(entry.keyOffset, "the specification has too many build settings; those of \(entry.key.quoted) are not read")
                return BuildConfiguration(name: name, isDebug: type == "debug", settings: [:])
            }
            var resolver = BuildSettingsResolver(
                levels: levels, target: entry.key, configuration: name, project: self.name, sdks: platforms.sdks)
            var configuration = BuildConfiguration(name: name, settings: resolver.all())
            let base = [target["configFiles"], list["configFiles"]].compactMap { $0?[name]?.scalarText }.first
            configuration.settingsFile = base.flatMap { files.joined(folder, $0) }
            configuration.isComplete = [target["configFiles"], list["configFiles"]].allSatisfy { named in
                guard let text = named?[name]?.scalarText else { return true }
                return files.joined(folder, text).map(settingsFiles.isComplete) ?? false
            }
            // A specification's configuration of the type debug defines DEBUG by itself.
            return type == "debug" ? configuration.asDebug(settings: resolver.all()) : configuration
        }
        var result = BuildTarget(
            name: entry.key, kind: Self.kind(type), platforms: platforms.all, configurations: configurations,
            files: sources(of: target, entry.key),
            dependencies: dependencies, location: location(at: entry.keyOffset))
        result.folder = folder
        targets.append(result)
    }

    private static func kind(_ type: String) -> BuildTarget.Kind {
        // A few types have names of their own in specifications.
        type == "framework.static" ? .library : BuildTarget.Kind(productType: type)
    }

    private mutating func platforms(of target: PropertyList) -> (sdks: [String], all: Set<BuildTarget.Platform>) {
        var (sdks, all): ([String], Set<BuildTarget.Platform>) = ([], [])
        let names = target["supportedDestinations"] ?? target["platform"]
        for name in names?.scalarTexts ?? [] {
            let (sdk, platform): (String, BuildTarget.Platform)
            switch name.lowercased() {
            case "ios": (sdk, platform) = ("iphoneos", .iOS)
            case "macos": (sdk, platform) = ("macosx", .macOS)
            case "tvos": (sdk, platform) = ("appletvos", .tvOS)
            case "watchos": (sdk, platform) = ("watchos", .watchOS)
            case "visionos": (sdk, platform) = ("xros", .visionOS)
            case "maccatalyst": (sdk, platform) = ("macosx", .catalyst)
            case "auto": continue
            default:
                note(names?.offset ?? 0, "the platform \(name.quoted) is not known")
                continue
            }
            if !sdks.contains(sdk) { sdks.append(sdk) }
            all.insert(platform)
        }
        return (sdks, all)
    }

    /// The configurations with their types; without a list Debug and Release.
    private var configurations: [(name: String, type: String)] {
        let named = (list["configs"]?.entries ?? []).map { ($0.key, $0.value.scalarText ?? "") }
        return named.isEmpty ? [("Debug", "debug"), ("Release", "release")] : named
    }

    /// The settings that the specification's other keys stand for.
    private mutating func defaultAssignments(_ target: PropertyList, name: String) -> [BuildAssignment] {
        var result: [BuildAssignment] = []
        if let prefix = list["options"]?["bundleIdPrefix"], let text = prefix.scalarText {
            let location = location(at: prefix.offset)
            result.append(
                BuildAssignment(name: "PRODUCT_BUNDLE_IDENTIFIER", text: "\(text).$(TARGET_NAME:rfc1034identifier)", location: location))
        }
        for (key, setting) in [("entitlements", "CODE_SIGN_ENTITLEMENTS"), ("info", "INFOPLIST_FILE")] {
            guard let value = target[key], let path = value["path"] ?? (value.scalarText == nil ? nil : value), let text = path.scalarText
            else { continue }
            result.append(BuildAssignment(name: setting, text: text, location: location(at: path.offset)))
            guard let properties = value["properties"], !properties.entries.isEmpty else { continue }
            guard let full = files.joined(folder, text) else {
                note(path.offset, "the file \(text.quoted) of the target \(name.quoted) is outside of the project's folder")
                continue
            }
            if !files.contains(full) { generatedPropertyLists[full] = .init(specification.own(properties)) }
        }
        return result
    }

    private mutating func fileAssignments(
        _ list: PropertyList?, configuration: String, _ settingsFiles: inout BuildSettingsFiles
    ) -> [BuildAssignment] {
        guard let entry = list?.entry(configuration), let text = entry.value.scalarText else { return [] }
        guard let path = files.joined(folder, text) else {
            note(entry.value.offset, "the file \(text.quoted) is outside of the project's folder")
            return []
        }
        return settingsFiles.assignments(of: path, from: location(at: entry.value.offset))
    }

    /// The settings of the groups, of `base` and of a configuration, or those of a plain mapping.
    private mutating func assignments(_ settings: PropertyList?, configuration: String) -> [BuildAssignment] {
        var (result, count): ([BuildAssignment], Int) = ([], 0)
        if let settings { append(settings, configuration, &count, to: &result) }
        return result
    }

    /// Adds what overrides after what is overridden: groups, `base`, then configurations, which may name groups themselves.
    private mutating func append(_ settings: PropertyList, _ configuration: String, _ count: inout Int, to result: inout [BuildAssignment])
    {
        guard remainingSettings > 0, count <= 100 else { return }
        count += 1
        guard count <= 100 else {
            note(settings.offset, "more than 100 groups of settings, or groups that name each other")
            return
        }
        for group in settings["groups"]?.scalarTexts ?? [] {
            if let found = list["settingGroups"]?[group] {
                append(found, configuration, &count, to: &result)
            } else {
                note(settings.offset, "the group of settings \(group.quoted) is not defined")
            }
        }
        let isStructured = ["base", "configs", "groups"].contains { settings[$0] != nil }
        append(isStructured ? settings["base"] : settings, to: &result)
        for entry in settings["configs"]?.entries ?? [] where matches(entry.key, configuration) {
            append(entry.value, configuration, &count, to: &result)
        }
    }

    /// Whether a key of `configs` stands for a configuration: by a part of its name, unless another one has the key as its name.
    private func matches(_ key: String, _ configuration: String) -> Bool {
        key == configuration
            || configuration.lowercased().contains(key.lowercased()) && !configurations.contains { $0.name == key }
    }

    private mutating func append(_ settings: PropertyList?, to result: inout [BuildAssignment]) {
        remainingSettings -= settings?.entries.count ?? 0
        guard remainingSettings > 0 else { return }
        for entry in settings?.entries ?? [] {
            let text = entry.value.scalarTexts.joined(separator: " ")
            if let assignment = BuildAssignment(spelled: entry.key, text: text, location: location(at: entry.keyOffset)) {
                result.append(assignment)
            } else {
                note(entry.keyOffset, "\(entry.key.quoted) is no name of a build setting")
            }
        }
    }
}

extension BuildConfiguration {
    fileprivate func asDebug(settings: [String: BuildSetting]) -> BuildConfiguration {
        var debug = BuildConfiguration(name: name, isDebug: true, settings: settings)
        (debug.settingsFile, debug.isComplete) = (settingsFile, isComplete)
        return debug
    }
}
