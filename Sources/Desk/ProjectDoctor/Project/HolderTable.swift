import SyncSystem

/// The apps and extensions that have each file, by their indices among the targets.
struct HolderTable: Sendable {
    private var byPath: [String: [Int]] = [:]
    /// The apps and extensions that depend on a target, by whatever way.
    private var programs: [[Int]]
    private let isProgram: [Bool]
    private let indices: [SourceLocation: Int]
    /// The apps and extensions that were found to hold files: rules ask of each of them.
    private let known = Locked<[String: Set<Int>]>([:])

    /// How many steps may be made from target to target; of what is left only direct dependents are known.
    private static let maximumSteps = 3_000_000

    /// - Complexity: O(*n*) in the files and dependencies of all targets, and at most `maximumSteps` from one to the other.
    init(_ project: Project) {
        isProgram = project.targets.map { $0.kind == .app || $0.kind == .appExtension }
        indices = Dictionary(project.targets.enumerated().map { ($1.location, $0) }) { first, _ in first }
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

    /// Whether an app or extension holds a file as ``programs(with:)`` says; nil where none is known to.
    ///
    /// - Complexity: O(1) from the second question about a file on.
    func holds(_ path: String, _ target: BuildTarget) -> Bool? {
        let all = known.withLock { known in
            if let all = known[path] { return all }
            let all = Set(programs(with: path))
            known[path] = all
            return all
        }
        return all.isEmpty ? nil : indices[target.location].map(all.contains) ?? false
    }

    /// The apps and extensions that hold a file, and the other targets that do.
    func targets(with path: String) -> (programs: [Int], others: [Int]) {
        let all = byPath[path] ?? []
        return (all.filter { isProgram[$0] }, all.filter { !isProgram[$0] })
    }

    /// The apps and extensions that depend on a target, by whatever way.
    func programs(of target: Int) -> [Int] { programs[target] }
}
