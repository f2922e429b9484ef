import AuditLog
import SyncModel

/// Keeps an output up to date: writes it, and again after each change of the inputs, until somebody asks to stop.
struct WatchLoop {
    private let arguments: ParsedArguments
    private let interval: Int64
    private let context: CommandContext

    /// A loop.
    ///
    /// - Parameters:
    ///   - arguments: What names the inputs, and the output with `--output`.
    ///   - interval: How often to look, in milliseconds.
    /// - Throws: `UsageError` where there is no output, or an input that cannot be read again.
    init(_ arguments: ParsedArguments, every interval: Int64, _ context: CommandContext) throws {
        (self.arguments, self.interval, self.context) = (arguments, max(interval, 100), context)
        if arguments.text("output") ?? "-" == "-" {
            throw UsageError("--watch needs --output: name the file to keep up to date", verb: arguments.verb.name)
        }
        let inputs = try arguments.inputs(context, allowsMissing: true)
        try arguments.checkOutputs(["output"], against: inputs, context)
        if inputs.contains(.standardInput) {
            throw UsageError(
                "--watch reads files again and again, which standard input cannot be; name the files", verb: arguments.verb.name)
        }
        for input in inputs where FileState(input).identity == nil { context.note("\(input.name) is not there yet, and is waited for") }
    }

    /// Runs the loop.
    ///
    /// Only the first attempt may fail. A file that is not there may be missing briefly while its log is rotated, may come, or is gone for
    /// ever.
    ///
    /// - Parameters:
    ///   - isHolding: Whether to write again though no file has changed.
    ///   - write: Writes what the inputs tell.
    func run(isHolding: () -> Bool = { false }, write: ([CommandInput]) throws -> Void) throws {
        let stop = context.catchStopSignals()
        func states() throws -> [FileState] {
            // A directory may hold new files.
            try arguments.inputs(context, allowsMissing: true).map(FileState.init).filter { $0.identity != nil }
        }
        var written = try states()
        try write(written.map(\.input))
        var complaint: String?
        while !StopSignals.isTold(stop, within: interval) {
            do {
                let now = try states()
                if now == written, !isHolding() { continue }
                try write(now.map(\.input))
                written = now
                complaint = nil
            } catch let error as CommandError {
                tell(error, &complaint)
            } catch let error as AuditLogError {
                tell(CommandError(error, of: arguments.verb), &complaint)
            }
        }
    }

    private func tell(_ error: CommandError, _ last: inout String?) {
        // Once is enough, however long it lasts.
        if let sentence = error.sentence, sentence != last { context.note(sentence) }
        last = error.sentence
    }
}
