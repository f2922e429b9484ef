import Foundation
import SwiftData

enum AlmanacSchemaV1: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    static var models: [any PersistentModel.Type] { [Event.self] }

    @Model
    final class Event {
        var title: String = ""
        var day: Date = Date.now
        var weather: String = ""
        var isPublic: Bool

        init(title: String) {
            self.title = title
            isPublic = false
        }
    }
}
