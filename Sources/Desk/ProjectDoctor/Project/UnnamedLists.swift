import SyncBytes

/// The property lists of one kind that no build setting names: what is meant where a project says less.
struct UnnamedLists {
    /// The build setting that would name them.
    let setting: String
    private let all: Set<String>
    /// The paths by folder.
    private let byFolder: [String: [String]]
    /// Those beside no sources of any app or extension, sorted by their bytes.
    private let remote: [String]

    /// How many files may stand for one list.
    static let maximumCount = 20

    /// Finds the files whose names end in a suffix, in small letters.
    ///
    /// - Complexity: O(*n*) in the files of the folder and of the targets.
    init(_ setting: String, _ suffix: String, _ files: ProjectFiles, _ project: Project) {
        self.setting = setting
        var named: Set<String> = []
        for target in project.targets {
            for configuration in target.configurations {
                for name in configuration.settingNames where name == setting || name.hasPrefix(setting + "[") {
                    if let text = configuration[name]?.text, let path = files.joined(target.folder, text) { named.insert(path) }
                }
            }
        }
        let paths = files.paths.filter { path in
            let name = RelativePath.name(of: path).lowercased()
            return name.hasSuffix(suffix) && !name.hasPrefix("googleservice") && !named.contains(path)
        }
        all = Set(paths)
        byFolder = Dictionary(grouping: paths, by: RelativePath.folder)
        let programs = project.targets.filter { ($0.kind == .app || $0.kind == .appExtension) && !$0.isAssumed }
        let held = programs.reduce(into: Set<String>()) { $0.formUnion(Self.folders(of: $1)) }
        remote = paths.filter { !held.contains(RelativePath.folder(of: $0)) }
    }

    /// All of them, at most ``maximumCount``, in order.
    var paths: [String] { Array(all.sorted().prefix(Self.maximumCount)) }

    /// Whether no configuration of a target has the setting.
    func needs(_ target: BuildTarget) -> Bool {
        !target.configurations.contains { $0.settingNames.contains { $0 == setting || $0.hasPrefix(setting + "[") } }
    }

    /// Whether a target's list is made of settings alone.
    func isGenerated(for target: BuildTarget) -> Bool {
        setting == "INFOPLIST_FILE" && !target.isAssumed
            && target.configurations.allSatisfy { $0["GENERATE_INFOPLIST_FILE"]?.text.uppercased() == "YES" }
    }

    /// The files beside a target's sources, or else the ones of its folder that are beside no sources of others.
    func paths(for target: BuildTarget) -> [String] {
        if target.isAssumed {
            return Array(target.files.lazy.filter(all.contains).prefix(Self.maximumCount))
        }
        let beside = Self.folders(of: target).flatMap { byFolder[$0] ?? [] }
        return beside.isEmpty ? remote(in: target.folder) : beside.sorted()
    }

    /// - Complexity: O(log *n*) in the files.
    private func remote(in folder: String) -> [String] {
        guard !folder.isEmpty else { return Array(remote.prefix(Self.maximumCount)) }
        var (low, high) = (0, remote.count)
        while low < high {
            let middle = (low + high) / 2
            if remote[middle].utf8Precedes(folder + "/") { low = middle + 1 } else { high = middle }
        }
        return Array(remote[low...].prefix(Self.maximumCount).prefix { $0.hasPrefix(folder + "/") })
    }

    private static func folders(of target: BuildTarget) -> Set<String> {
        Set(target.files.filter { $0.hasSuffix(".swift") }.map(RelativePath.folder))
    }
}
