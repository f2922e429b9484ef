import SyncBytes
import SyncModel

/// What is near CloudKit's limits.
extension Rule {
    static let size: [Rule] = [
        Rule(
            "size.inline-data", .advice, "Large data is kept outside the record",
            consequence:
                "The store's own rows carry it, so that every list reads it; and a record of one's own code holds 1 MB without its assets",
            source: ApplePage.asset
        ) { evidence in
            evidence.findings { entity in
                entity.attributes.filter { $0.type == .data && !$0.isExternal && Self.isMedia($0.name) }.map { attribute in
                    Finding(
                        attribute.location,
                        "\(entity.name).\(attribute.name) seems to be a picture or a file, and is kept inside the record"
                            + evidence.sizes(of: attribute, in: entity),
                        fix: "write @Attribute(.externalStorage), so that it goes as an asset of up to 50 MB")
                }
            }
        },
        Rule(
            "size.thumbnail", .advice, "A photo has a thumbnail",
            consequence: "Every list fetches the whole photos of all its records",
            source: ApplePage.asset
        ) { evidence in
            evidence.findings { entity in
                guard !entity.attributes.contains(where: { $0.name.lowercased().contains("thumb") }) else { return [] }
                return entity.attributes.filter { $0.type == .data && $0.isExternal && Self.isMedia($0.name) }.map { attribute in
                    Finding(
                        attribute.location,
                        "\(entity.name).\(attribute.name) has no thumbnail beside it" + evidence.sizes(of: attribute, in: entity),
                        fix: "keep a small picture in an attribute of its own, and the photo in a record that is fetched when it is shown")
                }
            }
        },
        Rule(
            "size.record", .warning, "No record is near 1 MB",
            consequence:
                "CloudKit takes no record of more than 1 MB beside its assets: its export fails, and the edit stays on the device. "
                + "The mirroring makes assets of what it finds too large, your own code does not",
            prints: "Limit Exceeded", source: ApplePage.sizes
        ) { evidence in
            evidence.measurements.flatMap { measurement in
                measurement.records.ordered { $0.key < $1.key }.filter { $0.value.largest > Self.near(SizeLimit.record) }.compactMap {
                    type, records in
                    guard let location = evidence.location(ofType: type, in: measurement) else { return nil }
                    return Finding(
                        location,
                        "the largest of \(records.count) records of \(type) has \(records.largest.megabytes) beside its assets "
                            + "(\(records.largestRecord) in \(measurement.source)), and CloudKit takes \(SizeLimit.record.megabytes)",
                        fix: "keep its largest value as an asset (@Attribute(.externalStorage)), or in records of its own")
                }
            }
        },
        Rule(
            "size.asset", .warning, "No asset is near 50 MB",
            consequence: "CloudKit takes no asset of more than 50 MB: its record is not exported, again and again",
            prints: "Limit Exceeded", source: ApplePage.sizes
        ) { evidence in
            evidence.measurements.flatMap { measurement in
                measurement.largestFields.filter { $0.field.isAsset && $0.field.largest > Self.near(SizeLimit.asset) }.compactMap {
                    type, name, field in
                    guard let location = evidence.location(ofType: type, name, in: measurement) else { return nil }
                    return Finding(
                        location,
                        "the largest value of \(type).\(name) has \(field.largest.megabytes) (\(field.largestRecord) in "
                            + "\(measurement.source)), and CloudKit takes \(SizeLimit.asset.megabytes)",
                        fix: "make it smaller before it is saved, or keep it in parts")
                }
            }
        },
        Rule(
            "size.storage", .warning, "Records stay far from 5 GB",
            consequence:
                "A private database counts against its owner's iCloud, of which 5 GB are free for all apps, backups and photos together: once "
                + "that is used up, nothing more is exported, and edits stay on their devices",
            prints: "Quota Exceeded", source: ApplePage.quota
        ) { evidence in
            evidence.measurements.compactMap { measurement in
                let (records, bytes) = measurement.total
                let limit = Int(clamping: SizeLimit.freeStorage)
                let days = measurement.growthPerMonth.flatMap { $0 > 0 ? Double(max(0, limit - bytes)) / Double($0) * 30 : nil }
                guard bytes > Self.near(limit) || days.map({ $0 <= Self.soon }) == true else { return nil }
                let growth = measurement.growthPerMonth.map { " and \($0.megabytes) more a month" } ?? ""
                let end = bytes < limit ? days.map { ": at that rate it has 5 GB in \(Int($0)) days" } ?? "" : ", more than 5 GB"
                return Finding(
                    SourceLocation(path: measurement.source),
                    "a person's records have \(bytes.megabytes) in \(records) records\(growth)\(end)",
                    fix: "make photos and files smaller before they are saved, and remove what nobody needs")
            }
        },
        Rule(
            "size.outbox", .warning, "What waits to be sent stays below 3 MB",
            consequence: "The more waits, the longer other devices show what is old, and the more edits are made beside each other",
            source: "a rule of thumb: a request takes about 2 MB, \(ApplePage.requestLimit)"
        ) { evidence in
            evidence.measurements.compactMap { measurement in
                guard let waiting = measurement.waiting, waiting.bytes > Self.near(SizeLimit.waiting) else { return nil }
                return Finding(
                    SourceLocation(path: measurement.source),
                    "\(waiting.bytes.megabytes) in \(waiting.writes) changes waited to be sent, and \(SizeLimit.waiting.megabytes) are too much",
                    fix: "see why exports fail or do not begin, and write less at once")
            }
        },
    ]

    /// The share of a limit from which on something is said.
    private static func near(_ limit: Int) -> Int { limit / 10 * 8 }

    /// Within how many days an end is worth a word.
    private static let soon = 182.0

    private static func isMedia(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["photo", "image", "picture", "video", "audio", "recording", "attachment", "pdf", "file"].contains { name.contains($0) }
    }
}

extension Evidence {
    /// The sizes of an attribute's values where they were measured, as the end of a sentence; empty where they were not.
    fileprivate func sizes(of attribute: Entity.Attribute, in entity: Entity) -> String {
        guard let field = measurements.lazy.compactMap({ $0.field(attribute.name, of: entity.name) }).first, field.values > 0 else {
            return ""
        }
        return ": \((field.bytes / field.values).megabytes) on average, \(field.largest.megabytes) at most"
    }

    /// The declaration of a type, or of a field of it, by names that a store may have without their case.
    ///
    /// - Returns: The measured file where nothing in the project has the name; nil where another part of the project does, which tells of
    ///   it then.
    func location(ofType type: String, _ field: String? = nil, in measurement: Measurement) -> SourceLocation? {
        let name = type.lowercased()
        guard let entity = judged.first(where: { $0.name.lowercased() == name }) else {
            return otherNames.contains { $0.lowercased() == name } ? nil : SourceLocation(path: measurement.source)
        }
        guard let field else { return entity.location }
        return entity.attributes.first { $0.name.lowercased() == field.lowercased() }?.location ?? entity.location
    }
}
