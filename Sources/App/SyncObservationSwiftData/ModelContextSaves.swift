#if canImport(SwiftData)
    import Foundation
    import SwiftData
    import SyncModel
    import SyncObservation
    import SyncObservationCoreData

    /// Fills in the stamps of models that are about to be saved, and remembers the values until the store's history names them.
    ///
    /// All of it happens on the thread that saves, where the context may be used.
    struct ModelContextSaves: Sendable {
        private let observer: SyncObserver
        private let history: CoreDataObserver
        private let identities: RecordIdentities
        private let models: [ObjectIdentifier: AuditedModel]

        init(observer: SyncObserver, history: CoreDataObserver, identities: RecordIdentities, models: [AuditedModel]) {
            self.observer = observer
            self.history = history
            self.identities = identities
            self.models = Dictionary(models.map { (ObjectIdentifier($0.type), $0) }) { first, _ in first }
        }

        func willSave(_ context: ModelContext) throws {
            let puts = try inserts(of: context) + updates(of: context)
            var changes = zip(puts, try observer.stamps(for: puts.map(\.change))).map { put, stamps in
                put.audited.set(stamps, of: put.model)
                return put.change.adding(stamps)
            }
            for model in context.deletedModelsArray {
                guard let audited = models[ObjectIdentifier(Swift.type(of: model))] else { continue }
                changes.append(LocalChange(key(of: audited, audited.identityValue(of: model)), .delete))
            }
            history.willSave(changes, by: ObjectIdentifier(context))
        }

        /// The name of a record that another refers to; nil where its class is not audited, or it has none.
        private func reference(to model: any PersistentModel) -> FieldValue? {
            guard let audited = models[ObjectIdentifier(Swift.type(of: model))] else { return nil }
            return identities.key(of: audited.entity, audited.identityValue(of: model)).map { .string($0.id.rawValue) }
        }

        func didSave(_ context: ModelContext) { history.didSave(by: ObjectIdentifier(context)) }

        private struct Put {
            let model: any PersistentModel
            let audited: AuditedModel
            let change: LocalChange
        }

        private func inserts(of context: ModelContext) -> [Put] {
            context.insertedModelsArray.compactMap { model in
                guard let audited = models[ObjectIdentifier(Swift.type(of: model))] else { return nil }
                let fields = audited.fields(of: model, reference(to:)).withoutStamps(of: audited)
                let change = LocalChange(key(of: audited, fields[FieldName(audited.identity)]), .put(fields), isNew: true)
                return fields.isEmpty ? nil : Put(model: model, audited: audited, change: change)
            }
        }

        /// What differs from the store where a stamp must say so: SwiftData does not say what an edit has changed.
        ///
        /// Of models without stamps it is every attribute, and the store is not read: its history names those that changed.
        private func updates(of context: ModelContext) throws -> [Put] {
            let deleted = Set(context.deletedModelsArray.map(\.persistentModelID))
            let changed = context.changedModelsArray.filter { !deleted.contains($0.persistentModelID) }
            let byType = Dictionary(grouping: changed) { ObjectIdentifier(Swift.type(of: $0)) }
            return try byType.flatMap { type, changed -> [Put] in
                guard let audited = models[type] else { return [] }
                let committed =
                    audited.level == .unstamped
                    ? [:]
                    : try audited.committedFields(
                        of: changed.map(\.persistentModelID), in: ModelContext(context.container), reference(to:))
                return changed.compactMap { model in
                    let shown = audited.fields(of: model, reference(to:))
                    let before = committed[model.persistentModelID] ?? FieldMap()
                    var fields = FieldMap()
                    // The app leaves stamps alone, so they are those of the values that the context showed before the edit.
                    var snapshot = FieldMap()
                    for field in shown {
                        if audited.level.hasStamp(field.name) {
                            snapshot[field.name] = field.value
                        } else if field.value != before[field.name] {
                            fields[field.name] = field.value
                        }
                    }
                    if fields.isEmpty { return nil }
                    let change = LocalChange(key(of: audited, shown[FieldName(audited.identity)]), .put(fields), snapshot: snapshot)
                    return Put(model: model, audited: audited, change: change)
                }
            }
        }

        private func key(of audited: AuditedModel, _ identity: FieldValue?) -> RecordKey {
            identities.key(of: audited.entity, identity) ?? RecordKey(type: RecordType(audited.entity), id: "")
        }
    }

    extension FieldMap {
        fileprivate func withoutStamps(of audited: AuditedModel) -> FieldMap {
            var fields = FieldMap()
            for field in self where !audited.level.hasStamp(field.name) { fields[field.name] = field.value }
            return fields
        }
    }

    extension ObservationLevel {
        fileprivate func hasStamp(_ name: FieldName) -> Bool {
            switch self {
            case .unstamped: false
            case .recordStamp(let stamp): stamp == name
            case .fieldStamps(let stamps): stamps.values.contains(name)
            }
        }
    }
#endif
