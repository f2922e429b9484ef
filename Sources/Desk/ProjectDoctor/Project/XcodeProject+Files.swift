import FileFormats
import SyncBytes

extension XcodeProject {
    /// What a synchronized folder says of its members: paths that are left out of one target, or added to another.
    struct SynchronizedException {
        let folder: String
        let group: String
        let paths: [String]
    }

    /// Finds the paths of everything in the group tree, without recursion.
    mutating func locateGroups() {
        guard let root = project["mainGroup"]?.string else { return note(project.offset, "the project has no main group") }
        var pending: [(identifier: String, parent: Location)] = [(root, .inside(folder))]
        var reported = 0
        while let (identifier, parent) = pending.popLast() {
            guard let entry = objects[identifier] else { continue }
            guard locations[identifier] == nil else {
                reported += 1
                if reported <= 10 {
                    note(entry.keyOffset, "the group or file \(identifier.quoted) is twice in the groups, or inside itself")
                }
                continue
            }
            let location = location(of: entry.value, parent: parent)
            locations[identifier] = location
            for child in (entry.value["children"]?.strings ?? []).reversed() { pending.append((child, location)) }
        }
    }

    func location(of object: PropertyList, parent: Location) -> Location {
        let path = object["path"]?.string ?? ""
        let base: Location
        switch object["sourceTree"]?.string {
        case "<group>", nil: base = parent
        case "SOURCE_ROOT": base = .inside(folder)
        case "<absolute>": return .outside(path)
        default: return .elsewhere
        }
        let result: Location
        switch base {
        case .inside(let folder): result = files.joined(folder, path).map(Location.inside) ?? .outside(path)
        case .outside(let folder): result = .outside(path.isEmpty ? folder : folder + "/" + path)
        case .elsewhere: result = .elsewhere
        }
        // No system opens a longer path, and groups inside each other without end would otherwise make them.
        return result.length <= 4096 ? result : .elsewhere
    }

    /// The exceptions of all synchronized folders, by the target that they are about.
    mutating func synchronizedExceptions() -> [String: [SynchronizedException]] {
        var result: [String: [SynchronizedException]] = [:]
        let groups = objects.filter { $0.value.value["isa"]?.string == "PBXFileSystemSynchronizedRootGroup" }
        for (identifier, entry) in groups.ordered(by: { $0.value.keyOffset < $1.value.keyOffset }) {
            guard case .inside(let folder) = locations[identifier] else { continue }
            for exception in (entry.value["exceptions"]?.strings ?? []).compactMap({ object($0) }) {
                guard exception["isa"]?.string == "PBXFileSystemSynchronizedBuildFileExceptionSet", let target = exception["target"]?.string
                else { continue }
                let paths = exception["membershipExceptions"]?.strings ?? []
                result[target, default: []].append(SynchronizedException(folder: folder, group: identifier, paths: paths))
            }
        }
        return result
    }

    /// The paths of the sources and resources of a target, and of those that are not built for all of its systems for which.
    mutating func paths(
        of target: PropertyList, identifier: String, exceptions: [String: [SynchronizedException]]
    ) -> (all: [String], systems: [String: Set<BuildTarget.Platform>]) {
        var collected = CollectedPaths()
        for phase in (target["buildPhases"]?.strings ?? []).compactMap({ object($0) }) {
            guard ["PBXSourcesBuildPhase", "PBXResourcesBuildPhase"].contains(phase["isa"]?.string) else { continue }
            for file in phase["files"]?.strings ?? [] {
                remainingPaths -= 1
                guard remainingPaths > 0 else { break }
                guard let file = object(file), let reference = file["fileRef"]?.string else { continue }
                collect(reference, into: &collected)
                let filters = (file["platformFilters"]?.strings ?? []) + [file["platformFilter"]?.string].compactMap(\.self)
                guard !filters.isEmpty, case .inside(let path)? = locations[reference] else { continue }
                collected.systems[path] = Set(filters.compactMap { Self.systems[$0] })
            }
        }
        let groups = target["fileSystemSynchronizedGroups"]?.strings ?? []
        let own = exceptions[identifier] ?? []
        let byGroup = Dictionary(grouping: own, by: \.group)
        let members = Set(groups)
        for group in groups {
            switch locations[group] {
            case .inside(let folder):
                let excluded = Set((byGroup[group] ?? []).flatMap { $0.paths.compactMap { files.joined(folder, $0) } })
                collect(folder, without: excluded, into: &collected)
            case .outside(let path): collected.outside.append(path)
            case .elsewhere, nil: note(target.offset, "the synchronized folder \(group.quoted) of a target is not in the groups")
            }
        }
        for exception in own where !members.contains(exception.group) {
            for path in exception.paths.compactMap({ files.joined(exception.folder, $0) }) { collect(path: path, into: &collected) }
        }
        report(collected, target: target)
        return (collected.paths.sorted(), collected.systems)
    }

