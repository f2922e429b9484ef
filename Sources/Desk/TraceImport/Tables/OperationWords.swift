import SyncModel

/// What a row did to its record.
enum RowOperation: Hashable, CaseIterable {
    case create
    case update
    case delete
    /// Nothing that is to be read: the row before a change whose row after it comes too, or a table that was emptied.
    case nothing

    /// What the words of tools mean, in lower case.
    private static let words: [String: RowOperation] = {
        var words: [String: RowOperation] = [:]
        for word in ["insert", "inserted", "create", "created", "add", "added", "new", "import", "read", "snapshot", "post", "save_new"] {
            words[word] = .create
        }
        for word in [
            "update", "updated", "modify", "modified", "change", "changed", "edit", "edited", "set", "save", "saved", "put", "upsert",
            "upserted",
            "replace", "replaced", "patch", "merge", "restore", "restored", "undelete", "undeleted", "write",
        ] {
            words[word] = .update
        }
        for word in [
            "delete", "deleted", "remove", "removed", "destroy", "destroyed", "drop", "tombstone", "trash", "trashed", "erase", "purge",
            "soft_delete", "soft_deleted", "forcedeleted", "forced_deleted",
        ] {
            words[word] = .delete
        }
        for word in ["truncate", "begin", "commit", "message"] { words[word] = .nothing }
        return words
    }()

    /// What letters and signs mean, where a column's name says that it holds operations.
    private static let signs: [String: RowOperation] = [
        "i": .create, "c": .create, "r": .create, "+": .create, "u": .update, "m": .update, "~": .update, "d": .delete, "-": .delete,
        "t": .nothing,
    ]

    /// Words that hardly mean anything else, so that a column needs no name to hold operations.
    static let plain: Set<String> = [
        "insert", "update", "delete", "create", "created", "updated", "deleted", "inserted", "destroy", "destroyed", "modify", "modified",
        "remove", "removed",
    ]

    /// What a word means, as any tool writes it; nil where no tool is known to.
    ///
    /// - Parameter takesSigns: Whether single letters and signs are words too.
    init?(_ word: String, takesSigns: Bool) {
        let word = word.lowercased()
        // As in app.card.updated, or cards:update.
        let last = word.split { ".:/ ".contains($0) }.last.map(String.init) ?? word
        guard let operation = Self.words[last] ?? (takesSigns ? Self.signs[word] : nil) else { return nil }
        self = operation
    }
}

/// What the values of a column of operations mean.
struct OperationWords {
    /// Words of a tool that no other shares, by the values as they are written.
    var own: [String: RowOperation] = [:]

    /// What a value means; nil where it is unknown.
    func meaning(of value: FieldValue) -> RowOperation? {
        let text = value.plainText
        return own[text] ?? RowOperation(text, takesSigns: true)
    }
}
