/// The compilation conditions of which the build settings say whether builds for users have them.
struct CompilationConditions {
    private let byTarget: [[String: Bool]]
    /// The numbers of the targets that hold a file.
    private var holders: [String: [Int]] = [:]
    private let isEmpty: Bool

    init(_ project: Project) {
        let targets = project.targets.filter { $0.kind != .tests }
        byTarget = targets.map(Self.flags)
        isEmpty = byTarget.allSatisfy(\.isEmpty)
        if isEmpty { return }
        for (number, target) in targets.enumerated() {
            for path in target.files where path.hasSuffix(".swift") { holders[path, default: []].append(number) }
        }
    }

    /// The conditions of a file by name: those in which all targets that hold it agree.
    func flags(of path: String) -> [String: Bool] {
        guard !isEmpty, let holders = holders[path], let first = holders.first else { return [:] }
        if holders.count == 1 { return byTarget[first] }
        return byTarget[first].filter { name, value in holders.allSatisfy { byTarget[$0][name] == value } }
    }

    /// Of each condition that any configuration defines whether those do that are not for debugging.
    private static func flags(_ target: BuildTarget) -> [String: Bool] {
        let all = target.configurations.map { (isDebug: $0.isDebug, names: names($0)) }
        let released = all.filter { !$0.isDebug }
        guard !released.isEmpty else { return [:] }
        var flags: [String: Bool] = [:]
        for name in all.reduce(into: Set<String>(), { $0.formUnion($1.names) }) {
            let count = released.count { $0.names.contains(name) }
            if count == 0 || count == released.count { flags[name] = count > 0 }
        }
        return flags
    }

    private static func names(_ configuration: BuildConfiguration) -> Set<String> {
        let separators: (Character) -> Bool = { " ,\"\t".contains($0) }
        let conditions = configuration["SWIFT_ACTIVE_COMPILATION_CONDITIONS"]?.text.split(whereSeparator: separators).map(String.init) ?? []
        let options = configuration["OTHER_SWIFT_FLAGS"]?.text.split(whereSeparator: separators).map(String.init) ?? []
        let defined = zip(options, options.dropFirst() + [""]).compactMap { option, next in
            option == "-D" ? next : option.hasPrefix("-D") ? String(option.dropFirst(2)) : nil
        }
        return Set(conditions + defined).filter { !$0.hasPrefix("$") && !$0.isEmpty }
    }
}
