import Foundation
import SwiftData

@Model
final class Note {
    var title: String = ""
    var body: String
    var edited: Date = Date.now

    init(title: String, body: String) {
        self.title = title
        self.body = body
    }
}
