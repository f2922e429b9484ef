import FileFormats

/// Reads what a folder says of its targets.
package enum ProjectReader {
    /// Finds the project files, packages, specifications and schemes of a folder and reads them.
    ///
    /// Whatever cannot be parsed is a note, besides those of the files themselves. Where nothing says what the targets are, all files are
    /// taken for those of one app, with a note.
    package static func read(_ files: ProjectFiles) -> Project {
        var reading = ProjectReading(files)
        reading.readXcodeProjects()
        reading.readOthers()
        return reading.finished()
    }
}

/// A folder whose project files are being read.
struct ProjectReading {
    let files: ProjectFiles
    var project = Project()
    private var settingsFiles: BuildSettingsFiles
    private var products: [String: [String]] = [:]
    /// The folders of project files that were read.
    private var folders: Set<String> = []
    /// The project files and specifications of which nothing is known.
    var unreadable: [String] = []
    /// Whether a project file or specification says what the targets are.
    var hasProject = false
    /// Whether a package does.
    var hasPackage = false
    /// The folders of manifests of Tuist that were read.
    var tuistFolders: Set<String> = []

    init(_ files: ProjectFiles) {
        self.files = files
        settingsFiles = BuildSettingsFiles(files)
    }

    mutating func readXcodeProjects() {
        for path in files.paths where path.hasSuffix(".xcodeproj/project.pbxproj") {
            let folder = RelativePath.folder(of: RelativePath.folder(of: path))
            let isRead = attempt(path, "cannot be read: ") { file, reading throws(FormatError) in
                let read = try XcodeProject(file, files: reading.files, settingsFiles: &reading.settingsFiles)
                reading.project.targets += read.targets
                reading.project.notes += read.notes
            }
            if isRead {
                hasProject = true
                folders.insert(folder)
            } else {
                unreadable.append(path)
            }
        }
    }

    /// Reads specifications and manifests, which count where no project file is beside them, packages and schemes.
    mutating func readOthers() {
        for path in files.paths {
            let folder = RelativePath.folder(of: path)
            switch RelativePath.name(of: path) {
            case "project.yml" where !folders.contains(folder), "project.yaml" where !folders.contains(folder):
                let isRead = attempt(path) { file, reading throws(FormatError) in
                    guard let read = try XcodeGenProject(file, files: reading.files, settingsFiles: &reading.settingsFiles) else { return }
                    reading.hasProject = true
                    // What was generated from it and cannot be read says the same.
                    reading.unreadable.removeAll { RelativePath.folder(of: RelativePath.folder(of: $0)) == folder }
                    reading.project.targets += read.targets
                    reading.project.notes += read.notes
                    reading.project.generatedPropertyLists.merge(read.generatedPropertyLists) { first, _ in first }
                }
                if !isRead { unreadable.append(path) }
            case "Project.swift":
                _ = attempt(path) { file, reading throws(FormatError) in
                    guard let read = TuistProject(file, files: reading.files, settingsFiles: &reading.settingsFiles) else { return }
                    reading.tuistFolders.insert(folder)
                    // What was generated from it says the same.
                    guard !reading.folders.contains(folder) else { return }
                    reading.project.notes += read.notes
                    if read.targets.isEmpty || !read.isComplete { reading.unreadable.append(path) }
                    reading.hasProject = reading.hasProject || !read.targets.isEmpty
                    reading.project.targets += read.targets
                    reading.project.generatedPropertyLists.merge(read.generatedPropertyLists) { first, _ in first }
                }
            case "Package.swift":
                hasPackage = true
                _ = attempt(path) { file, reading throws(FormatError) in
                    let read = PackageProject(file, files: reading.files)
                    reading.project.targets += read.targets
                    reading.project.notes += read.notes
                    reading.products.merge(read.products) { $0 + $1 }
                }
            case let name where name.hasSuffix(".xcscheme"):
                _ = attempt(path) { file, reading throws(FormatError) in
                    reading.project.launchArguments += try SchemeFile.launchArguments(file)
                }
            default: break
            }
        }
    }

    mutating func finished() -> Project {
        project.notes += settingsFiles.notes
        // Who links a product links its targets.
        for index in project.targets.indices {
            let names = project.targets[index].dependencies
            let more = names.flatMap { products[$0] ?? [] }
            if !more.isEmpty { project.targets[index].dependencies = names + more.filter { !names.contains($0) } }
        }
        takeLooseFiles()
        return project
    }

    /// Whether a file was read; a note is added where it was not.
    private mutating func attempt(
        _ path: String, _ prefix: String = "", _ body: (SourceFile, inout ProjectReading) throws(FormatError) -> Void
    ) -> Bool {
        var file = SourceFile(path: path, bytes: [])
        do throws(FormatError) {
            file = try files.read(path)
            try body(file, &self)
            return true
        } catch {
            project.notes.append(Note(file.location(at: error.offset), prefix + error.sentence))
            return false
        }
    }
}
