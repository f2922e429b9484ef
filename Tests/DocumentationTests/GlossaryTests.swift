import AuditAnalysis
import AuditLog
import ConflictAudit
import DocumentationPages
import Foundation
import ProjectDoctor
import SyncBytes
import SyncMerge
import SyncModel
import SyncMonitoring
import Testing

/// The page *Words* against the values that the code prints and writes.
@Suite struct GlossaryTests {
    private static let page = "Sources/Desk/syncaudit/syncaudit.docc/Words.md"

    /// The values of an enumeration that are written or printed.
    private static func values<Word: CaseIterable & RawRepresentable<String>>(of: Word.Type) -> Set<String> {
        Set(Word.allCases.map(\.rawValue))
    }

    private static let policies = Set(
        (MergePolicy.named + [.preferDevices([])]).map(\.name) + DeletePolicy.allCases.map(\.name))

    /// What the tables must have in their first columns, by the tables' heads.
    static let tables: [String: Set<String>] = [
        "op": values(of: Conflict.Side.Operation.self),
        "policy": policies.union(["unique", "reference", ThreeWayMerge.handlerPolicy]),
        "kind": values(of: Conflict.Kind.self),
        "basis": values(of: Conflict.Basis.self),
        "severity": values(of: Conflict.Severity.self),
        "resolution": values(of: Conflict.Resolution.self),
        "reason": values(of: Conflict.Reason.self),
        "event": schemaValues("event"),
        "phase": values(of: SyncActivity.Phase.self),
        "state": values(of: SyncActivity.State.self),
        "trigger": values(of: RefreshReport.Trigger.self),
        "decision": values(of: RefreshDecision.self),
        "network status": ["connected", "disconnected"],
        "interface": values(of: ConnectionType.self),
        "account status": values(of: AccountStatus.self),
        "log": ["opened", "rotated", "dropped", "truncated", "recovered", "forgotten", "unobserved"],
        "values": values(of: ValuePrivacy.Rule.self),
        "lost status": values(of: Loss.Status.self),
        "recoverability": values(of: Recoverability.self),
        "role": values(of: ConflictTimeline.Role.self),
        "finding": values(of: CheckFinding.Kind.self),
        "scenario": values(of: Scenario.self),
        "outcome": values(of: ScenarioVerdict.Outcome.self),
        "rule severity": values(of: Rule.Severity.self),
    ]

    /// Words beside those in tables that pages or printed sentences use as if they were known.
    static let terms = [
        "Device", "Dot", "Put", "Delete", "Insert", "Timestamp", "Causal context", "Seen", "Version vector", "Happened before",
        "Concurrent", "Trace", "Log", "Lane", "Hub", "Replica", "Outbox", "Observer", "Shadow", "Acknowledgement", "Stamp", "Fog",
        "Checkpoint", "Sink", "Register", "Winner", "Loser", "Ancestor", "Policy", "Conflict", "Proven", "Suspected", "Gap", "Window",
        "Lost", "Stale", "Cleared",
        "Clock suspect", "Restored",
    ]

    /// What the schema of a line allows for a key that stands in every line.
    private static func schemaValues(_ key: FieldName) -> Set<String> {
        let text = try? Repository.text("Sources/Log/AuditLog/AuditLog.docc/Resources/syncaudit-line-1.schema.json")
        let schema = text.flatMap { try? JSONParser.parse($0) }
        let property = schema?.object?["properties"]?.object?[key]?.object
        return Set((property?["enum"]?.array ?? []).compactMap(\.string))
    }

    /// The first columns of the page's tables, by the tables' heads.
    private static func columns() throws -> [String: [String]] {
        var columns: [String: [String]] = [:]
        var head: String?
        for line in try Repository.text(page).components(separatedBy: "\n") {
            guard line.hasPrefix("| ") || line.hasPrefix("|-") else {
                head = nil
                continue
            }
            let cell = line.dropFirst(2).prefix { $0 != "|" }.trimmingCharacters(in: .whitespaces)
            if let head {
                if line.hasPrefix("| ") { columns[head, default: []].append(cell.trimmingCharacters(in: ["`"])) }
            } else {
                head = cell
            }
        }
        return columns
    }

    @Test(arguments: tables.keys.sorted()) func aTableHasEveryValueOfTheCodeAndNoOther(head: String) throws {
        let expected = try #require(Self.tables[head])
        let column = try #require(try Self.columns()[head], "no table of Words begins with \(head)")
        #expect(!expected.isEmpty)
        #expect(Set(column) == expected, "missing: \(expected.subtracting(column)); not in the code: \(Set(column).subtracting(expected))")
        #expect(column.count == expected.count, "twice: \(column)")
    }

    @Test func everyTableOfThePageIsHeldAgainstTheCode() throws {
        #expect(Set(try Self.columns().keys) == Set(Self.tables.keys))
    }

    @Test func aTermIsExplained() throws {
        let text = try Repository.text(Self.page)
        #expect(Self.terms.filter { !text.contains("**\($0)**:") } == [])
    }
}
