import SyncModel

/// What a column's name says of what is in it.
struct ColumnName {
    /// The name in lower case without what separates its words.
    let plain: String
    /// Its words in lower case: `editedBy` and `edited_by` have the same.
    let words: [String]
    /// The words of what is named or numbered by it, as of `actor` in `actor.name`; none where the name says itself what it is of.
    private let owner: [String]

    /// Reads a name; of a name with dots the last part.
    init(_ name: String) {
        let parts = name.split(separator: ".")
        let last = parts.last.map(String.init) ?? name
        plain = Self.plain(last)
        isHidden = last.hasPrefix("_")
        words = Self.words(last)
        owner = parts.count > 1 && ["name", "id", "uuid", "login"].contains(plain) ? Self.words(String(parts[parts.count - 2])) : []
    }

    private static func words(_ name: String) -> [String] {
        // Names all in capitals have no words but those between separators.
        let hasLower = name.contains(where: \.isLowercase)
        return (hasLower ? name.separatingCapitals : name).lowercased().split { !$0.isLetter }.map(String.init)
    }

    /// A name in lower case without spaces, hyphens, underscores and dots.
    static func plain(_ name: String) -> String { String(name.lowercased().filter { !" _-.$".contains($0) }) }

    private func has(_ words: Set<String>) -> Bool { self.words.contains(where: words.contains) }

    /// Whether it, or what it names, is one of some.
    private func isOf(_ words: Set<String>) -> Bool { has(words) || owner.contains(where: words.contains) }

    /// Whether it is that of an identity.
    var isIdentity: Bool {
        guard let last = words.last else { return false }
        return ["id", "uuid", "guid", "key", "pk", "oid"].contains(last) || plain.hasSuffix("id") && words.count == 1 && plain.count <= 10
    }

    /// Whether it names the record outright.
    var namesRecord: Bool {
        [
            "recordid", "entityid", "objectid", "documentid", "docid", "itemid", "recordname", "auditableid", "rowid", "rowpk", "subjectid",
            "modelid", "resourceid", "recorduuid", "entityuuid", "recordpk", "documentkey", "primarykey", "pk", "id", "uuid", "guid", "key",
        ].contains(plain)
    }

    /// Whether it names something beside the record: what a row came with, a person, another record.
    var namesOther: Bool {
        authorRank > 0
            || has([
                "request", "session", "trace", "correlation", "transaction", "tx", "xid", "batch", "event", "history", "revision",
                "version", "audit",
                "log", "tenant", "org", "organization", "organisation", "owner", "parent", "old", "api", "etag", "change", "table",
                "schema",
                "relation", "causation", "idempotency",
            ])
    }

    /// Whether it says what a row did.
    var saysOperation: Bool {
        [
            "op", "operation", "action", "event", "changetype", "operationtype", "historytype", "revtype", "kind", "eventname", "tgop",
            "type",
            "verb", "act", "method", "activity", "eventtype", "actiontype", "crud", "dmltype", "change", "mutation", "optype",
            "auditaction",
            "changeop", "triggeraction", "syschangeoperation",
        ].contains(plain) || ["op", "operation", "action"].contains(words.last)
    }

    /// Whether it says nothing else, so that single letters and signs are operations.
    var saysOperationOnly: Bool { saysOperation && !["type", "kind", "event", "change", "method", "activity"].contains(plain) }

    /// Whether it names the record's type where nothing else is likely.
    var namesType: Bool {
        [
            "recordtype", "entitytype", "objecttype", "entityname", "tablename", "auditabletype", "itemtype", "table", "relation",
            "collection",
            "relname", "modelname", "modeltype", "subjecttype", "resourcetype", "rectype", "coll", "contenttype", "tbl",
        ].contains(plain)
    }

    /// Whether it may name the record's type, or be a field.
    var mayNameType: Bool { ["type", "kind", "entity", "class", "model", "object", "doctype"].contains(plain) }

    /// Whether it says of what kind something is, or how it stands.
    var saysKind: Bool {
        has([
            "field", "fieldname", "column", "attribute", "property", "status", "state", "type", "kind", "category", "level", "priority",
            "model",
            "table", "color", "colour", "language", "locale", "format", "version", "label", "tag", "tags", "title",
        ])
    }

    /// How likely it says who saved a row: 0 for not at all, more for a device than for a person.
    var authorRank: Int {
        if saysReplacement { return 0 }
        if has([
            "agent", "phone", "email", "type", "count", "version", "os", "model", "ip", "build", "owner", "assignee", "address", "addr",
            "port", "query", "at",
        ]),
            !has(["by"])
        {
            return plain == "agent" ? 2 : 0
        }
        if has(["type", "at", "ip", "email"]) { return 0 }
        if has(["time", "ts", "timestamp", "clock", "date"]) { return 0 }
        if isOf(["device", "installation", "replica", "peer"]) { return 5 }
        if has(["by"]) { return has(["created", "inserted", "create", "approved", "owned", "sorted", "ordered", "order"]) ? 1 : 4 }
        if isOf([
            "whodunnit", "usr", "actor", "author", "editor", "writer", "modifier", "user", "username", "changer", "operator", "who",
            "committer",
        ])
            || ["uid", "userid", "userident", "whodunnit", "writeuid"].contains(plain)
        {
            return 3
        }
        // A client may be a customer, and a machine what the record is about.
        if isOf(["client", "site", "terminal", "workstation", "machine"]) { return 3 }
        if isOf(["host", "hostname", "node", "origin", "member", "employee", "staff", "person", "login", "principal", "session"]) {
            return 2
        }
        return 0
    }

