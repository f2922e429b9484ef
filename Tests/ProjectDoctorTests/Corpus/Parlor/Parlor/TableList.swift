import SwiftData
import SwiftUI

struct TableList: View {
    @Query(sort: \Table.number) private var tables: [Table]

    var body: some View {
        List(tables) { table in
            Text("\(table.number): \(table.guests?.count ?? 0) of \(table.seats)")
        }
    }
}
