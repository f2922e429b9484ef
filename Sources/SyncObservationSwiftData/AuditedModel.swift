#if canImport(SwiftData)
    import ConflictAudit
    import Foundation
    import SyncModel
    import SyncObservation
    import SyncObservationCoreData
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
    public struct AuditedModel: Sendable {
        /// A stamp attribute: its name in the store, and the optional string.
        public typealias Stamp<Model: PersistentModel> = (name: String, path: any ReferenceWritableKeyPath<Model, String?> & Sendable)

        let type: any PersistentModel.Type
        let entity: String
        let identity: String
        let level: ObservationLevel
        private let values: @Sendable (any PersistentModel) -> FieldMap
        private let setStamp: @Sendable (any PersistentModel, FieldName, String?) -> Void
        private let committed: @Sendable ([PersistentIdentifier], ModelContext) throws -> [PersistentIdentifier: FieldMap]

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
            let values: @Sendable (Model) -> FieldMap = { model in
                var fields = FieldMap()
                for (name, path) in attributes {
                    if let value = FieldValue(attribute: unwrapped(model[keyPath: path])) { fields[FieldName(name)] = value }
                }
                for (name, path) in stamps { fields[FieldName(name)] = model[keyPath: path].map { .string($0) } ?? .null }
                return fields
            }
            self.values = { ($0 as? Model).map(values) ?? FieldMap() }
            setStamp = { model, name, text in
                if let path = stamps[name.rawValue], let model = model as? Model { model[keyPath: path] = text }
            }
            committed = { identifiers, context in
                let descriptor = FetchDescriptor<Model>(predicate: #Predicate { identifiers.contains($0.persistentModelID) })
                let pairs = try context.fetch(descriptor).map { ($0.persistentModelID, values($0)) }
                return Dictionary(pairs) { first, _ in first }
            }
        }

        /// The values that a context shows, stamps included.
        func fields(of model: any PersistentModel) -> FieldMap { values(model) }

        func set(_ stamps: FieldMap, of model: any PersistentModel) {
            for stamp in stamps { setStamp(model, stamp.name, stamp.value.string) }
        }

        /// The values in the store, stamps included, of models that are there.
        func committedFields(of identifiers: [PersistentIdentifier], in context: ModelContext) throws -> [PersistentIdentifier: FieldMap] {
            identifiers.isEmpty ? [:] : try committed(identifiers, context)
        }
    }

    /// A value without the optional around it.
    private func unwrapped(_ value: Any) -> Any? {
        if let optional = value as? any OptionalValue { optional.content } else { value }
    }

    private protocol OptionalValue {
        var content: Any? { get }
    }

    extension Optional: OptionalValue {
        fileprivate var content: Any? { flatMap { unwrapped($0) } }
    }
#endif
