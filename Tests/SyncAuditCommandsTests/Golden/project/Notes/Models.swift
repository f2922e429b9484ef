import SwiftData

@Model
final class Note {
    @Attribute(.unique) var id: UUID = UUID()
    var title: String
    var body: String = ""
    var labels: [String] = []
    var reads: Int = 0
    @Relationship(deleteRule: .cascade) var pictures: [Picture] = []

    init(title: String) { self.title = title }
}

@Model
final class Picture {
    var photo: Data?
    var note: Note?

    init() {}
}

@Model
final class CachedPage {
    @Attribute(.unique) var url: String

    init(url: String) { self.url = url }
}
