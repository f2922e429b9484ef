import ProjectDoctor
import SyncOracle
import Testing

/// What an app's own CloudKit code writes, against an exported schema.
struct OwnRecordTests {
    /// The severities and messages about code that is beside the schema of one type.
    private func findings(_ code: String, _ change: (inout DoctorFixture) -> Void = { _ in }) -> [String] {
        var fixture = DoctorFixture()
        RuleTests.addRecord(&fixture)
        fixture.contents["Notes/Own.swift"] = "import CloudKit\n" + code
        change(&fixture)
        return fixture.diagnosis().findings.filter { $0.rule.hasPrefix("production.own") }.map { "\($0.severity.rawValue): \($0.message)" }
    }

    private static let make = "let record = CKRecord(recordType: \"Leaf\")"
    private static let missing = "error: the key x of a record of the type Leaf is set, and Notes.ckdb has no such field"
    private static let unsure = "warning: the key x of a record of the type Leaf is set, and Notes.ckdb has no such field"
    private static let union = "warning: the key x of a record is set, and no record type in Notes.ckdb has such a field"

    @Test(arguments: [
        ("func f() { \(make); record[\"x\"] = a }", [missing]),
        ("func f() { \(make)\nrecord.setValue(a, forKey: \"x\") }", [missing]),
        ("func f() { let record: CKRecord = CKRecord(recordType: \"Leaf\")\nrecord[\"x\"] = a }", [missing]),
        ("func f() { let record: CKRecord; if a { record = CKRecord(recordType: \"Leaf\") }\nrecord[\"x\"] = a }", [missing]),
        ("func f() { \(make)\nlist.forEach { item in record[\"x\"] = item } }", [missing]),
        ("func f() { \(make)\nif let record { record[\"x\"] = a } }", [missing]),
        ("let key = \"x\"\nfunc f() { \(make); record[key] = a }", [unsure]),
        ("let type = \"Leaf\"\nfunc f() { let record = CKRecord(recordType: type); record[\"x\"] = a }", [unsure]),
        ("func f() {\n#if os(iOS)\n\(make); record[\"x\"] = a\n#endif\n}", [unsure]),
        ("func f() { \(make); let b = record; b[\"x\"] = a }\nfunc g(b: CKRecord) {}", [missing]),
        // Which type the record has is not known.
        ("func f(_ record: CKRecord) { record[\"x\"] = a; _ = CKRecord(recordType: \"Leaf\") }", [union]),
        ("func f() { var record = CKRecord(recordType: \"Leaf\"); record = b; record[\"x\"] = a }", [union]),
        ("func f() { var record = CKRecord(recordType: \"Leaf\"); change(&record); record[\"x\"] = a }", [union]),
        ("func f() { \(make); g { record in record[\"x\"] = a } }", []),
        ("func f() { \(make); for record in all { record[\"x\"] = a } }", []),
        ("func f() { \(make); switch b { case let .found(record): record[\"x\"] = a } }", []),
        ("func f() { \(make) }\nfunc g() { var record = fields(); record[\"x\"] = a }", []),
        ("func f() { \(make); func g(record: CKRecord) { record[\"x\"] = a } }", [union]),
        ("func f() { \(make); self.record[\"x\"] = a }", [union]),
        ("func f() { let record = old ?? CKRecord(recordType: \"Leaf\"); record[\"x\"] = a }\nfunc g(record: CKRecord) {}", [union]),
        // No breach.
        ("func f() { \(make); record[\"x\"] = nil; record[\"x\"] = nil as String? }", []),
        ("func f() { \(make); let y = record[\"x\"] }", []),
        ("func f() {\n#if DEBUG\n\(make); record[\"x\"] = a\n#endif\n}", []),
        ("func f() { \(make) }\nfunc g() { var record: [String: Any] = [:]; record[\"x\"] = a }", []),
        ("func f() { \(make) }\nfunc g(record: [String: Any]) { var record = record; record[\"x\"] = a }", []),
        ("func f() { \(make) }\nfunc g(record: inout [String: Any]) { record[\"x\"] = a }", []),
        ("func f() { \(make) }\nfunc g() { var record = [\"x\": 1]; record[\"x\"] = a }", []),
        ("func f() { let record = CKRecord(recordType: \"cloudkit.share\"); record[\"x\"] = a }", []),
        ("func f() { \(make); record[\"parent\"] = a; record[\"cloudkit.title\"] = a }", []),
    ]) func aKeyIsThatOfItsRecord(code: String, expected: [String]) { #expect(findings(code) == expected) }

    @Test(arguments: [
        ("record[\"title\"] = \"a\" as CKRecordValue", ""), ("record[\"title\"] = 5", "title is written as DOUBLE or INT64, and is STRING"),
        ("record[\"count\"] = 5", ""), ("record[\"count\"] = -5", ""), ("record[\"count\"] = true", ""),
        ("record[\"count\"] = 1.5 + a", ""), ("record[\"count\"] = 1.5", "count is written as DOUBLE, and is INT64"),
        ("record[\"count\"] = Date()", "count is written as TIMESTAMP, and is INT64"), ("record[\"count\"] = Date().a", ""),
        ("record[\"count\"] = CKRecord.Reference(record: a, action: .none)", "count is written as REFERENCE, and is INT64"),
        ("record[\"count\"] = [\"a\", \"b\"]", "count is written as LIST<STRING>, and is INT64"),
        ("record.encryptedValues[\"secret\"] = \"a\"", ""),
        ("record[\"secret\"] = a", "secret is written as a plain value, and is ENCRYPTED STRING"),
        ("record.encryptedValues[\"title\"] = a", "title is written to encryptedValues, and is STRING"),
    ]) func aValueHasTheTypeOfItsField(line: String, words: String) {
        let expected = words.isEmpty ? [] : ["error: Leaf.\(words) in Notes.ckdb"]
        #expect(findings("func f() { \(Self.make)\n\(line) }") == expected)
    }

    @Test func aSchemaWithoutAnyOfTheTypesMayBeAnothers() {
        let code = "func f() { \(Self.make) }"
        let found = findings(code) { $0.replace("TYPE Leaf", with: "TYPE Page", in: "Notes.ckdb") }
        #expect(found == ["warning: records of the type Leaf are made, and Notes.ckdb has no such type"])
        #expect(
            findings(code) {
                $0.replace("TYPE Leaf", with: "TYPE Page", in: "Notes.ckdb")
                $0.contents["Other.ckdb"] = "DEFINE SCHEMA RECORD TYPE Game ( score INT64 );"
            } == [])
    }

