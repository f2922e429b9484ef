import Foundation
import SwiftData

enum AlmanacSchemaV2: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] { [Event.self, Season.self] }

    @Model
    final class Event {
        var title: String = ""
        var day: Date = Date.now
        var isPublic: Bool = false
        var kind: Kind
        var season: Season?

        init(title: String, kind: Kind) {
            self.title = title
            self.kind = kind
        }
    }

    @Model
    final class Season {
        var name: String = ""
        @Relationship(inverse: \Event.season) var events: [Event]?

        init(name: String) {
            self.name = name
        }
    }

    enum Kind: String, Codable {
        case feast, market, harvest
    }
}
