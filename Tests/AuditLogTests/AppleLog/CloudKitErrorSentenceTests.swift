import Testing

@testable import AuditLog

/// What is made of CloudKit's errors as it prints them.
@Suite struct CloudKitErrorSentenceTests {
    private static func sentence(_ text: String) -> String? { CloudKitErrorSentence.sentence(Array(text.utf8)[...]) }

    @Test(arguments: [
        (1, "internal error"), (2, "partial failure"), (9, "not authenticated"), (10, "permission failure"), (13, "results truncated"),
        (14, "server record changed"), (25, "quota exceeded"), (26, "zone not found"), (28, "user deleted zone"),
        (36, "account temporarily unavailable"), (37, "participant already invited"),
    ]) func codesAreNamed(code: Int, name: String) {
        #expect(Self.sentence("<CKError 0x1: \"x\" (\(code)/2000)>") == "\(name) (CKError \(code))")
        #expect(Self.sentence("Error Domain=CKErrorDomain Code=\(code) \"(null)\"")?.hasPrefix("\(name) (CKError \(code))") == true)
    }

    @Test func everyCodeOfApplesListHasANameOfItsOwn() {
        let names = Set((1...37).map(CloudKitErrorCode.description))
        #expect(names.count == 37)
        #expect(names.allSatisfy { !$0.hasPrefix("CKError") })
        #expect(CloudKitErrorCode.description(99) == "CKError 99")
    }

    private static let schema =
        "the production schema lacks the field CD_mood of the record type CD_Diary: deploy the schema to production in CloudKit Console"

    static let errors: [(String, String)] = [
        (
            #"<CKError 0x3: "Request Rate Limited" (7/2008); "Try later"; Retry after 30.5 seconds>"#,
            #"request rate limited (CKError 7), "Try later", to be tried again after 30.5 seconds"#
        ),
        (
            #"<CKError 0x3: "Partial Failure" (2/1011); "Failed"; partial errors: {"# + "\n\t"
                + #"R-1:(Zone:__defaultOwner__) = <CKError 0x4: "Server Record Changed" (14/2004); server message = "already exists"; op = 1>"#
                + "\n\t" + #"R-2:(Zone:__defaultOwner__) = <CKError 0x5: "Batch Request Failed" (22/2024)>"# + "\n\t"
                + #"R-3:(Zone:__defaultOwner__) = <CKError 0x6: "Batch Request Failed" (22/2024)>"# + "\n}>",
            #"partial failure (CKError 2), "Failed"; server record changed (CKError 14), "already exists": R-1; "#
                + "batch request failed (CKError 22): R-2, R-3"
        ),
        (
            #"<CKError 0x3: \"Partial Failure\" (2/1011); \"Failed\"; container ID = \"iCloud.a \"; partial errors: {\n\t"#
                + #"P.1:(Z:__defaultOwner__) = <CKError 0x4: \"Server Record Changed\" (14/2004); uuid = 8; container ID = \"iCloud.a\">\n\t"#
                + #"P.2:(Z:__defaultOwner__) = <CKError 0x5: \"Batch Request Failed\" (22/2024)>\n}>"#,
            #"partial failure (CKError 2), "Failed"; server record changed (CKError 14): P.1; batch request failed (CKError 22): P.2"#
        ),
        (
            "{\n    \"<CKRecordID: 0x28; recordName=R-1, zoneID=com.apple.coredata.cloudkit.zone:__defaultOwner__>\" = "
                + #""<CKError 0x28: \"Invalid Arguments\" (12/2006); server message = \"Cannot create or modify field 'CD_mood' "#
                + #"in record 'CD_Diary' in production schema\"; op = 2E>";"# + "\n}",
            schema
                + #"; partial failure (CKError 2); invalid arguments (CKError 12), "Cannot create or modify field 'CD_mood' in record "#
                + #"'CD_Diary' in production schema": R-1"#
        ),
        (
            #"{ "<CKRecordID: 0x1; recordName=A, zoneID=z:o>" = "<CKError 0x2: \"Zone Not Found\" (26/2036)>"; "#
                + #""<CKRecordID: 0x2; recordName=B, zoneID=z:o>" = "<CKError 0x3: \"Unknown Item\" (11/2003)>"; }"#,
            "partial failure (CKError 2); zone not found (CKError 26): A; unknown item (CKError 11): B"
        ),
        (
            #"Error Domain=CKErrorDomain Code=2 "Failed to send" UserInfo={CKErrorDescription=Failed, CKPartialErrors={"# + "\n"
                + #"    "<CKRecordID: 0x1; recordName=A, zoneID=z:o>" = "<CKError 0x2: \"Quota Exceeded\" (25/2035)>";"# + "\n}, "
                + #"NSUnderlyingError=0x60 {Error Domain=CKInternalErrorDomain Code=1011 "Failed" UserInfo={}}}"#,
            #"partial failure (CKError 2), "Failed to send"; quota exceeded (CKError 25): A"#
        ),
        (
            #"Error Domain=NSCocoaErrorDomain Code=134419 "It failed." UserInfo={NSUnderlyingError=0x6 {Error Domain=CKErrorDomain Code=9 "No" UserInfo={}}}"#,
            #"Error Domain=NSCocoaErrorDomain Code=134419 "It failed.": not authenticated (CKError 9), "No""#
        ),
        (
            #"<CKError 0x2: "Invalid Arguments" (12/2006); server message = "Cannot create new type CD_Diary in production schema">"#,
            "the production schema lacks the record type CD_Diary: deploy the schema to production in CloudKit Console; "
                + #"invalid arguments (CKError 12), "Cannot create new type CD_Diary in production schema""#
        ),
    ]

    @Test(arguments: errors) func errorsOfRecordsAreWhole(text: String, sentence: String) { #expect(Self.sentence(text) == sentence) }

    @Test(arguments: [
        "", "(null)", "CKError", "<CKError 0x", "<CKError 0x1: \"a\" (", "CKErrorDomain Code=", "CKErrorDomain Code=99999999999",
        #"Error Domain=NSCocoaErrorDomain Code=134400 "No account" UserInfo={}"#,
    ]) func whatIsNoErrorOfCloudKitIsLeftAsItIs(text: String) { #expect(Self.sentence(text) == nil) }

    /// Each item is named, and reading them takes time in proportion to their number.
    @Test func thousandsOfRecordsAreAllNamed() throws {
        let items = (0..<600).map {
            "\tR\($0):(z:o) = <CKError 0x1: \"Batch Request Failed\" (22/2024); op = \(String(repeating: "{", count: 40))>\n"
        }
        let sentence = try #require(
            Self.sentence("<CKError 0x1: \"Partial Failure\" (2/1011); partial errors: {\n" + items.joined() + "}>"))
        #expect(
            sentence == "partial failure (CKError 2); batch request failed (CKError 22): "
                + (0..<600).map { "R\($0)" }.joined(separator: ", "))
        _ = Self.sentence(String(repeating: "CKError 0x", count: 20_000))
        _ = Self.sentence(String(repeating: "<CKError 0x1: \"", count: 20_000))
    }
}
