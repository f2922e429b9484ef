import Foundation
import SwiftData

@Model
final class Session {
    var began: Date = Date.now
    var beats: Int = 0
    var piece: String = ""
    var rehearsals: [Rehearsal]? = []

    init(piece: String, beats: Int) {
        self.piece = piece
        self.beats = beats
    }
}

@Model
final class Rehearsal {
    var when: Date = Date.now
    @Relationship(inverse: \Session.rehearsals) var session: Session?

    init(session: Session) {
        self.session = session
    }
}
