import SyncBytes

/// A version of a schema before the one that is judged.
struct EarlierSchema: Sendable {
    /// Such as a commit, or the name of a versioned schema.
    let name: String
    let entities: [String: Entity]
    /// The names of its entities that synced; nil where only those that sync now are known.
    var synced: Set<String>?
    /// The version that came after it; nil for the one that is judged.
    let next: [String: Entity]?
}

extension Rule {
    /// What may change from one version of a schema to the next.
    ///
    /// Fields and record types of CloudKit stay for ever, and devices have different versions of the app.
    static let evolution: [Rule] = [
        Rule(
            "evolution.removed", .warning, "Nothing is removed from a schema",
            consequence: "Devices with the earlier version still write it, and those edits are seen by nobody who has the new one",
            source: ApplePage.model
        ) { evidence in
            evidence.changes { old, new, name in
                guard let new else {
                    return [Finding(old.location, "\(old.name) is gone since \(name)", fix: "keep it, and stop using it")]
                }
                let kept = Set(new.properties.flatMap { [$0.name, $0.originalName].compactMap(\.self) })
                return (old.attributes.map(\.name) + old.relationships.map(\.name)).filter { !kept.contains($0) }.map { field in
                    Finding(new.location, "\(old.name).\(field) is gone since \(name)", fix: "keep it, and stop using it")
                }
            }
        },
        Rule(
            "evolution.renamed", .warning, "Nothing is renamed in a schema",
            consequence:
                "The records have both fields from then on: devices with the earlier version write the old one, the others the new "
                + "one, and neither "
                + "sees the other's edits",
            source: ApplePage.model
        ) { evidence in
            evidence.changes { old, new, name in
                let names = Set(old.properties.map(\.name))
                return (new?.properties ?? []).filter { property in
                    property.originalName.map { $0 != property.name && names.contains($0) && !names.contains(property.name) } ?? false
                }.map { property in
                    Finding(
                        property.location, "\(old.name).\(property.originalName ?? "") is called \(property.name) since \(name)",
                        fix: "keep the old name in the store, and give it another in the code by a computed property")
                }
            }
        },
        Rule(
            "evolution.retyped", .error, "No attribute changes its type",
            consequence: "A field of CloudKit has one type for ever: the new version refuses to send it, or its records refuse to come",
            source: ApplePage.model
        ) { evidence in
            evidence.changes { old, new, name in
                (new?.attributes ?? []).compactMap { [entity = old.name, attributes = old.attributes] attribute in
                    let before = attributes.first { $0.name == attribute.name }
                    // Of types that are not known nothing is said.
                    guard let before, let old = before.type.fieldTypes, let new = attribute.type.fieldTypes, old != new else { return nil }
                    return Finding(
                        attribute.location,
                        "\(entity).\(attribute.name) was \(before.type.words) in \(name) and is \(attribute.type.words)",
                        fix: "add an attribute with a new name, and leave the old one as it was")
                }
            }
        },
    ]
}

extension Evidence {
    /// The findings of every entity that syncs and that an earlier version had, with the one that followed it.
    ///
    /// One that is gone is judged where it synced; of a version of the code, where anything of that version does.
    func changes(_ body: (_ old: Entity, _ new: Entity?, _ name: String) -> [Finding]) -> [Finding] {
        earlier.flatMap { version in
            version.entities.values.ordered { $0.name < $1.name }.filter {
                if (version.next ?? entities)[$0.name] != nil { return scope.synced.contains($0.name) }
                if otherNames.contains($0.name) { return false }
                return version.synced?.contains($0.name) ?? version.entities.keys.contains { scope.synced.contains($0) }
            }
            .flatMap { body($0, (version.next ?? entities)[$0.name], version.name) }
        }
    }
}

extension Entity {
    /// Its attributes and relationships by their names, with the name that each had before.
    fileprivate var properties: [(name: String, originalName: String?, location: SourceLocation)] {
        attributes.map { ($0.name, $0.originalName, $0.location) } + relationships.map { ($0.name, $0.originalName, $0.location) }
    }
}

extension AttributeType {
    /// What it is, in words.
    var words: String {
        switch self {
        case .string: "a string"
        case .integer: "a whole number"
        case .boolean: "a Boolean"
        case .double: "a floating-point number"
        case .decimal: "a decimal number"
        case .date: "a date"
        case .data: "data"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .array(let element): "a list of \(element)"
        case .dictionary: "a dictionary"
        case .structure(let name), .enumeration(let name), .other(let name): name.isEmpty ? "of an unknown type" : name
        case .transformable: "transformable"
        case .undefined: "undefined"
        }
    }
}
