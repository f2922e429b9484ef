extension KnownTable {
    /// The tables that are known, those with more marks before others that share some.
    static let all: [KnownTable] = objectMappers + databases + feeds

    /// What mappers of objects to tables write.
    private static let objectMappers: [KnownTable] = [
        KnownTable(
            name: "versions of paper_trail", marks: ["item_type", "item_id", "event", "object"],
            roles: [
                .recordType: ["item_type"], .recordID: ["item_id"], .device: ["whodunnit"], .operation: ["event"],
                .received: ["created_at"],
                .hubSequence: ["id"],
            ],
            images: ["object": .before, "object_changes": .changes]),
        KnownTable(
            name: "audits of Rails' audited", marks: ["auditable_type", "auditable_id", "audited_changes"],
            roles: [
                .recordType: ["auditable_type"], .recordID: ["auditable_id"], .device: ["user_type+user_id", "user_id", "username"],
                .operation: ["action"],
                .received: ["created_at"], .hubSequence: ["id"], .revision: ["version"],
            ],
            images: ["audited_changes": .changes]),
        KnownTable(
            name: "audits of Laravel Auditing", marks: ["auditable_type", "auditable_id", "old_values", "new_values"],
            roles: [
                .recordType: ["auditable_type"], .recordID: ["auditable_id"],
                .device: ["user_type+user_id", "user_id"], .operation: ["event"],
                .received: ["created_at"], .hubSequence: ["id"],
            ],
            images: ["old_values": .before, "new_values": .after], ignored: ["updated_at", "url", "tags"]),
        KnownTable(
            name: "history of django-simple-history", marks: ["history_id", "history_date", "history_type"],
            roles: [
                .device: ["history_user_id", "history_user"], .operation: ["history_type"], .received: ["history_date"],
                .hubSequence: ["history_id"],
            ],
            ignored: ["history_change_reason"], ignoredPrefixes: ["history_"]),
        KnownTable(
            name: "audit table of Hibernate Envers", marks: ["rev", "revtype"],
            roles: [.operation: ["revtype"], .received: ["revtstmp", "rev_timestamp", "timestamp"], .hubSequence: ["rev"]],
            words: ["0": .create, "1": .update, "2": .delete, "ADD": .create, "MOD": .update, "DEL": .delete],
            ignored: ["revend", "revend_tstmp"]),
        KnownTable(
            name: "field history of Salesforce", marks: ["field", "oldvalue", "newvalue", "createdbyid"],
            roles: [
                .recordID: ["parentid"], .field: ["field"], .value: ["newvalue"], .device: ["createdbyid"], .received: ["createddate"],
            ],
            fieldWords: [
                "created": .create, "closed": .nothing, "feedevent": .nothing, "individualmerged": .nothing, "locked": .nothing,
                "owneraccepted": .nothing, "ownerassignment": .nothing, "ownerescalated": .nothing, "unlocked": .nothing,
            ],
            oldValue: "oldvalue", ignored: ["isdeleted", "id", "datatype", "createdby.name"]),
    ]

    /// What databases and their triggers write.
    private static let databases: [KnownTable] = [
        KnownTable(
            name: "record_version of supa_audit", marks: ["record_id", "old_record_id", "op", "record", "old_record"],
            roles: [
                .recordType: ["table_name"], .recordID: ["record_id", "old_record_id"], .operation: ["op"], .received: ["ts"],
                .hubSequence: ["id"], .device: ["auth_uid"],
            ],
            images: ["record": .after, "old_record": .before], ignored: ["auth_role", "table_oid", "table_schema"]),
        KnownTable(
            name: "logged_actions of 2ndQuadrant's audit trigger",
            marks: ["event_id", "table_name", "action", "row_data", "changed_fields"],
            roles: [
                .recordType: ["table_name"], .operation: ["action"],
                .received: ["action_tstamp_clk", "action_tstamp_tx", "action_tstamp_stm"],
                .hubSequence: ["event_id"],
            ],
            images: ["row_data": .before, "changed_fields": .changes],
            ignored: ["transaction_id", "relid", "statement_only", "client_port"]),
        KnownTable(
            name: "change data capture of SQL Server", marks: ["__$operation"], roles: [.operation: ["__$operation"]],
            words: ["1": .delete, "2": .create, "3": .nothing, "4": .update], ignoredPrefixes: ["__$"]),
        KnownTable(
            name: "temporal history of SQL Server", marks: ["validfrom", "validto"], roles: [.received: ["validfrom"]], end: "validto"),
        KnownTable(
            name: "temporal history of SQL Server", marks: ["valid_from", "valid_to"], roles: [.received: ["valid_from"]],
            end: "valid_to"),
        KnownTable(
            name: "temporal history of SQL Server", marks: ["sysstarttime", "sysendtime"], roles: [.received: ["sysstarttime"]],
            end: "sysendtime"),
        KnownTable(
            name: "system-versioned table of MariaDB", marks: ["row_start", "row_end"], roles: [.received: ["row_start"]],
            end: "row_end"),
        KnownTable(
            name: "history of OpenStreetMap", marks: ["id", "version", "changeset", "visible"],
            roles: [
                .recordID: ["id"], .revision: ["version"], .device: ["uid", "user"], .received: ["timestamp"], .operation: ["visible"],
                .recordType: ["type"],
            ],
            words: ["true": .update, "false": .delete, "t": .update, "f": .delete, "1": .update, "0": .delete], ignored: ["changeset"]),
    ]

    /// What feeds of changes carry.
    private static let feeds: [KnownTable] = [
        KnownTable(
            name: "events of Debezium", marks: ["before", "after", "op", "source"],
            roles: [
                .recordType: ["source.table", "source.collection"], .operation: ["op"], .received: ["source.ts_ms", "ts_ms"],
                .hubSequence: ["source.lsn"],
            ],
            images: ["before": .before, "after": .after]),
        KnownTable(
            name: "flattened events of Debezium", marks: ["__op"],
            roles: [
                .recordType: ["__table", "__collection"], .operation: ["__op"], .deleted: ["__deleted"],
                .received: ["__source_ts_ms", "__ts_ms"], .hubSequence: ["__lsn", "__source_lsn"],
            ],
            ignoredPrefixes: ["__"]),
        KnownTable(
            name: "revisions of Directus", marks: ["activity", "collection", "item", "data", "delta"],
            roles: [.recordType: ["collection"], .recordID: ["item"], .hubSequence: ["id"], .received: ["timestamp"]],
            images: ["data": .after, "delta": .nothing], ignored: ["activity", "parent", "version"]),
        KnownTable(
            name: "versions of django-reversion", marks: ["object_id", "serialized_data", "revision_id"],
            roles: [.recordID: ["object_id"], .hubSequence: ["id"], .received: ["date_created", "revision_date_created"]],
            images: ["serialized_data": .after], ignored: ["object_repr", "format", "db", "revision_id", "content_type_id", "comment"]),
        KnownTable(
            name: "rows of Maxwell", marks: ["database", "table", "type", "data"],
            roles: [.recordType: ["table"], .operation: ["type"], .received: ["ts"]], images: ["data": .after, "old": .before],
            words: [
                "bootstrap-start": .nothing, "bootstrap-insert": .create, "bootstrap-complete": .nothing, "table-create": .nothing,
                "table-alter": .nothing, "table-drop": .nothing, "database-create": .nothing, "database-alter": .nothing,
                "database-drop": .nothing,
            ], ignored: ["xid", "xoffset", "commit", "position", "server_id", "thread_id", "gtid", "primary_key_columns"]),
        KnownTable(
            name: "event log of Hasura", marks: ["event", "trigger", "table", "delivery_info"],
            roles: [.recordType: ["table.name"], .operation: ["event.op"], .received: ["created_at"]],
            images: ["event.data.new": .after, "event.data.old": .before], words: ["MANUAL": .nothing], ignored: ["id"],
            ignoredPrefixes: ["event.trace_context", "delivery_info", "trigger", "table."]),
        KnownTable(
            name: "changes of CouchDB", marks: ["seq", "id", "changes", "doc"],
            roles: [.recordID: ["id"], .deleted: ["deleted"]], images: ["doc": .after], ignored: ["seq", "changes"]),
        KnownTable(
            name: "changes of wal2json", marks: ["action", "schema", "table", "after"],
            roles: [.recordType: ["table"], .operation: ["action"], .received: ["timestamp"], .hubSequence: ["lsn"]],
            images: ["after": .after, "before": .before], words: ["B": .nothing, "C": .nothing, "M": .nothing, "T": .nothing]),
        KnownTable(
            name: "changes of wal2json", marks: ["kind", "schema", "table", "after"],
            roles: [.recordType: ["table"], .operation: ["kind"], .received: ["timestamp"], .hubSequence: ["lsn"]],
            images: ["after": .after, "before": .before]),
        KnownTable(
            name: "change stream of MongoDB", marks: ["operationtype", "documentkey"],
            roles: [
                .recordID: ["documentkey._id"], .recordType: ["ns.coll"], .operation: ["operationtype"],
                .received: ["walltime", "clustertime"],
            ],
            images: [
                "fulldocument": .later, "fulldocumentbeforechange": .before, "updatedescription.updatedfields": .changes, "_id": .nothing,
                "updatedescription.removedfields": .removed,
                "updatedescription.truncatedarrays": .nothing, "updatedescription.disambiguatedpaths": .nothing,
            ]),
        KnownTable(
            name: "stream of DynamoDB", marks: ["eventname", "dynamodb"],
            roles: [
                .recordID: ["dynamodb.keys.*"], .operation: ["eventname"], .received: ["dynamodb.approximatecreationdatetime"],
                .hubSequence: ["dynamodb.sequencenumber"],
            ],
            images: ["dynamodb.newimage": .after, "dynamodb.oldimage": .before]),
        KnownTable(
            name: "change log of Firestore's export", marks: ["document_name", "operation", "data", "event_id"],
            roles: [.operation: ["operation"], .received: ["timestamp"]], documentPath: "document_name",
            images: ["data": .after, "old_data": .before], ignored: ["document_id", "event_id", "path_params"]),
    ]
}
