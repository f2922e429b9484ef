/// The targets that hold each file, and those that depend on each target, by their indices.
struct HolderTable: Sendable {
    private var byPath: [String: [Int]] = [:]
    private var dependents: [String: [Int]] = [:]
    private let names: [String]
    private let isProgram: [Bool]
    private let isLibrary: [Bool]

    /// - Complexity: O(*n*) in the files and dependencies of all targets.
    init(_ project: Project) {
        names = project.targets.map(\.name)
        isProgram = project.targets.map { $0.kind == .app || $0.kind == .appExtension }
        isLibrary = project.targets.map { $0.kind == .library }
        for (index, target) in project.targets.enumerated() {
            for path in target.files { byPath[path, default: []].append(index) }
            for name in target.dependencies { dependents[name, default: []].append(index) }
        }
    }

    /// The apps and extensions that hold a file; where only libraries do, those that depend on one of them, by whatever way.
    ///
    /// - Complexity: O(*n*) in the targets that depend on those which hold it.
    func programs(with path: String) -> [Int] {
        let direct = byPath[path] ?? []
        let own = direct.filter { isProgram[$0] }
        if !own.isEmpty { return own }
        var left = direct
        var known = Set(left)
        var programs: [Int] = []
        while let index = left.popLast() {
            for dependent in dependents[names[index]] ?? [] where known.insert(dependent).inserted {
                if isProgram[dependent] { programs.append(dependent) }
                if isLibrary[dependent] { left.append(dependent) }
            }
        }
        return programs.sorted()
    }
}
