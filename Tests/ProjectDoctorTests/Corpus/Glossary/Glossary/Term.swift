import Foundation
import SwiftData

@Model
final class Term {
    var word: String = ""
    var meaning: String = ""
    var added: Date = Date.now
    var topic: Topic?

    init(word: String) {
        self.word = word
    }
}

@Model
final class Topic {
    var title: String = ""
    var colour: String
    @Relationship(inverse: \Term.topic) var terms: [Term]? = []

    init(title: String, colour: String) {
        self.title = title
        self.colour = colour
    }
}
