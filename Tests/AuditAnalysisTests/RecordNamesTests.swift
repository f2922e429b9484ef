import AuditAnalysis
import AuditLog
import ConflictAudit
import SyncMerge
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

    @Test func aConflictStatesTheName() {
        func conflict(_ name: FieldValue?, in field: FieldName = "title", at milliseconds: Int64) -> AuditEvent {
            func side(_ device: DeviceID, _ value: FieldValue) -> Conflict.Side {
                Conflict.Side(
                    dot: Dot(device: device, sequence: 1), timestamp: HybridTimestamp(milliseconds: milliseconds), operation: .put,
                    value: value)
            }
            var conflict = Conflict(
                id: ConflictID(rawValue: 1), kind: .updateUpdate, severity: .lossy, basis: .causal, key: key, field: "label",
                winner: side("a", "L"), loser: side("b", "M"), gap: .zero, withinWindow: true, window: .zero, policy: "p",
                resolution: .applyRemote, reason: .newer, clockSuspect: false)
            conflict.name = RecordName(field: field, value: name)
            return AuditEvent(at: milliseconds, .conflict(conflict))
        }
        var names = RecordNames.none
        names.observe(conflict("Plan", at: 20))
        names.observe(conflict("Draft", at: 10))
        names.observe(conflict(nil, at: 30))
        #expect(names[key] == "Plan")
        // It comes before what is only likely to be a name, and behind the field that was named.
        var guessing = RecordNames(fields: [:], guesses: true)
        guessing.observe(conflict(nil, at: 40))
        #expect(guessing[key] == "L" || guessing[key] == "M")
        guessing.observe(conflict("Plan", at: 20))
        #expect(guessing[key] == "Plan")
        var asked = RecordNames(fields: ["Note": "code"])
        asked.observe(conflict("Plan", at: 20))
        #expect(asked[key] == "Plan")
        asked.observe(write(key, ["code": "C"], at: 10))
        asked.observe(conflict("Trip", at: 30))
        #expect(asked[key] == "C")
        asked.observe(conflict("D", in: "code", at: 30))
        #expect(asked[key] == "D")
        var narrowed = RecordNames(fields: [:], wanted: [])
        narrowed.observe(conflict("Plan", at: 20))
        #expect(narrowed[key] == nil)
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
