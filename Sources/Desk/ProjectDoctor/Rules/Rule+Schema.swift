import SyncBytes

extension Rule {
    /// What CloudKit demands of a model that it mirrors.
    static let schema: [Rule] = [
        Rule(
            "schema.optional", .error, "Every attribute is optional or has a default value",
            consequence:
                "The container does not open: SwiftData throws with an empty user info, and many apps then start without their "
                + "data. A default in "
                + "the initializer is not enough; it must be in the declaration",
            prints:
                "CloudKit integration requires that all attributes be optional, or have a default value set. The following "
                + "attributes are marked "
                + "non-optional but do not have a default value:",
            source: "\(ApplePage.syncedModels); jirigrill/eczema-helper#713 and CubeLabsNZ/CubeTime#131, reported from devices"
        ) { evidence in
            evidence.findings { entity in
                entity.attributes.filter { !$0.isOptional && !$0.hasDefault }.map { attribute in
                    Finding(
                        attribute.location, "\(entity.name).\(attribute.name) is neither optional nor has it a default value",
                        fix: "make it optional, or give it a default value where it is declared",
                        edits: attribute.optionalFix.map { [$0] } ?? [])
                }
            }
        },
        Rule(
            "schema.strict-optional", .warning, "Every attribute is optional",
            consequence:
                "Records may lack any field: another version of the app need not have known it. Asked for by --strict alone, since "
                + "the framework "
                + "takes a default value",
            source: ApplePage.record
        ) { evidence in
            guard evidence.isStrict else { return [] }
            return evidence.findings { entity in
                entity.attributes.filter { !$0.isOptional && $0.hasDefault }.map { attribute in
                    Finding(
                        attribute.location, "\(entity.name).\(attribute.name) has a default value and is not optional",
                        fix: "make it optional")
                }
            }
        },
        Rule(
            "schema.unique", .error, "No attribute is unique",
            consequence:
                "The container does not open. CloudKit cannot hold two devices to one value, so nothing but a merge of duplicates can",
            prints: "CloudKit integration does not support unique constraints. The following entities are constrained:",
            source: ApplePage.model
        ) { evidence in
            evidence.findings { entity in
                let attributes = entity.attributes.filter(\.isUnique).map { attribute in
                    Finding(
                        attribute.location, "\(entity.name).\(attribute.name) is unique",
                        fix: "remove .unique, and merge the duplicates that two devices make: 'syncaudit audit --unique "
                            + "\(entity.name).\(attribute.name)' finds them")
                }
                let unique = Set(entity.attributes.filter(\.isUnique).map(\.name))
                // What the attribute says already is one cause.
                let constraints = entity.constraints.filter { $0.names.count > 1 || !unique.isSuperset(of: $0.names) }.map { constraint in
                    Finding(
                        constraint.location, "\(entity.name) has a uniqueness constraint on \(constraint.names.joined(separator: ", "))",
                        fix: "remove the constraint, and merge the duplicates that two devices make")
                }
                return attributes + constraints
            }
        },
        Rule(
            "schema.relationship-optional", .error, "Every relationship is optional, a list too",
            consequence: "The container does not open. Records come in any order, so that one can come before what it refers to",
            prints: "CloudKit integration requires that all relationships be optional, the following are not:",
            source: "\(ApplePage.model); CubeLabsNZ/CubeTime#131"
        ) { evidence in
            evidence.findings { entity in
                entity.relationships.filter { !$0.isOptional }.map { relationship in
                    Finding(
                        relationship.location, "the relationship \(entity.name).\(relationship.name) is not optional",
                        fix: relationship.isToMany
                            ? "write [\(relationship.destination)]? and treat nil as empty" : "write \(relationship.destination)?")
                }
            }
        },
        Rule(
            "schema.relationship-inverse", .error, "Every relationship has an inverse",
            consequence: "The container does not open",
            prints: "CloudKit integration requires that all relationships have an inverse, the following do not:",
            source: ApplePage.model
        ) { evidence in
            evidence.findings { entity in
                evidence.relationshipsWithoutInverse(of: entity).map { relationship in
                    Finding(
                        relationship.location, "the relationship \(entity.name).\(relationship.name) has no inverse",
                        fix: "add a relationship to \(entity.name) in \(relationship.destination), and name it as the inverse")
                }
            }
        },
        Rule(
            "schema.relationship-ordered", .error, "No relationship is ordered",
            consequence: "The container does not open: the framework refuses ordered relationships",
            prints: "CloudKit integration does not support ordered relationships. The following relationships are marked ordered:",
            source: "CubeLabsNZ/CubeTime#131"
        ) { evidence in
            evidence.findings { entity in
                entity.relationships.filter(\.isOrdered).map { relationship in
                    Finding(
                        relationship.location, "the relationship \(entity.name).\(relationship.name) is ordered",
                        fix: "keep the order in an attribute of \(relationship.destination), such as a fractional index")
                }
            }
        },
        Rule(
            "schema.delete-rule", .error, "No relationship denies a delete",
            consequence: "The container does not open: CloudKit does not know the rule",
            source: "\(ApplePage.model); jirigrill/eczema-helper#713"
        ) { evidence in
            evidence.findings { entity in
                entity.relationships.filter { $0.deleteRule == "deny" }.map { relationship in
                    Finding(
                        relationship.location, "the delete rule of \(entity.name).\(relationship.name) is deny",
                        fix: "use nullify or cascade, and refuse the delete in the app's code")
                }
            }
        },
        Rule(
            "schema.dangling", .warning, "No relationship is left dangling by a delete",
            consequence: "The rule passes, and leaves rows that refer to records which are gone",
            source: "jirigrill/eczema-helper#713, reported from devices"
        ) { evidence in
            evidence.findings { entity in
                entity.relationships.filter { ["noaction", "no action"].contains($0.deleteRule) }.map { relationship in
                    Finding(
                        relationship.location, "the delete rule of \(entity.name).\(relationship.name) is no action",
                        fix: "use nullify or cascade")
                }
            }
        },
        Rule(
            "schema.relationship-unsynced", .error, "No relationship leads to an entity that does not sync",
            consequence: "The container does not open: a store for CloudKit has no relationships to another store",
            source: ApplePage.model
        ) { evidence in
            evidence.findings { entity in
                guard case .coreData = entity.source else { return [] }
                return entity.relationships.filter { !$0.destination.isEmpty && !evidence.scope.synced.contains($0.destination) }.map {
                    relationship in
                    Finding(
                        relationship.location,
                        "the relationship \(entity.name).\(relationship.name) leads to \(relationship.destination), which is in no "
                            + "configuration for CloudKit",
                        fix: "add \(relationship.destination) to the configuration, or keep its identifier in an attribute")
                }
            }
        },
        Rule(
            "schema.type", .error, "Every attribute has a type that CloudKit takes",
            consequence: "The container does not open",
            source: ApplePage.model
        ) { evidence in
            evidence.findings { entity in
                entity.attributes.filter { $0.type == .undefined }.map { attribute in
                    Finding(attribute.location, "\(entity.name).\(attribute.name) has no type", fix: "choose its type in the model editor")
                }
            }
        },
        Rule(
            "schema.transformer", .warning, "A transformable attribute names its value transformer",
            consequence: "Without one the value is archived by a class that newer systems refuse to read, and no other platform can",
            source: ApplePage.dataTypes
        ) { evidence in
            evidence.findings { entity in
                entity.attributes.filter { $0.type == .transformable(nil) || $0.type == .transformable("") }.map { attribute in
                    Finding(
                        attribute.location, "\(entity.name).\(attribute.name) is transformable and names no value transformer",
                        fix:
                            "name NSSecureUnarchiveFromDataTransformer or one of its subclasses, or keep the value in attributes of its own"
                    )
                }
            }
        },
        Rule(
            "schema.migration", .warning, "No migration has a custom stage",
            consequence:
                "Only lightweight migrations work with CloudKit: devices with other versions of the app share the records, and none "
                + "of them runs "
                + "the stage for the others",
            source: ApplePage.schemaMigration
        ) { evidence in
            guard !evidence.scope.synced.isEmpty else { return [] }
            let local = evidence.localPlans
            let numbers = SchemaVersions.numbers(evidence.productSources)
            return evidence.productSources.flatMap { source in
                source.facts.plans.filter { !local.contains($0.name) && !SchemaVersions.goesBack($0.schemas, numbers) }.flatMap { plan in
                    plan.customStages.map { offset in
                        Finding(
                            source.location(at: offset), "\(plan.name) has a custom migration stage",
                            fix: "add attributes with default values instead, and fill them when records are read")
                    }
                }
            }
        },
        Rule(
            "schema.external-public", .warning, "No large data outside the store goes to the public database",
            consequence: "The public database does not take assets of external storage"
        ) { evidence in
            guard let scope = evidence.uses(.databaseScope).first(where: { $0.use.detail == "public" }) else { return [] }
            return evidence.findings { entity in
                entity.attributes.filter(\.isExternal).map { attribute in
                    Finding(
                        attribute.location,
                        "\(entity.name).\(attribute.name) is kept in external storage, and "
                            + "\(scope.location.path):\(scope.location.line) chooses the public database",
                        fix: "keep its record in the private database")
                }
            }
        },
    ]
}

