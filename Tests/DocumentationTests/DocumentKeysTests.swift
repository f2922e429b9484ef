import ConflictAudit
import DocumentationPages
import Foundation
import SyncBytes
import SyncModel
import Testing

/// The page *Keys for programs* against the keys that the command writes.
@Suite struct DocumentKeysTests {
    private static let page = "Sources/Desk/syncaudit/syncaudit.docc/KeysForPrograms.md"

    /// The keys in the first columns of the page's tables, by the tables' headings.
    private static func keys() throws -> [String: Set<String>] {
        var keys: [String: Set<String>] = [:]
        var heading = ""
        for line in try Repository.text(page).components(separatedBy: "\n") {
            if line.hasPrefix("## ") { heading = String(line.dropFirst(3)) }
            guard line.hasPrefix("| `") else { continue }
            let cell = line.dropFirst(2).prefix { $0 != "|" }
            keys[heading, default: []].formUnion(cell.matches(of: /`(\w+)\??`/).map { String($0.1) })
        }
        return keys
    }

    /// Keys that hold what comes from data, or what other pages tell of.
    private static let opaque: Set<String> = [
        "conflict", "seen", "value", "totals", "otherEvents", "byKind", "bySeverity", "byBasis", "byReason",
        "filters",
    ]

    /// The keys of an object and of all that is in it.
    ///
    /// - Parameter data: Keys whose values hold what comes from data.
    private static func names(in value: FieldValue, data: Set<String>) -> Set<String> {
        switch value {
        case .object(let object):
            object.reduce(into: []) { names, field in
                names.insert(field.name.rawValue)
                if !data.contains(field.name.rawValue) { names.formUnion(Self.names(in: field.value, data: data)) }
            }
        case .array(let elements): elements.reduce(into: []) { $0.formUnion(names(in: $1, data: data)) }
        default: []
        }
    }

    @Test(arguments: ["check", "doctor", "lost", "replay", "report", "show", "story", "verify"])
    func whatAVerbWritesIsOnThePage(verb: String) throws {
        let keys = try #require(try Self.keys()[verb])
        // A story holds what a record shows, by the names of its fields.
        let data = Self.opaque.union(verb == "story" ? ["fields", "now", "shown"] : [])
        let golden = try JSONParser.parse(try Repository.text("Tests/SyncAuditCommandsTests/Golden/\(verb).json"))
        let written = Self.names(in: golden, data: data)
        #expect(!written.isEmpty)
        // Those of statistics lines are in the format of lines.
        #expect(written.subtracting(keys).subtracting(ConflictStatistics.counters.map { "\($0.key)" }) == [])
    }

    /// A declaration is `"key": value` in a literal of a document.
    @Test func everyKeyIsOnThePageAndNoOther() throws {
        let folder = "Sources/Desk/AuditReport/Answers"
        let files = try #require(FileManager.default.subpaths(atPath: Repository.path(folder)))
            .filter { $0.hasSuffix("Answer.swift") || $0.hasSuffix("Answer+Document.swift") }
        #expect(files.count > 8)
        let declared = try files.reduce(into: Set<String>()) { declared, file in
            declared.formUnion(try Repository.text("\(folder)/\(file)").matches(of: #/"(\w+)": /#).map { String($0.1) })
        }
        let explained = try Self.keys().values.reduce(into: Set<String>()) { $0.formUnion($1) }
        #expect(declared.subtracting(explained) == [])
        // The breakdowns of a statistics line are declared with it.
        #expect(explained.subtracting(declared).subtracting(ConflictStatistics.breakdowns.map { "\($0.summaryKey)" }) == [])
    }
}
