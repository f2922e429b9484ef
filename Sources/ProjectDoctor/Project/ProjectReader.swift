import SyncLines

/// Reads what a folder says of its targets.
package enum ProjectReader {
    /// Finds the project files, packages, specifications and schemes of a folder and reads them.
    ///
    /// Whatever cannot be parsed is a note, besides those of the files themselves. Where nothing says what the targets are, all files are
    /// taken for those of one app, with a note.
    package static func read(_ files: ProjectFiles) -> Project {
        var project = Project()
        var settingsFiles = BuildSettingsFiles(files)
        var isFound = false
        var foldersOfProjects: Set<String> = []
        for path in files.paths where path.hasSuffix(".xcodeproj/project.pbxproj") {
            isFound = true
            foldersOfProjects.insert(RelativePath.folder(of: RelativePath.folder(of: path)))
            attempt(path, files, &project) { file, project throws(FormatError) in
                let read = try XcodeProject(file, files: files, settingsFiles: &settingsFiles)
                project.targets += read.targets
                project.notes += read.notes
            }
        }
        for path in files.paths {
            switch RelativePath.name(of: path) {
            case "project.yml" where !foldersOfProjects.contains(RelativePath.folder(of: path)):
                attempt(path, files, &project) { file, project throws(FormatError) in
                    guard let read = try XcodeGenProject(file, files: files, settingsFiles: &settingsFiles) else { return }
                    isFound = true
                    project.targets += read.targets
                    project.notes += read.notes
                    project.generatedPropertyLists.merge(read.generatedPropertyLists) { first, _ in first }
                }
            case "Package.swift":
                isFound = true
                attempt(path, files, &project) { file, project throws(FormatError) in
                    let read = PackageProject(file, files: files)
                    project.targets += read.targets
                    project.notes += read.notes
                }
            case let name where name.hasSuffix(".xcscheme"):
                attempt(path, files, &project) { file, project throws(FormatError) in
                    project.launchArguments += try SchemeFile.launchArguments(file)
                }
            default: break
            }
        }
        project.notes += settingsFiles.notes
        if !isFound { project.targets.append(wholeFolder(files, &project)) }
        return project
    }

    private static func attempt(
        _ path: String, _ files: ProjectFiles, _ project: inout Project, _ body: (SourceFile, inout Project) throws(FormatError) -> Void
    ) {
        var file = SourceFile(path: path, bytes: [])
        do throws(FormatError) {
            file = try files.read(path)
            try body(file, &project)
        } catch {
            project.notes.append(Note(file, error))
        }
    }

    private static func wholeFolder(_ files: ProjectFiles, _ project: inout Project) -> BuildTarget {
        let location = SourceLocation(path: "")
        project.notes.append(
            Note(
                location,
                "no project file, package or specification was found; all files are taken for those of one app \(files.name.quoted)"))
        var seen: Set<String> = []
        let paths = files.paths.map(RelativePath.dataModelOrSelf).filter { seen.insert($0).inserted }
        return BuildTarget(
            name: files.name, kind: .app, platforms: [], configurations: [], files: paths, dependencies: [], location: location)
    }
}
