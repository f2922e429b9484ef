import FleetHistories
import Foundation
import SyncSimulation

/// Which histories are run: as many as take some seconds, or what the environment says.
enum HistorySeeds {
    /// The seeds, in eight parts: `SYNCAUDIT_HISTORIES` of them, which may be a million, from `SYNCAUDIT_FIRST_HISTORY` on, so that a million can be run in
    /// parts.
    static let parts: [ClosedRange<UInt64>] = {
        let (first, count) = (number("SYNCAUDIT_FIRST_HISTORY") ?? 1, number("SYNCAUDIT_HISTORIES") ?? 960)
        let size = max(1, (count + 7) / 8)
        let last = first + count - 1
        return stride(from: first, through: last, by: Int(size)).map { $0...min($0 + size - 1, last) }
    }()

    /// The kinds of identity fault to run one at a time, or together: `SYNCAUDIT_FAULTS`, separated by commas.
    static let faults: [[IdentityFault]] = {
        guard let names = text("SYNCAUDIT_FAULTS") else { return IdentityFault.allCases.map { [$0] } }
        return [names.split(separator: ",").compactMap { IdentityFault(rawValue: String($0)) }]
    }()

    /// The most steps of each, `SYNCAUDIT_STEPS`, where a million are to be run in an hour.
    static let maximumSteps = number("SYNCAUDIT_STEPS").map(Int.init) ?? .max

    /// The policies of those with identity faults: `SYNCAUDIT_SCOPES`.
    static let scopes = text("SYNCAUDIT_SCOPES").flatMap(ShortHistory.Scopes.init) ?? .fields

    private static func text(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

    private static func number(_ name: String) -> UInt64? { text(name).flatMap(UInt64.init) }
}
