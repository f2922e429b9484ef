#if os(Linux)
    import ChildProcess
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

            /// Waits until some words were shown.
            func shows(_ words: String) async throws {
                try await wait {
                    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                    guard unsafe poll(&ready, 1, 0) == 1 else { return false }
                    var buffer = [UInt8](repeating: 0, count: 4096)
                    let count = unsafe read(descriptor, &buffer, buffer.count)
                    shown += String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
                    return shown.contains(words)
                }
            }

            var settings: termios {
                var settings = termios()
                unsafe tcgetattr(descriptor, &settings)
                return settings
            }
        }

        private static let hasSessions = ChildProcess.run(["setsid", "--version"]).status == 0

        @Test(.enabled(if: hasSessions, "there is no setsid, which gives a process a terminal"), arguments: ["q", "\u{3}"])
        func aKeyEndsTheScreenAndTheTerminalIsAsItWas(key: String) async throws {
            let directory = try TemporaryDirectory()
            let story = try Story(directory)
            let terminal = try Terminal()
            let before = terminal.settings
            let script = #"exec env TERM=xterm "$1" browse "$2" < "$3" > "$3" 2>&1"#
            let process = try ChildProcess(
                path: "/usr/bin/env",
                ["setsid", "-w", "sh", "-c", script, "sh", ChildProcess.helperDirectory + "syncaudit", story.log, terminal.path])
            try await terminal.shows("Latest losses")
            #expect(terminal.settings.c_lflag & tcflag_t(ECHO) == 0)
            terminal.press(key)
            // The cursor, and the screen as it was.
            try await terminal.shows("\u{1b}[?1049l")
            #expect([0, 130].contains(process.wait()))
            #expect(terminal.settings.c_lflag == before.c_lflag && terminal.settings.c_iflag == before.c_iflag)
        }
    }
#endif