    /// One finding tells that a type is missing, its keys are not told one by one.
    @Test(arguments: [
        ("", ["warning: records of the type Page are made, and Notes.ckdb has no such type"]),
        (
            "; other = CKRecord(recordType: \"Leaf\")",
            ["warning: records of the type Page are made, and Notes.ckdb has no such type", Self.union]
        ),
    ]) func theKeysOfAMissingTypeAreNotTold(line: String, expected: [String]) {
        let code = """
            let page = "Page"
            func f() {
                let record: CKRecord
                if let old { record = old } else { record = CKRecord(recordType: page) }
                record["x"] = a\(line)
            }
            """
        #expect(findings(code + "\nfunc g() { \(Self.make) }") == expected)
    }

    @Test func severalContainersAreNotToldApart() {
        let code = "func f() { \(Self.make); record[\"x\"] = a }\nlet a = CKContainer(identifier: \"iCloud.example.notes\")\n"
        #expect(findings(code) == [Self.missing])
        #expect(findings(code + "let b = CKContainer(identifier: \"iCloud.b\")") == [Self.unsure])
    }

    /// Thousands of records, or of values inside each other, take no longer than their number.
    @Test(arguments: [
        "\(make); record[\"x\"] = 1; record = CKRecord(recordType: \"Other\")\n", "record[\"x\"] = ", "g { record in ",
    ]) func manyRecordsTakeLinearTime(line: String) {
        let count = histories(400, of: 4000)
        func time(_ count: Int) -> Duration {
            processorTime { _ = findings("func f() { \(Self.make)\n" + String(repeating: line, count: count)) }
        }
        #expect(holdsWhenMeasured { time(count) < time(count / 2) * 3 + .milliseconds(200) })
    }
}
