import TemporaryDirectory
import Testing

@testable import TraceImport

/// Tables that tools make are read as their documentation describes them.
@Suite struct KnownTableTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// A table and what its rows are to be read as.
    struct Fixture: CustomTestStringConvertible {
        let testDescription: String
        let content: String
        let rows: [String]

        init(_ name: String, _ content: String, _ rows: [String]) { (testDescription, self.content, self.rows) = (name, content, rows) }
    }

    /// Sources: the READMEs of paper_trail, audited, owen-it/laravel-auditing and django-simple-history; the user guide of Hibernate Envers;
    /// Salesforce's object reference, AccountHistory.
    private static let objectMappers = [
        Fixture(
            "versions of paper_trail",
            #"""
            id,item_type,item_id,event,whodunnit,object,object_changes,created_at
            1,Card,42,create,ann,,"{""id"":[null,42],""name"":["""",""Mia""],""phone"":[null,""0""]}",2026-01-15 09:00:00+00
            2,Card,42,update,ben,"{""id"":42,""name"":""Mia"",""phone"":""0""}","{""phone"":[""0"",""1""]}",2026-01-15 09:01:00+00
            3,Card,42,destroy,ann,"{""id"":42,""name"":""Mia"",""phone"":""1""}",,2026-01-15 09:02:00+00
            """#,
            [
                #"Card/42 ann r0 o1 {"name":"Mia","phone":"0"}"#,
                #"Card/42 ben r60 o2 {"name":"Mia","phone":"1"} was {"name":"Mia","phone":"0"}"#,
                #"Card/42 ann r120 o3 delete was {"name":"Mia","phone":"1"}"#,
            ]),
        Fixture(
            "audits of Rails' audited",
            #"""
            id,auditable_id,auditable_type,user_id,user_type,username,action,audited_changes,version,remote_address,created_at
            1,42,Card,7,User,,create,"{""name"":""Mia"",""phone"":""0""}",1,10.0.0.1,2026-01-15 09:00:00
            2,42,Card,,,job,update,"{""phone"":[""0"",""1""]}",2,10.0.0.1,2026-01-15 09:01:00
            3,42,Card,7,User,,update,"{""phone"":[""1"",""2""]}",3,10.0.0.1,2026-01-15 09:02:00
            4,42,Card,7,User,,destroy,"{""name"":""Mia"",""phone"":""2""}",4,10.0.0.1,2026-01-15 09:03:00
            """#,
            [
                #"Card/42 User/7 r0 o1 v1 {"name":"Mia","phone":"0"}"#, #"Card/42 job r60 o2 v2 {"phone":"1"} was {"phone":"0"}"#,
                #"Card/42 User/7 r120 o3 v3 {"phone":"2"} was {"phone":"1"}"#,
                #"Card/42 User/7 r180 o4 v4 delete was {"name":"Mia","phone":"2"}"#,
            ]),
        Fixture(
            "audits of Laravel Auditing",
            #"""
            id,user_type,user_id,event,auditable_type,auditable_id,old_values,new_values,url,ip_address,user_agent,created_at,updated_at
            1,User,3,created,Card,42,[],"{""phone"":""0""}",https://x,10.0.0.1,Mozilla,2026-01-15 09:00:00,2026-01-15 09:00:00
            2,User,7,updated,Card,42,"{""phone"":""0""}","{""phone"":""1""}",https://x,10.0.0.2,okhttp,2026-01-15 09:01:00,2026-01-15 09:01:00
            3,User,3,deleted,Card,42,"{""phone"":""1""}",[],https://x,10.0.0.1,Mozilla,2026-01-15 09:02:00,2026-01-15 09:02:00
            """#,
            [
                #"Card/42 User/3 r0 o1 {"phone":"0"}"#, #"Card/42 User/7 r60 o2 {"phone":"1"} was {"phone":"0"}"#,
                #"Card/42 User/3 r120 o3 delete was {"phone":"1"}"#,
            ]),
        Fixture(
            "history of django-simple-history",
            """
            id,name,phone,history_id,history_date,history_change_reason,history_type,history_user_id
            42,Mia,0,1,2026-01-15 09:00:00.123456+00:00,,+,3
            42,Mia,1,2,2026-01-15 09:01:00.123456+00:00,,~,7
            42,Mia,1,3,2026-01-15 09:02:00.123456+00:00,,-,3
            """,
            [
                #"cards/42 3 r0 o1 {"name":"Mia","phone":"0"}"#, #"cards/42 7 r60 o2 {"name":"Mia","phone":"1"}"#,
                "cards/42 3 r120 o3 delete",
            ]),
        Fixture(
            "audit table of Hibernate Envers",
            """
            ID,REV,REVTYPE,REVEND,PHONE,REVTSTMP,USERNAME
            42,1,0,2,0,1768467600000,ann
            42,2,1,3,,1768467660000,ben
            42,3,2,,,1768467720000,ann
            """,
            [#"cards/42 ann r0 o1 {"PHONE":"0"}"#, #"cards/42 ben r60 o2 {"PHONE":null}"#, "cards/42 ann r120 o3 delete"]),
        Fixture(
            "field history of Salesforce",
            """
            Id,IsDeleted,AccountId,CreatedById,CreatedDate,Field,OldValue,NewValue
            01710,false,00142,005ANN,2026-01-15T09:00:00.000+0000,Name,,Mia
            01711,false,00142,005ANN,2026-01-15T09:00:00.000+0000,Phone,,0
            01720,false,00142,005BEN,2026-01-15T09:01:00.000+0000,Phone,0,1
            """,
            [
                #"account/00142 005ANN r0 {"Name":"Mia","Phone":"0"} was {"Name":null,"Phone":null}"#,
                #"account/00142 005BEN r60 {"Phone":"1"} was {"Phone":"0"}"#,
            ]),
    ]

    /// Sources: supabase/supa_audit, 2ndQuadrant/audit-trigger and their READMEs; Microsoft Learn, temporal tables and change data capture;
    /// MariaDB's knowledge base, system-versioned tables; the OpenStreetMap wiki, OSM file formats.
    private static let databases = [
        Fixture(
            "record_version of supa_audit",
            #"""
            id,record_id,old_record_id,op,ts,table_oid,table_schema,table_name,record,old_record
            1,5f-42,,INSERT,2026-01-15 09:00:00+00,164,public,cards,"{""id"":42,""by_user"":1,""updated_by"":""ann"",""phone"":""0""}",
            2,5f-42,5f-42,UPDATE,2026-01-15 09:01:00+00,164,public,cards,"{""id"":42,""updated_by"":""ben"",""phone"":""1""}","{""id"":42,""phone"":""0""}"
            3,,5f-42,DELETE,2026-01-15 09:02:00+00,164,public,cards,,"{""id"":42,""phone"":""1""}"
            """#,
            [
                #"cards/5f-42 ann r0 o1 {"phone":"0"}"#, #"cards/5f-42 ben r60 o2 {"phone":"1"} was {"phone":"0"}"#,
                #"cards/5f-42 ? r120 o3 delete was {"phone":"1"}"#,
            ]),
        Fixture(
            "logged_actions of 2ndQuadrant's audit trigger",
            #"""
            event_id,schema_name,table_name,session_user_name,action_tstamp_tx,action_tstamp_clk,client_addr,action,row_data,changed_fields
            1,public,cards,ann,2026-01-15 09:00:00+00,2026-01-15 09:00:00+00,::1,I,"""id""=>""42"", ""note""=>""a \""b\"""", ""phone""=>NULL",
            2,public,cards,ben,2026-01-15 09:01:00+00,2026-01-15 09:01:00+00,::1,U,"""id""=>""42"", ""note""=>""a"", ""phone""=>NULL","""phone""=>""1"""
            3,public,cards,ann,2026-01-15 09:02:00+00,2026-01-15 09:02:00+00,::1,D,"""id""=>""42"", ""note""=>""a"", ""phone""=>""1""",
            4,public,cards,ann,2026-01-15 09:02:00+00,2026-01-15 09:02:00+00,::1,T,,
            """#,
            [
                #"cards/42 ann r0 o1 {"note":"a \"b\"","phone":null}"#,
                #"cards/42 ben r60 o2 {"note":"a","phone":"1"} was {"note":"a","phone":null}"#,
                #"cards/42 ann r120 o3 delete was {"note":"a","phone":"1"}"#,
            ]),
        Fixture(
            "change data capture of SQL Server",
            """
            __$start_lsn,__$operation,__$update_mask,id,phone,modified_by
            0x01,2,0x7,42,0,ann
            0x02,3,0x2,42,0,ann
            0x02,4,0x2,42,1,ben
            """,
            [#"cards/42 ann {"phone":"0"}"#, #"cards/42 ben {"phone":"1"}"#]),
        Fixture(
            "temporal history of SQL Server",
            """
            Id,Phone,ModifiedBy,ValidFrom,ValidTo
            42,0,ann,2026-01-15 09:00:00.0000000,2026-01-15 09:01:00.0000000
            42,1,ben,2026-01-15 09:01:00.0000000,9999-12-31 23:59:59.9999999
            """,
            [#"cards/42 ann r0 {"Phone":"0"}"#, #"cards/42 ben r60 {"Phone":"1"}"#]),
        Fixture(
            "system-versioned table of MariaDB",
            """
            id,phone,updated_by,row_start,row_end
            42,0,ann,2026-01-15 09:00:00.000000,2026-01-15 09:01:00.000000
            42,1,ben,2026-01-15 09:01:00.000000,2038-01-19 03:14:07.999999
            """,
            [#"cards/42 ann r0 {"phone":"0"}"#, #"cards/42 ben r60 {"phone":"1"}"#]),
        Fixture(
            "history of OpenStreetMap",
            #"""
            type,id,version,changeset,visible,user,uid,timestamp,lat,tags
            node,7,1,100,true,ann,1,2026-01-15T09:00:00Z,51.1,"{""name"":""a""}"
            node,7,2,101,true,ben,2,2026-01-15T09:01:00Z,51.2,"{ ""name"": ""a"" }"
            node,7,3,102,false,ann,1,2026-01-15T09:02:00Z,,
            """#,
            [
                #"node/7 1 r0 v1 {"lat":"51.1","tags":{"name":"a"}}"#, #"node/7 2 r60 v2 {"lat":"51.2","tags":{"name":"a"}}"#,
                "node/7 1 r120 v3 delete",
            ]),
    ]

    /// Sources: Debezium's documentation, PostgreSQL connector and event flattening; eulerto/wal2json; MongoDB's manual, change events; the API
    /// reference of DynamoDB Streams; firebase/extensions, firestore-bigquery-export.
    private static let feeds = [
        Fixture(
            "events of Debezium",
            #"""
            {"schema":{},"payload":{"before":null,"after":{"id":42,"phone":"0","device_id":"d1"},"source":{"table":"cards","ts_ms":1768467600000,"lsn":5},"op":"c","ts_ms":1}}
            {"schema":{},"payload":{"before":{"id":42,"phone":"0","device_id":"d1"},"after":{"id":42,"phone":"1","device_id":"d2"},"source":{"table":"cards","ts_ms":1768467660000,"lsn":6},"op":"u","ts_ms":1}}
            {"schema":{},"payload":{"before":{"id":42,"phone":"1","device_id":"d2"},"after":null,"source":{"table":"cards","ts_ms":1768467720000,"lsn":7},"op":"d","ts_ms":1}}
            """#,
            [
                #"cards/42 d1 r0 o5 {"phone":"0"}"#, #"cards/42 d2 r60 o6 {"phone":"1"} was {"phone":"0"}"#,
                #"cards/42 ? r120 o7 delete was {"phone":"1"}"#,
            ]),
        Fixture(
            "flattened events of Debezium",
            """
            id,phone,updated_by,__op,__table,__source_ts_ms,__ts_ms,__lsn,__deleted
            42,0,ann,c,cards,1768467600000,1768467600400,34078820,false
            42,1,ben,u,cards,1768467660000,1768467660400,34078920,false
            42,1,ann,d,cards,1768467720000,1768467720400,34079020,true
            """,
            [
                #"cards/42 ann r0 o34078820 {"phone":"0"}"#, #"cards/42 ben r60 o34078920 {"phone":"1"}"#,
                "cards/42 ann r120 o34079020 delete",
            ]),
        Fixture(
            "changes of wal2json, format 1",
            #"""
            {"xid":1,"timestamp":"2026-01-15 09:00:00+00","change":[{"kind":"insert","schema":"public","table":"cards","columnnames":["id","phone","updated_by"],"columntypes":["int","text","text"],"columnvalues":[42,"0","ann"]}]}
            {"xid":2,"timestamp":"2026-01-15 09:01:00+00","change":[{"kind":"update","schema":"public","table":"cards","columnnames":["id","phone","updated_by"],"columntypes":["int","text","text"],"columnvalues":[42,"1","ben"],"oldkeys":{"keynames":["id"],"keytypes":["int"],"keyvalues":[42]}},{"kind":"delete","schema":"public","table":"cards","oldkeys":{"keynames":["id"],"keytypes":["int"],"keyvalues":[42]}}]}
            """#,
            [#"cards/42 ann r0 {"phone":"0"}"#, #"cards/42 ben r60 {"phone":"1"}"#, "cards/42 ? r60 delete"]),
        Fixture(
            "changes of wal2json, format 2",
            #"""
            {"action":"B","timestamp":"2026-01-15 09:00:00+00"}
            {"action":"I","timestamp":"2026-01-15 09:00:00+00","schema":"public","table":"cards","columns":[{"name":"id","type":"int","value":42},{"name":"phone","type":"text","value":"0"},{"name":"updated_by","type":"text","value":"ann"}]}
            {"action":"C","timestamp":"2026-01-15 09:00:00+00"}
            {"action":"U","timestamp":"2026-01-15 09:01:00+00","schema":"public","table":"cards","columns":[{"name":"id","type":"int","value":42},{"name":"phone","type":"text","value":"1"},{"name":"updated_by","type":"text","value":"ben"}],"identity":[{"name":"id","type":"int","value":42}]}
            {"action":"D","timestamp":"2026-01-15 09:02:00+00","schema":"public","table":"cards","identity":[{"name":"id","type":"int","value":42}]}
            """#,
            [#"cards/42 ann r0 {"phone":"0"}"#, #"cards/42 ben r60 {"phone":"1"}"#, "cards/42 ? r120 delete"]),
        Fixture(
            "change stream of MongoDB",
            #"""
            {"_id":{"_data":"1"},"operationType":"insert","clusterTime":{"$timestamp":{"t":1768467600,"i":1}},"ns":{"db":"x","coll":"cards"},"documentKey":{"_id":{"$oid":"65a0"}},"fullDocument":{"_id":{"$oid":"65a0"},"phone":"0","calls":{"$numberLong":"5"},"updatedBy":"ann"}}
            {"_id":{"_data":"2"},"operationType":"update","clusterTime":{"$timestamp":{"t":1768467660,"i":1}},"ns":{"db":"x","coll":"cards"},"documentKey":{"_id":{"$oid":"65a0"}},"updateDescription":{"updatedFields":{"phone":"1","updatedBy":"ben"},"removedFields":["calls"],"truncatedArrays":[]}}
            {"_id":{"_data":"3"},"operationType":"delete","clusterTime":{"$timestamp":{"t":1768467720,"i":1}},"ns":{"db":"x","coll":"cards"},"documentKey":{"_id":{"$oid":"65a0"}}}
            """#,
            [
                #"cards/65a0 ann r0 {"calls":5,"phone":"0"}"#, #"cards/65a0 ben r60 {"calls":null,"phone":"1"}"#,
                "cards/65a0 ? r120 delete",
            ]),
        Fixture(
            "stream of DynamoDB",
            #"""
            {"Records":[
             {"eventID":"1","eventName":"INSERT","awsRegion":"eu","dynamodb":{"ApproximateCreationDateTime":1768467600,"Keys":{"pk":{"S":"c42"}},"NewImage":{"pk":{"S":"c42"},"tags":{"L":[{"S":"a"}]},"calls":{"N":"1"},"device":{"S":"d1"}},"SequenceNumber":"111"}},
             {"eventID":"2","eventName":"MODIFY","awsRegion":"eu","dynamodb":{"ApproximateCreationDateTime":1768467660,"Keys":{"pk":{"S":"c42"}},"NewImage":{"pk":{"S":"c42"},"tags":{"L":[]},"calls":{"N":"1"},"device":{"S":"d2"}},"OldImage":{"pk":{"S":"c42"},"tags":{"L":[{"S":"a"}]},"calls":{"N":"1"},"device":{"S":"d1"}},"SequenceNumber":"112"}},
             {"eventID":"3","eventName":"REMOVE","awsRegion":"eu","dynamodb":{"ApproximateCreationDateTime":1768467720,"Keys":{"pk":{"S":"c42"}},"OldImage":{"pk":{"S":"c42"},"tags":{"L":[]},"calls":{"N":"1"},"device":{"S":"d2"}},"SequenceNumber":"113"}}
            ]}
            """#,
            [
                #"cards/c42 d1 r0 o111 {"calls":1,"tags":["a"]}"#,
                #"cards/c42 d2 r60 o112 {"calls":1,"tags":[]} was {"calls":1,"tags":["a"]}"#,
                #"cards/c42 ? r120 o113 delete was {"calls":1,"tags":[]}"#,
            ]),
        Fixture(
            "change log of Firestore's export",
            #"""
            timestamp,event_id,document_name,operation,data,old_data,document_id,path_params
            2026-01-15T09:00:00.412Z,e-1,projects/p/databases/(default)/documents/cards/c42,CREATE,"{""phone"":""0"",""updatedBy"":""web"",""updatedAt"":""2026-01-15T08:59:58Z""}",,c42,{}
            2026-01-15T09:01:00.998Z,e-2,projects/p/databases/(default)/documents/cards/c42,UPDATE,"{""phone"":""1"",""updatedBy"":""ios"",""updatedAt"":""2026-01-15T09:00:30Z""}","{""phone"":""0"",""updatedBy"":""web"",""updatedAt"":""2026-01-15T08:59:58Z""}",c42,{}
            2026-01-15T09:02:00Z,e-3,projects/p/databases/(default)/documents/cards/c42,DELETE,,"{""phone"":""1"",""updatedBy"":""ios"",""updatedAt"":""2026-01-15T09:00:30Z""}",c42,{}
            """#,
            [
                #"cards/c42 web m-2 r0 {"phone":"0"}"#, #"cards/c42 ios m30 r60 {"phone":"1"} was {"phone":"0"}"#,
                #"cards/c42 ? r120 delete was {"phone":"1"}"#,
            ]),
    ]

    @Test(arguments: objectMappers + databases + feeds)
    func rowsAreReadAsTheToolMeansThem(fixture: Fixture) throws {
        let table = try SavedRowTexts.table(fixture.content + "\n", name: "cards.txt", in: directory)
        let name = fixture.testDescription.split(separator: ",").first.map(String.init) ?? ""
        #expect(table.columnSentences.first == "the columns are those of the \(name)")
        #expect(try SavedRowTexts.rows(of: table) == fixture.rows)
    }
}
