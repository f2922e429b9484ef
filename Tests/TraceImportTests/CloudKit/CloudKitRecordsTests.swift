import SyncModel
import TemporaryDirectory
import Testing

@testable import AuditLog
@testable import TraceImport

/// Records of CloudKit.
@Suite struct CloudKitRecordsTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func read(_ content: String, keepsPrefixes: Bool = false) throws -> CloudKitRecords {
        try directory.create("records.json", content)
        var records = CloudKitRecords(keepsPrefixes: keepsPrefixes)
        try records.read(path: directory.file("records.json"))
        return records
    }

    private func complaint(_ content: String) -> String {
        do {
            _ = try read(content)
            return ""
        } catch {
            return "\(error)"
        }
    }

    private static let record =
        #"{"recordName":"1","recordType":"CD_Card","modified":{"timestamp":7},"fields":{"CD_name":{"value":"Ada","type":"STRING"},"CD_entityName":{"value":"Card"}}}"#

    @Test(
        arguments: [
            record, "[\(record)]", #"{"records":[\#(record)]}"#, #"{"operationType":"update","record":\#(record)}"#, "\n[\(record)]\n\n",
            record.replacing(",", with: ",\n"), "\u{feff}" + record, "[\n\(record)\n]\n",
            #"{"result":{"records":[\#(record)]}}"#, #"{"result":[\#(record)]}"#, #"{"result":\#(record)}"#,
            "{\n\"result\" : {\n\"records\" : [ \(record) ] } }", #"{"zones":[{"records":[\#(record)],"zoneID":{"zoneName":"z"}}]}"#,
            #"{"zones":[{"records":[]},{"records":[\#(record)],"moreComing":false}]}"#,
        ])
    func recordsAreAnArrayAnObjectOrOneOnEachLine(_ content: String) throws {
        let records = try read(content).records
        #expect(records.keys.map(\.self) == [RecordKey(type: "Card", id: "1")])
        #expect(records.values.first?.fields == ["name": "Ada"])
        #expect(records.values.first?.modified == 7)
    }

    @Test func prefixesAreKeptWhereThatIsAskedFor() throws {
        let kept = try read(Self.record, keepsPrefixes: true).records
        #expect(kept[RecordKey(type: "CD_Card", id: "1")]?.fields == ["CD_entityName": "Card", "CD_name": "Ada"])
        let own = try read(#"{"recordName":"1","recordType":"Card","fields":{"CD_name":{"value":1}}}"#).records
        #expect(own[RecordKey(type: "Card", id: "1")]?.fields == ["CD_name": 1])
    }

    @Test func referencesAreNamesAndAssetsHaveNoAddress() throws {
        let records = try read(
            #"""
            {"recordName":"1","recordType":"A","fields":{"r":{"value":{"recordName":"P","action":"NONE"}},"l":{"value":[{"recordName":"P"},1]},
            "a":{"value":{"fileChecksum":"c","size":3,"downloadURL":"https://example.org/secret"}},"n":{"value":null},"p":{"value":{"latitude":1.5}}}}
            """#
        ).records
        #expect(
            records.values.first?.fields == [
                "a": .object(["fileChecksum": "c", "size": 3]), "l": .array(["P", 1]), "p": .object(["latitude": 1.5]), "r": "P",
            ])
    }

    @Test func typesAreWhateverTheToolCallsThem() throws {
        let records = try read(
            #"""
            {"result":{"records":[{"recordName":"1","recordType":"A","recordChangeTag":"k","fields":{"s":{"type":"stringType","value":"Hi"},
            "n":{"type":"int64Type","value":3},"l":{"type":"stringListType","value":["a"]},
            "r":{"type":"referenceType","value":{"recordName":"P","action":"none"}}}}]}}
            """#
        ).records
        #expect(records.values.first?.fields == ["l": .array(["a"]), "n": 3, "r": "P", "s": "Hi"])
    }

    @Test func zonesThatFailAndAnswersThatGoOnAreCounted() throws {
        let records = try read(
            #"""
            {"zones":[{"zoneID":{"zoneName":"a"},"serverErrorCode":"ZONE_NOT_FOUND"},{"moreComing":true,"syncToken":"x","records":[
            {"recordName":"1","recordType":"A","fields":{}},{"recordName":"2","recordType":"A","fields":{},"deleted":true}]}]}
            """#)
        #expect(records.records.count == 1 && records.deleted == 1 && records.failures == 1 && records.partialAnswers == 1)
        #expect(try read(#"{"result":{"records":[],"continuationToken":"x"}}"#).partialAnswers == 1)
        #expect(try read(#"{"records":[],"moreComing":false,"continuationMarker":null}"#).partialAnswers == 0)
    }

    @Test func deletedFailedAndRepeatedRecordsAreCounted() throws {
        let records = try read(
            #"""
            {"recordName":"1","recordType":"A","modified":{"timestamp":5},"fields":{"x":{"value":1}}}
            {"recordName":"1","recordType":"A","modified":{"timestamp":9},"fields":{"x":{"value":2}}}
            {"recordName":"1","recordType":"A","modified":{"timestamp":6},"fields":{"x":{"value":3}}}
            {"recordName":"2","deleted":true}
            {"recordName":"3","serverErrorCode":"NOT_FOUND"}
            """#)
        #expect(records.records.values.map(\.fields) == [["x": 2]])
        #expect(records.repeats == 2 && records.deleted == 1 && records.failures == 1)
    }

    @Test(
        arguments: [
            ("", "records.json:1: there is nothing in it"), ("7", "records.json:1: this is no record"),
            ("{}", #"records.json:1: the record has no "recordName""#),
            (#"{"zones":[7]}"#, "zone 1: this is no zone"), (#"{"zones":[{},{"records":[{}]}]}"#, "zone 2: record 1: the record has no"),
            (#"[{"recordName":"1"}]"#, "record 1: the record \"1\" has no \"recordType\""),
            (#"{"recordName":"1","recordType":"A","fields":{"x":1}}"#, "the field \"x\" is no object with a \"value\""),
            ("{\n\"a\":,\n}", "records.json:2: byte 5:"), (record + "\n{broken", "records.json:2: byte"),
            (#"{"recordName":"1","recordType":"CD_A","fields":{"CD_x":{"value":1},"x":{"value":1}}}"#, "two fields are called \"x\""),
        ])
    func anUnreadableRecordsErrorNamesItsLocation(_ content: String, _ expected: String) {
        #expect(complaint(content).contains(expected), "\(complaint(content))")
    }

    @Test func comparedRecordsNameWhatIsMissingAndWhatIsDifferent() throws {
        let one = try read(
            #"[{"recordName":"1","recordType":"A","fields":{"x":{"value":1},"y":{"value":1}}},{"recordName":"2","recordType":"A","fields":{}}]"#
        )
        let two = try read(#"[{"recordName":"1","recordType":"A","modified":{"timestamp":4},"fields":{"x":{"value":2},"y":{"value":1}}}]"#)
        let key = RecordKey(type: "A", id: "1")
        #expect(
            Array(CloudKitDifferences([one, two])) == [
                .init(key: key, field: "x", values: [1, 2], modified: [nil, 4], missing: []),
                .init(key: RecordKey(type: "A", id: "2"), field: nil, values: [nil, nil], modified: [nil, nil], missing: [1]),
            ])
        #expect(Array(CloudKitDifferences([one, one])).isEmpty)
        #expect(Array(CloudKitDifferences([one, two, one])).count == 2)
    }
}
