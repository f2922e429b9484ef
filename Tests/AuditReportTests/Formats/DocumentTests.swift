import SyncModel
import Testing

@testable import AuditReport

@Suite struct DocumentTests {
    private func text(_ document: Document) -> String { String(decoding: document.json, as: UTF8.self) }

    @Test func keysComeAsDeclaredAndThoseWithoutAValueAreLeftOut() {
        let document: Document = [
            "z": "a \"b\"", "none": nil as Int?, "a": -1, "flag": true, "big": UInt64.max, "time": Time(0), "device": DeviceID("iPad"),
            "value": FieldValue.null, "names": ["x", "y"], "empty": [String](), "nested": [[1], []], "in": ["k": 2] as Document,
        ]
        #expect(
            text(document) == #"{"z":"a \"b\"","a":-1,"flag":true,"big":18446744073709551615,"time":"1970-01-01T00:00:00.000Z","#
                + #""device":"iPad","value":null,"names":["x","y"],"empty":[],"nested":[[1],[]],"in":{"k":2}}"# + "\n")
    }

    @Test func rowsAreObjects() {
        let document: Document = [
            "rows": Rows(["a", "b"]) { ["name": $0, "again": Rows([$0]) { ["n": $0] }] }, "last": Rows([Int]()) { _ in [:] },
        ]
        #expect(
            text(document)
                == #"{"rows":[{"name":"a","again":[{"n":"a"}]},{"name":"b","again":[{"n":"b"}]}],"last":[]}"# + "\n")
    }

    @Test func partsAreJoinedAndKeysSorted() {
        let document = Document(["b": 1], [:], Document(members: [("a\u{1b}", "x")]), ["B": 2])
        #expect(text(document) == #"{"b":1,"a\u001b":"x","B":2}"# + "\n")
        #expect(text(document.sorted) == #"{"B":2,"a\u001b":"x","b":1}"# + "\n")
    }
}
