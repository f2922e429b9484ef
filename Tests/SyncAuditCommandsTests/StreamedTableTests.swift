import CompressedData
import Foundation
import Testing

@testable import SyncAuditCommands

/// Tables that come through a pipe are told from traces by their content, as files are.
@Suite struct StreamedTableTests {
    private static let names = ["id", "note_id", "version", "saved_by", "saved_at", "phone", "title"]
    private static let rows = [
        ["1", "n1", "1", "ann", "2026-01-15T09:01:00Z", "0000", "Doctor"],
        ["2", "n1", "2", "ben", "2026-01-15T09:20:00Z", "1234", "Doctor"],
        ["3", "n1", "3", "cleo", "2026-01-15T09:40:00Z", "0000", "Dentist"],
    ]
    private static let line = write(by: "a", of: 1)

    private let directory: TemporaryDirectory
    private let world = TestWorld()

    init() throws { directory = try TemporaryDirectory() }

    private static func write(by device: String, of value: Int) -> String {
        #"{"v":1,"ts":"2026-01-15T09:00:0\#(value).000Z","event":"write","recordType":"Card","recordID":"1","#
            + #""device":"\#(device)","n":1,"op":"put","fields":{"x":\#(value)}}"#
    }

    private static func content(_ form: String) -> [UInt8] {
        let lines = rows.map { row in "{" + zip(names, row).map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",") + "}" }
        func separated(_ separator: String) -> String { ([names] + rows).map { $0.joined(separator: separator) + "\n" }.joined() }
        return switch form {
        case "csv": Array(separated(",").utf8)
        case "tsv": Array(separated("\t").utf8)
        case "jsonl": Array((lines.joined(separator: "\n") + "\n").utf8)
        case "json": Array(("[\n" + lines.joined(separator: ",\n") + "\n]").utf8)
        default: compressed(separated(",").utf8)
        }
    }

    /// Standard input as a pipe, which gives so many bytes at a time.
    private func pipe(_ bytes: [UInt8], to world: TestWorld, atATime count: Int = .max) {
        let pipe = Pipe()
        world.redirect(from: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
        let writer = Thread {
            var rest = bytes[...]
            while !rest.isEmpty {
                pipe.fileHandleForWriting.write(Data(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            try? pipe.fileHandleForWriting.close()
        }
        writer.start()
    }

    @Test(arguments: ["csv", "tsv", "jsonl", "json", "gz"], [1, .max]) func aPipeIsReadAsAFileIs(form: String, count: Int) throws {
        pipe(Self.content(form), to: world, atATime: count)
        #expect(world.run("audit", "--map", "recordType=:note", "-") == .success, "\(world.errorText)")
        let file = directory.file("notes." + form)
        try Data(Self.content(form)).write(to: URL(filePath: file))
        let other = TestWorld()
        #expect(other.run("audit", "--map", "recordType=:note", file) == .success)
        #expect(world.output.text == other.output.text)
        #expect(world.output.text.contains(#""stale":true"#))
    }

    @Test(arguments: ["report", "lost", "export"]) func whatReadsLogsTakesATableFromAPipe(verb: String) throws {
        pipe(Self.content("csv"), to: world)
        #expect(world.run(verb) == .success, "\(world.errorText)")
        #expect(world.errorText.contains("standard input is a table, and its rows were audited first: 'syncaudit audit - -o log.jsonl'"))
        let log = TestWorld()
        pipe(Self.content("csv"), to: log)
        #expect(log.run("audit", "-o", directory.file("log.jsonl")) == .success)
        let other = TestWorld()
        try other.pipe(String(contentsOfFile: directory.file("log.jsonl"), encoding: .utf8))
        #expect(other.run(verb) == .success)
        #expect(world.output.text == other.output.text)
    }

    @Test func aNamedPipeIsReadOnce() throws {
        pipe(Self.content("csv"), to: world)
        #expect(world.run("audit", "/dev/fd/\(world.standardInput)") == .success, "\(world.errorText)")
        #expect(world.errorText.contains("3 rows of 1 record by 3 authors: 1 edit perhaps lost"), "\(world.errorText)")
    }

    /// The file behind standard input may have been read up to the table.
    @Test func aFileBehindStandardInputIsReadFromWhereItIs() throws {
        try world.pipe("a line before\n" + String(decoding: Self.content("csv"), as: UTF8.self))
        lseek(world.standardInput, 14, SEEK_SET)
        #expect(world.run("audit") == .success, "\(world.errorText)")
        #expect(world.output.text.contains(#""stale":true"#))
    }

    @Test(arguments: [1, .max]) func aTraceLosesNoLineToTheLook(count: Int) throws {
        let other = Self.write(by: "b", of: 2)
        for verb in ["audit", "report", "lost"] {
            let world = TestWorld()
            pipe(Array("\(Self.line)\n\(other)\n".utf8), to: world, atATime: count)
            #expect(world.run(verb, "-") == .success, "\(world.errorText)")
            let words = world.output.text + world.errorText
            #expect(words.contains(verb == "audit" ? "2 writes, 1 conflict" : "2 writes"), "\(verb): \(words)")
        }
    }

    @Test func aDamagedLineIsNamedByThePipe() throws {
        for verb in ["audit", "report", "lost"] {
            let world = TestWorld()
            pipe(Array("\(Self.line)\n{\n".utf8), to: world)
            #expect(world.run(verb, "-") == .badData)
            #expect(world.errorText.contains("standard input:2: "), "\(verb): \(world.errorText)")
        }
        // What was compressed and is cut off is told behind what could be read of it.
        let bytes = compressed((0..<20_000).map { "\(Self.line)\($0 == 0 ? "" : " ")\n" }.joined().utf8)
        pipe(Array(bytes.dropLast(12)), to: world)
        #expect(world.run("audit", "-") == .badData)
        #expect(world.errorText.contains("standard input:"), "\(world.errorText)")
    }

    @Test func anEmptyPipeIsNoTable() throws {
        pipe([], to: world)
        #expect(world.run("audit", "-") == .badData)
        #expect(world.errorText.contains("there is nothing in it"), "\(world.errorText)")
    }

    @Test func aTableAndATraceAreNotOneAudit() throws {
        pipe(Array(Self.line.utf8), to: world)
        let file = directory.file("notes.csv")
        try Data(Self.content("csv")).write(to: URL(filePath: file))
        #expect(world.run("audit", file, "-") == .badData)
        #expect(world.errorText.contains("is a table and standard input holds lines"), "\(world.errorText)")
    }

    @Test func anOptionForTablesIsRefusedForATraceInAPipe() throws {
        pipe(Array(Self.line.utf8), to: world)
        #expect(world.run("audit", "--map", "device=x", "-") == .usage)
        #expect(world.errorText.contains("--map is for tables, and standard input holds lines of a trace"), "\(world.errorText)")
    }
}
