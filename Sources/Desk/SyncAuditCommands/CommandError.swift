import AuditLog
import SyncBytes
import TraceImport

/// Why a verb ends before it is done.
package struct CommandError: Error, Hashable {
    /// How the command ends.
    package let exitCode: ExitCode
    /// A sentence that names the value and the remedy, or nil where nothing need be said.
    package let sentence: String?

    /// States why.
    package init(_ exitCode: ExitCode, _ sentence: String) {
        self.exitCode = exitCode
        self.sentence = sentence
    }

    private init(quietly exitCode: ExitCode) {
        self.exitCode = exitCode
        sentence = nil
    }

    /// Says that there is no line in what a verb is to read.
    init(nothingIn input: CommandInput) {
        self.init(.badData, "\(input.name):1: there is nothing in it; a log holds an event on each line")
    }

    /// Says that no line of what a verb is to read is an event.
    ///
    /// - Parameter firstProblem: The location of the first line and what is wrong with it; nil where that has been said.
    init(noneUnderstoodOf inputs: [CommandInput], firstProblem: String? = nil) {
        // Of a file that is none of lines a single line tells nothing.
        for case .file(let path) in inputs {
            guard let format = ForeignFormat(path: path) else { continue }
            self.init(.badData, "\(path.escaped(for: .terminal)): \(format.sentence)")
            return
        }
        let problem = firstProblem.map { "; the first problem: \($0)" } ?? "; a log holds an event on each line"
        self.init(.badData, "no line of it could be understood" + problem)
    }

    /// Whoever read the output has seen enough, as in `syncaudit … | head`.
    ///
    /// That is no failure, but there is no use in going on.
    package static let outputClosed = CommandError(quietly: .success)

    /// What a log's error means for a verb.
    init(_ error: AuditLogError, of verb: VerbDefinition) {
        let exitCode: ExitCode =
            switch error.code {
            case .badData: .badData
            case .noInput: .noInput
            default: .inputOutput
            }
        let remedy = error.canBePassedOver && verb.option(named: "lenient") != nil ? "; --lenient passes over such lines" : ""
        self.init(exitCode, error.description + remedy)
    }

    /// What an import's error means for the command.
    init(_ error: TraceImportError) {
        let exitCode: ExitCode =
            switch error.code {
            case .badData: .badData
            case .noInput: .noInput
            case .inputOutput: .inputOutput
            }
        self.init(exitCode, error.description)
    }
}
