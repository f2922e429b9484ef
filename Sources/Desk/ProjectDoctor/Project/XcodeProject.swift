package import FileFormats
import SyncBytes

/// The targets of one `project.pbxproj`.
package struct XcodeProject {
    let files: ProjectFiles
    let lines: LineTable
    /// The folder that the paths of the project file start from.
    let folder: String
    /// The objects of the project file by their identifier.
    let objects: [String: PropertyList.Entry]
    let project: PropertyList
    /// Where the objects of the group tree are; filled by `locateGroups`.
    var locations: [String: Location] = [:]
    /// How many paths the targets may still be given together.
    var remainingPaths = 2_000_000
    private var remainingSettings = 5_000_000
    private let name: String
    /// What could not be parsed or decided.
    package internal(set) var notes: [Note] = []
    package private(set) var targets: [BuildTarget] = []

    /// How many keys an object may have; those of Xcode have some twenty.
    private static let maximumKeys = 1000
    /// How many configurations a list may have.
    private static let maximumConfigurations = 100

    /// Where the object of a group tree is.
    enum Location {
        case inside(String)
        /// The path as it is written, which leads out of the project's folder.
        case outside(String)
        /// In the products or an SDK.
        case elsewhere

        var length: Int {
            switch self {
            case .inside(let path), .outside(let path): path.utf8.count
            case .elsewhere: 0
            }
        }
    }

    /// Reads the targets of a project file.
    ///
    /// - Throws: `FormatError` where it is no property list or has no project.
    package init(_ file: SourceFile, files: ProjectFiles, settingsFiles: inout BuildSettingsFiles) throws(FormatError) {
        let list = try PropertyList.parse(file.bytes)
        self.files = files
        lines = LineTable(file)
        var objects: [String: PropertyList.Entry] = [:]
        for entry in list["objects"]?.entries ?? [] {
            guard entry.value.entries.count <= Self.maximumKeys else {
                notes.append(
                    Note(lines.location(at: entry.keyOffset), "the object \(entry.key.quoted) has more than \(Self.maximumKeys) keys"))
                continue
            }
            guard let earlier = objects.updateValue(entry, forKey: entry.key) else { continue }
            objects[entry.key] = earlier
            notes.append(Note(lines.location(at: entry.keyOffset), "the object \(entry.key.quoted) occurs twice; the first is kept"))
        }
        guard let root = list["rootObject"]?.string, let project = objects[root]?.value, project["isa"]?.string == "PBXProject" else {
            throw FormatError(at: list.offset, "the project file names no project in rootObject")
        }
        self.objects = objects
        self.project = project
        let bundle = RelativePath.folder(of: file.path)
        name = RelativePath.stem(of: bundle)
        let outer = RelativePath.folder(of: bundle)
        let inner = project["projectDirPath"]?.string ?? ""
        folder = files.joined(outer, inner) ?? outer
        if RelativePath.joined(outer, inner) == nil {
            notes.append(Note(lines.location(at: project.offset), "projectDirPath \(inner.quoted) leads out of the project's folder"))
        }
        locateGroups()
        readTargets(&settingsFiles)
    }

    func object(_ identifier: String?) -> PropertyList? {
        identifier.flatMap { objects[$0]?.value }
    }

    mutating func note(_ offset: Int, _ sentence: String) {
        notes.append(Note(lines.location(at: offset), sentence))
    }

    private mutating func readTargets(_ settingsFiles: inout BuildSettingsFiles) {
        let identifiers = project["targets"]?.strings ?? []
        var products: [String: String] = [:]
        for identifier in identifiers {
            guard let target = object(identifier), let product = target["productReference"]?.string else { continue }
            products[product] = targetName(target)
        }
        let exceptions = synchronizedExceptions()
        let projectConfigurations = configurations(of: project)
        var seen: Set<String> = []
        for identifier in identifiers where seen.insert(identifier).inserted {
            guard let entry = objects[identifier], let kind = Self.kind(entry.value) else {
                note(project.offset, "the target \(identifier.quoted) is not among the objects")
                continue
            }
            let target = entry.value
            let (configurations, platforms) = configurations(
                of: target, name: targetName(target), projectConfigurations: projectConfigurations, &settingsFiles)
            let paths = paths(of: target, identifier: identifier, exceptions: exceptions)
            var result = BuildTarget(
                name: targetName(target), kind: kind, platforms: platforms, configurations: configurations, files: paths.all,
                dependencies: dependencies(of: target, products: products),
                location: lines.location(at: entry.keyOffset))
            result.folder = folder
            result.systems = paths.systems
            targets.append(result)
        }
    }

    private func targetName(_ target: PropertyList) -> String {
        target["name"]?.string ?? target["productName"]?.string ?? ""
    }

    /// Nil where an object is no target.
    private static func kind(_ target: PropertyList) -> BuildTarget.Kind? {
        switch target["isa"]?.string {
        case "PBXNativeTarget": break
        case "PBXAggregateTarget", "PBXLegacyTarget": return .other
        default: return nil
        }
        return BuildTarget.Kind(productType: target["productType"]?.string ?? "")
    }

    /// The names of targets that a target depends on or embeds, and of the package products that it links.
    private mutating func dependencies(of target: PropertyList, products: [String: String]) -> [String] {
        var names: [String] = []
        remainingPaths -= target["dependencies"]?.elements.count ?? 0
        guard remainingPaths > 0 else { return [] }
        for dependency in (target["dependencies"]?.strings ?? []).compactMap({ object($0) }) {
            let named = object(dependency["target"]?.string).map(targetName) ?? dependency["name"]?.string
            let proxy = object(dependency["targetProxy"]?.string)?["remoteInfo"]?.string
            if let name = named ?? proxy ?? object(dependency["productRef"]?.string)?["productName"]?.string { names.append(name) }
        }
        for phase in (target["buildPhases"]?.strings ?? []).compactMap({ object($0) })
        where ["PBXCopyFilesBuildPhase", "PBXFrameworksBuildPhase"].contains(phase["isa"]?.string) {
            remainingPaths -= phase["files"]?.elements.count ?? 0
            guard remainingPaths > 0 else { break }
            for file in (phase["files"]?.strings ?? []).compactMap({ object($0) }) {
                if let name = file["fileRef"]?.string.flatMap({ products[$0] ?? foreignProduct($0) }) {
                    names.append(name)
                } else if let name = object(file["productRef"]?.string)?["productName"]?.string {
                    names.append(name)
                }
            }
        }
        for product in target["packageProductDependencies"]?.strings ?? [] {
            if let name = object(product)?["productName"]?.string { names.append(name) }
        }
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }

    /// The name of the library that another project of the workspace makes, where a reference is to one.
    private func foreignProduct(_ reference: String) -> String? {
        guard let object = object(reference), object["sourceTree"]?.string == "BUILT_PRODUCTS_DIR", let path = object["path"]?.string,
            path.hasSuffix(".framework") || path.hasSuffix(".a")
        else { return nil }
        let name = RelativePath.stem(of: path)
        return path.hasSuffix(".a") && name.hasPrefix("lib") ? String(name.dropFirst(3)) : name
    }

    private mutating func configurations(of owner: PropertyList) -> [PropertyList] {
        let list = object(owner["buildConfigurationList"]?.string)
        let identifiers = list?["buildConfigurations"]?.strings ?? []
        if identifiers.count > Self.maximumConfigurations {
            note(owner.offset, "of \(identifiers.count) build configurations only \(Self.maximumConfigurations) are read")
        }
        return identifiers.prefix(Self.maximumConfigurations).compactMap { object($0) }
    }

    private mutating func configurations(
        of target: PropertyList, name: String, projectConfigurations: [PropertyList], _ settingsFiles: inout BuildSettingsFiles
    ) -> ([BuildConfiguration], Set<BuildTarget.Platform>) {
        let projectList = object(project["buildConfigurationList"]?.string)
        let defaultName = projectList?["defaultConfigurationName"]?.string
        var levels: [(name: String, file: String?, isComplete: Bool, levels: [[BuildAssignment]])] = []
        for configuration in configurations(of: target) {
            let configurationName = configuration["name"]?.string ?? ""
            let outer =
                projectConfigurations.first { $0["name"]?.string == configurationName }
                ?? projectConfigurations.first { $0["name"]?.string == defaultName }
            var own: [[BuildAssignment]] = []
            var isComplete = true
            for source in [outer, configuration].compactMap(\.self) {
                let base = baseAssignments(of: source, &settingsFiles)
                isComplete = isComplete && base.isComplete
                own.append(base.assignments)
                own.append(assignments(of: source))
            }
            remainingSettings -= own.reduce(0) { $0 + $1.count }
            guard remainingSettings > 0 else {
                note(configuration.offset, "the project has too many build settings; those of \(name.quoted) and what follows are not read")
                break
            }
            levels.append((configurationName, [configuration, outer].compactMap { $0.flatMap(basePath) }.first, isComplete, own))
        }
        func resolver(_ configuration: String, _ levels: [[BuildAssignment]], _ sdks: [String]) -> BuildSettingsResolver {
            BuildSettingsResolver(levels: levels, target: name, configuration: configuration, project: self.name, sdks: sdks)
        }
        var platforms = BuildPlatforms()
        for entry in levels {
            var plain = resolver(entry.name, entry.levels, [])
            platforms.add { plain.setting($0)?.text }
        }
        let result = levels.map { entry in
            var resolver = resolver(entry.name, entry.levels, platforms.sdks)
            var configuration = BuildConfiguration(name: entry.name, settings: resolver.all())
            (configuration.settingsFile, configuration.isComplete) = (entry.file, entry.isComplete)
            return configuration
        }
        return (result, platforms.all)
    }

    /// The path of the file that a configuration is based on.
    private func basePath(_ configuration: PropertyList) -> String? {
        let reference = configuration["baseConfigurationReference"] ?? configuration["baseConfigurationReferenceAnchor"]
        guard let identifier = reference?.string else { return nil }
        // One that no group has starts from the project's folder.
        let found = locations[identifier] ?? object(identifier).map { location(of: $0, parent: .inside(folder)) }
        guard case .inside(let path) = found else { return nil }
        return configuration["baseConfigurationReferenceRelativePath"]?.string.map { files.joined(path, $0) } ?? path
    }

    /// The settings of the file that a configuration is based on, and whether they are all of them.
    private mutating func baseAssignments(
        of configuration: PropertyList, _ settingsFiles: inout BuildSettingsFiles
    ) -> (assignments: [BuildAssignment], isComplete: Bool) {
        let reference = configuration["baseConfigurationReference"] ?? configuration["baseConfigurationReferenceAnchor"]
        guard let reference, reference.string != nil else { return ([], true) }
        guard let path = basePath(configuration) else {
            note(reference.offset, "the file of build settings of a configuration is not in the project's folder")
            return ([], false)
        }
        let assignments = settingsFiles.assignments(of: path, from: lines.location(at: reference.offset))
        return (assignments, settingsFiles.isComplete(path))
    }

    private mutating func assignments(of configuration: PropertyList) -> [BuildAssignment] {
        var result: [BuildAssignment] = []
        for entry in configuration["buildSettings"]?.entries ?? [] {
            let text = entry.value.strings.joined(separator: " ")
            if let assignment = BuildAssignment(spelled: entry.key, text: text, location: lines.location(at: entry.keyOffset)) {
                result.append(assignment)
            } else {
                note(entry.keyOffset, "\(entry.key.quoted) is no name of a build setting")
            }
        }
        return result
    }
}

extension BuildTarget.Kind {
    /// The kind of what a target of Xcode produces, such as `com.apple.product-type.application`.
    init(productType: String) {
        let prefix = "com.apple.product-type."
        let type = productType.hasPrefix(prefix) ? String(productType.dropFirst(prefix.utf8.count)) : productType
        if type == "application" || type.hasPrefix("application.") {
            self = .app
        } else if type == "app-extension"
            || ["app-extension.", "extensionkit-ext", "watchkit", "tv-app-ext"].contains(where: { type.hasPrefix($0) })
        {
            self = .appExtension
        } else if type == "framework" || type.hasPrefix("framework.") || type.hasPrefix("library.") {
            self = .library
        } else if ["bundle.unit-test", "bundle.ui-testing", "bundle.ocunit-test"].contains(type) {
            self = .tests
        } else {
            self = .other
        }
    }
}
