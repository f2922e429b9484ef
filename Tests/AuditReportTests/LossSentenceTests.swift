import AuditAnalysis
import AuditSamples
import ConflictAudit
import SyncMerge
import SyncModel
import Testing

@testable import AuditReport

/// A lost edit in words.
@Suite struct LossSentenceTests {
    @Test func countersAndSetsAreToldInWords() {
        func text(_ lost: FieldValue, _ shown: FieldValue) -> String {
            func side(_ device: DeviceID, _ value: FieldValue) -> Conflict.Side {
                Conflict.Side(
                    dot: Dot(device: device, sequence: 1), timestamp: HybridTimestamp(milliseconds: 0), operation: .put, value: value)
            }
            let conflict = Conflict(
                id: ConflictID(rawValue: 0), kind: .updateUpdate, severity: .lossy, basis: .causal, key: RecordKey(type: "Card", id: "1"),
                field: "x",
                winner: side("b", shown), loser: side("a", lost), gap: .zero, withinWindow: true, window: .seconds(1), policy: "p",
                resolution: .applyRemote, reason: .newer, clockSuspect: false)
            return LossSentence(conflict).text
        }
        #expect(text(CounterWrite(total: -2).value, 7).hasPrefix("a's x count of -2 on Card/1 of 1970-01-01 was replaced by b's 7"))
        let set = SetWrite(added: ["vip", 1, "c"], removed: ["old"]).value
        #expect(text(set, SetWrite().value).hasPrefix(#"a's x +"vip" +1 +… -"old" on Card/1 of 1970-01-01 was replaced by b's unchanged"#))
    }

    @Test func narrowLinesEndBehindAWord() {
        #expect(TerminalText.truncatedAtWord("one two, three", to: 10) == "one two…")
        #expect(TerminalText.truncatedAtWord("one two", to: 7) == "one two")
        #expect(TerminalText.truncatedAtWord("unbreakable", to: 5) == "unbr…")
        let conflict = Summary.sampleConflicts[1]
        for columns in 20...120 {
            let text = LossSentence(conflict).fitting(columns)
            #expect(TerminalText.width(text) <= columns)
            if columns > 45 { #expect(!text.hasSuffix("…") || text.contains(" was ")) }
        }
    }
}
