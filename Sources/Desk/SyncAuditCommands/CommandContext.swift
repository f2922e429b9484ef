import AuditAnalysis
import AuditLog
package import AuditReport
import SyncBytes

/// What a verb needs from the world.
///
/// Everything can be replaced in a test.
package struct CommandContext {
    /// Which of the standard streams lead to a terminal.
    package struct Terminals: Sendable {
        /// Standard input.
        package var input: Bool
        /// Standard output.
        package var output: Bool
        /// Standard error.
        package var error: Bool

        /// States which.
        package init(input: Bool = false, output: Bool = false, error: Bool = false) {
            self.input = input
            self.output = output
            self.error = error
        }
    }

    /// Takes the output.
    package var output: any ByteSink
    /// Takes text for standard error: whole lines, free of what a terminal acts on.
    ///
    /// Verbs use ``note(_:)``.
    package var errorText: (String) -> Void
    /// The descriptor of standard input.
    package var standardInput: Int32
    /// What has been opened of inputs that can be read only once.
    let streams = OpenedStreams()
    /// Which streams lead to a terminal.
    package var terminals: Terminals
    /// The columns that the terminal itself reports now, where there is one.
    package var reportedWidth: () -> Int?
    /// The lines that the terminal itself reports now, where there is one.
    package var reportedHeight: () -> Int? = { nil }
    /// How many threads there are to work on, 1 or more.
    package var processors: Int
    /// The value of an environment variable.
    package var environment: (String) -> String?
    /// The wall clock, in milliseconds since 1970.
    package var now: () -> Int64
    /// The descriptor behind ``output``, whose reader may go away while there is nothing to write; negative where there is none.
    package var outputDescriptor: Int32 = -1
    /// From now on, what would end the process ends the verb in good order.
    ///
    /// Returns a descriptor that becomes readable when that is asked for, or a negative number where nobody can ask.
    package var catchStopSignals: () -> Int32 = { -1 }
    /// The configuration file of the working directory, where there is one.
    package var configurationFile: () -> String? = { nil }
    /// The program that shows long output; nil where there is none, or no terminal.
    package var pager: Pager?
    /// Called before any other thread by a verb that is going to keep much in memory until its end.
    package var expectMuchMemory: () -> Void = {}
    /// About how many writes are audited between two looks at the memory in use.
    package var writesPerLook = SpillSpace.usualWritesPerLook
    /// Called by a verb that may keep very many files open.
    package var expectManyFiles: () -> Void = {}

    /// Shows a text on the terminal behind standard error, from whichever thread; nil where there is no terminal that could take it back.
    package var progressText: (@Sendable (String) -> Void)?

    /// The same, which says nothing: for a look at what is read properly afterwards.
    var muted: CommandContext {
        var context = self
        context.errorText = { _ in }
        return context
    }

    /// A context.
    package init(
        output: any ByteSink, errorText: @escaping (String) -> Void, standardInput: Int32, terminals: Terminals = Terminals(),
        reportedWidth: @escaping () -> Int? = { nil }, processors: Int = 1, environment: @escaping (String) -> String? = { _ in nil },
        now: @escaping () -> Int64
    ) {
        self.output = output
        self.errorText = errorText
        self.standardInput = standardInput
        self.terminals = terminals
        self.reportedWidth = reportedWidth
        self.processors = processors
        self.environment = environment
        self.now = now
    }

    /// Says something on standard error, as `syncaudit: sentence`.
    package func note(_ sentence: String) {
        errorText("syncaudit: \(sentence.escaped(for: .terminal))\n")
    }

    /// The columns to lay tables out in: `COLUMNS` where it is a sensible number, else the terminal's, else 80.
    package var width: Int {
        if let text = environment("COLUMNS"), let columns = Int(text), (20...1000).contains(columns) { return columns }
        return reportedWidth().map { max(20, $0) } ?? 80
    }

    /// Colours as `--color` asks for them.
    ///
    /// In a file there are none unless they are demanded.
    package func style(color: ColorChoice, isFile: Bool) -> TerminalStyle {
        switch color {
        case .always: TerminalStyle(isEnabled: true)
        case .never: TerminalStyle(isEnabled: false)
        case .auto:
            TerminalStyle(
                isEnabled: !isFile && terminals.output && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb")
        }
    }

    /// Opens the output that `--output` names, or standard output, and completes it when the body is done.
    ///
    /// - Parameter isPaged: Whether the output may be longer than a screen, and is shown in ``pager`` where there is one.
    /// - Throws: ``CommandError`` and what `body` throws. A file named is then as it was before.
    package func withOutput<Result>(path: String?, isPaged: Bool = false, _ body: (any ByteSink) throws -> Result) throws -> Result {
        if let path, path != "-" { return try AtomicFile.write(to: path, body) }
        if isPaged, let pager { return try withOutput(in: pager, body) }
        let result = try body(output)
        try output.flush()
        return result
    }
}

/// When to use colours.
package enum ColorChoice: String, Hashable, Sendable, CaseIterable {
    /// Where a person looks and has not asked for none. Source of the rule for `NO_COLOR`: no-color.org.
    case auto
    /// In any case.
    case always
    /// In no case.
    case never
}

extension ParsedArguments {
    /// How what goes to the terminal looks, by `--color` and `--output`.
    ///
    /// - Parameter isPaged: Whether it goes there through ``CommandContext/pager``, which may show no colours.
    func style(_ context: CommandContext, isPaged: Bool = false) throws(UsageError) -> TerminalStyle {
        let color = try choice("color", as: ColorChoice.self) ?? .auto
        if isPaged, color == .auto, context.pager?.showsColors == false { return TerminalStyle(isEnabled: false) }
        return context.style(color: color, isFile: text("output").map { $0 != "-" } ?? false)
    }
}
