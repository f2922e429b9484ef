/// A kind of record that an app keeps: a SwiftData model class, or an entity of a Core Data model.
package struct Entity: Sendable {
    package enum Source: Hashable, Sendable {
        case swiftData
        /// The path of the `.xcdatamodeld` that holds it.
        case coreData(model: String)
    }

    package let name: String
    package let source: Source
    /// The entity that it inherits attributes from.
    package let parent: String?
    package let location: SourceLocation
    package var attributes: [Attribute] = []
    package var relationships: [Relationship] = []
    /// The names of each uniqueness constraint, and where it is.
    package var constraints: [(names: [String], location: SourceLocation)] = []

    package init(name: String, source: Source, parent: String?, location: SourceLocation) {
        (self.name, self.source, self.parent, self.location) = (name, source, parent, location)
    }

    package struct Attribute: Sendable {
        package let name: String
        package let type: AttributeType
        package let isOptional: Bool
        package let hasDefault: Bool
        package let isUnique: Bool
        package let isExternal: Bool
        package let isEncrypted: Bool
        package let location: SourceLocation
        /// The text that would make it optional, and where in the file; nil where text alone does not.
        package let optionalFix: TextEdit?
        /// The name that it had before, as the model says.
        package let originalName: String?
        /// What a transformer or an encoder puts into it, where that is known.
        package var content: AttributeType?

        package init(
            name: String, type: AttributeType, isOptional: Bool, hasDefault: Bool, isUnique: Bool = false, isExternal: Bool = false,
            isEncrypted: Bool = false, location: SourceLocation, optionalFix: TextEdit? = nil, originalName: String? = nil
        ) {
            self.name = name
            self.type = type
            self.isOptional = isOptional
            self.hasDefault = hasDefault
            self.isUnique = isUnique
            self.isExternal = isExternal
            self.isEncrypted = isEncrypted
            self.location = location
            self.optionalFix = optionalFix
            self.originalName = originalName
        }
    }

    package struct Relationship: Sendable {
        package let name: String
        /// The entity at the other end.
        package let destination: String
        package let isToMany: Bool
        package let isOptional: Bool
        package let isOrdered: Bool
        /// The relationship of the destination that leads back, where the model names it.
        package let inverse: String?
        /// Whether the model says that it has no inverse.
        package let isAlone: Bool
        /// Such as `cascade`, in lower case.
        package let deleteRule: String?
        package let location: SourceLocation
        /// The name that it had before, as the model says.
        package let originalName: String?

        package init(
            name: String, destination: String, isToMany: Bool, isOptional: Bool, isOrdered: Bool = false, inverse: String?,
            isAlone: Bool = false, deleteRule: String?, location: SourceLocation, originalName: String? = nil
        ) {
            self.name = name
            self.destination = destination
            self.isToMany = isToMany
            self.isOptional = isOptional
            self.isOrdered = isOrdered
            self.inverse = inverse
            self.isAlone = isAlone
            self.deleteRule = deleteRule
            self.location = location
            self.originalName = originalName
        }
    }
}

/// What an attribute holds, as far as sync is concerned.
package enum AttributeType: Hashable, Sendable {
    case string, integer, boolean, double, decimal, date, data, uuid, url
    /// A list in one attribute, with the text of its element's type.
    case array(String)
    case dictionary
    /// A `Codable` structure of the app, in one attribute.
    case structure(String)
    /// An enumeration of the app.
    case enumeration(String)
    /// Anything, by a value transformer, whose name is known or not.
    case transformable(String?)
    /// Core Data's "Undefined".
    case undefined
    /// A type that the project does not declare and that is none of the above.
    case other(String)
}

/// A change of a file's text: bytes that are replaced.
package struct TextEdit: Hashable, Sendable {
    package let path: String
    package let range: Range<Int>
    package let text: String

    package init(path: String, range: Range<Int>, text: String) { (self.path, self.range, self.text) = (path, range, text) }
}
