import SyncBytes
import SyncModel
import SyncSystem

/// Examines an app's project: what keeps its data from syncing, and where sync will lose edits.
///
/// Files are read and nothing else: nothing is built, executed or fetched.
package enum Doctor {
    /// What to look for.
    package struct Options: Sendable {
        /// Whether attributes must be optional, and a default is not enough.
        package var isStrict = false
        /// The identifiers of the only rules that are applied, or their first parts; all where empty.
        package var rules: [String] = []

        /// What stores and logs of the app show.
        package var measurements: [Measurement] = []
        /// The project as it was, with a name for it, such as a commit.
        package var earlier: (name: String, files: ProjectFiles)?

        /// The time by which what is left out until a day is reported again, in milliseconds since 1970; nil where it never is.
        package var now: Int64?

        package init() {}

        func includes(_ rule: Rule) -> Bool {
            rules.isEmpty || rules.contains { rule.id == $0 || rule.id.hasPrefix($0 + ".") }
        }
    }

    /// Whether a file is one that an examination may read.
    package static func isRead(_ path: String) -> Bool {
        if path.split(separator: "/").contains(where: { FolderWalk.skippedNames.contains(String($0)) }) { return false }
        return [
            ".swift", ".pbxproj", ".xcconfig", ".plist", ".entitlements", ".yml", ".yaml", ".ckdb", ".xcscheme", ".xccurrentversion",
            "/contents",
        ]
        .contains { path.hasSuffix($0) }
    }

    /// Examines the files of a folder.
    ///
    /// - Complexity: O(*n*) in the bytes read.
    package static func examine(_ files: ProjectFiles, _ options: Options = Options()) -> Diagnosis {
        var reading = EvidenceReading(files)
        let whole = reading.evidence()
        var parts = reading.parts(of: whole)
        if let (name, files) = options.earlier {
            var earlier = EvidenceReading(files)
            let all = earlier.evidence()
            let before = earlier.parts(of: all, isSplit: parts.count > 1)
            for index in parts.indices {
                if parts.count == 1, before.count > 1 {
                    // What had several meanings is not compared.
                    let entities = Dictionary(grouping: before.flatMap(\.evidence.entities.values), by: \.name).compactMapValues { all in
                        Set(all.map(\.location)).count == 1 ? all.first : nil
                    }
                    let synced = before.reduce(into: Set()) { $0.formUnion($1.evidence.scope.synced) }
                    parts[index].evidence.earlier.append(EarlierSchema(name: name, entities: entities, synced: synced, next: nil))
                } else if let part = before.first(where: { $0.name == parts[index].name })?.evidence {
                    parts[index].evidence.earlier.append(
                        EarlierSchema(name: name, entities: part.entities, synced: part.scope.synced, next: nil))
                }
            }
        }
        let ignored = IgnoreList(files, now: options.now, notes: &reading.notes)
        var diagnosis = Diagnosis(whole, parts.map(\.evidence), notes: reading.notes)
        diagnosis.measurements = options.measurements
        let unshipped = whole.project.unshippedFiles
        for rule in Rule.all where options.includes(rule) {
            var known: Set<Finding.Key> = []
            for (_, evidence) in parts {
                var evidence = evidence
                evidence.isStrict = options.isStrict
                evidence.measurements = options.measurements
                for finding in rule.check(evidence) where parts.count == 1 || known.insert(finding.key).inserted {
                    var finding = finding
                    finding.rule = rule.id
                    if !options.rules.isEmpty { finding.edits += finding.additions }
                    // What users do not get breaks nothing of theirs.
                    let isUnshipped = unshipped.contains(RelativePath.dataModelOrSelf(finding.location.path))
                    finding.severity = max(rule.severity, isUnshipped ? .warning : .error, finding.limit)
                    if let reason = ignored.reason(for: finding) {
                        diagnosis.ignored.append((finding, reason))
                    } else {
                        diagnosis.findings.append(finding)
                    }
                }
            }
        }
        diagnosis.sort()
        return diagnosis
    }
}