    /// Whether it says that a time is the server's.
    var saysReceipt: Bool {
        has([
            "received", "receipt", "server", "synced", "arrived", "uploaded", "ingested", "logged", "recorded", "committed", "commit",
            "processed",
        ])
            || [
                "changedat", "actiontstamp", "actiontstampclk", "revtstmp", "historydate", "validfrom", "rowstart", "sysstarttime",
                "changedate",
            ]
            .contains(plain)
    }

    /// Whether it says that a time is the author's.
    var saysAuthorTime: Bool {
        has(["client", "device", "local", "edited", "edit", "modified", "updated", "modification", "mtime", "update"])
            && !has(["server"])
    }

    /// Whether it says that a time is that of a creation.
    var saysCreation: Bool { has(["created", "inserted", "creation", "create", "ctime", "added"]) }

    /// Whether it says that something ends.
    var saysEnd: Bool {
        has(["end", "to", "until", "expires", "expiry", "deleted", "due"]) || saysReplacement
            || ["revend", "validto", "rowend", "sysendtime", "revendtstmp"].contains(plain)
    }

    /// Whether it tells of the save that replaced a row, and not of the row.
    var saysReplacement: Bool {
        has(["archived", "superseded", "replaced", "displaced", "overwritten"]) && has(["by", "at", "on", "time", "date", "until"])
    }

    /// Whether it says that there are times in it.
    var saysTime: Bool {
        has([
            "at", "on", "time", "ts", "date", "stamp", "timestamp", "tstamp", "when", "modified", "updated", "created", "mtime", "clock",
            "edited",
        ])
            || plain.hasSuffix("time") || plain.hasSuffix("tstmp") || plain.hasSuffix("date") || plain.hasSuffix("stamp") || plain == "tsms"
    }

    /// Whether it names a version.
    var namesVersion: Bool {
        [
            "version", "rev", "revision", "etag", "lockversion", "rowversion", "versionid", "revisionid", "revisiondate", "v", "ver",
            "versionno",
            "versionnumber", "revno", "hash", "changetag", "optlock", "revnum", "recordversion", "docversion", "seqno",
        ].contains(plain)
    }

    /// Whether it names the version that an author had been looking at.
    var namesBase: Bool {
        has(["cursor"]) || has(["synced", "pulled", "sync"]) && has(["seq", "sequence", "lsn", "id", "position"])
            || [
                "base", "parent", "parents", "ifmatch", "cursor", "basedon", "knownversion", "expectedversion", "prevversion",
                "previousversion",
                "seenversion", "fromversion", "lastsync", "ancestor", "expectedetag", "prevrev", "previousetag", "clientversion",
                "readversion",
                "oldversion", "ifunmodifiedsince",
            ].contains(plain)
            || has(["base", "known", "match", "expected", "seen"]) && !has(["database"]) && words.count >= 2
            || has(["parent", "previous", "prev", "parents"]) && has(["rev", "version", "revision", "etag", "hash"])
    }

    /// Whether it names how far the author had read all rows, not one record's versions.
    var namesCursor: Bool { has(["cursor", "seen", "known", "synced", "sync", "pulled"]) }

    /// Whether it numbers all rows in the server's order.
    var namesOrder: Bool {
        [
            "id", "seq", "sequence", "lsn", "hubsequence", "historyid", "rev", "position", "offset", "txid", "eventid", "changeid",
            "auditid", "logid",
            "revisionid", "versionid", "serial", "globalversion", "changenumber", "startlsn", "seqval", "ordinal", "nr", "no", "pk",
            "rowid",
        ].contains(plain)
            || has(["seq", "sequence", "lsn"])
    }

    /// Whether it is one as tools give their own columns, with an underscore before it.
    let isHidden: Bool

    /// Whether it says that a record is removed.
    var saysDeleted: Bool {
        [
            "deleted", "isdeleted", "deletedat", "tombstone", "isremoved", "removed", "removedat", "trashed", "trashedat", "istrashed",
            "deletedon",
            "deletiondate", "deletedtime", "isdelete", "softdeleted",
        ].contains(plain)
    }

    /// Whether it tells of the request or the program, which nobody edits.
    var tellsOfRequest: Bool {
        [
            "ip", "ipaddress", "remoteaddr", "remoteip", "clientip", "useragent", "ua", "requestid", "correlationid", "traceid",
            "appversion",
            "sessionid", "clientaddr", "clientport", "clientquery", "applicationname", "sdkversion", "osversion", "remoteaddress",
            "requestuuid",
            "useragentstring", "transactionid", "txid", "xid", "xmin", "appbuild", "buildnumber", "idempotencykey",
        ].contains(plain)
    }
}

extension String {
    /// The name with an underscore before each capital that begins a word.
    fileprivate var separatingCapitals: String {
        var (result, wasLower) = ("", false)
        for character in self {
            if character.isUppercase, wasLower { result.append("_") }
            result.append(character)
            wasLower = character.isLowercase || character.isNumber
        }
        return result
    }
}
