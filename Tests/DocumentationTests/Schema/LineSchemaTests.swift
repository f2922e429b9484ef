import AuditLog
import ConflictAudit
import ConflictAuditTesting
import DocumentationPages
import Foundation
import SyncBytes
import SyncMerge
import SyncModel
import TemporaryDirectory
import Testing

/// The schema that is published with the documentation, held against the lines that this package writes.
@Suite struct LineSchemaTests {
    private let directory: TemporaryDirectory
    private var schema: JSONSchema

    init() throws {
        directory = try TemporaryDirectory()
        schema = try JSONSchema.ofLines()
    }

    // MARK: What is written

    @Test mutating func everySortOfEvent() throws {
        try schema.expectValid(Samples.lines.joined(separator: "\n"), atLeast: 20)
        let words = schema["#/properties/event/enum"]?.array?.compactMap(\.string) ?? []
        let written = try Samples.lines.map { try JSONParser.parse($0).object?["event"]?.string }
        #expect(Set(words) == Set(written.compactMap(\.self)))
    }

    @Test mutating func noPropertyIsThereForNothing() throws {
        try schema.expectValid((Samples.lines + Samples.bareWrites).joined(separator: "\n"))
        #expect(schema.properties.subtracting(schema.metProperties) == [])
    }

    @Test func theWordsAreThoseOfTheProgram() {
        func words<Word: RawRepresentable & CaseIterable>(_: Word.Type) -> FieldValue where Word.RawValue == String {
            .array(Word.allCases.map { .string($0.rawValue) })
        }
        #expect(schema["#/$defs/kind/enum"] == words(Conflict.Kind.self))
        #expect(schema["#/$defs/severity/enum"] == words(Conflict.Severity.self))
        #expect(schema["#/$defs/basis/enum"] == words(Conflict.Basis.self))
        #expect(schema["#/$defs/resolution/enum"] == words(Conflict.Resolution.self))
        #expect(schema["#/$defs/reason/enum"] == words(Conflict.Reason.self))
        #expect(schema["#/$defs/operation/enum"] == words(Conflict.Side.Operation.self))
        #expect(schema["#/$defs/sync/properties/phase/enum"] == words(SyncActivity.Phase.self))
        #expect(schema["#/$defs/sync/properties/state/enum"] == words(SyncActivity.State.self))
        #expect(schema["#/$defs/version/const"] == .number(JSONNumber(AuditLine.formatVersion)))
    }

    @Test mutating func whatASimulatedFleetLogs() throws {
        _ = try Command.output(["simulate", "--seed", "5", "--devices", "4", "--steps", "150", "-o", directory.file("logs")])
        let logs = try FileManager.default.contentsOfDirectory(atPath: directory.file("logs"))
        #expect(logs.count == 5)
        for log in logs { try schema.expectValid(try String(contentsOfFile: directory.file("logs/\(log)"), encoding: .utf8), atLeast: 20) }
    }

