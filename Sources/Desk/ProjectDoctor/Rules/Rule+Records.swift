extension Rule {
    /// What an app's own CloudKit code writes, against the exported schema.
    static let records: [Rule] = [
        Rule(
            "production.own-type", .error, "Every record type of own code is in the exported schema",
            consequence: "The server refuses the records in production, where no type is made by writing it",
            prints: "Cannot create new type … in production schema",
            source: "scastiel/kado#52, TableProApp/TablePro#1990, superuser404notfound/Sodalite#45"
        ) { evidence in
            guard let schemas = evidence.ownSchemas else { return [] }
            var known: Set<String> = []
            return evidence.ownRecords.compactMap { use, location in
                guard let type = use.detail, known.insert(type).inserted,
                    let file = schemas.files.first(where: {
                        $0.schema.recordTypes[type] == nil && !evidence.isForeign($0.file, to: location.path)
                    })?.file
                else { return nil }
                return Finding(
                    location, "records of the type \(type) are made, and \(file.path) has no such type",
                    fix: "deploy the schema in CloudKit Console, and export it again",
                    atMost: schemas.areSure && use.isSpelled && use.context.conditions.isEmpty ? .error : .warning)
            }
        },
        Rule(
            "production.own-field", .error, "Every key of own records is in the exported schema",
            consequence: "The server refuses the records that have it, where no field is made by writing it",
            prints: "Cannot create new field … in production schema",
            source: "scastiel/kado#52, TableProApp/TablePro#1990, superuser404notfound/Sodalite#45"
        ) { evidence in
            guard let schemas = evidence.ownSchemas else { return [] }
            // Whether a type of the records that a function makes is in a schema; asked once for each, as both may be many.
            let hasType = Dictionary(grouping: evidence.ownRecords) { FunctionKey($0.location.path, $0.use.context) }.mapValues { made in
                let types = made.compactMap(\.use.detail)
                return types.isEmpty || types.contains(where: schemas.has)
            }
            var known: Set<[String]> = []
            return evidence.ownFields.compactMap { use, field, key, location in
                // Of a type that is missing altogether `production.own-type` tells.
                let isOfKnownType = field.recordType.map(schemas.has) ?? hasType[FunctionKey(location.path, use.context)] ?? true
                guard isOfKnownType else { return nil }
                guard known.insert([field.recordType ?? "", key]).inserted else { return nil }
                guard let type = field.recordType else {
                    // Of which type the record is was not found: then no type may have such a field.
                    guard field.isDeclared, schemas.areOwn, !schemas.files.contains(where: { $0.schema.hasField(key) }) else { return nil }
                    return Finding(
                        location, "the key \(key) of a record is set, and no record type in \(schemas.names) has such a field",
                        fix: "deploy the schema in CloudKit Console, and export it again", atMost: .warning)
                }
                guard
                    let file = schemas.files.first(where: { file, schema in
                        schema.recordTypes[type].map { $0[key] == nil } ?? false && !evidence.isForeign(file, to: location.path)
                    })?.file
                else { return nil }
                return Finding(
                    location, "the key \(key) of a record of the type \(type) is set, and \(file.path) has no such field",
                    fix: "deploy the schema in CloudKit Console, and export it again",
                    atMost: schemas.areSure && use.isSure ? .error : .warning)
            }
        },
        Rule(
            "production.own-field-type", .error, "Every value of own records has the type of its field in the exported schema",
            consequence: "A field's type never changes in production: the server refuses the records",
            prints: "invalid attempt to set value type", source: ApplePage.database
        ) { evidence in
            guard let schemas = evidence.ownSchemas else { return [] }
            var known: Set<[String]> = []
            return evidence.ownFields.compactMap { use, field, key, location in
                guard let type = field.recordType else { return nil }
                for (file, schema) in schemas.files where !evidence.isForeign(file, to: location.path) {
                    guard let declared = schema.recordTypes[type]?[key] else { continue }
                    let words: String
                    if declared.isEncrypted != field.isEncrypted {
                        words = field.isEncrypted ? "is written to encryptedValues, and is" : "is written as a plain value, and is"
                    } else if let types = field.valueTypes, !types.contains(declared.type) {
                        words = "is written as \(types.sorted().joined(separator: " or ")), and is"
                    } else {
                        continue
                    }
                    guard known.insert([type, key]).inserted else { return nil }
                    return Finding(
                        location,
                        "\(type).\(key) \(words) \(declared.isEncrypted ? "ENCRYPTED " : "")\(declared.type) in \(file.path)",
                        fix: "write what the field holds, or give the key a new name",
                        atMost: schemas.areSure && use.isSure ? .error : .warning)
                }
                return nil
            }
        },
    ]
}

/// The schemas that an app's own records may be held against.
struct OwnSchemas {
    let files: [(file: SourceFile, schema: CloudKitSchema)]
    /// Whether they have any of the types that own code makes.
    let areOwn: Bool
    /// Whether they surely belong to the container that the records go to.
    let areSure: Bool

    /// Whether one of them has a record type.
    func has(_ type: String) -> Bool { files.contains { $0.schema.recordTypes[type] != nil } }

    /// The paths, in order.
    var names: String { files.map(\.file.path).joined(separator: " and ") }
}

extension SwiftFacts.Use {
    /// Whether the key of a record, and the record's type, are as they are written there, in every build.
    fileprivate var isSure: Bool { isSpelled && field?.isTypeSpelled == true && context.conditions.isEmpty }
}

extension CloudKitSchema {
    fileprivate func hasField(_ name: String) -> Bool { recordTypes.values.contains { $0[name] != nil } }
}

extension Evidence {
    /// Where the product's own code makes records, those of CloudKit's own types and of debug builds left out.
    fileprivate var ownRecords: [(use: SwiftFacts.Use, location: SourceLocation)] {
        uses(.recordType).filter { use, _ in
            guard let type = use.detail, !use.context.isDebugOnly else { return false }
            return !type.hasPrefix("cloudkit.") && type != "Users"
        }
    }

    /// The schemas that have one of the record types that own code makes; without any the only one of the project, which may be another
    /// container's.
    fileprivate var ownSchemas: OwnSchemas? {
        let types = Set(ownRecords.compactMap(\.use.detail))
        let containers = Set((uses(.container) + uses(.containerOptions)).compactMap(\.use.detail))
        let own = schemas.filter { !types.isDisjoint(with: $0.schema.recordTypes.keys) }
        if !own.isEmpty { return OwnSchemas(files: own, areOwn: true, areSure: containers.count < 2) }
        return schemas.count == 1 && !types.isEmpty ? OwnSchemas(files: schemas, areOwn: false, areSure: false) : nil
    }

    /// The keys that own code sets to anything, those of CloudKit's own left out.
    var ownFields: [(use: SwiftFacts.Use, field: SwiftFacts.RecordField, key: String, location: SourceLocation)] {
        uses(.recordKey).compactMap { use, location in
            guard let field = use.field, let key = use.detail, !field.isRemoval, !use.context.isDebugOnly else { return nil }
            let isOfSystem = key.hasPrefix("cloudkit.") || key.hasPrefix("_") || key == "parent" || key == "share"
            return isOfSystem || field.recordType?.hasPrefix("cloudkit.") == true ? nil : (use, field, key, location)
        }
    }
}