extension Evidence {
    /// The findings of every judged entity.
    func findings(_ body: (Entity) -> [Finding]) -> [Finding] {
        judged.flatMap(body)
    }

    /// The relationships that surely have no inverse.
    ///
    /// SwiftData pairs those that name none: each relationship that leads back serves one, and of those that want one the last go without.
    /// What it makes of one that leads to its own class alone is not known.
    ///
    /// - Complexity: O(*n*) in the relationships of the entity and of those that it leads to.
    func relationshipsWithoutInverse(of entity: Entity) -> [Entity.Relationship] {
        Dictionary(grouping: entity.relationships, by: \.destination).flatMap { name, mine -> [Entity.Relationship] in
            guard let destination = entities[name] else { return [] }
            let unnamed = mine.filter { $0.inverse == nil }
            guard entity.source == .swiftData else { return unnamed }
            let back = destination.relationships.filter { $0.destination == entity.name }
            let namedByBack = Set(back.compactMap(\.inverse))
            let wanting = unnamed.filter { !namedByBack.contains($0.name) }
            let free = back.filter { $0.inverse == nil && !$0.isAlone }.map(\.name)
            if entity.name == name {
                return wanting.filter(\.isAlone)
            }
            let taken = Set(mine.compactMap(\.inverse))
            let willing = wanting.filter { !$0.isAlone }
            return wanting.filter(\.isAlone) + willing.dropFirst(free.count { !taken.contains($0) })
        }.ordered { $0.location < $1.location }
    }

    /// The migration plans that containers are given whose stores all stay on the device, and no other container is.
    ///
    /// - Complexity: O(*n*) in the calls of containers and the stores.
    fileprivate var localPlans: Set<String> {
        let stores = Dictionary(grouping: scope.stores, by: \.container)
        var local: Set<String> = []
        var others: Set<String> = []
        for source in productSources {
            for call in source.facts.containers {
                guard let plan = call.argument("migrationPlan"), let made = stores[source.location(call)] else { continue }
                let names = NameTable.chains(in: plan).flatMap(\.self)
                if made.allSatisfy({ $0.syncs == false }) { local.formUnion(names) } else { others.formUnion(names) }
            }
        }
        return local.subtracting(others)
    }
}
