import SyncModel

/// What stores of documents tell of their changes, after MongoDB's manual of change events, the API reference of DynamoDB Streams, and the
/// schema of the changelog that Firestore's extension exports to BigQuery.
extension KnownTool {
    static let documents = [mongoDB(looksUp: false), mongoDB(looksUp: true), dynamoDB, firestore, nestedFirestore]

    private typealias History = ToolHistory

    /// An update tells the paths that it set, in the document or in an object inside.
    ///
    /// With the option that looks up the document, it is as the next change has left it.
    private static func mongoDB(looksUp: Bool) -> KnownTool {
        func flat(_ row: History.Row) -> FieldMap {
            [
                "text.title": .string(row.title), "text.body": .string(row.body), "deleted": .bool(row.isTrashed),
                "updatedBy": .string(row.author), "editedAt": ["$date": .string(History.iso(row.edited))],
            ]
        }
        func document(_ row: History.Row) -> FieldValue {
            var document = flat(row)
            (document["text.title"], document["text.body"]) = (nil, nil)
            document["_id"] = id(row.note)
            document["text"] = ["title": .string(row.title), "body": .string(row.body)]
            return .object(document)
        }
        func id(_ note: Int) -> FieldValue { ["$oid": .string("65a50b10c3f7a1b2c3d4e5f\(note)")] }
        let objects = History.changes.map { change -> FieldValue in
            var event: FieldMap = [
                "_id": ["_data": .string("8265A50B1000000\(100 + change.number)")],
                "operationType": .string(change.word("insert", "update", "delete")),
                "clusterTime": ["$timestamp": ["t": .number(JSONNumber(History.epoch(change.received) / 1000)), "i": 1]],
                "wallTime": ["$date": .string(History.iso(change.received))], "ns": ["db": "app", "coll": "notes"],
                "documentKey": ["_id": id(change.note)],
            ]
            if let after = change.after {
                if change.before == nil {
                    event["fullDocument"] = document(after)
                } else {
                    event["updateDescription"] = [
                        "updatedFields": .object(FieldMap(change.changed(flat).map { ($0.name, $0.new) })), "removedFields": [],
                        "truncatedArrays": [],
                    ]
                    if looksUp {
                        let next = History.changes.first { $0.note == change.note && $0.number > change.number }
                        event["fullDocument"] = (next ?? change).after.map(document) ?? .null
                    }
                }
            }
            return .object(event)
        }
        return KnownTool("change stream of MongoDB", looksUp ? "with the document as it is later" : "", content: History.lines(objects)) {
            $0.file = "stream.json"
            $0.id = { "65a50b10c3f7a1b2c3d4e5f\($0)" }
            $0.fields = ["title": "text.title", "body": "text.body"]
        }
    }

    /// The key is of two attributes, of which one is the same for all notes.
    private static var dynamoDB: KnownTool {
        func keys(_ note: Int) -> FieldMap { ["pk": ["S": "BOARD#1"], "sk": ["S": .string("NOTE#\(note)")]] }
        func image(_ row: History.Row) -> FieldValue {
            var image = keys(row.note)
            (image["title"], image["body"]) = (["S": .string(row.title)], ["S": .string(row.body)])
            (image["deleted"], image["updatedBy"]) = (["BOOL": .bool(row.isTrashed)], ["S": .string(row.author)])
            image["editedAt"] = ["N": .string(String(History.epoch(row.edited)))]
            image["tags"] = ["L": [["S": "a"], ["M": ["colour": ["S": "red"]]]]]
            return .object(image)
        }
        let records = History.changes.map { change -> FieldValue in
            var stream: FieldMap = [
                "ApproximateCreationDateTime": .number(JSONNumber(History.epoch(change.received) / 1000)),
                "Keys": .object(keys(change.note)),
                "SequenceNumber": .string("130216000000000015968936\(10 + change.number)"), "SizeBytes": 312,
                "StreamViewType": "NEW_AND_OLD_IMAGES",
            ]
            if let before = change.before { stream["OldImage"] = image(before) }
            if let after = change.after { stream["NewImage"] = image(after) }
            return [
                "eventID": .string("c4ca4238a0b923820dcc509a6f7584\(10 + change.number)"),
                "eventName": .string(change.word("INSERT", "MODIFY", "REMOVE")),
                "eventVersion": "1.1", "eventSource": "aws:dynamodb", "awsRegion": "eu-central-1", "dynamodb": .object(stream),
                "eventSourceARN": "arn:aws:dynamodb:eu-central-1:123456789012:table/notes/stream/2026-01-15T00:00:00.000",
            ]
        }
        // As the function that the stream calls gets them, some at a time.
        let batches: [FieldValue] = [records[..<7], records[7..<8], records[8...]].map { ["Records": .array(Array($0))] }
        return KnownTool("stream of DynamoDB", content: History.lines(batches)) { $0.id = { "BOARD#1/NOTE#\($0)" } }
    }

    /// The changelog of documents with a path for each note.
    private static func changelog(_ detail: String, path: (Int) -> String, parameters: String) -> KnownTool {
        let rows = History.changes.map { change -> [String?] in
            func data(_ row: History.Row?) -> String? {
                row.map { row in
                    History.json([
                        "title": .string(row.title), "body": .string(row.body), "deleted": .bool(row.isTrashed),
                        "updatedBy": .string(row.author),
                        "editedAt": ["_seconds": .number(JSONNumber(History.epoch(row.edited) / 1000)), "_nanoseconds": 0],
                    ])
                }
            }
            return [
                History.sql(change.received, digits: 6, zone: " UTC"), "4f1d3a52-0000-4000-8000-0000000000\(10 + change.number)",
                "projects/app/databases/(default)/documents/" + path(change.note), change.word("CREATE", "UPDATE", "DELETE"),
                data(change.after),
                data(change.before), path(change.note).split(separator: "/").last.map(String.init), parameters,
            ]
        }
        return KnownTool(
            "change log of Firestore's export", detail,
            content: History.csv("timestamp,event_id,document_name,operation,data,old_data,document_id,path_params", rows)
        ) { $0.file = "notes_raw_changelog.csv" }
    }

    private static var firestore: KnownTool {
        var tool = changelog("", path: { "notes/n\($0)" }, parameters: "{}")
        tool.id = { "n\($0)" }
        return tool
    }

    /// In a collection inside each board one document has the name of another.
    private static var nestedFirestore: KnownTool {
        var tool = changelog("in collections inside documents", path: { "boards/b\($0)/notes/first" }, parameters: #"{"board":"b"}"#)
        (tool.type, tool.id) = ("boards/notes", { "b\($0)/first" })
        return tool
    }
}
