import SyncBytes

extension Rule {
    /// Fields that one form or function edits.
    static let together: [Rule] = [
        Rule(
            "losses.together", .advice, "What is edited together is kept together",
            consequence:
                "Keys are merged one by one: of two devices that save the same form a record may come out with one field of each. Others "
                + "are edited apart, so that the model has parts that could be records of their own",
            source: "\(ApplePage.records); insidegui/CloudKitchenSink20#2"
        ) { evidence in
            EditGroup.found(in: evidence).compactMap { entity, groups in
                guard let first = groups.first else { return nil }
                let apart = Set(groups.dropFirst().flatMap(\.fields)).subtracting(first.fields)
                // Without fields that are edited elsewhere there is nothing to split.
                guard first.fields.count >= 3, !apart.isEmpty else { return nil }
                return Finding(
                    first.location,
                    "\(entity) has \(first.fields.sorted().joined(separator: ", ")) edited together here, and "
                        + "\(apart.sorted().joined(separator: ", ")) elsewhere",
                    fix:
                        "keep what must agree in one value, or split the model: what is edited together in a record of its own with a "
                        + "relationship to \(entity)")
            }
        }
    ]
}

/// Fields of a model that one function, closure or form edits.
struct EditGroup {
    let fields: Set<String>
    let location: SourceLocation

    /// The groups of each entity that is judged, the largest first.
    ///
    /// An object that is made in the same function is filled, not edited.
    ///
    /// - Complexity: O(*n*) in the edits.
    static func found(in evidence: Evidence) -> [(entity: String, groups: [EditGroup])] {
        var owners: [String: Set<String>] = [:]
        for entity in evidence.judged {
            for field in entity.attributes.map(\.name) + entity.relationships.map(\.name) { owners[field, default: []].insert(entity.name) }
        }
        guard !owners.isEmpty else { return [] }
        var groups: [String: [EditGroup]] = [:]
        for source in evidence.productSources {
            var edits: [Key: [SwiftFacts.Edit]] = [:]
            // Those of anything else.
            var foreign: Set<Key> = []
            for edit in source.facts.edits {
                if let property = edit.property, owners[property] == nil { foreign.insert(Key(object: edit.object, group: edit.group)) }
                edits[Key(object: edit.object, group: edit.group), default: []].append(edit)
            }
            for (key, all) in edits where !foreign.contains(key) {
                let fields = Set(all.compactMap(\.property))
                guard let first = all.min(by: { $0.context.offset < $1.context.offset }), !first.context.isPreview,
                    !first.context.isDebugOnly, !fillsRecords(first.context.types.last ?? ""),
                    fields.count == Set(all.map(\.property)).count
                else {
                    continue
                }
                // Of one class alone.
                var entities: Set<String>?
                for field in fields {
                    let own = owners[field, default: []]
                    entities = entities.map { $0.intersection(own) } ?? own
                }
                guard let entities, entities.count == 1, let entity = entities.first else { continue }
                groups[entity, default: []].append(EditGroup(fields: fields, location: source.location(first.context)))
            }
        }
        return evidence.judged.compactMap { entity in
            groups[entity.name].map { all in
                (
                    entity.name,
                    all.ordered { $0.fields.count != $1.fields.count ? $0.fields.count > $1.fields.count : $0.location < $1.location }
                )
            }
        }
    }

    /// Whether a type is one whose functions fill records and edit none, as far as its name tells.
    private static func fillsRecords(_ type: String) -> Bool {
        let type = type.lowercased()
        return ["import", "backup", "restor", "migrat", "decod", "seed", "sync", "mapper", "export"].contains { type.contains($0) }
    }

    private struct Key: Hashable {
        let object: String
        let group: Int
    }
}
