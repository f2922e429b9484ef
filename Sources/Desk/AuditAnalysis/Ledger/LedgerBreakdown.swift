package import ConflictAudit
package import SyncModel

/// Losses added up under one name.
package struct LossCount: Equatable {
    package var values = 0
    package var restorable = 0
    package var restored = 0
    package var characters = 0

    package init() {}

    mutating func add(_ loss: Loss) {
        values += 1
        if loss.recoverability == .available { restorable += 1 }
        if loss.status == .restored { restored += 1 }
        characters = characters.addingCount(loss.characters)
    }
}

/// A ledger added up by what one asks for.
package struct LedgerBreakdown {
    package private(set) var total = LossCount()
    /// Those that are proven, and not merely suspected from clocks.
    package private(set) var proven = LossCount()
    package private(set) var byDevice: [DeviceID: LossCount] = [:]
    package private(set) var byType: [RecordType: LossCount] = [:]
    package private(set) var byField: [ConflictStatistics.FieldKey: LossCount] = [:]
    package private(set) var byAge: [Age: LossCount] = [:]
    /// By the number of the week; see ``CalendarPeriod``.
    package private(set) var byWeek: [Int: LossCount] = [:]

    /// How long ago something was lost.
    package enum Age: Int, CaseIterable {
        case day
        case week
        case month
        case year
        case older

        init(milliseconds: Int64) {
            switch milliseconds / 86_400_000 {
            case ..<1: self = .day
            case ..<7: self = .week
            case ..<31: self = .month
            case ..<366: self = .year
            default: self = .older
            }
        }

        package var name: String {
            switch self {
            case .day: "less than a day"
            case .week: "less than a week"
            case .month: "less than a month"
            case .year: "less than a year"
            case .older: "older"
            }
        }
    }

    package init(_ losses: [Loss], now: Int64) {
        for loss in losses {
            let conflict = loss.conflict
            total.add(loss)
            if conflict.isProven { proven.add(loss) }
            byDevice[conflict.loser.dot.device, default: LossCount()].add(loss)
            byType[conflict.key.type, default: LossCount()].add(loss)
            byField[ConflictStatistics.FieldKey(type: conflict.key.type, field: conflict.field), default: LossCount()].add(loss)
            byAge[Age(milliseconds: now.distance(after: loss.milliseconds)), default: LossCount()].add(loss)
            let day = UTCDay.containing(loss.milliseconds)
            byWeek[CalendarPeriod.week.index(of: day), default: LossCount()].add(loss)
        }
    }
}
