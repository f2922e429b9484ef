import Foundation
import SwiftData

@Model
final class Visit {
    @Attribute(.unique) var day: Date
    var count: Int

    init(day: Date, count: Int) {
        self.day = day
        self.count = count
    }

    static func record(on day: Date, in context: ModelContext) throws {
        let found = try context.fetch(FetchDescriptor<Visit>(predicate: #Predicate { $0.day == day })).first
        if let found { found.count += 1 } else { context.insert(Visit(day: day, count: 1)) }
    }
}
