import AuditLog
import AuditReport
import SyncBytes

extension TailVerb {
    /// Shows the last lines of some files and then what is written to them, until it is asked to stop or nobody reads on.
    ///
    /// Streams are shown as they come; where there is nothing else to follow, their end is the end.
    static func follow(
        _ inputs: [CommandInput], _ directories: [FollowedDirectory], _ count: Int, _ printer: inout LinePrinter, _ context: CommandContext
    ) throws {
        context.expectManyFiles()
        let stop = context.catchStopSignals()
        func isStopped() -> Bool { StopSignals.isTold(stop, within: 0) }
        var streams: [FollowedStream] = []
        var paths: [String] = []
        for input in inputs {
            if isStopped() { return }
            switch input {
            case .standardInput: streams.append(FollowedStream(try input.lines(waits: false, context)))
            case .file(let path):
                if Operands.isStream(path) {
                    streams.append(FollowedStream(try input.lines(waits: false, context)))
                } else if StreamedLines.isCompressed(path) {
                    context.note("\(path): the file is compressed, so that nothing will be written to it; it is not followed")
                } else if StreamedLines.isPrintedLog(path) {
                    // Its messages belong together, over several lines, which one line after the other does not tell.
                    context.note(
                        "\(input.name): this is Apple's log as text, which is read to its end and not followed; pipe what writes it")
                    streams.append(FollowedStream(try input.lines(waits: false, context)))
                } else {
                    paths.append(path)
                }
            }
        }
        var follower = LogFollower(paths: paths, directories: directories, isStopped: isStopped)
        guard try showLast(count, of: &follower, &printer, context, isStopped) else { return }
        var ready: Set<Int32> = []
        while true {
            var lines = OrderedLines()
            add(follower.step(), to: &lines, &printer, context)
            for stream in streams where ready.contains(stream.descriptor) {
                try stream.read { line in
                    if let output = printer.output(for: line) { lines.add(output, from: line.file) }
                    // What comes out of a compressed file has no bound.
                    if lines.isFull { try write(&lines, &printer, context) }
                }
            }
            streams.removeAll(where: \.isDone)
            try write(&lines, &printer, context)
            // What was written before the signal came has been shown.
            if ready.contains(stop) || paths.isEmpty && directories.isEmpty && streams.isEmpty { break }
            ready = Set(follower.wait(readable: [stop] + streams.map(\.descriptor), closed: [context.outputDescriptor]))
            if ready.contains(context.outputDescriptor) { throw CommandError.outputClosed }
        }
        var lines = OrderedLines()
        add(follower.finish(), to: &lines, &printer, context)
        try write(&lines, &printer, context)
    }

    /// - Returns: False where it was asked to stop before the last lines of all files were known.
    private static func showLast(
        _ count: Int, of follower: inout LogFollower, _ printer: inout LinePrinter, _ context: CommandContext, _ isStopped: () -> Bool
    ) throws(CommandError) -> Bool {
        var last = OrderedLines(limit: count)
        follower.skipToEnd { path, lines in
            if isStopped() { return false }
            do throws(AuditLogError) {
                for line in try printer.last(count, of: &lines, named: path.escaped(for: .terminal)) { last.add(line, from: path) }
            } catch {
                // The lines to come may be readable all the same.
                context.note("\(path): \(error.description)")
            }
            return true
        }
        if isStopped() { return false }
        try printer.write(&last, context)
        return true
    }

    private static func add(
        _ events: [LogFollower.Event], to lines: inout OrderedLines, _ printer: inout LinePrinter, _ context: CommandContext
    ) {
        for event in events {
            if let line = event.inputLine, let output = printer.output(for: line) { lines.add(output, from: line.file) }
            if case .notice(let notice) = event { context.note(notice.description) }
        }
    }

    private static func write(_ lines: inout OrderedLines, _ printer: inout LinePrinter, _ context: CommandContext) throws(CommandError) {
        try printer.write(&lines, context)
        // Said at once the first time, since the sum comes only at the end.
        if let problem = printer.popFirstProblem() {
            context.note("a line was passed over that could not be understood; such lines are counted: \(problem)")
        }
    }
}
