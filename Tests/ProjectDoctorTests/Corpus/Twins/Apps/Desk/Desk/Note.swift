import Foundation
import SwiftData

@Model
final class Note {
    @Attribute(.unique) var path: String
    var text: String
    var links: [Note]

    init(path: String, text: String) {
        self.path = path
        self.text = text
        links = []
    }
}
