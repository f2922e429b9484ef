import SyncBytes

extension ProjectReading {
    /// Takes files that are in no target for those of an app, where nothing that could be read says what they are, and names the others.
    mutating func takeLooseFiles() {
        var loose = looseFiles()
        for path in unreadable {
            let file = RelativePath.folder(of: path)
            let isBundle = file.hasSuffix(".xcodeproj")
            // Manifests of Tuist are one for each module, and make one app together.
            let folder = RelativePath.name(of: path) == "Project.swift" ? "" : isBundle ? RelativePath.folder(of: file) : file
            let name = isBundle ? RelativePath.stem(of: file) : folder.isEmpty ? files.name : RelativePath.name(of: folder)
            let own = loose.filter { folder.isEmpty || $0.hasPrefix(folder + "/") }
            guard own.contains(where: { $0.hasSuffix(".swift") }) else { continue }
            note(
                path,
                "which targets there are is not known; the files of \(folder.isEmpty ? "the folder" : folder.quoted) that are in no other "
                    + "target are taken for those of one app \(name.quoted)")
            append(own, name: name, folder: folder)
            loose = loose.filter { !folder.isEmpty && !$0.hasPrefix(folder + "/") }
        }
        guard !hasProject, unreadable.isEmpty else { return noteLooseFiles(loose) }
        if !hasPackage {
            note(
                "", "no project file, package or specification was found; all files are taken for those of one app \(files.name.quoted)")
            append(loose, name: files.name, folder: "")
        } else if loose.contains(where: { $0.hasSuffix(".entitlements") }), loose.contains(where: { $0.hasSuffix(".swift") }) {
            note(
                "",
                "no project file or specification was found; all files in no package are taken for those of one app \(files.name.quoted)")
            append(loose, name: files.name, folder: "")
        } else {
            noteLooseFiles(loose)
        }
    }

    /// The files in no target, in order, manifests left out.
    private func looseFiles() -> [String] {
        let held = project.targets.reduce(into: Set<String>()) { $0.formUnion($1.files) }
        var known: Set<String> = []
        return files.paths.map(RelativePath.dataModelOrSelf).filter { path in
            !held.contains(path) && known.insert(path).inserted && !isManifest(path)
        }
    }

    /// Whether a file describes targets and is in none.
    private func isManifest(_ path: String) -> Bool {
        let name = RelativePath.name(of: path)
        if name.hasPrefix("Package"), name.hasSuffix(".swift"), name == "Package.swift" || name.hasPrefix("Package@") { return true }
        guard !tuistFolders.isEmpty, name.hasSuffix(".swift") else { return false }
        return ["Project.swift", "Workspace.swift", "Tuist.swift"].contains(name) || path.split(separator: "/").dropLast().contains("Tuist")
    }

    private mutating func append(_ paths: [String], name: String, folder: String) {
        let location = SourceLocation(path: folder)
        func target(_ kind: BuildTarget.Kind, _ paths: [String]) -> BuildTarget {
            var configuration = BuildConfiguration(name: "Release", isDebug: false, settings: [:])
            configuration.isComplete = false
            var target = BuildTarget(
                name: name, kind: kind, platforms: [], configurations: kind == .app ? [configuration] : [], files: paths,
                dependencies: [], location: location)
            (target.folder, target.isAssumed) = (folder, true)
            return target
        }
        let tests = Set(paths.filter { $0.hasSuffix(".swift") && Self.isTest($0) })
        project.targets.append(target(.app, paths.filter { !tests.contains($0) }))
        if !tests.isEmpty { project.targets.append(target(.tests, tests.sorted())) }
    }

    /// Whether a file is in a folder that is named for tests.
    private static func isTest(_ path: String) -> Bool {
        path.split(separator: "/").dropLast().contains { $0 == "Tests" || $0.hasSuffix("Tests") }
    }

    private mutating func noteLooseFiles(_ loose: [String]) {
        let sources = loose.filter { $0.hasSuffix(".swift") }
        guard let first = sources.first else { return }
        let names = sources.prefix(3).map(\.quoted).joined(separator: ", ")
        let which =
            sources.count == 1
            ? "a Swift file is in no target and is not read: "
            : "\(sources.count) Swift files are in no target and are not read, such as "
        note(first, which + names)
    }

    private mutating func note(_ path: String, _ sentence: String) {
        project.notes.append(Note(SourceLocation(path: path), sentence))
    }
}
