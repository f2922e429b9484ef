import SyncLines

/// The targets of a `Package.swift`, by the calls that make them and by convention: nothing is evaluated.
package struct PackageProject {
    private let files: ProjectFiles
    private let folder: String
    private let lines: LineTable
    /// How many paths the targets may still be given together.
    private var remainingPaths = 2_000_000
    package private(set) var notes: [Note] = []
    package private(set) var targets: [BuildTarget] = []

    private static let kinds: [String: BuildTarget.Kind] = ["target": .library, "executableTarget": .other, "testTarget": .tests]

    package init(_ file: SourceFile, files: ProjectFiles) {
        self.files = files
        folder = RelativePath.folder(of: file.path)
        lines = LineTable(file)
        let scan = PackageManifestScan(file.bytes)
        for call in scan.calls { read(call) }
        if let offset = scan.unclosed { note(offset, "a call, string or comment that is not closed; what follows it is not read") }
    }

    private mutating func note(_ offset: Int, _ sentence: String) {
        notes.append(Note(lines.location(at: offset), sentence))
    }

    private mutating func read(_ call: PackageManifestScan.Call) {
        // `.target(name: "X")` in a list of dependencies has nothing but a name and perhaps a condition; it makes no target.
        guard let kind = Self.kinds[call.callee], !call.isDependency else { return }
        guard let argument = call.arguments.first(where: { $0.label == "name" }) else { return }
        guard let name = argument.literal else {
            return note(argument.offset, "the name of a target is no plain string; the target is not read")
        }
        guard let source = sourceFolder(call, name: name, kind: kind) else { return }
        let names = call.arguments.first { $0.label == "dependencies" }?.dependencyNames ?? []
        var excluded: [String] = []
        for element in call.arguments.first(where: { $0.label == "exclude" })?.strings ?? [] {
            if let path = RelativePath.joined(source, element) { excluded.append(path) }
        }
        if call.arguments.contains(where: { $0.label == "sources" }) {
            note(call.offset, "the target \(name.quoted) names its sources; all files of its folder are taken for its own")
        }
        remainingPaths -= files.paths(under: source).count * (1 + excluded.count)
        guard remainingPaths > 0 else { return note(call.offset, "the targets have too many files together; \(name.quoted) is not read") }
        let paths = files.paths(under: source).filter { path in !excluded.contains { path == $0 || path.hasPrefix($0 + "/") } }
        var seen: Set<String> = []
        var target = BuildTarget(
            name: name, kind: kind, platforms: [], configurations: [],
            files: paths.map(RelativePath.dataModelOrSelf).filter { seen.insert($0).inserted }, dependencies: names,
            location: lines.location(at: call.offset))
        target.folder = folder
        targets.append(target)
    }

    /// The folder of a target's files; nil, and a note, where it is not known.
    private mutating func sourceFolder(_ call: PackageManifestScan.Call, name: String, kind: BuildTarget.Kind) -> String? {
        var inner = (kind == .tests ? "Tests/" : "Sources/") + name
        if let argument = call.arguments.first(where: { $0.label == "path" }) {
            guard let path = argument.literal else {
                note(argument.offset, "the path of the target \(name.quoted) is no plain string; the target is not read")
                return nil
            }
            inner = path
        }
        guard let path = RelativePath.joined(folder, inner) else {
            note(call.offset, "the folder \(inner.quoted) of the target \(name.quoted) is outside of the project's folder")
            return nil
        }
        if files.paths(under: path).isEmpty, !files.exists(path) {
            note(call.offset, "the folder \(path.quoted) of the target \(name.quoted) does not exist")
        }
        return path
    }
}
