import AuditAnalysis
import ConflictAudit
import SyncModel
import Testing

/// What people call records.
@Suite struct RecordNamesTests {
    private let key = RecordKey(type: "Note", id: "1")

    private func write(_ key: RecordKey, _ fields: FieldMap, at milliseconds: Int64) -> AuditEvent {
        let time = HybridTimestamp(milliseconds: milliseconds)
        return AuditEvent(
            at: milliseconds,
            .write(TaggedWrite(dot: Dot(device: "a", sequence: 1), timestamp: time, key: key, operation: .put(fields), seen: nil)))
    }

    @Test func theLatestValueIsTheName() {
        var names = RecordNames(fields: ["Note": "title"])
        names.observe(write(key, ["title": "Plan", "body": "x"], at: 20))
        names.observe(write(key, ["title": "Draft"], at: 10))
        names.observe(write(key, ["body": "y"], at: 30))
        names.observe(write(key, ["title": ""], at: 40))
        names.observe(write(key, ["title": 5], at: 50))
        #expect(names[key] == "Plan")
        #expect(names[RecordKey(type: "Card", id: "1")] == nil)
        #expect(EventText.register(key, "body", names) == #"Note "Plan".body"#)
        #expect(EventText.register(RecordKey(type: "Note", id: "2"), "body", names) == "Note/2.body")
    }

    @Test func theMostTellingFieldGivesTheName() {
        var names = RecordNames(fields: ["Note": "code"], everywhere: ["nick"], guesses: true)
        let (second, third) = (RecordKey(type: "Card", id: "2"), RecordKey(type: "Card", id: "3"))
        names.observe(write(key, ["code": "C", "title": "T"], at: 10))
        names.observe(write(key, ["nick": "N", "title": "Later"], at: 20))
        names.observe(write(second, ["title": "T", "nick": "N", "code": "C"], at: 10))
        names.observe(write(third, ["label": "L"], at: 10))
        #expect(names[key] == "C" && names[second] == "N" && names[third] == "L")
        names.narrow(to: [third])
        names.observe(write(key, ["code": "C"], at: 30))
        #expect(names[key] == nil && names[third] == "L")
        var asked = RecordNames(fields: ["Note": "code"])
        asked.observe(write(key, ["title": "T"], at: 10))
        #expect(asked[key] == nil && asked.looksForAny && !RecordNames.none.looksForAny)
    }

    @Test func aNameDoesNotActOnATerminal() {
        var names = RecordNames(fields: ["Note": "title"])
        names.observe(write(key, ["title": .string("\u{1b}[31m\"\u{202e}" + String(repeating: "é\u{301}", count: 500))], at: 20))
        let text = EventText.register(key, nil, names)
        #expect(!text.unicodeScalars.contains { $0 == "\u{1b}" || $0 == "\u{202e}" } && text.unicodeScalars.count < 400)
        #expect(text.hasPrefix(#"Note "\u001b[31m\""#))
    }

    @Test func onlyAskedForAndOnlySoMany() {
        var wanted = RecordNames(fields: ["Note": "title"], wanted: [key])
        wanted.observe(write(RecordKey(type: "Note", id: "2"), ["title": "Two"], at: 20))
        #expect(wanted[RecordKey(type: "Note", id: "2")] == nil)
        var many = RecordNames(fields: ["Note": "title"])
        for number in 0...RecordNames.limit {
            many.observe(write(RecordKey(type: "Note", id: RecordID("\(number)")), ["title": "x"], at: 1))
        }
        #expect(many[RecordKey(type: "Note", id: RecordID("\(RecordNames.limit)"))] == nil)
        #expect(many[RecordKey(type: "Note", id: "0")] == "x")
    }
}
