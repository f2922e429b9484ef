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

        /// Waits until the screen shows some words, which a sentence may have in two lines.
        func shows(_ words: String) async throws {
            try await wait(every: .milliseconds(50)) {
                let screen = try screen
                return screen.contains(words) || screen.replacing("\n", with: " ").contains(words)
            }
        }
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
        try await terminal.shows("append the line to: ")
        try terminal.press("Enter")
        try await terminal.shows("written to")
        #expect(directory.content("restored")?.contains(#""event":"write""#) == true)
        try terminal.run(["resize-window", "-x", "60", "-y", "20"])
        try terminal.press("f")
        try await terminal.shows("frozen; 0 events since")
        try terminal.press("/", "nothing", "Enter", "f")
        try await terminal.shows("none passes")
        try terminal.press("q")
        try await terminal.shows("left with 0")
        try expectRestored(terminal)
    }

    /// What each key shows, one after the other, on a screen of 80 by 24.
    @Test func everyKeyShowsWhatItIsFor() async throws {
        let story = try Story(directory)
        let id = try TestWorld.id(in: story.log)
        let terminal = try terminal("browse", "'\(story.log)' '\(story.trace)'")
        try await terminal.shows("Latest losses")
        let steps: [(keys: [String], words: String)] = [
            (["?"], "Tab, Shift-Tab"), (["q"], "? help  q quit"), (["Tab", "Tab"], "by field ↓losses"), (["s"], "by field ↓conflicts"),
            (["-"], "without field Card.phone"), (["u"], "undone: the filter"), (["BTab", "BTab"], "> 14:01:19"),
            (["+"], "r only record Card/42"), (["r"], "only record Card/42; Esc takes"), (["Escape"], "Latest losses\n"),
            (["t", "n", "o", "o", "n", "Enter"], "is no time that exists"), (["Escape"], "? help  q quit"),
            (["t", "2026-01-15T14:01:00Z", "Enter"], "no listed loss is as old"), (["y"], "\(id) is the conflict's id"),
            (["l"], "log.jsonl:"), (["v"], "Shown now"), (["G", "g"], "syncaudit story Card/42"), (["q"], "log.jsonl:"),
            (["q"], "? help  q quit"), (["Enter"], "Timeline"), (["Escape"], "? help  q quit"),
            (["/", "iphone", "Enter"], "only \"iphone\""),
        ]
        for (keys, words) in steps {
            for key in keys { try terminal.press(key) }
            try await terminal.shows(words)
        }
        try terminal.press("q")
        try await terminal.shows("left with 0")
        try expectRestored(terminal)
    }

    /// A restoration goes to the file that is typed, where that holds lines, and is taken back while it is the last.
    @Test func aRestorationGoesWhereThePersonSays() async throws {
        let story = try Story(directory)
        let (notes, lines) = (try directory.path("Dear all,\n", as: "notes"), try directory.path(Story.writes, as: "lines"))
        let open = try directory.path(String(Story.writes.dropLast()), as: "open")
        let terminal = try terminal("browse", "'\(story.log)'", columns: 120, rows: 40)
        try await terminal.shows("Latest losses")
        try terminal.press("r")
        try await terminal.shows("append the line to: restored.jsonl")
        for (path, words) in [
            (notes, "not written: "), (open, "has no end"), (story.log, "is one of the logs on the screen"),
            (notes + "/x", "cannot be written"),
        ] {
            try terminal.press("C-u", path, "Enter")
            try await terminal.shows(words)
            #expect(try terminal.screen.contains("append the line to: "))
        }
        try terminal.press("C-u", lines, "Enter")
        try await terminal.shows("written to")
        let written = directory.content("lines") ?? ""
        #expect(written.hasPrefix(Story.writes) && written.contains("restore-") && written.hasSuffix("\n"))
        try terminal.press("u")
        try await terminal.shows("is out of")
        #expect(directory.content("lines") == Story.writes)
        // What somebody else has written behind it stays.
        try terminal.press("r", "Enter")
        try await terminal.shows("written to")
        try (written + Story.writes).write(toFile: lines, atomically: false, encoding: .utf8)
        try terminal.press("u")
        try await terminal.shows("is not the last one of")
        #expect(directory.content("lines") == written + Story.writes)
        #expect(directory.content("notes") == "Dear all,\n" && directory.content("restored.jsonl") == nil)
        try terminal.press("q")
        try await terminal.shows("left with 0")
        try expectRestored(terminal)
    }

    /// Names and values that would act on a terminal are shown as what they are, on every page.
    @Test func whatIsHostileDoesNothing() async throws {
        let evil = #"\u001b]0;owned\u0007\u001b[2J\u009b31m"#
        let first = Trace.put("Mac", at: 0, "4\(evil)2", #"{"ph\#(evil)one":"0"}"#, type: "Card")
        let second = Trace.put("iPhone", at: 9, "4\(evil)2", #"{"ph\#(evil)one":"\#(evil)"}"#, type: "Card")
        let story = try Story(directory, trace: first + second)
        let terminal = try terminal("browse", "'\(story.log)' '\(story.trace)'")
        try await terminal.shows("Latest losses")
        for (keys, words) in [("?", "Tab, Shift-Tab"), ("l", "log.jsonl:"), ("v", "Shown now"), ("r", "append"), ("+", "r only")] {
            try terminal.press(keys)
            try await terminal.shows(words)
            #expect(try terminal.run(["display-message", "-p", "#{pane_title}"]) != "owned\n", "\(keys)")
            try terminal.press("Escape")
            try await terminal.shows("? help  q quit")
        }
        #expect(try terminal.screen.contains("u{1b}"))
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
            try terminal.press("r", "Enter")
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

    @Test(arguments: [("", "Latest losses"), ("?", "Esc back"), ("r", "append the line to: "), ("Enter", "v record")])
    func aStoppedScreenComesBack(_ key: String, _ words: String) async throws {
        let story = try Story(directory)
        let output = directory.file("output")
        let terminal = try Terminal(columns: 80, rows: 24, "PS1='$ ' exec sh -i", output: output)
        try terminal.press("'\(tool)' browse '\(story.log)'", "Enter")
        try await terminal.shows("Latest losses")
        if !key.isEmpty { try terminal.press(key) }
        try await terminal.shows(words)
        try terminal.press("C-z")
        try await terminal.shows("$ ")
        #expect(try terminal.run(["display-message", "-p", "#{alternate_on} #{cursor_flag}"]) == "0 1\n")
        try terminal.press("fg", "Enter")
        try await terminal.shows(words)
        // Back from a page; a question is left by Esc, which a key that follows at once would make another key of.
        if !key.isEmpty { try terminal.press("Escape") }
        try await terminal.shows("? help  q quit")
        try terminal.press("Down")
        try terminal.press("q")
        try await terminal.shows("$ ")
        #expect(try terminal.run(["display-message", "-p", "#{alternate_on} #{cursor_flag}"]) == "0 1\n")
    }

    @Test func tailKeepsOneLineAnEvent() async throws {
        let story = try Story(directory)
        let terminal = try terminal("tail", "-n 5 '\(story.log)'", columns: 50)
        try await terminal.shows("left with 0")
        let shown = try terminal.screen.split(separator: "\n")
        let lines = shown.prefix { !$0.hasPrefix("syncaudit: ") }
        #expect(shown.dropFirst(lines.count).joined().hasPrefix("syncaudit: of the last loss: syncaudit show "))
        #expect(!lines.isEmpty && lines.count <= 5 && lines.allSatisfy { $0.hasPrefix("01-15 ") && $0.count <= 50 })
        #expect(lines.contains { $0.hasSuffix("…") })
        try expectRestored(terminal)
    }
}
