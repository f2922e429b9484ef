import FileFormats
import SyncBytes

/// The targets of a `Package.swift`, by the calls that make them and by convention: nothing is evaluated.
package struct PackageProject {
    private let files: ProjectFiles
    private let folder: String
    private let lines: LineTable
    private var reader: ManifestReader
    /// How many paths the targets may still be given together.
    private var remainingPaths = 2_000_000
    package private(set) var notes: [Note] = []
    package private(set) var targets: [BuildTarget] = []
    /// The names of the targets in each product.
    package private(set) var products: [String: [String]] = [:]
    /// How many targets of each kind there are.
    private var counts: [BuildTarget.Kind: Int] = [:]

    private static let targetCalls: Set<String> = ["target", "executableTarget", "testTarget", "macro", "plugin"]
    /// The calls that make products of targets.
    private static let productCalls: Set<String> = ["library", "executable", "iOSApplication"]
    private static let kinds: [String: BuildTarget.Kind] = ["target": .library, "executableTarget": .other, "testTarget": .tests]

    package init(_ file: SourceFile, files: ProjectFiles) {
        self.files = files
        folder = RelativePath.folder(of: file.path)
        lines = LineTable(file)
        reader = ManifestReader(file.bytes)
        // `.target(name: "X")` in a list of dependencies is inside the call that makes a target.
        let calls = reader.calls(Self.targetCalls.union(Self.productCalls), isMember: true)
        for call in calls {
            if let kind = kind(call) { counts[kind, default: 0] += 1 }
            guard Self.productCalls.contains(call.name ?? ""), let name = call["name"]?.string, let targets = call["targets"] else {
                continue
            }
            products[name, default: []] += reader.names(targets)
        }
        for call in calls { read(call) }
        if let problem = reader.problem { note(problem.offset, problem.sentence) }
    }

    private mutating func note(_ offset: Int, _ sentence: String) {
        notes.append(Note(lines.location(at: offset), sentence))
    }

    /// What a call makes; SwiftPM looks for executables where it looks for libraries.
    private func kind(_ call: ManifestExpression) -> BuildTarget.Kind? {
        call.name.flatMap { Self.kinds[$0] }.map { $0 == .other ? .library : $0 }
    }

    private mutating func read(_ call: ManifestExpression) {
        guard let kind = call.name.flatMap({ Self.kinds[$0] }), let argument = call.argument("name") else { return }
        guard let name = argument.value.string else {
            return note(argument.offset, "the name of a target is no plain string; the target is not read")
        }
        guard let source = sourceFolder(call, name: name, kind: kind) else { return }
        let names = call["dependencies"].map { reader.names($0) } ?? []
        var excluded: [String] = []
        for element in call["exclude"].map({ reader.names($0) }) ?? [] {
            if let path = files.joined(source, element) { excluded.append(path) }
        }
        if call["sources"] != nil {
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
    private mutating func sourceFolder(_ call: ManifestExpression, name: String, kind: BuildTarget.Kind) -> String? {
        var inner: String?
        if let argument = call.argument("path") {
            guard let path = argument.value.string else {
                note(argument.offset, "the path of the target \(name.quoted) is no plain string; the target is not read")
                return nil
            }
            inner = path
        }
        let names = (kind == .tests ? ["Tests"] : []) + ["Sources", "Source", "src", "srcs"]
        let isOnly = counts[self.kind(call) ?? kind] == 1
        guard let path = inner.map({ files.joined(folder, $0) }) ?? usualFolder(of: name, in: names, isOnly: isOnly) else {
            note(call.offset, "the folder \((inner ?? name).quoted) of the target \(name.quoted) is outside of the project's folder")
            return nil
        }
        if files.paths(under: path).isEmpty, !files.exists(path) {
            note(call.offset, "the folder \(path.quoted) of the target \(name.quoted) does not exist")
        }
        return path
    }

    /// The folder in which SwiftPM looks for a target without a path: one of its name, or the folder around that for an only target.
    private func usualFolder(of name: String, in folders: [String], isOnly: Bool) -> String? {
        let outer = folders.compactMap { files.joined(folder, $0) }
        let inner = outer.compactMap { files.joined($0, name) }
        let existing = inner.first(where: files.exists) ?? (isOnly ? outer.first(where: files.exists) : nil)
        return existing ?? inner.first
    }
}
