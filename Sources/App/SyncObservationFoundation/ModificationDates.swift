/// Dates that every save sets and nobody edits, such as `dateModified`, `updatedAt` or `lastEdited`, by their names.
package enum ModificationDates {
    /// Why they are not observed, as a sentence without its full stop.
    package static let reason = "by its name it is a date that every save sets, so that its conflicts lose no edit"

    private static let changes: Set<String> = [
        "modified", "modification", "modify", "updated", "update", "edited", "edit", "changed", "change", "saved", "touched",
    ]
    private static let others: Set<String> = ["date", "at", "on", "time", "timestamp", "last", "ts"]

    /// Whether a date of that name says when its record was last saved: a word for a change, and no word for anything else.
    package static func contains(_ name: String) -> Bool {
        let words = words(of: name)
        return words.contains { changes.contains($0) } && words.allSatisfy { changes.contains($0) || others.contains($0) }
    }

    /// The words of a name in camel case or with underscores, in lower case.
    private static func words(of name: String) -> [String] {
        var words: [String] = []
        var word = ""
        for character in name.prefix(64) {
            if character == "_" || character.isUppercase, !word.isEmpty {
                words.append(word)
                word = ""
            }
            if character != "_" { word += character.lowercased() }
        }
        return words + (word.isEmpty ? [] : [word])
    }
}
