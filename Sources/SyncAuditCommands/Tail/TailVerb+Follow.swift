import AuditLog
import AuditReport
import SyncLines

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
            case .standardInput: streams.append(FollowedStream(StreamedLines(descriptor: context.standardInput), name: input.name))
            case .file(let path):
                if Operands.isStream(path) {
                    streams.append(FollowedStream(try StreamedLines(path: path, waits: false), name: input.name))
                } else if StreamedLines.isCompressed(path) {
                    context.note("\(path): the file is compressed, so that nothing will be written to it; it is not followed")
                } else {
                    paths.append(path)
                }
            }
        }
        var follower = LogFollower(paths: paths, directories: directories, isStopped: isStopped)
        guard try showLast(count, of: &follower, &printer, context, isStopped) else { return }
        var isStopping = false
        while true {
            try show(follower.step(), &printer, context)
            if isStopping || paths.isEmpty && directories.isEmpty && streams.isEmpty { break }
            let ready = follower.wait(readable: [stop] + streams.map(\.descriptor), closed: [context.outputDescriptor])
            if ready.contains(context.outputDescriptor) { throw CommandError.outputClosed }
            // What was written before the signal came is still shown.
            if ready.contains(stop) { isStopping = true }
            for stream in streams where ready.contains(stream.descriptor) {
                try show(stream, &printer, context)
            }
            streams.removeAll(where: \.isDone)
        }
        try show(follower.finish(), &printer, context)
    }

    /// - Returns: False where it was asked to stop before the last lines of all files were known.
    private static func showLast(
        _ count: Int, of follower: inout LogFollower, _ printer: inout LinePrinter, _ context: CommandContext, _ isStopped: () -> Bool
    ) throws(CommandError) -> Bool {
        var last = LastLines(count: count)
        follower.skipToEnd { path, lines in
            if isStopped() { return false }
            do throws(AuditLogError) {
                last.add(try printer.last(count, of: &lines, named: path.escaped(for: .terminal)))
            } catch {
                // The lines to come may be readable all the same.
                context.note("\(path): \(error.description)")
            }
            return true
        }
        if isStopped() { return false }
        for line in last.lines { try context.output.write(line) }
        try context.output.flush()
        return true
    }

    private static func show(
        _ events: [LogFollower.Event], _ printer: inout LinePrinter, _ context: CommandContext
    ) throws(CommandError) {
        for event in events {
            switch event {
            case .line(let line):
                if let output = printer.output(for: line.bytes, at: line.path.escaped(for: .terminal)) {
                    try context.output.write(output.bytes)
                }
            case .notice(let notice):
                if notice.kind == .lineTooLong { printer.reject("the line is too long", at: notice.path.escaped(for: .terminal)) }
                context.note(notice.description)
            }
        }
        try finishBatch(&printer, context)
    }

    private static func show(_ stream: FollowedStream, _ printer: inout LinePrinter, _ context: CommandContext) throws(CommandError) {
        repeat {
            guard let batch = try stream.lines.read(named: stream.name, after: stream.number) else {
                stream.isDone = true
                break
            }
            for output in printer.outputs(for: batch, named: stream.name, &stream.number) { try context.output.write(output.bytes) }
        } while stream.lines.holdsMore
        try finishBatch(&printer, context)
    }

    private static func finishBatch(_ printer: inout LinePrinter, _ context: CommandContext) throws(CommandError) {
        try context.output.flush()
        // Said at once the first time, since the sum comes only at the end.
        if let problem = printer.popFirstProblem() {
            context.note("a line was passed over that could not be understood; such lines are counted: \(problem)")
        }
    }
}
