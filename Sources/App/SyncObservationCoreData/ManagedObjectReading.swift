#if canImport(CoreData)
    import CoreData
    import Foundation
    import SyncModel
    import SyncObservation
    import SyncObservationFoundation

    /// Reads of managed objects what is observed, and tells the observer of each property that is not.
    ///
    /// Observed are attributes whose values can be compared, relationships to one record, by its key, and to many, as a set of keys. Of two
    /// relationships that are each other's inverse, one to many and one to one, the store keeps the one to one.
    struct ManagedObjectReading: Sendable {
        let identities: RecordIdentities
        let observer: SyncObserver

        /// The values of some properties, as the log has them.
        func fields(_ names: some Sequence<String>, of object: NSManagedObject) -> FieldMap {
            fields(names, of: object) { object.value(forKey: $0) }
        }

        /// The same by values that something else gives.
        func fields(_ names: some Sequence<String>, of object: NSManagedObject, _ value: (String) -> Any?) -> FieldMap {
            var fields = FieldMap()
            for name in names {
                let found: FieldValue?
                if let attribute = object.entity.attributesByName[name] {
                    found = observed(attribute, of: object.entity) { value(name) }
                } else if let relationship = object.entity.relationshipsByName[name] {
                    found = observed(relationship, of: object.entity) { value(name) }
                } else {
                    found = nil
                }
                if let found { fields[FieldName(name)] = found }
            }
            return fields
        }

        private func observed(_ attribute: NSAttributeDescription, of entity: NSEntityDescription, _ value: () -> Any?) -> FieldValue? {
            if attribute.isTransient { return nil }
            if attribute.attributeType == .dateAttributeType, ModificationDates.contains(attribute.name) {
                tell(attribute, of: entity, ModificationDates.reason)
                return nil
            }
            let value = value()
            if let found = FieldValue(attribute: value) { return found }
            let kind = value.map { "\(type(of: $0))" } ?? ""
            tell(attribute, of: entity, "a value of type \(kind) cannot be compared: keep a string, a number, a date or data")
            return nil
        }

        private func observed(_ relationship: NSRelationshipDescription, of entity: NSEntityDescription, _ value: () -> Any?) -> FieldValue?
        {
            if relationship.isTransient { return nil }
            if relationship.isToMany, relationship.inverseRelationship?.isToMany == false { return nil }
            let value = value()
            let related = objects(value)
            let keys = related.compactMap { identities.name(of: $0) }
            guard keys.count == related.count else {
                let target = relationship.destinationEntity?.name ?? ""
                tell(relationship, of: entity, "a \(target) has no '\(identities.attribute(of: target))' that names it on other devices")
                return nil
            }
            if relationship.isToMany { return .members(keys) }
            return keys.first.map { .string($0) } ?? .null
        }

        private func objects(_ value: Any?) -> [NSManagedObject] {
            switch value {
            case let object as NSManagedObject: [object]
            case let objects as NSOrderedSet: objects.array.compactMap { $0 as? NSManagedObject }
            case let objects as NSSet: objects.allObjects.compactMap { $0 as? NSManagedObject }
            default: []
            }
        }

        private func tell(_ property: NSPropertyDescription, of entity: NSEntityDescription, _ reason: @autoclosure () -> String) {
            observer.cannotObserve(FieldName(property.name), of: RecordType(entity.name ?? ""), because: reason())
        }

        /// Tells of the entities whose records, or whose deletes, have no name that other devices know.
        func tellUnnamed(_ entities: [NSEntityDescription]) {
            for entity in entities where !entity.isAbstract {
                let type = RecordType(entity.name ?? "")
                let name = identities.attribute(of: type.rawValue)
                guard let attribute = entity.attributesByName[name] else {
                    observer.cannotObserve(
                        FieldName(name), of: type,
                        because: "there is no such attribute to name a record by: say which one is the same on every device")
                    continue
                }
                guard !attribute.preservesValueInHistoryOnDeletion else { continue }
                observer.cannotObserve(
                    nil, of: type,
                    because:
                        "the history of a delete by another device does not name the record: preserve the value of '\(name)' on deletion"
                )
            }
        }
    }
#endif
