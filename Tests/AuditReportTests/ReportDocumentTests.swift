import AuditAnalysis
import AuditSamples
import ConflictAudit
import SyncMerge
import SyncModel
import Testing

@testable import AuditReport

@Suite struct ReportDocumentTests {
    @Test func itSaysWhatTheSummarySays() throws {
        let object = try parse(ReportAnswer(.sample).json)
        let summary = Summary.sample
        #expect(object["headline"] == .string(ReportHeadline(summary).sentence))
        #expect(object["editsLost"]?.integer == Int64(summary.all.total.losses))
        #expect(object["proven"]?.object?["conflicts"]?.integer == Int64(summary.proven.total.conflicts))
        #expect(object["writesWithContext"] == 0 && object["writesObserved"] == 42)
        #expect(object["proven"]?.object?["distinct"] == nil && object["byDevicePair"] != nil)
    }

    @Test func keysComeInOrderAtEveryLevel() {
        let text = String(decoding: ReportAnswer(.sample).json, as: UTF8.self)
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
