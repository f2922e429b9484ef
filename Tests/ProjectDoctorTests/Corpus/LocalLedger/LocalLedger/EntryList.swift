import SwiftData
import SwiftUI

struct EntryList: View {
    @Query(sort: \Entry.date) private var entries: [Entry]

    var body: some View {
        List(entries) { entry in
            Text(entry.amount, format: .currency(code: "EUR"))
        }
    }
}
