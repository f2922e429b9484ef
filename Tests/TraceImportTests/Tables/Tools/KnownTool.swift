import SyncModel
import Testing

/// A tool that writes a history, and what of ``ToolHistory`` can be found in it.
struct KnownTool: CustomTestStringConvertible {
    /// The table's name among those known; nil of one that is told by what its columns hold.
    let name: String?
    let testDescription: String
    /// The file's name: its stem is the type of the records where nothing else tells it.
    var file = "notes.csv"
    let content: String
    /// The type of the records.
    var type = "notes"
    /// The names of the people and of the fields, and how the record of a note is named.
    var people: [String: String] = [:]
    var fields: [String: String] = [:]
    var id: @Sendable (Int) -> String = { String($0) }
    /// Whether rows tell when an edit was made, by its author's clock.
    var tellsEditTimes = true
    /// Whether rows that delete do too.
    var tellsDeleteTimes = false

    init(_ name: String?, _ detail: String = "", content: String, _ change: (inout KnownTool) -> Void = { _ in }) {
        (self.name, self.content) = (name, content)
        testDescription = [name ?? "", detail].filter { !$0.isEmpty }.joined(separator: ", ")
        change(&self)
    }

    /// What is to be found.
    var losses: [String] {
        ToolHistory.lost + (tellsEditTimes ? [ToolHistory.trashed] : []) + (tellsDeleteTimes ? [ToolHistory.deleted] : [])
    }

    static let all = triggers + objectMappers + temporal + feeds + documents + shapes
}
