import SwiftData
import SwiftUI
import WidgetKit

struct LastSession: TimelineEntry {
    let date: Date
    let piece: String
}

struct Provider: TimelineProvider {
    func placeholder(in context: Context) -> LastSession { LastSession(date: .now, piece: "…") }

    func getSnapshot(in context: Context, completion: @escaping (LastSession) -> Void) { completion(placeholder(in: context)) }

    @MainActor
    func getTimeline(in context: Context, completion: @escaping (Timeline<LastSession>) -> Void) {
        var newest = FetchDescriptor<Session>(sortBy: [SortDescriptor(\.began, order: .reverse)])
        newest.fetchLimit = 1
        let session = try? SharedStore.container.mainContext.fetch(newest).first
        completion(Timeline(entries: [LastSession(date: .now, piece: session?.piece ?? "")], policy: .never))
    }
}

@main
struct TempoWidget: Widget {
    var body: some WidgetConfiguration {
        StaticConfiguration(kind: "last", provider: Provider()) { Text($0.piece) }
    }
}
