/// The apps and extensions that have each file, by their indices among the targets.
struct HolderTable: Sendable {
    private var byPath: [String: [Int]] = [:]
    /// The apps and extensions that depend on a target, by whatever way.
    private var programs: [[Int]]
    private let isProgram: [Bool]

    /// How many steps may be made from target to target; of what is left only direct dependents are known.
    private static let maximumSteps = 3_000_000

    /// - Complexity: O(*n*) in the files and dependencies of all targets, and at most `maximumSteps` from one to the other.
    init(_ project: Project) {
        isProgram = project.targets.map { $0.kind == .app || $0.kind == .appExtension }
        programs = Array(repeating: [], count: project.targets.count)
        var dependents: [String: [Int]] = [:]
        for (index, target) in project.targets.enumerated() {
            for path in target.files { byPath[path, default: []].append(index) }
            for name in target.dependencies { dependents[name, default: []].append(index) }
        }
        var steps = Self.maximumSteps
        for (index, target) in project.targets.enumerated() where !isProgram[index] && !target.files.isEmpty {
            var left = [index]
            var known: Set<Int> = [index]
            while let next = left.popLast() {
                for dependent in dependents[project.targets[next].name] ?? [] where known.insert(dependent).inserted {
                    steps -= 1
                    if isProgram[dependent] { programs[index].append(dependent) }
                    if project.targets[dependent].kind == .library, steps > 0 { left.append(dependent) }
                }
            }
        }
    }

    /// The apps and extensions that hold a file; where only libraries do, those that depend on one of them, by whatever way.
    func programs(with path: String) -> [Int] {
        let (own, others) = targets(with: path)
        return own.isEmpty ? Set(others.flatMap { programs[$0] }).sorted() : own
    }

    /// The apps and extensions that hold a file, and the other targets that do.
    func targets(with path: String) -> (programs: [Int], others: [Int]) {
        let all = byPath[path] ?? []
        return (all.filter { isProgram[$0] }, all.filter { !isProgram[$0] })
    }

    /// The apps and extensions that depend on a target, by whatever way.
    func programs(of target: Int) -> [Int] { programs[target] }
}
