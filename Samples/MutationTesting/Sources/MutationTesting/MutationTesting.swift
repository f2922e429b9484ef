import Foundation
import Synchronization

@main
struct MutationTesting {
    static func main() throws {
        Command.endWithThisProcess()
        do {
            try run(Options(CommandLine.arguments.dropFirst()))
        } catch let failure as Failure {
            FileHandle.standardError.write(Data("mutation-testing: \(failure)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ options: Options) throws {
        let nested = "\(options.package)/Samples/MutationTesting"
        let equivalents = try Equivalents(path: "\(nested)/equivalent.jsonl")
        let selection = try Selection(options, equivalents: equivalents)
        if options.isList {
            for (_, mutant) in selection.chosen(except: []) {
                say("\(mutant.file):\(mutant.line): \(mutant.source)\n    \(mutant.mutation)")
            }
            return
        }
        let names = Set(selection.chosen(except: []).map(\.target.name))
        let targets = Target.all.filter { names.contains($0.name) }
        let testTargets = targets.flatMap(\.testTargets) + (options.isOwnOnly ? [] : Target.otherTestTargets)
        let workspace = try Workspace(
            package: options.package, directory: options.directory ?? "\(nested)/.build/mutated", testTargets: Set(testTargets))
        let mutants = try build(workspace, selection)
        say("\(mutants.count) mutants, seed \(options.seed)")
        let judge = try Judge(workspace: workspace, targets: targets, others: options.isOwnOnly ? nil : Target.others)
        Report(judged: judge.judge(mutants, workers: options.workers), equivalents: equivalents).print()
    }

    private typealias Chosen = [(target: Target, mutant: Mutant)]

    /// Builds the tests with all mutants in them; a mutant that does not compile is replaced by another of its file.
    private static func build(_ workspace: Workspace, _ selection: Selection) throws -> Chosen {
        var dropped = workspace.known
        for _ in 0..<30 {
            let mutants = selection.chosen(except: dropped)
            let rewritings = try rewrite(mutants, in: workspace)
            say("building with \(mutants.count) mutants")
            let errors = try workspace.build()
            if errors.isEmpty { return mutants }
            for error in errors {
                let numbers = rewritings[error.file]?.numbers(near: error.line) ?? []
                guard !numbers.isEmpty else { throw Failure("\(error.file):\(error.line): \(error.message)") }
                for number in numbers { dropped.insert(mutants[number - 1].mutant.identity) }
            }
            workspace.known = dropped
            say("\(dropped.count) do not compile")
        }
        throw Failure("after 30 builds there are still mutants that do not compile")
    }

    private static func rewrite(_ mutants: Chosen, in workspace: Workspace) throws -> [String: Rewriting] {
        let byFile = Dictionary(grouping: mutants.enumerated(), by: \.element.mutant.file)
        var rewritings: [String: Rewriting] = [:]
        for (file, mutants) in byFile {
            let source = try String(contentsOfFile: "\(workspace.package)/\(file)", encoding: .utf8)
            rewritings[file] = Rewriting(source, mutants: mutants.map { ($0.offset + 1, $0.element.mutant) })
        }
        let questions = Set(Target.all.map(\.module)).map { ("\($0)/IsMutant.swift", Rewriting.question) }
        try workspace.update(rewritten: Dictionary(uniqueKeysWithValues: questions + rewritings.map { ($0.key, $0.value.text) }))
        return rewritings
    }
}

/// Prints a line at once, for those who wait for it.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
