extension Rule {
    /// What the exported schema of the production environment must hold.
    static let production: [Rule] = [
        Rule(
            "production.type", .error, "Every entity has its record type in the exported schema",
            consequence: "Each device refuses to send records of it, for ever and without a word to the app",
            prints: "Cannot create new type CD_… in production schema",
            source: "scastiel/kado#52, TableProApp/TablePro#1990, bilipp/Lume#155"
        ) { evidence in
            evidence.inSchemas { file, schema in
                // Pairs of records that belong together have a type of their own.
                let pairs =
                    schema.recordTypes["CDMR"] != nil
                    ? []
                    : evidence.manyToMany.prefix(1).map { name, location in
                        Finding(
                            location, "\(name) leads from many to many, and there is no record type CDMR in \(file.path)",
                            fix: "deploy the schema in CloudKit Console, and export it again")
                    }
                return pairs
                    + evidence.judged.filter { schema.recordTypes["CD_" + evidence.root(of: $0).name] == nil }
                    .filter { evidence.root(of: $0).name == $0.name }
                    .map { entity in
                        Finding(
                            entity.location, "\(entity.name) has no record type CD_\(entity.name) in \(file.path)",
                            fix: "deploy the schema in CloudKit Console, and export it again")
                    }
            }
        },
        Rule(
            "production.field", .error, "Every attribute has its field in the exported schema",
            consequence: "Each device refuses to send records that have it, for ever and without a word to the app",
            prints: "Cannot create new field CD_… in production schema",
            source: "scastiel/kado#52, TableProApp/TablePro#1990, bilipp/Lume#155"
        ) { evidence in
            evidence.inSchemas { file, schema in
                evidence.judged.flatMap { entity -> [Finding] in
                    guard let fields = schema.recordTypes["CD_" + evidence.root(of: entity).name] else { return [] }
                    let missing = evidence.fieldNames(of: entity).filter {
                        fields["CD_" + $0.name] == nil && fields["CD_\($0.name)_ckAsset"] == nil
                    }
                    return missing.map { name, location in
                        Finding(
                            location, "\(entity.name).\(name) has no field CD_\(name) in \(file.path)",
                            fix: "deploy the schema in CloudKit Console, and export it again")
                    }
                }
            }
        },
        Rule(
            "production.field-type", .error, "Every field has the type of its attribute in the exported schema",
            consequence: "A field's type never changes in production: each device refuses to send it",
            prints: "invalid attempt to set value type", source: ApplePage.records
        ) { evidence in
            evidence.inSchemas { file, schema in
                evidence.judged.flatMap { entity -> [Finding] in
                    let fields = schema.recordTypes["CD_" + evidence.root(of: entity).name] ?? [:]
                    let encrypted = entity.attributes.compactMap { attribute -> Finding? in
                        guard let field = fields["CD_" + attribute.name], field.isEncrypted != attribute.isEncrypted else { return nil }
                        let (state, other) = field.isEncrypted ? ("is encrypted", "is not") : ("is not encrypted", "is")
                        return Finding(
                            attribute.location,
                            "CD_\(attribute.name) \(state) in \(file.path), but \(entity.name).\(attribute.name) \(other)",
                            fix: "give the attribute a new name, and leave the old field as it is")
                    }
                    return encrypted
                        + entity.attributes.compactMap { attribute in
                            guard let field = fields["CD_" + attribute.name], let types = attribute.type.fieldTypes,
                                !types.contains(field.type)
                            else { return nil }
                            return Finding(
                                attribute.location,
                                "\(entity.name).\(attribute.name) is written as \(types.sorted().joined(separator: " or ")), but "
                                    + "CD_\(attribute.name) is \(field.type) in \(file.path)",
                                fix: "give the attribute a new name, and leave the old field as it is")
                        }
                }
            }
        },
    ]
}

extension Evidence {
    /// The findings of each schema that holds records of the mirroring, those of one attribute once.
    func inSchemas(_ body: (SourceFile, CloudKitSchema) -> [Finding]) -> [Finding] {
        var known: Set<SourceLocation> = []
        return schemas.filter { $0.schema.recordTypes.keys.contains { $0.hasPrefix("CD_") } }
            .flatMap { file, schema in body(file, schema).filter { !isForeign(file, to: $0.location.path) } }
            .filter { known.insert($0.location).inserted }
    }

    /// The relationships from many to many of entities that sync, each pair once for either side.
    var manyToMany: [(name: String, location: SourceLocation)] {
        judged.flatMap { entity in
            entity.relationships.filter { relationship in
                relationship.isToMany
                    && entities[relationship.destination]?.relationships.contains { other in
                        other.isToMany && other.destination == entity.name
                            && (other.inverse == relationship.name || relationship.inverse == other.name)
                    } ?? false
            }.map { ("\(entity.name).\($0.name)", $0.location) }
        }
    }

    /// The entity at the top of the inheritance, whose record type all below it share.
    func root(of entity: Entity) -> Entity {
        var (root, known) = (entity, Set([entity.name]))
        while let name = root.parent, let parent = entities[name], known.insert(name).inserted { root = parent }
        return root
    }

    /// What is written to a record: attributes and relationships to one.
    ///
    /// Relationships to many are kept at the other end, or in records of their own.
    func fieldNames(of entity: Entity) -> [(name: String, location: SourceLocation)] {
        entity.attributes.filter(\.type.isOneField).map { ($0.name, $0.location) }
            + entity.relationships.filter { !$0.isToMany }.map { ($0.name, $0.location) }
    }
}

extension AttributeType {
    /// Whether it is written to a field of its own name, as far as is known.
    var isOneField: Bool {
        switch self {
        case .structure, .other: false
        default: true
        }
    }

    /// The types of the field that holds the attribute; nil where that is not known.
    var fieldTypes: Set<String>? {
        switch self {
        case .string, .uuid, .url: ["STRING"]
        case .integer, .boolean: ["INT64"]
        case .double: ["DOUBLE"]
        case .date: ["TIMESTAMP"]
        case .data, .transformable: ["BYTES"]
        case .array, .dictionary, .structure, .enumeration, .decimal, .undefined, .other: nil
        }
    }
}
