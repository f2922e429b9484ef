#if canImport(SwiftData)
    import ConflictAudit
    import Foundation
    import SyncModel
    import SyncObservation
    import SyncObservationCoreData
    import SyncObservationFoundation
    public import SwiftData

    /// One of an app's model classes, and the attributes by which its edits are audited.
    ///
    /// SwiftData does not say which attributes of a model an edit has changed, so they are named here, by their names in the store:
    ///
    /// ```swift
    /// let note = AuditedModel(
    ///     Note.self, attributes: ["id": \.id, "title": \.title, "body": \.body], recordStamp: ("auditStamp", \.auditStamp))
    /// ```
    ///
    /// The identifying attribute is one of them; it must be a string, a UUID or a number that is the same on every device and never
    /// changes.
    ///
    /// An enumeration with raw values, a `Codable` structure, a list and an optional of any of these are attributes like others. A
    /// relationship to one record is the key of that record, and one to many whose inverse is to many, too, is a set of keys; of an inverse
    /// pair to one and to many the one to one is observed. A date that every save sets, such as `dateModified`, is not.
    public struct AuditedModel: Sendable {
        /// A stamp attribute: its name in the store, and the optional string.
        public typealias Stamp<Model: PersistentModel> = (name: String, path: any ReferenceWritableKeyPath<Model, String?> & Sendable)

        let type: any PersistentModel.Type
        let entity: String
        let identity: String
        let level: ObservationLevel
        /// The fields that the store may have in another form than the model shows.
        let fromStore: Set<FieldName>
        /// The name of a record for others that refer to it.
        typealias Reference = (any PersistentModel) -> FieldValue?

        private let values: @Sendable (any PersistentModel, Reference) -> FieldMap
        private let identityValue: @Sendable (any PersistentModel) -> FieldValue?
        private let setStamp: @Sendable (any PersistentModel, FieldName, String?) -> Void
        private let committed: @Sendable ([PersistentIdentifier], ModelContext, Reference) throws -> [PersistentIdentifier: FieldMap]

        /// A model without a stamp: only what had not been exported yet is proven.
        ///
        /// - Parameters:
        ///   - type: The class.
        ///   - id: The identifying attribute, by its name.
        ///   - attributes: The audited attributes, and the identifying one; of a model without any, what was edited is read from the store
        ///     after the save.
        public init<Model: PersistentModel>(
            _ type: Model.Type, identifiedBy id: String = "id", attributes: [String: any PartialKeyPath<Model> & Sendable] = [:]
        ) {
            self.init(type, id, attributes, stamps: [:], .unstamped)
        }

        /// A model with one stamp for each record.
        ///
        /// - Parameters:
        ///   - type: The class.
        ///   - id: The identifying attribute, by its name.
        ///   - attributes: The audited attributes, and the identifying one.
        ///   - recordStamp: An optional string attribute that the app itself never sets.
        public init<Model: PersistentModel>(
            _ type: Model.Type, identifiedBy id: String = "id", attributes: [String: any PartialKeyPath<Model> & Sendable],
            recordStamp: Stamp<Model>
        ) {
            self.init(type, id, attributes, stamps: [recordStamp.name: recordStamp.path], .recordStamp(FieldName(recordStamp.name)))
        }

        /// A model with a stamp beside each of some attributes.
        ///
        /// - Parameters:
        ///   - type: The class.
        ///   - id: The identifying attribute, by its name.
        ///   - attributes: The audited attributes, and the identifying one.
        ///   - fieldStamps: By the name of an attribute, the optional string attribute that holds its stamp.
        public init<Model: PersistentModel>(
            _ type: Model.Type, identifiedBy id: String = "id", attributes: [String: any PartialKeyPath<Model> & Sendable],
            fieldStamps: [String: Stamp<Model>]
        ) {
            let stamps = Dictionary(fieldStamps.values.map { ($0.name, $0.path) }) { first, _ in first }
            let level = fieldStamps.map { (FieldName($0.key), FieldName($0.value.name)) }
            self.init(type, id, attributes, stamps: stamps, .fieldStamps(Dictionary(level) { first, _ in first }))
        }

        private init<Model: PersistentModel>(
            _ type: Model.Type, _ identity: String, _ attributes: [String: any PartialKeyPath<Model> & Sendable],
            stamps: [String: any ReferenceWritableKeyPath<Model, String?> & Sendable], _ level: ObservationLevel
        ) {
            self.type = type
            entity = Schema.entityName(for: type)
            self.identity = identity
            self.level = level
            let kinds = Dictionary(
                uniqueKeysWithValues: attributes.map { name, path in (name, AttributeKind(Swift.type(of: path).valueType, name: name)) })
            fromStore = Set(kinds.filter { $0.value == .composite || $0.value == .members }.keys.map { FieldName($0) })
            let values: @Sendable (Model, Reference) -> FieldMap = { model, reference in
                var fields = FieldMap()
                for (name, path) in attributes {
                    let value = { unwrapped(model[keyPath: path]) }
                    let found: FieldValue? =
                        switch kinds[name] {
                        case .plain, nil: FieldValue(attribute: value())
                        case .reference: (value() as? any PersistentModel).map(reference) ?? .null
                        case .composite: value().map { FieldValue(composite: $0) } ?? .null
                        case .members, .modificationDate: nil
                        }
                    if let found { fields[FieldName(name)] = found }
                }
                for (name, path) in stamps { fields[FieldName(name)] = model[keyPath: path].map { .string($0) } ?? .null }
                return fields
            }
            self.values = { model, reference in (model as? Model).map { values($0, reference) } ?? FieldMap() }
            identityValue = { model in
                guard let model = model as? Model, let path = attributes[identity] else { return nil }
                return FieldValue(attribute: unwrapped(model[keyPath: path]))
            }
            setStamp = { model, name, text in
                if let path = stamps[name.rawValue], let model = model as? Model { model[keyPath: path] = text }
            }
            committed = { identifiers, context, reference in
                let descriptor = FetchDescriptor<Model>(predicate: #Predicate { identifiers.contains($0.persistentModelID) })
                let pairs = try context.fetch(descriptor).map { ($0.persistentModelID, values($0, reference)) }
                return Dictionary(pairs) { first, _ in first }
            }
        }

        /// The values that a context shows, stamps included.
        func fields(of model: any PersistentModel, _ reference: Reference) -> FieldMap { values(model, reference) }

        /// The identifying value, where that is among the attributes.
        func identityValue(of model: any PersistentModel) -> FieldValue? { identityValue(model) }

        func set(_ stamps: FieldMap, of model: any PersistentModel) {
            for stamp in stamps { setStamp(model, stamp.name, stamp.value.string) }
        }

        /// The values in the store, stamps included, of models that are there.
        func committedFields(
            of identifiers: [PersistentIdentifier], in context: ModelContext, _ reference: Reference
        ) throws -> [PersistentIdentifier: FieldMap] {
            identifiers.isEmpty ? [:] : try committed(identifiers, context, reference)
        }
    }

    extension FieldValue {
        /// The value of an enumeration, a structure or a list; nil where it cannot be compared.
        fileprivate init?(composite value: Any) {
            if let found = FieldValue(attribute: value) {
                self = found
            } else if let value = value as? any Encodable {
                self.init(parts: value)
            } else {
                return nil
            }
        }
    }
#endif
