// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// A stand-in for Apple's Core Data where that is not to be had: the declarations that the adapters use, named and typed as Apple documents them, with as much
// behaviour as their tests need. The page beside each type is below developer.apple.com/documentation/; what is not Apple's says so.

@_exported import Foundation

// coredata/nspropertydescription
open class NSPropertyDescription: NSObject {
    public var name: String
    public var isTransient = false
    public internal(set) weak var entity: NSEntityDescription?

    init(name: String) { self.name = name }
}

// coredata/nsattributetype
public enum NSAttributeType: UInt, Sendable {
    case undefinedAttributeType = 0
    case integer64AttributeType = 300
    case stringAttributeType = 700
    case dateAttributeType = 900
    case transformableAttributeType = 1800
    case compositeAttributeType = 2100
}

// coredata/nsattributedescription
open class NSAttributeDescription: NSPropertyDescription {
    public var attributeType = NSAttributeType.undefinedAttributeType
    public var preservesValueInHistoryOnDeletion = false
}

// coredata/nsrelationshipdescription
open class NSRelationshipDescription: NSPropertyDescription {
    public var isToMany = false
    public weak var inverseRelationship: NSRelationshipDescription?
    public weak var destinationEntity: NSEntityDescription?
}

// coredata/nsentitydescription
open class NSEntityDescription: NSObject {
    public var name: String?
    public var isAbstract = false
    public private(set) var properties: [NSPropertyDescription] = []

    public var propertiesByName: [String: NSPropertyDescription] { Dictionary(uniqueKeysWithValues: properties.map { ($0.name, $0) }) }
    public var attributesByName: [String: NSAttributeDescription] {
        propertiesByName.compactMapValues { $0 as? NSAttributeDescription }
    }
    public var relationshipsByName: [String: NSRelationshipDescription] {
        propertiesByName.compactMapValues { $0 as? NSRelationshipDescription }
    }

    /// Not Apple's: an entity with attributes, of which some are dates and some stay in the history of a delete.
    public init(name: String, attributes: [String], dates: Set<String> = [], preserved: Set<String> = []) {
        self.name = name
        super.init()
        for name in attributes {
            let attribute = NSAttributeDescription(name: name)
            attribute.attributeType = dates.contains(name) ? .dateAttributeType : .stringAttributeType
            attribute.preservesValueInHistoryOnDeletion = preserved.contains(name)
            add(attribute)
        }
    }

    /// Not Apple's: adds a relationship.
    @discardableResult public func relate(
        _ name: String, to entity: NSEntityDescription, isToMany: Bool = false, inverse: NSRelationshipDescription? = nil
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription(name: name)
        relationship.isToMany = isToMany
        relationship.destinationEntity = entity
        relationship.inverseRelationship = inverse
        inverse?.inverseRelationship = relationship
        add(relationship)
        return relationship
    }

    func add(_ property: NSPropertyDescription) {
        property.entity = self
        properties.append(property)
    }
}

// coredata/nsmanagedobjectmodel
open class NSManagedObjectModel: NSObject {
    public var entities: [NSEntityDescription] = []
    public var entitiesByName: [String: NSEntityDescription] {
        Dictionary(uniqueKeysWithValues: entities.map { ($0.name ?? "", $0) })
    }

    open func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? { entities }
}
