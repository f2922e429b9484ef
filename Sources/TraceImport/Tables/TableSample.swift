import SyncLines
import SyncModel

/// Where a value of a row comes from.
enum TableValue: Hashable {
    /// A plain column.
    case cell(Int)
    /// A field of the record after.
    case image(FieldName)
    /// What is so in all rows.
    case constant(String)
}

/// The first rows of a table, column by column.
struct TableSample {
    let rows: [OpenedRow]
    /// Whether there are no others.
    let isWhole: Bool
    var columns: [SampleColumn] = []
    /// The columns of the record after, as a person sees them; nil where no column holds it.
    let imageName: String?

    /// How many fields of records are looked at.
    private static let maximumFields = 2000

    init(_ rows: [OpenedRow], _ shape: TableShape, isWhole: Bool, times: TimestampForm?) {
        (self.rows, self.isWhole) = (rows, isWhole)
        imageName = shape.hasImages ? shape.afterColumns.first ?? shape.beforeColumns.first ?? shape.changesColumn : nil
        for (index, name) in shape.cells.enumerated() {
            columns.append(SampleColumn(source: .cell(index), shown: name, rows.map { $0.cells[index] }, times: times))
        }
        guard let imageName else { return }
        var names: Set<FieldName> = []
        for row in rows {
            for map in [row.after, row.before] {
                for name in map?.sortedNames ?? [] where names.count < Self.maximumFields { names.insert(name) }
            }
        }
        for name in names.sorted() {
            columns.append(
                SampleColumn(
                    source: .image(name), shown: "\(imageName).\(name.rawValue)", rows.map { $0.after.flatMap { $0[name] } }, times: times))
        }
    }

    /// A column of the record's own fields that is filled from the record before where there is none after.
    func filled(_ column: SampleColumn) -> SampleColumn {
        guard case .image(let name) = column.source else { return column }
        return SampleColumn(
            source: column.source, shown: column.shown,
            rows.map { row in (row.after.flatMap { $0[name] }) ?? row.before.flatMap { $0[name] } },
            times: nil)
    }
}
