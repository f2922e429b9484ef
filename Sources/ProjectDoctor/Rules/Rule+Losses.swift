extension Rule {
    /// Fields whose concurrent edits overwrite each other, by how CloudKit merges: key by key, the last export wins.
    static let losses: [Rule] = [
        Rule(
            "losses.list", .advice, "What several devices add to is no list in one attribute",
            consequence: "The whole list is one value: of two that were added to on two devices one is lost, with all that was added there",
            source: "seed 001"
        ) { evidence in
            evidence.findings { entity in
                entity.attributes.compactMap { attribute in
                    guard case .array(let element) = attribute.type else { return nil }
                    return Finding(
                        attribute.location, "\(entity.name).\(attribute.name) is a list of \(element) in one attribute",
                        fix:
                            "make each element a record of its own with a relationship to \(entity.name), unless the list is always "
                            + "edited as one"
                    )
                }
            }
        },
        Rule(
            "losses.dictionary", .advice, "What several devices add to is no dictionary in one attribute",
            consequence: "The whole dictionary is one value: of two edits to different keys one is lost",
            source: "seed 001"
        ) { evidence in
            evidence.findings { entity in
                entity.attributes.filter { $0.type == .dictionary }.map { attribute in
                    Finding(
                        attribute.location, "\(entity.name).\(attribute.name) is a dictionary in one attribute",
                        fix: "make each key a record of its own with a relationship to \(entity.name)")
                }
            }
        },
        Rule(
            "losses.structure", .advice, "A structure in one attribute belongs together",
            consequence:
                "All its parts are one value, and of two edits to different parts one is lost. That is right for what must agree, "
                + "such as hours and "
                + "minutes of one time, or amount and currency: key by key 9:30 and 10:00 would become 10:30. It is wrong for what "
                + "different people edit apart",
            source: "seed 000"
        ) { evidence in
            evidence.findings { entity in
                entity.attributes.compactMap { attribute in
                    guard case .structure(let name) = attribute.type else { return nil }
                    return Finding(
                        attribute.location, "\(entity.name).\(attribute.name) keeps the structure \(name) in one attribute",
                        fix: "leave it if its parts only make sense together; else give each part an attribute of its own")
                }
            }
        },
        Rule(
            "losses.counter", .advice, "Nothing counts in a synced attribute",
            consequence: "Two devices that add one to 5 both write 6: one of the two is lost, and no conflict is seen",
            source: "seed 001"
        ) { evidence in
            var numbers: [String: (entity: Entity, attribute: Entity.Attribute, isUncertain: Bool)] = [:]
            for (entity, isUncertain) in evidence.judged {
                for attribute in entity.attributes where [.integer, .double, .decimal].contains(attribute.type) {
                    numbers[attribute.name] = numbers[attribute.name] ?? (entity, attribute, isUncertain)
                }
            }
            var known: Set<String> = []
            return evidence.productSources.flatMap { source in
                source.facts.increments.compactMap { increment in
                    guard !increment.context.isPreview, let (entity, attribute, isUncertain) = numbers[increment.property],
                        known.insert(increment.property).inserted
                    else { return nil }
                    return Finding(
                        source.location(increment.context), "\(entity.name).\(attribute.name) may be counted up or down where it is",
                        fix:
                            "keep each event as a record of its own and count them; "
                            + "\(attribute.location.path):\(attribute.location.line) declares the number",
                        isUncertain: isUncertain)
                }
            }
        },
        Rule(
            "losses.text", .advice, "A long text is known to be one value",
            consequence:
                "Of two devices that edit one text the later export wins whole. How often that happens is what the stamp of a field tells",
            source: "seed 001; the article Audit SwiftData and CloudKit"
        ) { evidence in
            evidence.findings { entity in
                entity.attributes.filter { $0.type == .string && Self.isLongText($0.name) }.map { attribute in
                    Finding(
                        attribute.location, "\(entity.name).\(attribute.name) seems to be a long text that is edited where it is",
                        fix:
                            "give it a stamp, so that every overwritten version is found and can be restored, or keep paragraphs as records"
                    )
                }
            }
        },
    ]

    private static func isLongText(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["notes", "note", "body", "content", "text", "markdown", "details", "description", "summary", "journal", "transcript"]
            .contains { name == $0 || name.hasSuffix($0) }
    }

    /// How a project can learn of its conflicts.
    static let reporting: [Rule] = [
        Rule(
            "reporting.save-policy", .warning, "Own CloudKit code learns of conflicts",
            consequence:
                "With changed keys or all keys no conflict is ever reported: the later save replaces the earlier one on the server, "
                + "and nobody is told",
            source: "insidegui/CloudKitchenSink20#2"
        ) { evidence in
            evidence.uses(.savePolicy).filter { ["changedKeys", "allKeys"].contains($0.use.detail) }.map { use, location in
                Finding(
                    location, "records are saved with the policy .\(use.detail ?? "")",
                    fix:
                        "use .ifServerRecordUnchanged, merge into the server's record where serverRecordChanged is thrown, and let "
                        + "CloudKitObserver tell the log"
                )
            }
        },
        Rule(
            "reporting.observer", .advice, "What the mirroring overwrites is in a log",
            consequence:
                "NSPersistentCloudKitContainer, under SwiftData too, exports changed keys without a check: the last export of a key "
                + "wins, whichever "
                + "edit was later, and no conflict is ever reported",
            source: "insidegui/CloudKitchenSink20#2; the log of a device with iOS 18"
        ) { evidence in
            guard evidence.uses(.observer).isEmpty, let store = evidence.scope.stores.first(where: { $0.syncs == true }) else { return [] }
            let name = store.framework == .swiftData ? "SwiftDataAudit" : "CoreDataObserver"
            return [
                Finding(
                    store.location, "nothing observes what the sync of this store overwrites",
                    fix:
                        "add the package SyncAudit and three lines: let audit = try \(name)(…) before the container is made, and "
                        + "audit.start(container) after; "
                        + "see the article \"Audit SwiftData and CloudKit\"")
            ]
        },
        Rule(
            "reporting.remote-change", .advice, "The app shows what was imported",
            consequence: "What comes from other devices is in the store and not on the screen, which looks like sync that does not work",
            source: "seed 002"
        ) { evidence in
            guard let store = evidence.scope.stores.first(where: { $0.syncs == true }), evidence.uses(.notification).isEmpty,
                evidence.uses(.observer).isEmpty
            else { return [] }
            return [
                Finding(
                    store.location, "nothing listens to NSPersistentStoreRemoteChange or to the mirroring's events",
                    fix: "observe NSPersistentStoreRemoteChange and fetch again where no edit is unsaved; ModelContextRefresh does that")
            ]
        },
    ]

    /// What is near CloudKit's limits.
    static let size: [Rule] = [
        Rule(
            "size.inline-data", .advice, "Large data is kept outside the record",
            consequence:
                "The store's own rows carry it, so that every list reads it; and a record of one's own code holds 1 MB without its assets",
            source: "seeds 000 and 001"
        ) { evidence in
            evidence.findings { entity in
                entity.attributes.filter { $0.type == .data && !$0.isExternal && Self.isMedia($0.name) }.map { attribute in
                    Finding(
                        attribute.location,
                        "\(entity.name).\(attribute.name) seems to be a picture or a file, and is kept inside the record",
                        fix: "write @Attribute(.externalStorage), so that it goes as an asset of up to 50 MB")
                }
            }
        },
        Rule(
            "size.thumbnail", .advice, "A photo has a thumbnail",
            consequence: "Every list fetches the whole photos of all its records",
            source: "seed 000"
        ) { evidence in
            evidence.findings { entity in
                guard !entity.attributes.contains(where: { $0.name.lowercased().contains("thumb") }) else { return [] }
                return entity.attributes.filter { $0.type == .data && $0.isExternal && Self.isMedia($0.name) }.map { attribute in
                    Finding(
                        attribute.location, "\(entity.name).\(attribute.name) has no thumbnail beside it",
                        fix: "keep a small picture in an attribute of its own, and the photo in a record that is fetched when it is shown")
                }
            }
        },
    ]

    private static func isMedia(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["photo", "image", "picture", "video", "audio", "recording", "attachment", "pdf", "file"].contains { name.contains($0) }
    }
}
