import SyncAuditCommands
import TemporaryDirectory
package import Testing

/// What a report says of a log that is too long to be read again.
package struct LongLogCheck {
    private let directory: TemporaryDirectory

    /// - Throws: What creating a directory throws.
    package init() throws { directory = try TemporaryDirectory() }

    /// Expects that a report of 200,000 lines and a few more says that it has not looked for what needs a second reading.
    package func saysThatNoLookIsTaken(_ arguments: [String], filler: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let (audit, many) = (TestWorld(), TestWorld())
        #expect(audit.run("audit", try directory.create("few.jsonl", Trace.clash())) == .success, sourceLocation: sourceLocation)
        let long = audit.output.text + String(repeating: filler + "\n", count: 200_000)
        #expect(many.run(arguments + [try directory.create("long.jsonl", long)]) == .success, sourceLocation: sourceLocation)
        let words = many.output.text.replacing(#/\s+/#, with: " ").replacing("&#58;", with: ":").replacing("&#39;", with: "'")
        let sentence = "No look was taken for mass effects and alternating winners, since the logs are longer than 200,000 lines"
        // An overview has no room for a sentence, but a command to go on with.
        let look = arguments == ["report"] ? "mass effects, not looked for here" : sentence
        #expect(words.contains(look), sourceLocation: sourceLocation)
    }
}
