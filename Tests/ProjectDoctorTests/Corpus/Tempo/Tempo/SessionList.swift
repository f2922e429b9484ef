import SwiftData
import SwiftUI
import WidgetKit

struct SessionList: View {
    @Query(sort: \Session.began) private var sessions: [Session]

    var body: some View {
        List(sessions) { Text($0.piece) }
            .onChange(of: sessions.count) { WidgetCenter.shared.reloadAllTimelines() }
    }
}