    @Test mutating func whatTheWriterSaysOfItself() throws {
        // Torn by a crash.
        _ = try directory.create("audit.jsonl", #"{"v":1,"ts":"2026-01-15T14:00:00.000Z","se"#)
        var configuration = AuditLogWriter.Configuration()
        configuration.rotation = RotationPolicy(maximumBytes: 1500)
        configuration.values = .full
        configuration.maximumValueBytes = 8
        configuration.flush = .onDemand
        configuration.maximumQueuedBytes = 4000
        let writer = try AuditLogWriter(directory: directory.path, source: "iPhone", configuration: configuration)
        for event in AuditEventSamples.all {
            writer.record(event)
            writer.flush()
        }
        writer.record(AuditEvent(at: 0, .account(status: String(repeating: "x", count: 5000))))
        writer.close()
        let text = directory.names.filter { $0.hasSuffix(".jsonl") }.compactMap(directory.content).joined()
        try schema.expectValid(text, atLeast: AuditEventSamples.all.count)
        for note in ["opened", "rotated", "dropped", "truncated", "recovered"] {
            #expect(text.contains("\"event\":\"log\",\"\(note)\":"), "\(note)")
        }
    }

    @Test mutating func whatTheCommandWrites() throws {
        let trace = try directory.create("trace.jsonl", Samples.trace)
        try schema.expectValid(Samples.trace)
        let log = directory.file("log.jsonl")
        _ = try Command.output(
            ["audit", "--statistics", "--unique", "Card.email", "--reference", "Call.card=Card", "-o", log, trace])
        let lines = try String(contentsOfFile: log, encoding: .utf8)
        try schema.expectValid(lines, atLeast: 4)
        let kinds = try lines.split(separator: "\n").compactMap { try JSONParser.parse(String($0)).object?["kind"]?.string }
        #expect(Set(kinds).isSuperset(of: ["update_update", "unique_key", "dangling_reference"]))
        let lost = try #require(try conflict(in: lines) { $0["kind"] == "update_update" })
        try schema.expectValid(try Command.output(["restore", lost, log, trace]))
        try schema.expectValid(try Command.output(["audit", "--privacy", "omitted", trace]))
    }

    /// Each line of it is among the histories, and the history of this repository.
    @Test mutating func aRealTraceAndItsConflicts() throws {
        try schema.expectValid(try RealTrace.text(), atLeast: 7103, every: 50)
        try schema.expectValid(try Command.output(["audit", "--statistics", RealTrace.path]), atLeast: 910, every: 10)
    }

    @Test mutating func theSampleTrace() throws {
        try schema.expectValid(try Repository.text("Samples/traces/business-cards.jsonl"))
    }

    @Test mutating func theLinesInTheDocumentation() throws {
        let blocks = try Repository.pages().flatMap { try SnippetTests.blocks(of: "json", in: $0) }
        // A document over several lines is none of a log.
        let lines = blocks.filter { $0.lines.first != "{" }.flatMap(\.lines)
        try schema.expectValid(lines.joined(separator: "\n"), atLeast: 6)
    }

    private func conflict(in lines: String, where isMeant: (FieldMap) -> Bool) throws -> String? {
        try lines.split(separator: "\n").compactMap { try JSONParser.parse(String($0)).object }.first(where: isMeant)?["id"]?.string
    }

    // MARK: What is not

    /// A key misspelt, left out or with a value of another type, in every place of every line.
    @Test(arguments: Samples.lines + Samples.bareWrites) mutating func aLineThatIsWrongSomewhere(line: String) throws {
        let whole = try #require(try JSONParser.parse(line).object)
        for change in Change.all(in: whole) {
            let problems = schema.problems(with: .object(change.line))
            if change.sort != .removed { #expect(problems != [], "\(change.sort) \(change.key)") }
            if Self.isRefusedByTheReader(change.line) { #expect(problems != [], "\(change.sort) \(change.key)") }
        }
    }

    private static func isRefusedByTheReader(_ line: FieldMap) -> Bool {
        var bytes: [UInt8] = []
        JSONText.append(line, to: &bytes)
        var decoder = LineDecoder()
        return (try? decoder.decode(bytes.span)) == nil
    }

    @Test(arguments: [
        #"{"event":"wrote"}"#, "{}", "[]", "null",
        #"{"event":"write","ts":"2026-01-15","device":"a","recordType":"T","recordID":"1","op":"put","fields":{}}"#,
        #"{"event":"write","ts":"2026-01-15T14:00:00Z","device":"","recordType":"T","recordID":"1","op":"put","fields":{}}"#,
        #"{"event":"write","ts":"2026-01-15T14:00:00Z","device":"a","recordType":"T","recordID":"1","op":"put"}"#,
        #"{"event":"write","ts":"2026-01-15T14:00:00Z","device":"a","recordType":"T","recordID":"1","op":"delete","fields":{}}"#,
        #"{"event":"write","ts":"2026-01-15T14:00:00Z","device":"a","n":0,"recordType":"T","recordID":"1","op":"delete"}"#,
        #"{"event":"write","ts":"2026-01-15T14:00:00Z","device":"a","recordType":"T","recordID":"1","op":"delete","seen":{"a":"1"}}"#,
        #"{"event":"write","ts":"2026-01-15T14:00:00Z","device":"a","recordType":"T","recordID":"1","op":"delete","source":"a"}"#,
        #"{"v":2,"ts":"2026-01-15T14:00:00.000Z","seq":1,"source":"a","event":"account","status":"available"}"#,
        #"{"v":1,"ts":"2026-01-15T14:00:00.000Z","source":"a","event":"account","status":"available"}"#,
        #"{"v":1,"ts":"2026-01-15T14:00:00.000+01:00","seq":1,"source":"a","event":"account","status":"available"}"#,
        #"{"v":1,"ts":"2026-01-15T14:00:00.000Z","seq":1,"source":"a","event":"log"}"#,
        #"{"v":1,"ts":"2026-01-15T14:00:00.000Z","seq":1,"source":"a","event":"log","opened":true,"rotated":true}"#,
    ]) mutating func lineThatNobodyWrites(line: String) throws {
        #expect(schema.problems(with: try JSONParser.parse(line)) != [])
    }
}
