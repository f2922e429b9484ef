#if canImport(CoreData)
    import CoreData
    import Foundation
    package import SyncModel
    import SyncObservationFoundation

    /// By which attribute a record has the same name on every device: object identifiers of Core Data are a device's own.
    ///
    /// ```swift
    /// let identities = RecordIdentities(attribute: "id", attributes: ["Tag": "name"])
    /// ```
    public struct RecordIdentities: Hashable, Sendable {
        /// The attribute of entities that ``attributes`` does not name; a string, a UUID or a number that never changes.
        public var attribute: String
        /// The attributes of entities that have another, by the entity's name.
        public var attributes: [String: String]

        /// Names the attributes.
        public init(attribute: String = "id", attributes: [String: String] = [:]) {
            self.attribute = attribute
            self.attributes = attributes
        }

        func attribute(of entity: String) -> String { attributes[entity] ?? attribute }

        /// The name of a record; one that only this device knows where the identifying attribute is empty.
        func key(of objectID: NSManagedObjectID, _ value: (String) -> Any?) -> RecordKey {
            let entity = objectID.entity.name ?? ""
            return key(of: entity, FieldValue(attribute: value(attribute(of: entity))))
                ?? RecordKey(type: RecordType(entity), id: RecordID(objectID.uriRepresentation().absoluteString))
        }

        /// The name of a record by its identifying value; nil where that is empty or no name.
        package func key(of entity: String, _ value: FieldValue?) -> RecordKey? {
            switch value {
            case .string(let text)? where !text.isEmpty: RecordKey(type: RecordType(entity), id: RecordID(text))
            case .number(let number)?: RecordKey(type: RecordType(entity), id: RecordID(number.text))
            default: nil
            }
        }

        func key(of object: NSManagedObject) -> RecordKey {
            key(of: object.objectID) { object.entity.attributesByName[$0] == nil ? nil : object.value(forKey: $0) }
        }

        /// The identity of an object that other objects refer to; nil where no attribute gives it.
        func name(of object: NSManagedObject) -> String? {
            let entity = object.entity.name ?? ""
            let attribute = attribute(of: entity)
            guard object.entity.attributesByName[attribute] != nil else { return nil }
            return key(of: entity, FieldValue(attribute: object.value(forKey: attribute)))?.id.rawValue
        }
    }
#endif
