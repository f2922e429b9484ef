import Foundation
import SyncAuditCommands
import Testing

/// Whatever the input holds, the command says where and what is wrong, and leaves no output behind.
@Suite struct BadInputTests {
    private let directory: TemporaryDirectory
    private let world = TestWorld()

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// A good line, and what a bad one makes of it.
    private static func line(_ old: String = "", _ new: String = "") -> String {
        let good = Trace.put("x", 1, at: 0, "9", #"{"v":1}"#).dropLast()
        let bad = old.isEmpty ? String(good) : good.replacingOccurrences(of: old, with: new)
        precondition(old.isEmpty || bad != good, "\(old) stands in the line")
        return bad
    }

    private static let deep = String(repeating: "[", count: 100_000)

    private static let badTexts: [(String, String)] =
        [
            ("hello", "this is not JSON"), ("{", "cut off"), (String(line().dropLast(9)), "cut off"), ("[1]", "must be a JSON object"),
            ("7", "must be a JSON object"), (line() + line(), "something after the end"),
            (line(#""put""#, "1"), #""op" must be a text, not 1"#),
            (line(#""put""#, #""patch""#), #""op" is "patch"; put or delete is expected"#),
            (line(#"{"v":1}"#, "[]"), #""fields" must be an object, not an array"#),
            (line(#"{"v":1}"#, "null"), #""fields" must be an object, not null"#),
            (line(#","fields":{"v":1}"#, ""), #"the key "fields" is missing"#),
            (line(#""device":"x","#, ""), #"the key "device" is missing"#),
            (line(#""recordID":"9","#, ""), #"the key "recordID" is missing"#), (line(#""x""#, #""""#), #""device" is empty"#),
            (line("2026-01-15", "2026-02-30"), "not a date that exists"),
            (line("2026-01-15T14", "2026-01-15T25"), "not a date that exists"),
            (line("2026-01-15", "12026-01-15"), "not a date that exists"), (line(#""n":1"#, #""n":0"#), #""n" is 0, out of range"#),
            (line(#""n":1"#, #""n":-1"#), "out of range"), (line(#""n":1"#, #""n":1.5"#), "out of range"),
            (line(#""n":1"#, #""n":9223372036854775808"#), "out of range"), (line(#""n":1"#, #""n":"1""#), "must be a whole number"),
            (line(#""n":1"#, #""n":1e999"#), "out of range"), (line(#""v":1"#, #""v":-1e400"#), "out of range"),
            (line(#""v":1"#, #""v":NaN"#), "this is not JSON"), (line(#""v":1"#, #""v":Infinity"#), "this is not JSON"),
            (line(#""v":1"#, #""v":01"#), "begins with a zero"), (line(#""v":1"#, #""v":1,"v":2"#), #"the key "v" stands twice"#),
            (line(#""n":1"#, #""n":1,"n":1"#), #"the key "n" stands twice"#), (line("{}}", "[]}"), #""seen" must be an object"#),
            (line("{}}", #"{"y":-1}}"#), "out of range"), (line("{}}", #"{"x":2}}"#), "cannot have seen a later one"),
            (line(#""v":1"#, #""v":"\ud800""#), "surrogate"), (line(#""v":1"#, #""v":"\x""#), "backslash"),
            (line(#""v":1"#, "\"v\":\"\0\""), "NUL byte"), (line(#""v":1"#, "\"v\":\"\t\""), "control character"),
            (line(#""v":1"#, #""v":\#(deep)"#), "nested more than"), ("\u{0}", "NUL byte"),
            (line(#""event""#, #""v":2,"event""#), "newer program"),
        ]

    static let badLines: [(line: [UInt8], problem: String)] = {
        var lines: [(line: [UInt8], problem: String)] = badTexts.map { (Array($0.0.utf8), $0.1) }
        lines.append((line().utf8.map { $0 == UInt8(ascii: "9") ? 0xff : $0 }, "not valid UTF-8"))
        lines.append(([0xff, 0xfe] + Array(line().utf8), "this is not JSON"))
        return lines
    }()

    /// Whoever wrote it died: that is told and counted, and no reason to say nothing of the other lines.
    @Test(arguments: ["report", "lost", "export", "audit", "replay", "init -o -", "check", "tail", "verify"])
    func aLastLineThatBreaksOffIsCountedByEveryVerb(verb: String) throws {
        let torn = Trace.put("c", at: 70, #"{"v":1}"#).dropLast(9)
        for (text, isTorn) in [(Trace.clash() + torn, true), (Trace.clash() + torn + "\n", false)] {
            let path = try directory.path(text)
            let world = TestWorld()
            let status = world.run(verb.split(separator: " ").map(String.init) + [path])
            let told = world.errorText + world.output.text
            #expect(told.contains("\(path):3: "), "\(told)")
            #expect(told.contains("the last line breaks off") == isTorn, "\(told)")
            // These two read on in any case.
            if ["tail", "verify"].contains(verb) { continue }
            #expect((status == .success) == (isTorn && verb != "check"), "\(told)")
        }
    }

    /// Wherever a line is cut it breaks off, in the middle of an escape and of a letter too.
    @Test func aLineBreaksOffWhereverItIsCut() throws {
        let line = Trace.put("c", at: 70, #"{"v":"\ud83d\ude00 é 😀 \n","w":[1,-2.5e3,true,null,{}]}"#).utf8.dropLast()
        for count in 1..<line.count {
            let path = try directory.path(Trace.clash())
            try Data(Array(Trace.clash().utf8) + line.prefix(count)).write(to: URL(fileURLWithPath: path))
            let world = TestWorld()
            #expect(world.run("audit", path) == .success, "\(count): \(world.errorText)")
            #expect(world.errorText.contains("1 line passed over"), "\(count)")
        }
    }

    /// The trace is then read twice, and its last line is no last line any longer.
    @Test func aTraceOutOfOrderMayBreakOff() throws {
        let late = Trace.put("c", at: 90, #"{"v":7}"#, saw: #"{"a":1}"#)
        let path = try directory.path(late + Trace.clash() + late.dropLast(20))
        #expect(world.run("audit", path) == .success, Comment(rawValue: world.errorText))
        #expect(world.errorText.contains("taken in causal order"))
        #expect(world.errorText.contains("1 line passed over that could not be understood, the first at \(path):4: "))
    }

    /// Of what nobody understands it must not be said that nothing was lost; a summary is all there is in its file.
    @Test(arguments: ["\u{0}\u{0}\u{0}", "some words\u{0}", "t", "{", #"{"event":"conf"#, #"{"summary":{"v"#])
    func nothingIsSaidOfWhatIsNotUnderstood(text: String) throws {
        let path = try directory.path(text)
        for verb in ["report", "lost", "export"] {
            let world = TestWorld()
            #expect(world.run(verb, path) == .badData, "\(verb): \(world.errorText)")
            #expect(world.output.text.isEmpty)
        }
    }

    @Test(arguments: badLines) func aBadLineEndsTheAuditUnlessItIsToBePassedOver(line: [UInt8], problem: String) throws {
        let path = directory.file("trace.jsonl")
        let content = Array(Trace.clash().utf8) + line + [0x0a] + Array(Trace.put("c", at: 70, #"{"v":1}"#).utf8)
        try Data(content).write(to: URL(fileURLWithPath: path))
        let outputs = ["--output", directory.file("out"), "--state", directory.file("state")]
        #expect(world.run(["audit", path] + outputs) == .badData)
        #expect(world.errorText.hasPrefix("syncaudit: \(path):3: "))
        #expect(world.errorText.contains(problem))
        #expect(world.errorText.split(separator: "\n").count == 1)
        #expect(directory.names == ["trace.jsonl"])
        #expect(world.run("report", path) == .badData)

        world.errorText = ""
        #expect(world.run(["audit", "--lenient", path] + outputs) == .success)
        #expect(directory.content("out")?.split(separator: "\n").count == 3)
        #expect(world.errorText.hasPrefix("syncaudit: 3 writes, 2 conflicts"))
        #expect(world.errorText.contains("1 line passed over that could not be understood, the first at \(path):3: "))
    }

    @Test func aLineThatIsTooLongIsRefusedWithoutBeingHeld() throws {
        try LongLineCheck().atTheEnd(17 << 20)
    }

    /// As after `syncaudit VERB in.jsonl >> in.jsonl`.
    @Test(arguments: ["audit", "report", "lost", "tail", "check", "replay", "export"]) func whatIsReadIsNotAppendedTo(verb: String) throws {
        let path = try directory.path(Trace.clash())
        let descriptor = unsafe open(path, O_WRONLY | O_APPEND)
        defer { close(descriptor) }
        var context = world.context
        context.outputDescriptor = descriptor
        #expect(SyncAudit.run(arguments: [verb, path], context: context) == .usage)
        #expect(world.errorText.contains("standard output is one of the inputs; write to another file"))
        #expect(world.output.text == "")
        guard verb != "tail" else { return }
        // Where the result goes elsewhere, nothing is written there.
        #expect(SyncAudit.run(arguments: [verb, path, "-o", directory.file("out")], context: context) != .usage)
    }

    @Test(arguments: ["", "\n\n \n", "\u{feff}"]) func anEmptyFileHoldsNothingToAudit(content: String) throws {
        let path = try directory.path(content)
        for lenient in [[], ["--lenient"]] {
            #expect(world.run(["audit", path, "--output", directory.file("out")] + lenient) == .badData)
        }
        #expect(world.errorText.hasPrefix("syncaudit: \(path):1: "))
        #expect(directory.names == ["trace.jsonl"])
    }

    @Test func aFileWithoutWritesSaysWhatItIsFor() throws {
        let path = try directory.path(#"{"event":"network","ts":"2026-01-15T14:00:00Z","status":"up"}"#)
        #expect(world.run("audit", path) == .badData)
        #expect(world.errorText.contains("\(path):1: it holds no line with the event \"write\""))
    }

    @Test func whatIsNotThereOrMayNotBeReadIsNoInput() throws {
        let missing = directory.file("missing.jsonl")
        for verb in ["audit", "report"] {
            world.errorText = ""
            #expect(world.run(verb, missing, "--output", directory.file("out")) == .noInput)
            #expect(world.errorText == "syncaudit: \(missing): there is no such file or directory\n")
            #expect(world.run(verb, directory.path, "--output", directory.file("out")) == .noInput)
            #expect(world.errorText.contains("\(directory.path): the directory holds no .jsonl and no .jsonl.gz file"))
        }
        #expect(directory.names == [])
    }

    @Test(.enabled(if: geteuid() != 0, "root may read anything")) func aFileWithoutPermissionIsNoInput() throws {
        let path = try directory.path(Trace.clash())
        unsafe chmod(path, 0)
        #expect(world.run("audit", path) == .noInput)
        #expect(world.errorText == "syncaudit: \(path): the file may not be read: permission denied\n")
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/mem"), "Linux has a file that cannot be read"))
    func aFileThatCannotBeReadOnIsAnIOError() {
        #expect(world.run("audit", "/proc/self/mem", "--output", directory.file("out")) == .inputOutput)
        #expect(world.errorText.hasPrefix("syncaudit: /proc/self/mem:1: reading failed: "))
        #expect(directory.names == [])
    }

    @Test func standardInputIsNamedWithItsLine() throws {
        try world.pipe(Trace.clash() + "oops\n")
        #expect(world.run("audit") == .badData)
        #expect(world.errorText.hasPrefix("syncaudit: standard input:3: this is not JSON"))
    }

    @Test(arguments: [["audit", "--no"], ["report", "--windw", "5m"], ["rport"], ["audit", "--window"], ["report", "--kind", "x"], []])
    func wrongUsageReadsNothing(arguments: [String]) throws {
        try world.pipe("oops\n")
        #expect(world.run(arguments) == .usage)
        #expect(world.output.text == "")
    }

    @Test(arguments: ["audit", "report"]) func helpNamesEveryOption(verb: String) {
        #expect(world.run(verb, "--help") == .success)
        #expect(world.output.text.hasPrefix("Usage: syncaudit \(verb) "))
        let options =
            verb == "audit"
            ? [
                "window", "tolerance", "policy", "policy-for", "deletes", "outside-window", "unique", "reference", "state", "privacy",
                "statistics", "lenient", "output",
            ]
            : [
                "format", "top", "since", "until", "device", "record-type", "field", "kind", "severity", "color", "lenient", "output",
            ]
        for option in options { #expect(world.output.text.contains("--\(option)")) }
    }
}
