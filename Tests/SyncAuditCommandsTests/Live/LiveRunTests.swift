#if os(Linux)
    import ChildProcess
    import CommandWorld
    import Foundation
    import Testing

    /// A screen in a terminal that is nothing but a pipe of both ways; `ProgramTests` has one that draws.
    @Suite(.timeLimit(.minutes(10))) struct LiveRunTests {
        /// The end of a terminal at which a person sits.
        private final class Terminal {
            let path: String
            private let descriptor: Int32
            private(set) var shown = ""

            init() throws {
                descriptor = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
                // The kernel's own numbers, as the C library hides what asks for them: 'unlock', and 'which one is it'.
                var (isLocked, number) = (Int32(0), Int32(0))
                let isOpen = unsafe ioctl(descriptor, 0x4004_5431, &isLocked) == 0 && ioctl(descriptor, 0x8004_5430, &number) == 0
                path = "/dev/pts/\(number)"
                try #require(isOpen)
            }

            deinit { close(descriptor) }

            func press(_ keys: String) {
                let bytes = Array(keys.utf8)
                _ = unsafe write(descriptor, bytes, bytes.count)
            }

            /// Waits until some words were shown, behind those that were waited for before.
            func shows(_ words: String) async throws {
                try await wait {
                    if let range = shown.range(of: words) {
                        shown.removeSubrange(..<range.upperBound)
                        return true
                    }
                    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                    guard unsafe poll(&ready, 1, 0) == 1 else { return false }
                    var buffer = [UInt8](repeating: 0, count: 4096)
                    let count = unsafe read(descriptor, &buffer, buffer.count)
                    shown += String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
                    return false
                }
            }

            var settings: termios {
                var settings = termios()
                unsafe tcgetattr(descriptor, &settings)
                return settings
            }
        }

        /// Starts `browse` on a story's log in a terminal.
        ///
        /// - Parameters:
        ///   - start: What the shell does before.
        ///   - options: What comes before the log.
        ///   - file: The file `$4` of either.
        private func browse(
            _ story: Story, in terminal: Terminal, start: String = "", options: String = "", file: String = ""
        ) throws -> ChildProcess {
            let script = start + #"exec env TERM=xterm SWIFT_BACKTRACE=enable=no "$1" browse "# + options + #" "$2" < "$3" > "$3" 2>&1"#
            return try ChildProcess(
                path: "/usr/bin/env",
                ["setsid", "-w", "sh", "-c", script, "sh", ChildProcess.helperDirectory + "syncaudit", story.log, terminal.path, file])
        }

        private static let hasSessions = ChildProcess.run(["setsid", "--version"]).status == 0

        @Test(.enabled(if: hasSessions, "there is no setsid, which gives a process a terminal"), arguments: ["q", "\u{3}"])
        func aKeyEndsTheScreenAndTheTerminalIsAsItWas(key: String) async throws {
            let directory = try TemporaryDirectory()
            let story = try Story(directory)
            let terminal = try Terminal()
            let before = terminal.settings
            let process = try browse(story, in: terminal)
            try await terminal.shows("Latest losses")
            #expect(terminal.settings.c_lflag & tcflag_t(ECHO) == 0)
            terminal.press(key)
            // The cursor, and the screen as it was.
            try await terminal.shows("\u{1b}[?1049l")
            #expect([0, 130].contains(process.wait()))
            #expect(terminal.settings.c_lflag == before.c_lflag && terminal.settings.c_iflag == before.c_iflag)
        }

        /// Whatever ends the process, the terminal is as it was.
        @Test(
            .enabled(if: hasSessions, "there is no setsid, which gives a process a terminal"),
            arguments: [
                SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGTRAP, SIGSYS, SIGQUIT,
            ])
        func aSignalThatEndsTheProcessGivesTheTerminalBack(number: Int32) async throws {
            let directory = try TemporaryDirectory()
            let story = try Story(directory)
            let terminal = try Terminal()
            let before = terminal.settings
            let process = try browse(story, in: terminal, start: #"ulimit -c 0; echo $$ > "$4"; "#, file: directory.file("pid"))
            try await terminal.shows("Latest losses")
            let identifier = try #require(Int32(directory.content("pid")?.dropLast() ?? ""))
            #expect(kill(identifier, number) == 0)
            try await terminal.shows("\u{1b}[?1049l")
            #expect(process.wait() == 128 + number)
            #expect(terminal.settings.c_lflag == before.c_lflag && terminal.settings.c_iflag == before.c_iflag)
        }

        /// Wherever the person is, what asks for an end ends the screen and leaves the terminal whole.
        @Test(
            .enabled(if: hasSessions, "there is no setsid, which gives a process a terminal"), arguments: [SIGTERM, SIGHUP, SIGINT],
            [("?", "Esc back"), ("\r", "v record"), ("r", "append the line to: "), ("/x", "Enter keeps"), ("+", "a letter says")])
        func whatAsksForAnEndEndsEveryPage(number: Int32, page: (keys: String, words: String)) async throws {
            let directory = try TemporaryDirectory()
            let story = try Story(directory)
            let terminal = try Terminal()
            let before = terminal.settings
            let process = try browse(story, in: terminal, start: #"echo $$ > "$4"; "#, file: directory.file("pid"))
            try await terminal.shows("Latest losses")
            terminal.press(page.keys)
            try await terminal.shows(page.words)
            let identifier = try #require(Int32(directory.content("pid")?.dropLast() ?? ""))
            #expect(kill(identifier, number) == 0)
            try await terminal.shows("\u{1b}[?1049l")
            #expect([0, 128 + number].contains(process.wait()))
            #expect(terminal.settings.c_lflag == before.c_lflag && terminal.settings.c_iflag == before.c_iflag)
        }

        /// Nothing stops a process of which no shell would hear: the screen goes on.
        @Test(.enabled(if: hasSessions, "there is no setsid, which gives a process a terminal"))
        func whatCannotBeStoppedTakesTheTerminalAgain() async throws {
            let directory = try TemporaryDirectory()
            let story = try Story(directory)
            let terminal = try Terminal()
            let process = try browse(story, in: terminal, start: #"echo $$ > "$4"; "#, file: directory.file("pid"))
            try await terminal.shows("Latest losses")
            let identifier = try #require(Int32(directory.content("pid")?.dropLast() ?? ""))
            for _ in 0..<2 {
                #expect(kill(identifier, SIGTSTP) == 0)
                try await terminal.shows("\u{1b}[?1049h")
                try await terminal.shows("Latest losses")
                #expect(terminal.settings.c_lflag & tcflag_t(ECHO) == 0)
            }
            terminal.press("q")
            #expect(process.wait() == 0)
        }

        @Test(.enabled(if: hasSessions, "there is no setsid, which gives a process a terminal"))
        func whatWasRestoredIsNotWrittenAgain() async throws {
            let directory = try TemporaryDirectory()
            let story = try Story(directory)
            let terminal = try Terminal()
            let process = try browse(story, in: terminal, options: #"--restore "$4""#, file: directory.file("writes.jsonl"))
            try await terminal.shows("Latest losses")
            terminal.press("r")
            try await terminal.shows("append the line to: ")
            terminal.press("\r")
            try await terminal.shows("written to")
            terminal.press("r\r")
            try await terminal.shows("not written again")
            terminal.press("\u{1b}")
            try await terminal.shows("q quit")
            #expect(directory.content("writes.jsonl")?.split(separator: "\n").count == 1)
            // What was taken out again may be written again.
            terminal.press("u")
            try await terminal.shows("is out of")
            #expect(directory.content("writes.jsonl") == "")
            terminal.press("r\r")
            try await terminal.shows("written to")
            terminal.press("q")
            #expect(process.wait() == 0)
            #expect(directory.content("writes.jsonl")?.split(separator: "\n").count == 1)
        }

        @Test(.enabled(if: hasSessions, "there is no setsid, which gives a process a terminal"))
        func theIDIsGivenToTheClipboard() async throws {
            let directory = try TemporaryDirectory()
            let story = try Story(directory)
            let id = try TestWorld.id(in: story.log)
            let terminal = try Terminal()
            let process = try browse(story, in: terminal)
            try await terminal.shows("Latest losses")
            terminal.press("y")
            try await terminal.shows("\u{1b}]52;c;\(Data(id.utf8).base64EncodedString())\u{7}")
            try await terminal.shows("\(id) is the conflict's id")
            terminal.press("q")
            #expect(process.wait() == 0)
        }
    }
#endif
