import SwiftData
import SwiftUI

struct EventList: View {
    @Query(sort: \Event.day) private var events: [Event]

    var body: some View {
        List(events) { Text($0.title) }
    }
}
