import Foundation
import SwiftData

/// One printed sheet.
@Model
public final class MapSheet {
    /// The title.
    public var title: String = ""
    /// The scale.
    public var scale: Int = 25_000
    /// The edition.
    public var edition: String
    /// The annotations.
    @Relationship(deleteRule: .cascade, inverse: \Annotation.sheet) public var annotations: [Annotation]?

    /// Makes a sheet.
    public init(title: String, edition: String) {
        self.title = title
        self.edition = edition
    }
}

/// A mark on a sheet.
@Model
public final class Annotation {
    /// The x.
    public internal(set) var x: Double = 0
    /// The y.
    public internal(set) var y: Double = 0
    /// The sheet.
    public var sheet: MapSheet?
    /// The author.
    public var author: Author?

    /// Makes a mark.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// Who wrote a mark.
@Model
public final class Author {
    /// The name.
    public var name: String = ""

    /// Makes an author.
    public init(name: String) { self.name = name }
}
