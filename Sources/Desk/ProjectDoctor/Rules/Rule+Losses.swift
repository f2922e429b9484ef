extension Rule {
    /// Fields whose concurrent edits overwrite each other, by how CloudKit merges: key by key, the last export wins.
    static let losses: [Rule] = [
        Rule(
            "losses.list", .advice, "What several devices add to is no list in one attribute",
            consequence: "The whole list is one value: of two that were added to on two devices one is lost, with all that was added there",
            source: "\(ApplePage.records); insidegui/CloudKitchenSink20#2"
        ) { evidence in
            evidence.findings { entity in
                entity.attributes.compactMap { attribute in
                    guard let element = attribute.listElement else { return nil }
                    return Finding(
                        attribute.location,
                        "\(entity.name).\(attribute.name) is a list of \(element) in one attribute"
                            + evidence.losses(of: attribute, in: entity),
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
            source: "\(ApplePage.records); insidegui/CloudKitchenSink20#2"
        ) { evidence in
            evidence.findings { entity in
                entity.attributes.filter { ($0.content ?? $0.type) == .dictionary }.map { attribute in
                    Finding(
                        attribute.location,
                        "\(entity.name).\(attribute.name) is a dictionary in one attribute" + evidence.losses(of: attribute, in: entity),
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
            source: "\(ApplePage.records); insidegui/CloudKitchenSink20#2"
        ) { evidence in
            evidence.findings { entity in
                entity.attributes.compactMap { attribute in
                    guard case .structure(let name) = attribute.content ?? attribute.type else { return nil }
                    return Finding(
                        attribute.location,
                        "\(entity.name).\(attribute.name) keeps the structure \(name) in one attribute"
                            + evidence.losses(of: attribute, in: entity),
                        fix: "leave it if its parts only make sense together; else give each part an attribute of its own")
                }
            }
        },
        Rule(
            "losses.counter", .advice, "Nothing counts in a synced attribute",
            consequence: "Two devices that add one to 5 both write 6: one of the two is lost, and no conflict is seen",
            source: "insidegui/CloudKitchenSink20#2"
        ) { evidence in
            let numbers = evidence.numbers
            var known: Set<[String]> = []
            return evidence.productSources.flatMap { source in
                source.facts.increments.compactMap { increment in
                    guard !increment.context.isPreview, !increment.context.isDebugOnly,
                        let (entity, attribute) = numbers.counted(by: increment),
                        known.insert([entity.name, attribute.name]).inserted
                    else { return nil }
                    return Finding(
                        source.location(increment.context),
                        "\(entity.name).\(attribute.name) may be counted up or down where it is"
                            + evidence.losses(of: attribute, in: entity),
                        fix:
                            "keep each event as a record of its own and count them; "
                            + "\(attribute.location.path):\(attribute.location.line) declares the number")
                }
            }
        },
        Rule(
            "losses.text", .advice, "A long text is known to be one value",
            consequence:
                "Of two devices that edit one text the later export wins whole. How often that happens is what the stamp of a field tells",
            source: "insidegui/CloudKitchenSink20#2; the article Audit SwiftData and CloudKit"
        ) { evidence in
            let editors = Editors(evidence.productSources)
            return evidence.findings { entity in
                entity.attributes.filter { $0.type == .string && editors.isLong($0.name) }.map { attribute in
                    Finding(
                        attribute.location,
                        "\(entity.name).\(attribute.name) seems to be a long string that is edited where it is"
                            + evidence.losses(of: attribute, in: entity),
                        fix:
                            "give it a stamp, so that every overwritten version is found and can be restored, or keep paragraphs as records"
                    )
                }
            }
        },
    ]

    /// Fields of which a log shows that they lose edits.
    static let measuredLosses: [Rule] = [
        Rule(
            "losses.measured", .warning, "No field is seen to lose edits",
            consequence:
                "By a log of the app's writes, decided again as CloudKit merges: of edits that had not seen each other the one that arrives last stays",
            source: "the log"
        ) { evidence in
            let told = evidence.toldFields
            return evidence.measurements.flatMap { measurement in
                measurement.losses.compactMap { loss in
                    guard !told.contains([loss.type, loss.field].map { $0.lowercased() }),
                        let location = evidence.location(ofType: loss.type, loss.field, in: measurement)
                    else { return nil }
                    let cure =
                        switch loss.shape {
                        case .counter: "keep each event as a record of its own and count them: it counts up and down"
                        case .set: "make each element a record of its own: it is edited as a list"
                        case .value: "give it a stamp, so that every overwritten version is found and can be restored"
                        }
                    let edits = loss.edits == 1 ? "1 edit" : "\(loss.edits) edits"
                    return Finding(
                        location,
                        "\(loss.type).\(loss.field) has lost \(edits) in \(measurement.source)", fix: cure)
                }
            }
        }
    ]

    /// How a project can learn of its conflicts.
    static let reporting: [Rule] = [
        Rule(
            "reporting.save-policy", .warning, "Own CloudKit code learns of conflicts",
            consequence:
                "With changed keys or all keys no conflict is ever reported: the later save replaces the earlier one on the server, "
                + "and nobody is told",
            source: "\(ApplePage.savePolicy); insidegui/CloudKitchenSink20#2"
        ) { evidence in
            let uses = evidence.uses(.savePolicy).filter { ["changedKeys", "allKeys"].contains($0.use.detail) }
            if uses.isEmpty { return [] }
            // Where nobody takes up what the server refuses, the other policy alone would keep edits from being saved.
            let isHandled = evidence.productSources.contains { source in
                (try? evidence.files.read(source.path))?.range(of: "serverRecordChanged", from: 0) != nil
            }
            return uses.map { use, location in
                let policy = use.detail ?? ""
                let range = isHandled ? (try? evidence.files.read(location.path))?.range(of: policy, from: use.context.offset) : nil
                return Finding(
                    location, "records are saved with the policy .\(policy)",
                    fix:
                        "use .ifServerRecordUnchanged, merge into the server's record where serverRecordChanged is thrown, and let "
                        + "CloudKitObserver tell the log"
                        + (range == nil
                            ? "" : "; 'syncaudit doctor --rule reporting.save-policy --fix --dry-run' prints the first of these"),
                    additions: range.map { [TextEdit(path: location.path, range: $0, text: "ifServerRecordUnchanged")] } ?? [])
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
            let patch = ObserverPatch(store, evidence)
            return [
                Finding(
                    store.location, "nothing observes what the sync of this store overwrites", fix: patch.advice, additions: patch.edits)
            ]
        },
        Rule(
            "reporting.remote-change", .advice, "The app shows what was imported",
            consequence: "What comes from other devices is in the store and not on the screen, which looks like sync that does not work",
            source: ApplePage.storeChanges
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
}
