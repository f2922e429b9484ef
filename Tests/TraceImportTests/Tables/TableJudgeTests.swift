import ConflictAudit
import TemporaryDirectory
import Testing

@testable import TraceImport

/// Columns are judged by their values and names together.
@Suite struct TableJudgeTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func table(_ content: String, name: String = "cards.csv", map: String? = nil) throws -> SavedTable {
        try SavedRowTexts.table(content, name: name, in: directory, map: map)
    }

    private func rows(_ content: String, name: String = "cards.csv", map: String? = nil) throws -> [String] {
        try SavedRowTexts.rows(of: table(content, name: name, map: map))
    }

    /// What is said against a table once it has been read.
    private func doubts(_ content: String, map: String? = nil) throws -> [String] {
        let table = try table(content, map: map)
        _ = try SavedRowTexts.rows(of: table)
        return table.doubts
    }

    @Test func authorRepeatsAndIsNoTelephoneNumber() throws {
        #expect(
            try rows(
                """
                id,card_id,user_phone,request_user_id,phone,edited_by
                1,a,+1 555 0100,u1,+1 555 0101,ann
                2,a,+1 555 0100,u2,+1 555 0102,ben
                3,b,+1 555 0109,u3,+1 555 0101,ann
                4,b,+1 555 0108,u4,+1 555 0101,ben
                """
            ).first?.hasPrefix("card/a ann o1 ") == true)
    }

    /// Two devices of one user are two authors, and who made a record does not save it.
    @Test func deviceIsToldBeforeItsUser() throws {
        #expect(
            try rows(
                """
                card_id,created_by,updated_by,device_id,note
                a,cy,ann,ann-phone,1
                a,cy,ann,ann-web,2
                b,dan,ben,ben-phone,3
                b,dan,ann,ann-web,4
                """) == [
                    #"card/a ann-phone {"note":"1"}"#, #"card/a ann-web {"note":"2"}"#, #"card/b ben-phone {"note":"3"}"#,
                    #"card/b ann-web {"note":"4"}"#,
                ])
    }

    /// The kind of program that many use names nobody.
    @Test func userIsToldBeforeAFewKindsOfClients() throws {
        let lines = (0..<40).map { "\($0 % 4),\(["ios", "web"][$0 % 3 % 2]),u\($0 * 7 % 11),x\($0)" }
        #expect(
            try rows(("card_id,client,user_id,note\n" + lines.joined(separator: "\n"))).first == #"card/0 u0 {"client":"ios","note":"x0"}"#)
        // A client may be a customer.
        #expect(
            try rows("card_id,client,changed_by,note\na,Miller,ann,1\na,Miller,ben,2\nb,Jones,ann,1\nb,Smith,ben,1").last
                == #"card/b ben {"client":"Smith","note":"1"}"#)
    }

    @Test func peopleMayBeTheRecords() throws {
        #expect(
            try rows("id,user_id,changed_by,email\n1,u1,u1,a\n2,u2,u2,b\n3,u1,admin,c\n4,u2,u2,d").map { $0 } == [
                #"user/u1 u1 o1 {"email":"a"}"#, #"user/u2 u2 o2 {"email":"b"}"#, #"user/u1 admin o3 {"email":"c"}"#,
                #"user/u2 u2 o4 {"email":"d"}"#,
            ])
    }

    @Test func eachColumnOfTimesHasAFormOfItsOwn() throws {
        #expect(
            try rows(
                """
                note_id,client,modified,saved_at,if_match,etag,text
                n,web,1768467600,2026-01-15 09:00:01,,a1,Milk
                n,web,1768467660,2026-01-15 09:01:01,a1,b2,Eggs
                n,app,1768467630,2026-01-15 09:20:00,,c3,Bread
                """) == [
                    #"note/n web m0 r1 va1 {"text":"Milk"}"#, #"note/n web m60 r61 vb2 ba1 {"text":"Eggs"}"#,
                    #"note/n app m30 r1200 vc3 {"text":"Bread"}"#,
                ])
        let times = [("1768467600000000", "790160400"), ("1768467660000000", "790160460"), ("1768467720000000", "790160530.5")]
        #expect(
            try rows("card_id,device,server_ts,client_ts,x\n" + times.map { "a,d,\($0.0),\($0.1),\($0.1)" }.joined(separator: "\n"))
                .map { $0.prefix { $0 != "{" } } == ["card/a d m0 r0 ", "card/a d m60 r60 ", "card/a d m130 r120 "])
    }

    @Test func timeOfCreationIsNoTimeOfASave() throws {
        #expect(
            try rows(
                """
                card_id,user,created_at,updated_at,x
                a,u,2026-01-01T00:00:00Z,2026-01-15T09:00:00Z,1
                b,v,2026-01-02T00:00:00Z,2026-01-15T09:01:00Z,1
                a,v,2026-01-01T00:00:00Z,2026-01-15T09:02:00Z,2
                """) == [#"card/a u r0 {"x":"1"}"#, #"card/b v r60 {"x":"1"}"#, #"card/a v r120 {"x":"2"}"#])
    }

    @Test func revisionsByTimeAreVersionsAndTheirBase() throws {
        #expect(
            try rows(
                """
                time,device,cipher_id,last_known_revision_date,revision_date,password
                2026-01-15T09:00:01Z,web,c,,2026-01-15T09:00:00.5Z,simple
                2026-01-15T09:05:01Z,app,c,2026-01-15T09:00:00.5Z,2026-01-15T09:05:00.5Z,complex
                2026-01-15T09:09:01Z,web,c,2026-01-15T09:00:00.5Z,2026-01-15T09:09:00.5Z,simple
                """
            ).last == #"cipher/c web r541 v2026-01-15T09:09:00.5Z b2026-01-15T09:00:00.5Z {"password":"simple"}"#)
    }

    /// A cursor tells what was read of all records, so that it need not be a version of this one.
    @Test func cursorIsABaseInTheOrderOfAllRows() throws {
        #expect(
            try rows("seq,note_id,device,sync_cursor,text\n1,n,a,,x\n2,m,a,1,y\n3,n,b,2,z\n4,n,a,2,w\n5,m,b,4,v").map {
                $0.prefix { $0 != "{" }
            } == [
                "note/n a o1 v1 ", "note/m a o2 v2 b1 ", "note/n b o3 v3 b2 ", "note/n a o4 v4 b2 ", "note/m b o5 v5 b4 ",
            ])
    }

    @Test func typeIsAFieldWhereARecordHasTwo() throws {
        let content = """
            id,device,received_at,type,title
            7,phone,2026-01-15T09:00:00Z,expense,Lunch
            7,tablet,2026-01-15T09:01:00Z,transfer,Lunch
            8,phone,2026-01-15T09:02:00Z,expense,Bus

            """
        #expect(try rows(content).first == #"cards/7 phone r0 {"title":"Lunch","type":"expense"}"#)
        #expect(try rows(content.replacing("transfer", with: "expense")).first == #"expense/7 phone r0 {"title":"Lunch"}"#)
    }

    /// What numbers rows, comes with requests or goes with the author is edited by nobody; a counter that people count up is.
    @Test func fieldsAreWhatPeopleEdit() throws {
        let lines = (0..<24).map { index in
            let author = index * 7 % 5 % 2
            return
                "\(index + 1),\(index % 4),\(["web", "app"][author]),\(index / 4 + 1),\(String(index + 40, radix: 16))aaaabbbbccccdddd,10.0.0.\(author),"
                + "\(["9.9", "3.1"][author]),\(index % 3),\(index * index % 5)"
        }
        let table = try table("id,card_id,client_id,version,etag,ip_address,build,visits,phone\n" + lines.joined(separator: "\n"))
        #expect(table.columnSentences.contains(#"the fields are "visits", "phone"; --fields NAME,… takes others"#))
        #expect(
            table.columnSentences.contains(
                #""build" goes with the author, so it is no field; --fields visits,phone,build takes it as a field all the same"#))
        var reader = SavedRowTexts.Reader(table)
        #expect(try reader.next().map { SavedRowTexts.text($0) } == #"card/0 web o1 v1 {"phone":"0","visits":"0"}"#)
    }

    /// A time at which something was done, and the address of a machine, are edited as any other field.
    @Test func fieldsAreNotTakenForWhatTheyLookLike() throws {
        let lines = (0..<24).map { index in
            let done = index / 8 % 2 == 0 ? "2026-01-15T09:0\(index / 8):00Z" : ""
            return "m\(index % 4),\(["ann", "ben"][index / 4 % 2]),2026-01-15T09:\(index + 10):00Z,\(done),10.0.0.\(index % 4 + index / 20)"
        }
        let table = try table("machine_no_id,updated_by,received_at,completed_at,ip\n" + lines.joined(separator: "\n"))
        #expect(table.columnSentences.contains(#"the fields are "completed_at", "ip"; --fields NAME,… takes others"#))
    }

    @Test func rowsThatNameOneFieldHaveItsOldValue() throws {
        #expect(
            try rows(
                """
                id,record_id,field_name,old_value,new_value,changed_by,changed_at
                1,a,phone,,0,ann,2026-01-15T09:00:00Z
                2,a,name,,Mia,ann,2026-01-15T09:00:00Z
                3,a,phone,0,,ben,2026-01-15T09:01:00Z
                """) == [
                    #"cards/a ann r0 o1 {"name":"Mia","phone":"0"} was {"name":null,"phone":null}"#,
                    #"cards/a ben r60 o3 {"phone":null} was {"phone":"0"}"#,
                ])
    }

    @Test func deviceMayBeTheFilesName() throws {
        #expect(try rows("card_id,x\n1,2", name: "ann-phone.2026.csv", map: "device=:file") == [#"card/1 ann-phone {"x":"2"}"#])
    }

    /// What is equal is kept in its first spelling.
    @Test func textWithJSONIsComparedByValueAndFlatColumnsKeepObjects() throws {
        #expect(
            try rows(
                #"""
                {"note_id":1,"user":"u","tags":"[\"a\", 1.0]","place":{"x":1}}
                {"note_id":1,"user":"v","tags":["a",1],"place":"{ \"x\" : 1 }"}
                """#
            ).map { $0.drop { $0 != "{" } } == [#"{"place":{"x":1},"tags":["a",1.0]}"#, #"{"place":{"x":1},"tags":["a",1.0]}"#])
    }

    /// Names that say nothing are made up for by values: of the author those inside the record, of the operation what is before and after.
    @Test func valuesTellWhatNamesDoNot() throws {
        let images = [
            ("", #"{""device_id"":""a"",""x"":1}"#), (#"{""device_id"":""a"",""x"":1}"#, #"{""device_id"":""b"",""x"":2}"#),
            (#"{""device_id"":""b"",""x"":2}"#, ""),
        ]
        let lines = zip(["I", "U", "D"], zip(["a", "b", "a"], images)).map { "n,\($1.0),\($0),\"\($1.1.0)\",\"\($1.1.1)\"" }
        #expect(
            try rows("rec_id,w,z,old,new\n" + lines.joined(separator: "\n")) == [
                #"cards/n a {"x":1}"#, #"cards/n b {"x":2} was {"x":1}"#, #"cards/n a delete was {"x":2}"#,
            ])
    }

    /// Who removed it and when is not what the row before says.
    @Test func removedRowSaysNothingOfWhoRemovedIt() throws {
        let content = #"""
            {"op":"INSERT","row":{"id":1,"updated_by":"u","updated_at":"2026-01-15T09:00:00Z","x":1},"received_at":"2026-01-15T09:00:00Z"}
            {"op":"UPDATE","row":{"id":1,"updated_by":"v","updated_at":"2026-01-15T09:00:58Z","x":2},"received_at":"2026-01-15T09:01:00Z"}
            {"op":"DELETE","row":{"id":1,"updated_by":"v","updated_at":"2026-01-15T09:00:58Z","x":2},"received_at":"2026-01-15T09:02:00Z"}
            """#
        #expect(try rows(content).last == #"cards/1 ? r120 delete was {"x":2}"#)
        let own = content.replacing(
            #"DELETE","row":{"id":1,"updated_by":"v","updated_at":"2026-01-15T09:00:58Z""#,
            with: #"DELETE","row":{"id":1,"updated_by":"u","updated_at":"2026-01-15T09:01:58Z""#)
        #expect(try rows(own).last == "cards/1 u m118 r120 delete")
    }

    @Test func recordsThatAreMarkedAreDeleted() throws {
        #expect(
            try rows(
                """
                card_id,user,deleted_at,x
                a,u,,1
                a,v,2026-01-15T09:00:00Z,1
                a,v,,2
                """) == [#"card/a u {"x":"1"}"#, "card/a v delete", #"card/a v {"x":"2"}"#])
    }

    @Test func requestsToAServerAreRows() throws {
        #expect(
            try rows(
                #"""
                {"time":"2026-01-15T09:00:00Z","method":"POST","path":"/notes/1","user":"u","headers":{},"body":{"text":"a"},"response":{"etag":"\"1\""}}
                {"time":"2026-01-15T09:01:00Z","method":"PUT","path":"/notes/1","user":"v","headers":{"If-Match":"\"1\""},"body":{"text":"b"},"response":{"etag":"W/\"2\""}}
                {"time":"2026-01-15T09:02:00Z","method":"DELETE","path":"/notes/1","user":"u","headers":{"If-Match":"\"1\""},"body":null,"response":{}}
                """#) == [
                    #"cards//notes/1 u r0 v1 {"text":"a"}"#, #"cards//notes/1 v r60 v2 b1 {"text":"b"}"#, "cards//notes/1 u r120 b1 delete",
                ])
    }

    /// The newest row first: numbers and times tell it, else creations do.
    @Test func orderOfRowsIsFoundOut() throws {
        let newestFirst = "card_id,user,op,x\na,v,update,2\na,u,create,1\nb,u,update,2\nb,u,create,1"
        #expect(
            try rows(newestFirst) == [
                "card/a v o-1 {\"x\":\"2\"}", "card/a u o-2 {\"x\":\"1\"}", "card/b u o-3 {\"x\":\"2\"}", "card/b u o-4 {\"x\":\"1\"}",
            ])
        #expect(try table(newestFirst).columnSentences.last == "the rows come newest first, as their creations tell")
        let unknown = try table("card_id,user,x\na,v,2\na,u,1\n").columnSentences.last ?? ""
        #expect(unknown.hasPrefix("no column tells in which order the rows were saved"))
        // Times of one second are told apart by the order of the rows.
        let times = ["09:02:00", "09:01:00", "09:01:00", "09:00:00"].map { "a,u,2026-01-15T\($0)Z" }
        let ties = "card_id,user,received_at,x\n" + zip(times, 1...).map { "\($0.0),\($0.1)" }.joined(separator: "\n")
        #expect(try rows(ties).map { $0.prefix(16) } == ["card/a u r120 o-", "card/a u r60 o-2", "card/a u r60 o-3", "card/a u r0 o-4 "])
        #expect(
            try rows("card_id,user,version,x\na,u,3,7\na,v,2,8\na,u,1,7").map { $0.prefix(11) } == [
                "card/a u o3", "card/a v o2", "card/a u o1",
            ])
        #expect(try rows("id,card_id,user,x\n9,a,v,2\n8,a,u,1\n7,b,u,1\n6,b,u,3").first == #"card/a v o9 {"x":"2"}"#)
    }

    @Test func whatCanShowNoLossIsSaid() throws {
        #expect(
            try doubts("id,name,updated_by\n1,a,u\n2,b,v\n3,c,u") == [
                #"no two rows have the same "id": this is each record as it stands and no history, and nothing can be found in it; "#
                    + "give the table that remembers each version, as an audit log or a history table does"
            ])
        #expect(
            try doubts("card_id,device,x\n1,:a,1\n1,:a,2", map: "device=:server") == [
                #"all rows were saved by "server", and who is alone loses no edit to another; if another column says who saved, "#
                    + "add --map device=COLUMN"
            ])
        #expect(
            try doubts("card_id,phone\n1,2\n1,3") == [
                "no column says who saved the rows, and without that no edit of one author can be lost to another; say which does, as with "
                    + "--map device=COLUMN"
            ])
        #expect(
            try doubts("table_name,row_id,user,x\nCard,1,u,1\nNote,1,v,2") == [
                #"no two rows are of one record, though "row_id" repeats: "1" comes with two types; if the types are no part of the record's name, "#
                    + "add --map recordType=:record"
            ])
        #expect(
            try doubts("card_id,user,op,x\na,u,create,1\na,v,create,2") == [
                "all rows are creations, so no edit is among them; give the table that remembers changes too"
            ])
        #expect(try doubts("card_id,user,op,x\na,u,create,1\na,v,update,2").isEmpty)
    }

    /// What only rises with the saves is counted by the server; where a save brings an old number back, a form sends it.
    @Test func whatTheServerCountsIsNoField() throws {
        func content(_ count: (Int) -> Int) -> String {
            let rows = (0..<80).map { "\($0),c\($0 % 4),d\($0 % 3),\(count($0)),text \($0 / 8)" }
            return (["seq,card_id,device_id,views,note"] + rows).joined(separator: "\n")
        }
        #expect(try table(content { $0 * 3 + $0 % 5 }).columnSentences.contains { $0.hasPrefix(#""views" only rises, save by save"#) })
        let sent = try table(content { $0 % 17 == 16 ? 3 : $0 * 3 + $0 % 5 })
        #expect(sent.columnSentences.contains { $0.hasPrefix(#"the fields are "views", "note""#) })
    }

    /// Rows that were put into an archive when others replaced them tell of their own save, and of the next one.
    @Test func whoReplacedARowDidNotSaveIt() throws {
        let header = "history_id,card_id,title,note,version"
        func content(_ columns: String, _ row: (Int) -> String) -> String {
            let rows = (0..<24).map { "\($0),c\($0 % 4),t\($0 % 4),n\($0),\($0 / 4 + 1),\(row($0))" }
            return (["\(header),\(columns)"] + rows).joined(separator: "\n")
        }
        func time(_ number: Int) -> String { "2026-01-15T10:\(10 + number):00Z" }
        let own = try table(content("device_id,archived_at") { "d\($0 % 3),\(time($0))" })
        #expect(own.columnSentences.contains { $0.hasPrefix(#""device_id" says who saved"#) })
        #expect(own.columnSentences.contains { $0.hasPrefix(#""archived_at" tells of the save that replaced a row"#) })
        #expect(!own.columnSentences.contains { $0.contains("server's clock") })
        #expect(
            try doubts(content("archived_by,archived_at") { "d\($0 % 3),\(time($0))" }).first?.hasPrefix(
                #""archived_by" says who replaced a row and not who saved it"#) == true)
    }

    /// Nobody empties most of a form with each save: such rows name what they changed.
    @Test func emptyCellsOfRowsThatShowTheirChangesAreNotNamed() throws {
        let rows = (0..<24).map { number in
            number < 4
                ? "\(number),c\(number),d1,t,n,x"
                : "\(number),c\(number % 4),d\(number % 3)," + ["t\(number),,", ",n\(number),", ",,x\(number)"][number % 3]
        }
        let content = (["seq,card_id,device_id,title,note,place"] + rows).joined(separator: "\n")
        let table = try table(content)
        #expect(table.columnSentences.contains { $0.hasPrefix("rows show only what they changed") })
        #expect(try SavedRowTexts.rows(of: table).suffix(2) == [#"card/c2 d1 o22 {"note":"n22"}"#, #"card/c3 d2 o23 {"place":"x23"}"#])
        let stated = try SavedRowTexts.table(content, in: directory) { $0.empty = .null }
        #expect(try SavedRowTexts.rows(of: stated).last == #"card/c3 d2 o23 {"note":null,"place":"x23","title":null}"#)
    }

    /// Where nothing else says who saved, a column that could is named.
    @Test func whoMayHaveSavedIsProposed() throws {
        let rows = (0..<24).map { "\($0),c\($0 % 4),g\($0 % 3),text \($0)" }
        #expect(
            try doubts((["lfdnr,karte_id,geraet,text"] + rows).joined(separator: "\n"), map: "recordID=karte_id").first?.hasSuffix(
                "--map device=geraet") == true)
    }
}