    /// The systems by their names in filters of files.
    private static let systems: [String: BuildTarget.Platform] = [
        "ios": .iOS, "maccatalyst": .catalyst, "macos": .macOS, "tvos": .tvOS, "watchos": .watchOS, "xros": .visionOS,
    ]

    private struct CollectedPaths {
        var paths: Set<String> = []
        var systems: [String: Set<BuildTarget.Platform>] = [:]
        var missing: [String] = []
        var outside: [String] = []
    }

    /// Adds the file that a reference of a build phase leads to, or the files of its variants.
    private mutating func collect(_ reference: String, into collected: inout CollectedPaths) {
        guard let object = object(reference) else { return }
        if object["isa"]?.string == "PBXVariantGroup" {
            for child in object["children"]?.strings ?? [] where self.object(child)?["isa"]?.string != "PBXVariantGroup" {
                collect(child, into: &collected)
            }
            return
        }
        switch locations[reference] {
        case .inside(let path): collect(path: path, into: &collected)
        case .outside(let path): collected.outside.append(path)
        case .elsewhere: break
        case nil: collected.missing.append(object["path"]?.string ?? object["name"]?.string ?? reference)
        }
    }

    /// Adds a file, a data model by its folder, or all files of another folder.
    private mutating func collect(path: String, into collected: inout CollectedPaths) {
        let model = RelativePath.dataModelOrSelf(path)
        if files.contains(path) || (model == path && path.contains(".xcdatamodel") && files.exists(path)) {
            collected.paths.insert(model)
        } else if !files.paths(under: path).isEmpty {
            let all = files.paths(under: path)
            remainingPaths -= all.count
            guard remainingPaths > 0 else { return }
            for file in all { collected.paths.insert(RelativePath.dataModelOrSelf(file)) }
        } else if !files.exists(path) {
            collected.missing.append(path)
        }
    }

    private mutating func collect(_ folder: String, without excluded: Set<String>, into collected: inout CollectedPaths) {
        let all = files.paths(under: folder)
        remainingPaths -= all.count
        guard remainingPaths > 0 else { return }
        for path in all {
            var part = path
            while !part.isEmpty, part.utf8.count > folder.utf8.count, !excluded.isEmpty, !excluded.contains(part) {
                part = RelativePath.folder(of: part)
            }
            let isExcluded = !excluded.isEmpty && part.utf8.count > folder.utf8.count
            if !isExcluded { collected.paths.insert(RelativePath.dataModelOrSelf(path)) }
        }
    }

    private mutating func report(_ collected: CollectedPaths, target: PropertyList) {
        let name = (target["name"]?.string ?? "").quoted
        if let first = collected.missing.first {
            note(target.offset, "\(collected.missing.count) files of the target \(name) do not exist, such as \(first.quoted)")
        }
        if let first = collected.outside.first {
            note(
                target.offset,
                "\(collected.outside.count) files of the target \(name) are outside of the project's folder and not read, "
                    + "such as \(first.quoted)"
            )
        }
        if remainingPaths <= 0 { note(target.offset, "the targets have too many files together; those of \(name) are not all known") }
    }
}
