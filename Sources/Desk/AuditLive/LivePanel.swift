import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// A part of the screen that keys move in, from the top of the screen to its bottom.
enum LivePanel: CaseIterable {
    case types
    case fields
    case losers
    case devices
    case losses

    /// By what it can be sorted; the first unless asked otherwise.
    var orders: [LiveOrder] {
        switch self {
        case .types, .fields, .losers: [.losses, .conflicts, .name]
        case .devices: [.need, .name, .success, .waiting]
        case .losses: [.time, .record, .field, .device]
        }
    }

    /// Whether it counts losses by name.
    var isBreakdown: Bool { [.types, .fields, .losers].contains(self) }

    /// The panel that is some panels further down; behind the last comes the first.
    func advanced(by count: Int) -> LivePanel {
        let all = Self.allCases
        let index = (all.firstIndex(of: self) ?? 0) + count
        return all[(index % all.count + all.count) % all.count]
    }
}

/// By what the rows of a panel are sorted.
enum LiveOrder: String {
    case time
    case record
    case field
    case device
    case losses
    case conflicts
    case name
    case need
    case success = "last success"
    case waiting = "to send"
}

/// How a panel is sorted.
struct LiveSort: Hashable {
    var order: LiveOrder
    var isReversed = false

    /// An arrow and a word, as in the head of a column.
    var label: String { (isReversed ? "↑" : "↓") + order.rawValue }

    /// The rows in this order; rows between which it does not decide stay as they are.
    func sorted<Row>(_ rows: [Row], by precedes: (LiveOrder) -> (Row, Row) -> Bool) -> [Row] {
        let precedes = precedes(order)
        let sorted = rows.ordered(by: precedes)
        return isReversed ? sorted.reversed() : sorted
    }
}

/// The name of a row in any panel but that of losses, as logs have it.
struct LiveName: Hashable {
    let first: String?
    let second: String

    init(_ first: String?, _ second: String) { (self.first, self.second) = (first, second) }

    /// The name for a screen.
    var words: String { (first.map { EventText.name($0) + "." } ?? "") + EventText.name(second) }
}

extension LiveLog.Loss {
    /// Whether it comes before another one in an order.
    static func precedes(in order: LiveOrder) -> (LiveLog.Loss, LiveLog.Loss) -> Bool {
        func by(_ name: @escaping (LiveLog.Loss) -> [String]) -> (LiveLog.Loss, LiveLog.Loss) -> Bool {
            { left, right in
                let (first, second) = (name(left), name(right))
                return first == second ? left > right : first.lexicographicallyPrecedes(second)
            }
        }
        return switch order {
        case .record: by { [$0.conflict.key.type.rawValue, $0.conflict.key.id.rawValue] }
        case .field: by { [$0.conflict.key.type.rawValue, $0.conflict.field?.rawValue ?? ""] }
        case .device: by { [$0.conflict.loser.dot.device.rawValue] }
        default: { $0 > $1 }
        }
    }
}
