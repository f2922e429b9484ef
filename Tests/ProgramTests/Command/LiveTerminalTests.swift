import ChildProcess
import CommandWorld
import Foundation
import Testing

private enum Tmux {
    /// Where the program is; nil where there is none.
    static let path = ["/usr/bin/tmux", "/opt/homebrew/bin/tmux", "/usr/local/bin/tmux"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }
}

/// `syncaudit top` in a real terminal: tmux's.
@Suite(.enabled(if: Tmux.path != nil, "tmux is not installed, which plays the terminal"), .timeLimit(.minutes(10)))
struct LiveTerminalTests {
    /// A terminal in which a command line runs.
    private final class Terminal {
        private let socket = "syncaudit-\(UUID().uuidString)"
        private let output: String

        init(columns: Int, rows: Int, _ line: String, output: String) throws {
            self.output = output
            try run(["new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "sh", "-c", line])
        }

        deinit {
            // The directory may be gone by now, and so no file is written.
            _ = ChildProcess.run([Tmux.path ?? "", "-L", socket, "kill-server"])
            #expect(ChildProcess.run([Tmux.path ?? "", "-L", socket, "list-sessions"]).status == 1)
        }

        /// What a command of tmux writes: to a file, since what runs in the terminal would hold a pipe open.
        @discardableResult func run(_ arguments: [String]) throws -> String {
            let tmux = [Tmux.path ?? "", "-L", socket, "-f", "/dev/null"] + arguments
            let script = #"out="$1"; shift; exec "$@" > "$out" 2>/dev/null < /dev/null"#
            _ = ChildProcess.run(["sh", "-c", script, "sh", output] + tmux)
            return (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
        }

        func press(_ keys: String...) throws { try run(["send-keys"] + keys) }

        var screen: String { get throws { try run(["capture-pane", "-p"]) } }

        /// Waits until the screen shows some words.
        func shows(_ words: String) async throws { try await wait(every: .milliseconds(50)) { try screen.contains(words) } }
    }

    private let directory: TemporaryDirectory
    private let tool: String

    init() throws {
        directory = try TemporaryDirectory()
        tool = ChildProcess.helperDirectory + "syncaudit"
    }

    /// A terminal in which a verb looks at a folder of logs, and then says how it left the terminal.
    private func terminal(
        _ verb: String, _ arguments: String, variables: String = "", columns: Int = 80, rows: Int = 24
    ) throws -> Terminal {
        let (before, after) = (directory.file("before"), directory.file("after"))
        return try Terminal(
            columns: columns, rows: rows,
            "trap : INT QUIT; stty -a > '\(before)'; \(variables) '\(tool)' \(verb) \(arguments); code=$?; stty -a > '\(after)'; echo left with $code; trap '' INT QUIT; exec cat",
            output: directory.file("output"))
    }

    private func expectRestored(_ terminal: Terminal) throws {
        #expect(try !terminal.screen.contains("Latest losses"))
        #expect(try terminal.run(["display-message", "-p", "#{alternate_on} #{cursor_flag}"]) == "0 1\n")
        // The first line tells the size, which may have changed.
        func settings(_ name: String) -> ArraySlice<Substring>? { directory.content(name)?.split(separator: "\n").dropFirst() }
        #expect(settings("before") == settings("after") && settings("after") != nil)
    }

    @Test func topFollowsAnswersKeysAndLeavesTheTerminal() async throws {
        let story = try Story(directory)
        let logs = directory.file("logs")
        try FileManager.default.createDirectory(atPath: logs, withIntermediateDirectories: true)
        let terminal = try terminal("top", "--restore '\(directory.file("restored"))' '\(logs)'")
        try await terminal.shows("waiting")
        try FileManager.default.copyItem(atPath: story.log, toPath: logs + "/a.jsonl")
        try await terminal.shows("Latest losses")
        try terminal.press("Enter")
        try await terminal.shows("Esc back")
        try terminal.press("Escape")
        try await terminal.shows("q quit")
        try terminal.press("r")
        try await terminal.shows("written to")
        #expect(directory.content("restored")?.contains(#""event":"write""#) == true)
        try terminal.run(["resize-window", "-x", "60", "-y", "20"])
        try terminal.press("f")
        try await terminal.shows("f go on")
        try terminal.press("/", "nothing", "Enter", "f")
        try await terminal.shows("f freeze")
        try terminal.press("q")
        try await terminal.shows("left with 0")
        try expectRestored(terminal)
    }

    @Test func browseEndsByAnInterrupt() async throws {
        let story = try Story(directory)
        let terminal = try terminal("browse", "'\(story.log)'", columns: 60, rows: 20)
        try await terminal.shows("Latest losses")
        try terminal.press("C-c")
        try await terminal.shows("left with ")
        try expectRestored(terminal)
    }

    @Test func whatIsLongIsShownInThePager() async throws {
        let story = try Story(directory)
        for (verb, arguments, count) in [
            ("report", "--all '\(story.log)'", 50), ("lost", "'\(story.log)'", 10), ("replay", "'\(story.trace)'", 10),
        ] {
            let terminal = try terminal(verb, arguments, variables: "PAGER='sed s/^/»/'", rows: 200)
            try await terminal.shows("left with 0")
            #expect(try terminal.screen.split(separator: "\n").filter { $0.hasPrefix("»") }.count > count, "\(verb)")
        }
        let terminal = try terminal("report", "--all '\(story.log)'", variables: "PAGER='sed s/^/»/'", rows: 200)
        try await terminal.shows("left with 0")
        try expectRestored(terminal)
    }

    @Test(arguments: ["less", "more"])
    func quittingAPagerEarlyIsNoError(_ pager: String) async throws {
        let story = try Story(directory)
        let terminal = try terminal("report", "--all '\(story.log)'", variables: "LESS=FRX PAGER=\(pager)")
        try await terminal.shows(pager == "less" ? "\n:" : "More")
        try terminal.press("q")
        try await terminal.shows("left with 0")
        try expectRestored(terminal)
    }

    @Test func aPagerThatIsNotThereHidesNothing() async throws {
        let story = try Story(directory)
        for pager in ["no-such-pager", "no-such-pager --x=1"] {
            let terminal = try terminal("report", "--all '\(story.log)'", variables: "PAGER='\(pager)'", rows: 200)
            try await terminal.shows("left with 0")
            #expect(try terminal.screen.contains("cannot be started"))
            #expect(try terminal.screen.contains("By kind"))
        }
    }

    @Test(arguments: [["C-c", "C-c"], ["C-\\"]])
    func whatEndsAHangingScreenGivesTheTerminalBack(_ keys: [String]) async throws {
        // A value longer than a pipe holds.
        let long = String(repeating: "long", count: 50_000)
        let story = try Story(directory, trace: Trace.put("a", at: 0, #"{"v":"\#(long)"}"#) + Trace.put("b", at: 9, #"{"v":1}"#))
        let path = directory.file("pipe")
        #expect(unsafe mkfifo(path, 0o600) == 0)
        let pipe = unsafe open(path, O_RDONLY | O_NONBLOCK)
        defer { close(pipe) }
        let terminal = try terminal("browse", "--restore '\(path)' '\(story.log)'")
        try await terminal.shows("Latest losses")
        // Nobody reads the pipe on, so that what writes to it hangs as soon as it has begun. The list is there before what restores it.
        try await wait(every: .milliseconds(500)) {
            var count: Int32 = 0
            if unsafe ioctl(pipe, UInt(FIONREAD), &count) == 0 && count > 0 { return true }
            try terminal.press("r")
            return false
        }
        for key in keys.dropLast() { try terminal.press(key) }
        try await wait(every: .milliseconds(200)) {
            if try terminal.screen.contains("left with 1") { return true }
            // One that comes too soon after the one before is the same to the process; what runs afterwards ignores it.
            try terminal.press(keys[keys.count - 1])
            return false
        }
        try expectRestored(terminal)
    }

    @Test(arguments: [
        ("id,name\n1,Ada\n", "this is CSV"), ("{\n  \"a\": 1\n}\n", "goes over several lines"), ("\u{1}\u{2}\n\u{3}", ":1: "),
    ])
    func browsingWhatIsNoLogNamesWhatItIs(_ content: String, _ words: String) async throws {
        let file = directory.file("input")
        try content.write(toFile: file, atomically: true, encoding: .utf8)
        let terminal = try terminal("browse", "'\(file)'", rows: 30)
        try await terminal.shows("left with 65")
        #expect(try terminal.screen.replacing("\n", with: "").contains(words))
        try expectRestored(terminal)
    }

    @Test(arguments: ["", "trap '' HUP;"])
    func aTerminalThatGoesEndsTheScreen(_ trap: String) async throws {
        let story = try Story(directory)
        let (identity, folder) = (directory.file("identity"), directory.file("temporary"))
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let terminal = try Terminal(
            columns: 80, rows: 24, "\(trap) echo $$ > '\(identity)'; cd '\(folder)'; TMPDIR='\(folder)' exec '\(tool)' top '\(story.log)'",
            output: directory.file("output"))
        try await terminal.shows("Latest losses")
        let process = try #require(pid_t((directory.content("identity") ?? "").filter(\.isNumber)))
        #expect(kill(process, 0) == 0)
        try terminal.run(["kill-server"])
        do {
            try await wait { kill(process, 0) != 0 }
        } catch {
            kill(process, SIGKILL)
            throw error
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test func aStoppedScreenComesBack() async throws {
        let story = try Story(directory)
        let output = directory.file("output")
        let terminal = try Terminal(columns: 80, rows: 24, "PS1='$ ' exec sh -i", output: output)
        try terminal.press("'\(tool)' browse '\(story.log)'", "Enter")
        try await terminal.shows("Latest losses")
        try terminal.press("C-z")
        try await terminal.shows("$ ")
        #expect(try terminal.run(["display-message", "-p", "#{alternate_on} #{cursor_flag}"]) == "0 1\n")
        try terminal.press("fg", "Enter")
        try await terminal.shows("Latest losses")
        try terminal.press("Down")
        try terminal.press("q")
        try await terminal.shows("$ ")
        #expect(try terminal.run(["display-message", "-p", "#{alternate_on} #{cursor_flag}"]) == "0 1\n")
    }

    @Test func tailKeepsOneLineAnEvent() async throws {
        let story = try Story(directory)
        let terminal = try terminal("tail", "-n 5 '\(story.log)'", columns: 50)
        try await terminal.shows("left with 0")
        let lines = try terminal.screen.split(separator: "\n").filter { $0 != "left with 0" }
        #expect(!lines.isEmpty && lines.count <= 5 && lines.allSatisfy { $0.hasPrefix("01-15 ") && $0.count <= 50 })
        #expect(lines.contains { $0.hasSuffix("…") })
        try expectRestored(terminal)
    }
}
