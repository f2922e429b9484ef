import AuditAnalysis
import AuditSamples
import ConflictAudit
import SyncMerge
import SyncModel
import Testing

@testable import AuditReport

@Suite struct ReportDocumentTests {
    /// The longest names of every sort, escapes for every character, and more of them than are shown.
    private func large(_ count: Int) -> Summary {
        let evil = String(repeating: "\u{1}\"\\\u{202e}漢", count: 500)
        let names = (0..<count).map { "\($0)" + evil }
        var summary = Summary(
            filter: ReportFilter(
                since: WallTime(millisecondsSince1970: 0), devices: Set(names.map { DeviceID($0) }),
                recordTypes: Set(names.map { RecordType($0) }), fields: Set(names.map { FieldName($0) })))
        for (index, name) in names.enumerated() {
            for basis in [Conflict.Basis.causal, .window] {
                let conflict = conflict(
                    RecordKey(type: RecordType(name), id: RecordID(name)), field: FieldName(name), winner: DeviceID(name),
                    loser: DeviceID(names[(index + 1) % count]), at: 1_768_485_600_000 + Int64(index) * 86_400_000, basis: basis,
                    clockSuspect: true)
                summary.observe(AuditEvent(at: 0, .conflict(conflict)), source: "phone")
            }
        }
        return summary
    }

    @Test func itIsAPageHoweverMuchWasCounted() throws {
        let summary = large(200)
        let page = ReportDocument(summary).render()
        #expect(page.count < 64 << 10, "\(page.count)")
        #expect(JSONRenderer().render(summary).count > 10 * page.count)
        let object = try parse(page)
        #expect(object["conflicts"] == 400)
        let rows = try #require(object["byRecord"]?.object?["rows"]?.array)
        #expect(rows.count == 10)
        #expect(object["byRecord"]?.object?["others"]?.object?["names"] == 190)
        #expect(object["byPeriod"]?.object?["period"] == "month")
        // More is there for whoever asks.
        #expect(try parse(ReportDocument(summary, top: 150).render())["byRecord"]?.object?["rows"]?.array?.count == 150)
    }

    @Test func itSaysWhatTheSummarySays() throws {
        let object = try parse(ReportDocument(.sample).render())
        let summary = Summary.sample
        #expect(object["headline"] == .string(ReportHeadline(summary).sentence))
        #expect(object["editsLost"]?.integer == Int64(summary.all.total.losses))
        #expect(object["proven"]?.object?["conflicts"]?.integer == Int64(summary.proven.total.conflicts))
        #expect(object["writesWithContext"] == 0 && object["writesObserved"] == 42)
        #expect(object["proven"]?.object?["distinct"] == nil && object["byDevicePair"] != nil)
    }

    @Test func keysComeInOrderAtEveryLevel() {
        let text = String(decoding: ReportDocument(.sample).render(), as: UTF8.self)
        // Each key with the objects that it lies in.
        var (open, isKey) = ([[String]](), true)
        for part in text.matches(of: /[{}\[\]]|"(?:[^"\\]|\\.)*"|[:,]/) {
            switch text[part.range] {
            case "{", "[":
                open.append([])
                isKey = text[part.range] == "{"
            case "}", "]":
                let keys = open.removeLast()
                #expect(keys == keys.sorted(), "\(keys)")
                isKey = false
            case ":": isKey = false
            case ",": isKey = true
            case let word: if isKey, text[part.range.upperBound...].first == ":" { open[open.count - 1].append(String(word)) }
            }
        }
        #expect(open.isEmpty)
    }
}
