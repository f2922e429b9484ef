import AuditAnalysis
import AuditLive
import AuditLog
import AuditReport
import SyncBytes
import SyncLines
import SyncModel
import SyncSystem

/// A live screen on a terminal, fed by logs and keys.
final class LiveSession {
    /// The least time between two drawings, in milliseconds.
    private static let pause: Int64 = 100

    private var screen: LiveScreen
    private let terminal: LiveTerminal
    private let style: TerminalStyle
    private let inputs: [CommandInput]
    /// What options name, looked for in all that is read.
    private(set) var names: NameSearch
    private let context: CommandContext
    private let stop: Int32
    private var hasChanged = true
    private var lastDrawn = Int64.min
    private var size: LiveScreen.Size
    private var isDone = false
    /// The lines that were written to restore values, and are in their files still.
    private var restored: [Restored: RestorationFile] = [:]

    /// A write and the file it was written to: its time is another with every line that comes.
    private struct Restored: Hashable {
        let dot: Dot
        let path: String

        init(_ restoration: LiveRestoration) { (dot, path) = (restoration.write.dot, restoration.path) }
    }

    init(
        _ screen: LiveScreen, _ terminal: LiveTerminal, _ style: TerminalStyle, inputs: [CommandInput], names: NameSearch,
        _ context: CommandContext
    ) {
        (self.screen, self.terminal, self.style, self.inputs, self.context) = (screen, terminal, style, inputs, context)
        self.names = names
        size = terminal.size
        stop = context.catchStopSignals()
    }

    // MARK: The two ways to read

    /// Reads inputs to their ends, then waits for keys until the person leaves.
    func browse(_ inputs: [CommandInput]) throws {
        for input in inputs {
            var lines = try input.lines(waits: false, context)
            let descriptor = lines.descriptor
            while !isDone {
                try answer()
                if isDone { return }
                // A pipe that gives nothing must not keep keys from being answered.
                guard lines.holdsMore || StopSignals.isTold(descriptor, within: 0) else {
                    wait { limit, readable in Self.wait(for: readable + [descriptor], atMost: limit) }
                    continue
                }
                guard let found = try lines.read() else { break }
                for line in found { observe(line) }
            }
        }
        // A screen of nothing hides what is in the files instead of a log.
        if screen.isEmpty, let problem = screen.firstProblem { throw CommandError(.badData, problem) }
        while !isDone {
            try answer()
            wait { limit, readable in Self.wait(for: readable, atMost: limit) }
        }
    }

    private static func wait(for descriptors: [Int32], atMost milliseconds: Int) {
        var all = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = unsafe poll(&all, nfds_t(all.count), Int32(milliseconds))
    }

    /// Follows files and streams until the person leaves.
    func follow(_ inputs: [CommandInput], _ directories: [FollowedDirectory]) throws {
        context.expectManyFiles()
        var streams: [FollowedStream] = []
        var paths: [String] = []
        for input in inputs {
            if let path = input.followedPath {
                paths.append(path)
            } else {
                streams.append(FollowedStream(try input.lines(waits: false, context)))
            }
        }
        var follower = LogFollower(paths: paths, directories: directories) { StopSignals.isTold(stop, within: 0) }
        while !isDone {
            for event in follower.step() { observe(event) }
            for stream in streams where stream.isReadable { try stream.read { observe($0) } }
            streams.removeAll(where: \.isDone)
            try answer()
            if isDone { break }
            wait { limit, readable in
                follower.wait(atMost: .milliseconds(limit), readable: readable + streams.map(\.descriptor))
            }
        }
    }

    // MARK: Lines

    private func observe(_ event: LogFollower.Event) {
        if let line = event.inputLine { observe(line) }
        if case .notice(let notice) = event { screen.tell(notice.description) }
        hasChanged = true
    }

    private func observe(_ line: InputLine) {
        hasChanged = true
        screen.now = context.now()
        screen.observe(line, &names)
    }

    // MARK: Keys and drawing

    /// Does what keys and signals ask for, and draws where that is due.
    private func answer() throws {
        if StopSignals.isTold(stop, within: 0) { isDone = true }
        if terminal.popResumed() { (hasChanged, lastDrawn) = (true, .min) }
        guard let presses = terminal.pressed() else {
            isDone = true
            return
        }
        for press in presses where !isDone {
            hasChanged = true
            switch press {
            case .interrupt: isDone = true
            case .key(let key): try perform(screen.press(key))
            }
        }
        let current = terminal.size
        if current != size { (size, hasChanged, lastDrawn) = (current, true, .min) }
        let elapsed = lastDrawn == .min ? Self.pause : context.now() - lastDrawn
        // A clock that was set back must not stop the screen.
        guard !isDone, hasChanged, elapsed >= Self.pause || elapsed < 0 else { return }
        try terminal.show(screen.render(size, style))
        (hasChanged, lastDrawn) = (false, context.now())
    }

    private func wait(_ body: (_ milliseconds: Int, _ readable: [Int32]) -> Void) {
        body(hasChanged ? Int(clamping: Self.pause) / 2 : terminal.isWaitingForKey ? 50 : 250, [stop, terminal.keys])
    }

    private func perform(_ effect: LiveScreen.Effect) throws {
        switch effect {
        case .none: break
        case .quit: isDone = true
        case .copy(let string): try terminal.copy(string)
        case .jump(let text):
            do throws(ValueProblem) {
                screen.jump(to: try ValueParser.time(text, edge: .start, now: context.now()))
            } catch {
                screen.tell(error.sentence)
            }
        case .write(let restoration): write(restoration)
        case .takeBack(let restoration):
            let file = restored.removeValue(forKey: Restored(restoration))
            screen.tell(file?.takeBack() ?? "no line was written that could be taken out of \(restoration.path)")
        }
    }

    private func write(_ restoration: LiveRestoration) {
        guard restored[Restored(restoration)] == nil else {
            let name = EventText.register(restoration.write.key, nil)
            return screen.tell("not written again: the line that restores \(name) is in \(restoration.path)")
        }
        do throws(CommandError) {
            restored[Restored(restoration)] = try RestorationFile(appending: restoration, apartFrom: inputs, context)
            screen.wrote(restoration)
        } catch {
            screen.tell("not written: \(error.sentence ?? "")")
        }
    }
}
