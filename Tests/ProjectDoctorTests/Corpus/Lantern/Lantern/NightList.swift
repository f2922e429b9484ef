import SwiftData
import SwiftUI

struct NightList: View {
    @Query(sort: \Night.date) private var nights: [Night]

    var body: some View { List(nights) { Text($0.date, style: .date) } }
}
