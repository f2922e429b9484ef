import AuditLive
import SyncBytes
import SyncSystem

/// The terminal of a live screen: it is taken over by ``init(_:)`` and given back by ``restore()``.
final class LiveTerminal {
    /// The descriptor that keys come from.
    let keys: Int32
    private let output: Int32
    private let hold: TerminalHold
    private var parser = LiveKeyParser()

    /// Takes the terminal over: no echo, no lines, the alternate screen, no cursor.
    ///
    /// Keys are read from `/dev/tty`, whatever comes by standard input.
    ///
    /// - Throws: ``UsageError`` where there is no terminal that could show a screen.
    init(_ context: CommandContext, verb: String) throws {
        let kind = context.environment("TERM") ?? ""
        guard context.terminals.output, context.outputDescriptor >= 0, !["", "dumb"].contains(kind) else {
            let problem = context.terminals.output ? "the terminal is called \(kind.quoted) by TERM" : "standard output is no terminal"
            throw UsageError(
                "\(problem), and a screen needs one that can move its cursor; 'syncaudit report' and 'tail' need none", verb: verb)
        }
        keys = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard keys >= 0 else {
            throw UsageError("there is no terminal to read keys from: /dev/tty cannot be opened: \(Errno.last.sentence)", verb: verb)
        }
        output = context.outputDescriptor
        var attributes = termios()
        guard unsafe tcgetattr(keys, &attributes) == 0 else {
            close(keys)
            throw CommandError(.inputOutput, "the terminal does not tell its settings: \(Errno.last.sentence)")
        }
        let saved = attributes
        // Keys that send signals go on doing so: a person can end what hangs.
        attributes.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
        attributes.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | ISTRIP)
        // Nothing to do but to wake the one who waits, who then looks at the size.
        _ = signal(SIGWINCH) { _ in }
        hold = TerminalHold(keys: keys, output: output, saved: saved, taken: attributes)
    }

    /// Leaves the terminal as it was.
    func restore() {
        guard hold.end() else { return }
        _ = signal(SIGWINCH, SIG_DFL)
        close(keys)
    }

    /// Whether the process was stopped and goes on, so that the screen has to be drawn anew; once.
    func popResumed() -> Bool { hold.popResumed() }

    /// The size; 80 by 24 where the terminal does not say.
    var size: LiveScreen.Size {
        var size = winsize()
        guard unsafe ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return LiveScreen.Size(columns: 80, rows: 24)
        }
        return LiveScreen.Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Shows lines, one for each row.
    func show(_ lines: [String]) throws(CommandError) {
        var text = ""
        for (row, line) in lines.enumerated() { text += "\u{1b}[\(row + 1);1H\(line)\u{1b}[K" }
        try send(text + "\u{1b}[J")
    }

    /// Gives a string to whatever pastes, where the terminal lets programs do so: xterm's OSC 52.
    func copy(_ string: String) throws(CommandError) {
        try send("\u{1b}]52;c;\(Self.base64(string.utf8))\u{7}")
    }

    /// Bytes as RFC 4648 section 4 writes them.
    static func base64(_ bytes: some Collection<UInt8>) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var (text, rest) = ("", Array(bytes)[...])
        while !rest.isEmpty {
            let three = rest.prefix(3)
            let bits = (Array(three) + [0, 0]).prefix(3).reduce(0) { $0 << 8 | Int($1) }
            text += (0...3).map { $0 > three.count ? "=" : String(digits[bits >> (18 - 6 * $0) & 63]) }.joined()
            rest = rest.dropFirst(3)
        }
        return text
    }

    private func send(_ text: String) throws(CommandError) {
        if let error = writeBytes(Array(text.utf8), to: output) {
            throw CommandError(.inputOutput, "writing to the terminal failed: \(error.sentence)")
        }
    }

    /// The keys that were pressed; nil where the terminal has gone.
    func pressed() -> [LiveKeyParser.Press]? {
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(keys, $0.baseAddress, $0.count) }
        if count == 0 { return nil }
        if count < 0 { return [EAGAIN, EINTR].contains(errno) ? parser.finish() : nil }
        return parser.append(bytes.prefix(count))
    }

    /// Whether the beginning of a key has come that may be a key itself.
    var isWaitingForKey: Bool { parser.isWaiting }
}

/// Reads keys from what a terminal sends.
struct LiveKeyParser {
    /// A key, or the wish to end.
    enum Press: Hashable {
        case key(LiveScreen.Key)
        case interrupt
    }

    private var pending: [UInt8] = []

    /// Whether the beginning of a key is held back.
    var isWaiting: Bool { !pending.isEmpty }

    /// The keys in some bytes; the beginning of one is held back.
    mutating func append(_ bytes: some Sequence<UInt8>) -> [Press] {
        pending += bytes
        var keys: [Press] = []
        while let first = pending.first {
            guard let (length, press) = Self.next(pending, first) else { break }
            pending.removeFirst(length)
            if let press { keys.append(press) }
        }
        return keys
    }

    /// What was held back is a key itself, since nothing follows.
    mutating func finish() -> [Press] {
        defer { pending = [] }
        return pending.first == 0x1b ? [.key(.escape)] : []
    }

    private static func next(_ bytes: [UInt8], _ first: UInt8) -> (length: Int, press: Press?)? {
        switch first {
        case 0x1b: return sequence(bytes)
        case 0x03, 0x04: return (1, .interrupt)
        case 0x09: return (1, .key(.tab))
        case 0x0a, 0x0d: return (1, .key(.enter))
        case 0x15: return (1, .key(.clear))
        case 0x08, 0x7f: return (1, .key(.backspace))
        case 0..<0x20: return (1, nil)
        case ..<0x80: return (1, .key(.character(Character(Unicode.Scalar(first)))))
        default:
            let length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1
            guard bytes.count >= length else { return nil }
            let text = String(decoding: bytes.prefix(length), as: UTF8.self)
            return (length, text == "\u{fffd}" ? nil : text.first.map { .key(.character($0)) })
        }
    }

    /// A control sequence, ECMA-48 section 5.4, or a key with SS3 as in xterm's application mode.
    private static func sequence(_ bytes: [UInt8]) -> (length: Int, press: Press?)? {
        guard bytes.count > 1 else { return nil }
        guard [UInt8(ascii: "["), UInt8(ascii: "O")].contains(bytes[1]) else { return (1, .key(.escape)) }
        guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7e).contains($0) }) else {
            return bytes.count > 32 ? (bytes.count, nil) : nil
        }
        let key: LiveScreen.Key? =
            switch String(decoding: bytes[2...end], as: UTF8.self) {
            case "A": .up
            case "B": .down
            case "C": .right
            case "D": .left
            case "Z": .backTab
            case "3~": .delete
            case "5~": .pageUp
            case "6~": .pageDown
            case "H", "1~": .home
            case "F", "4~": .end
            default: nil
            }
        return (end + 1, key.map { .key($0) })
    }
}
