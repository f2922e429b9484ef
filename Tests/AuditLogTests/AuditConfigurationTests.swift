import AuditLog
import ConflictAudit
import Foundation
import SyncBytes
import SyncMerge
import SyncModel
import TemporaryDirectory
import Testing

@Suite struct AuditConfigurationTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func configuration(_ text: String) throws -> AuditConfiguration {
        try AuditConfiguration(contentsOfFile: try directory.create(".syncaudit.json", text))
    }

    @Test func everyKeyIsRead() throws {
        let read = try configuration(
            """
            {"logs": ["logs", "/var/a.jsonl"], "window": "1m", "tolerance": "3s", "policy": "first-writer-wins", "deletes": "edit-wins",
             "values": "omitted", "doctor": {"ignore": []},
             "check": {"failOn": ["lossy", "clock>2"], "ignore": [
               {"kind": "clock", "about": "iPad", "reason": "a test", "until": "2026-12-31"}, {"kind": "order", "reason": "another"}]},
             "types": {
               "Card": {"name": "full.Name", "fields": {
                 "visits": {"policy": "counter"}, "e.mail": {"unique": true, "values": "full"}, "company": {"refersTo": "Company"}}},
               "Form": {"policy": "record-last-writer-wins", "wholeRecords": true, "fields": {"version": {"bookkeeping": true}}}},
             "bookkeeping": ["saved"]}
            """)
        #expect(read.logs == [directory.path + "/logs", "/var/a.jsonl"])
        #expect(read.check.failOn == ["lossy", "clock>2"])
        #expect(read.check.ignores.map(\.kind) == ["clock", "order"] && read.check.ignores.map(\.about) == ["iPad", nil])
        // Through the whole day, in UTC.
        #expect(read.check.ignores.map(\.until?.end) == [RFC3339.milliseconds("2027-01-01T00:00:00Z"), nil])
        #expect(read.check.ignores.map(\.origin) == ["check.ignore.0", "check.ignore.1"])
        #expect(read.auditRules.window == .seconds(60) && read.auditRules.clockTolerance == .seconds(3))
        #expect(read.mergeRules.intervals.window == .seconds(60) && read.mergeRules.intervals.tolerance == .seconds(3))
        #expect(read.mergeRules.policyName(for: "Card", field: "title") == "firstWriterWins")
        #expect(read.mergeRules.policyName(for: "Card", field: "visits") == "counter")
        #expect(read.mergeRules.policyName(for: "Form", field: nil) == "record:lastWriterWins")
        #expect(read.mergeRules.deletes == .editWins)
        #expect(read.privacy == ValuePrivacy(.omitted, fields: [.init(type: "Card", field: "e.mail"): .full]))
        #expect(read.displayFields == ["Card": "full.Name"])
        #expect(read.auditRules.uniqueFields == [.init(type: "Card", field: "e.mail")])
        #expect(read.auditRules.references == [.init(from: "Card", field: "company", to: "Company")])
        #expect(read.mergeRules.bookkeeping == BookkeepingFields(["Form": ["version"]], inAnyType: ["saved"]))
        guard case .types(["Form"]) = read.auditRules.wholeRecords else {
            Issue.record("\(read.auditRules.wholeRecords)")
            return
        }
    }

    /// What an audit writes into its log says all of it: the same comes out of what was read back.
    @Test(arguments: [
        "{}",
        """
        {"window": "1m30s", "tolerance": "250ms", "outsideWindow": "count", "policy": "record-last-arrival-wins", "deletes": "last-writer-wins",
         "values": "omitted", "wholeRecords": true, "bookkeeping": ["saved", "b"],
         "fields": {"e.mail": {"unique": true, "values": "full"}, "owner": {"refersTo": ["Company", "Person"]}},
         "types": {
           "Card": {"policy": "prefer-devices:iPad,Mac", "name": "mail", "fields": {
             "visits": {"policy": "counter", "bookkeeping": true}, "mail": {"unique": true, "values": "full"},
             "company": {"refersTo": "Company"}, "boss": {"refersTo": ["Company", "Person"]}}},
           "Form": {"policy": "record-last-writer-wins"}}}
        """, #"{"window": "0s", "types": {"A": {"wholeRecords": true}, "B": {"wholeRecords": true, "policy": "set"}}}"#,
    ])
    func rulesOfALogAreReadBackWhole(text: String) throws {
        let read = try configuration(text)
        let stated = read.rules(of: .rows)
        let again = try AuditConfiguration(rules: stated)
        #expect(again.rules(of: .rows) == stated)
        #expect(again.privacy == read.privacy && again.mergeRules.bookkeeping == read.mergeRules.bookkeeping)
        #expect(again.auditRules.references == read.auditRules.references && again.auditRules.wholeRecords == read.auditRules.wholeRecords)
        // What the file says is among it, in one spelling or another.
        let written = try #require(try JSONParser.parse(text).object)
        for field in written where field.name != "types" && field.name != "bookkeeping" {
            #expect(stated.object?[field.name] == field.value, "\(field.name)")
        }
        #expect(stated.object?["types"] == written["types"] && stated.object?["form"] == "rows")
    }

    @Test func anEmptyObjectChangesNothing() throws {
        let read = try configuration("{}")
        #expect(read.logs.isEmpty && !read.hasPolicies && read.privacy == .full)
        #expect(read.auditRules.window == AuditRules().window && read.mergeRules.deletes == MergeRules().deletes)
    }

    @Test(arguments: [
        ("", "line 1: this cannot be read as JSON: "), ("[]", "it holds no object; a configuration is one"),
        (#"{"window": 5}"#, #""window": it is no string"#),
        (#"{"window": "-5m"}"#, #""window": "-5m" is negative"#),
        (#"{"windw": "5m"}"#, #""windw": that means nothing here; known are logs"#),
        (#"{"logs": "logs"}"#, #""logs": it is no list of strings"#), (#"{"logs": [1]}"#, #""logs": an element is no string"#),
        (#"{"policy": "lww"}"#, #""policy": "lww" is not one of last-writer-wins"#),
        (#"{"deletes": "keep"}"#, #""deletes": "keep" is not one of delete-wins"#),
        (#"{"types": {"A": {"fields": {"b": {"unique": "yes"}}}}}"#, #""types.A.fields.b.unique": it is neither true nor false"#),
        (#"{"types": {"A": {"fields": {"b": {"policy": "record-last-writer-wins"}}}}}"#, "it is a policy of whole records"),
        (
            #"{"types": {"A": {"policy": "record-last-writer-wins", "fields": {"b": {"policy": "set"}}}}}"#,
            "are kept or dropped as a whole"
        ),
        (#"{"types": {"A": []}}"#, #""types.A": it is no object"#),
        (#"{"window": "1m", "window": "2m"}"#, #"line 1: this cannot be read as JSON: the key "window" stands twice in one object"#),
        ("{\n\n[", "line 3: this cannot be read as JSON: "),
        (#"{"types": {"A\u001b[31m": 1}}"#, #"types.A\u001b[31m"#),
    ]) func errorsNameTheKey(text: String, error: String) throws {
        #expect {
            try configuration(text)
        } throws: { thrown in
            let description = "\(thrown)"
            return (thrown as? AuditLogError)?.code == .badData && description.hasPrefix(directory.path + "/.syncaudit.json: ")
                && description.contains(error) && !description.contains("\u{1b}")
        }
    }

    @Test func whatIsNoFileIsNamed() throws {
        #expect(throws: AuditLogError.self) { try AuditConfiguration(contentsOfFile: directory.path + "/none.json") }
        #expect(throws: AuditLogError.self) { try AuditConfiguration(contentsOfFile: directory.path) }
        let large = try directory.create("large.json", "{}" + String(repeating: " ", count: 1 << 20))
        #expect(throws: AuditLogError.self) { try AuditConfiguration(contentsOfFile: large) }
    }

    @Test func theNearestFileIsFound() throws {
        let deep = directory.path + "/a/b/c"
        try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
        #expect(AuditConfiguration.file(for: deep)?.hasPrefix(directory.path) != true)
        let outer = try directory.create(".syncaudit.json", "{}")
        #expect(AuditConfiguration.file(for: deep) == outer && AuditConfiguration.file(for: directory.path) == outer)
        let inner = try directory.create("a/b/.syncaudit.json", "{}")
        #expect(AuditConfiguration.file(for: deep) == inner && AuditConfiguration.file(for: directory.path + "/a") == outer)
        // One that somebody else could write is none.
        guard geteuid() == 0 else { return }
        try FileManager.default.removeItem(atPath: inner)
        try FileManager.default.createSymbolicLink(atPath: inner, withDestinationPath: outer)
        _ = unsafe lchown(inner, 12345, 12345)
        #expect(AuditConfiguration.file(for: deep) == outer)
        try FileManager.default.removeItem(atPath: inner)
        try directory.create("a/b/.syncaudit.json", "{}")
        try FileManager.default.setAttributes([.ownerAccountID: 12345], ofItemAtPath: inner)
        #expect(AuditConfiguration.file(for: deep) == outer)
    }
}