/// What an app's code beside its stores does with CloudKit.
package enum OwnCode: Int, Comparable, Sendable {
    /// It makes records and sends them.
    case sends
    /// The sync engine of a library does.
    case library
    /// It speaks to CloudKit, and makes no record that was found.
    case asks

    package static func < (first: OwnCode, second: OwnCode) -> Bool { first.rawValue < second.rawValue }
}

/// What an examination came to.
package struct Diagnosis: Sendable {
    /// Errors first, then by file and line.
    package fileprivate(set) var findings: [Finding] = []
    /// What the project's own list leaves out, with the reasons that it gives.
    package fileprivate(set) var ignored: [(finding: Finding, reason: String)] = []
    /// What could not be parsed or decided.
    package let notes: [Note]
    /// The stores found, and which of them sync.
    package let stores: [SyncScope.Store]
    /// The points of a setup that works.
    package let checklist: [ChecklistItem]
    /// How many targets, Swift files, and kinds of record there are.
    package let counts: (targets: Int, swiftFiles: Int, entities: Int)
    /// Whether anything syncs by CloudKit, as far as is known.
    package let syncs: Bool
    /// The files in Objective-C that import CloudKit, where nothing else is known to sync: they are not read.
    package let unread: [String]
    /// What code beside the stores does with CloudKit, be it beside stores that are mirrored; nil where there is none.
    package let ownCode: OwnCode?
    /// An app whose entitlements have CloudKit.
    package let entitledApp: String?
    /// Whether values are kept in iCloud's key-value store.
    package let usesKeyValueStore: Bool
    /// What stores and logs show.
    package fileprivate(set) var measurements: [Measurement] = []
    /// What would keep those models from CloudKit that do not sync.
    package let obstacles: CloudKitObstacles
    /// The relationships of the models that sync, or may.
    package let relationships: [RelationshipSummary]

    init(_ whole: Evidence, _ parts: [Evidence], notes: [Note]) {
        let syncs = ([whole] + parts).contains { $0.syncs || $0.hasOwnCloudKit }
        let unread = syncs ? [] : whole.files.objectiveCWithCloudKit()
        (self.syncs, self.unread) = (syncs, unread)
        var notes = notes + parts.flatMap(\.scope.notes)
        if let first = unread.first {
            notes.append(Note(SourceLocation(path: first), "Objective-C is not read, and this file imports CloudKit"))
        }
        var known: Set<Note> = []
        self.notes = notes.filter { known.insert($0).inserted }
        var scope = SyncScope()
        for store in parts.flatMap(\.scope.stores) { scope.add(store) }
        // Those that sync are what is looked for.
        stores = [true, nil, false].flatMap { syncs in scope.stores.filter { $0.syncs == syncs } }
        checklist = ChecklistItem.all(whole)
        let entities = Set(parts.flatMap(\.entities.values).map(\.location))
        counts = (whole.project.targets.count, whole.sources.count, entities.count)
        obstacles = CloudKitObstacles(parts)
        relationships = RelationshipSummary.all(parts)
        ownCode = ([whole] + parts).compactMap(\.ownCode).min()
        entitledApp = whole.entitlements.first(where: \.hasCloudKit)?.target.name
        usesKeyValueStore = !whole.uses(.keyValueStore).isEmpty
    }

    fileprivate mutating func sort() {
        let order = Dictionary(Rule.all.enumerated().map { ($1.id, $0) }) { first, _ in first }
        findings.sort {
            if $0.severity != $1.severity { return $0.severity < $1.severity }
            if $0.rule != $1.rule { return (order[$0.rule] ?? 0) < (order[$1.rule] ?? 0) }
            return $0.location < $1.location
        }
    }

    /// How many findings there are of a severity.
    package func count(_ severity: Rule.Severity) -> Int { findings.count { $0.severity == severity } }

    /// Takes out what an earlier examination found already.
    package mutating func subtract(_ baseline: Baseline) { findings.removeAll { baseline.contains($0) } }
}
