import AuditAnalysis
import ConflictAudit
import SyncModel

/// What an audit found of what saves took away.
package struct SavedFormsScore {
    package private(set) var right = 0
    package private(set) var found = 0
    package private(set) var happened = 0
    package private(set) var putBack = 0

    package var precision: Double { found == 0 ? 1 : Double(right) / Double(found) }
    package var recall: Double { happened == 0 ? 1 : Double(right) / Double(happened) }

    /// Both as cells of a table, in percent, rounded down, so that 100 says all.
    package var cells: String {
        "\(found == 0 ? "–" : "\(right * 100 / found) %") | \(happened == 0 ? "–" : "\(right * 100 / happened) %")"
    }

    /// Nothing found yet.
    package init() {}

    /// Audits a table, and adds what was found.
    ///
    /// - Parameter hidesTimes: Whether the rows tell of no clock.
    package mutating func add(_ shape: SavedForms.Shape, seed: UInt64, hidesTimes: Bool = false) {
        let forms = SavedForms(shape, seed: seed)
        var audit = SavedRowsAudit()
        for (index, row) in forms.rows.enumerated() {
            var row = row
            if hidesTimes { (row.made, row.received) = (nil, nil) }
            audit.observe(row, line: index)
        }
        let losses = audit.finish().conflicts.compactMap { conflict, line -> SavedForms.Loss? in
            guard let record = Int(conflict.key.id.rawValue), let field = conflict.field.flatMap({ Int($0.rawValue.dropFirst()) }),
                let versions = conflict.versions
            else { return nil }
            if conflict.isStale { putBack += 1 }
            return SavedForms.Loss(record: record, field: field, loser: versions.rows.lost, save: line)
        }
        found += losses.count
        happened += forms.truth.count
        right += Set(losses).intersection(forms.truth).count
    }

    /// Adds what was found in other tables.
    package static func += (left: inout SavedFormsScore, right: SavedFormsScore) {
        left.right += right.right
        left.found += right.found
        left.happened += right.happened
        left.putBack += right.putBack
    }
}

extension SavedForms {
    /// The tables that are measured, and what they are called.
    package static let measured: [(name: String, shape: Shape)] = [
        ("notes of three fields, twelve devices", .init()),
        ("twenty fields, forty devices", .init(fields: 20, devices: 40)),
        ("three authors", .init(devices: 3, records: 10)),
        ("five records of two fields", .init(fields: 2, records: 5, steps: 800)),
        ("five of eight fields are switches", .init(fields: 8, switches: 5)),
        ("a switch and two counters of five fields", .init(fields: 5, switches: 1, counters: 2)),
        ("devices without a network two times of five", .init(isOnline: 0.6)),
        ("clocks that jump", .init(jumps: true)),
        ("deletes, and edits that bring records back", .init(deletes: 0.05, undeletes: 0.5)),
        ("imports that save every record at once", .init(steps: 900, imports: 0.02)),
        ("forms of some of the fields", .init(fields: 6, sends: .someFields)),
    ]
}
