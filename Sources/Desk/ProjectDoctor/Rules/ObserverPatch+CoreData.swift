import SyncBytes

extension ObserverPatch {
    /// The changes for a store that `NSPersistentCloudKitContainer` keeps; nil where another container, or another store of this one, would
    /// need a choice.
    static func coreDataEdits(_ store: SyncScope.Store, _ evidence: Evidence) -> [TextEdit]? {
        let stores = evidence.scope.stores.filter { $0.container == store.container || $0.syncs != false }
        let loadings = evidence.productSources.flatMap { source in source.facts.loadings.map { (loading: $0, source: source) } }
            .filter { !$0.loading.context.isPreview }
        guard stores.count == 1, loadings.count == 1, let (loading, source) = loadings.first, let statement = loading.statement,
            let container = statement.variable, loading.context.conditions.isEmpty, !loading.context.isDebugOnly,
            !evidence.productSources.contains(where: \.facts.loadsLater), evidence.holders(of: source.path).count == 1
        else { return nil }
        // Core Data itself takes no other names.
        guard
            store.entities.allSatisfy({
                $0.utf8.allSatisfy {
                    $0 >= 0x80 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 & 0xdf || $0.isDigit || $0 == UInt8(ascii: "_")
                }
            })
        else { return nil }
        let (stamped, version) = stampedEntities(store, evidence)
        let list = store.entities.sorted().map { name -> String in
            let identity = identity(of: name, evidence)?.name ?? "id"
            let named = identity == "id" ? "" : ", identifiedBy: \"\(identity)\""
            let level = stamped.contains(name) ? ", level: .recordStamp(\"\(stamp)\")" : ""
            return "AuditedEntity(\"\(name)\"\(named)\(level))"
        }
        guard let additions = additions(to: source, .coreData, list) else { return nil }
        let line = source.lineBreak + statement.indent
        func insertion(_ offset: Int, _ text: String) -> TextEdit { TextEdit(path: source.path, range: offset..<offset, text: text) }
        return additions + [
            insertion(statement.start, "SyncAuditing.prepare(\(container))\(line)"),
            insertion(statement.end, "\(line)SyncAuditing.start(\(container))"),
        ] + version
    }

    /// The entities that get a stamp, and the version of their model that has it; none where no attribute names their records, or the
    /// version cannot be made.
    private static func stampedEntities(_ store: SyncScope.Store, _ evidence: Evidence) -> (Set<String>, [TextEdit]) {
        var roots: [String: Set<String>] = [:]
        for name in store.entities {
            guard let attributes = attributes(of: name, evidence), attributes.count > 1,
                let root = lineage(of: name, evidence).last, case .coreData(let model) = root.source,
                identity(of: name, evidence) != nil, !attributes.contains(where: { $0.name == stamp })
            else { continue }
            roots[model, default: []].insert(root.name)
        }
        guard roots.count == 1, let (path, names) = roots.first,
            let version = ModelVersionPatch.edits(ofModel: path, adding: stamp, to: names, evidence.files)
        else { return ([], []) }
        let stamped = store.entities.filter { name in
            lineage(of: name, evidence).last.map { names.contains($0.name) } == true && identity(of: name, evidence) != nil
        }
        return (stamped, version)
    }

    /// An entity and those that it inherits from; empty where one of them is not known.
    private static func lineage(of name: String, _ evidence: Evidence) -> [Entity] {
        var found: [Entity] = []
        var next: String? = name
        while let name = next {
            guard let entity = evidence.entities[name], found.count < 64 else { return [] }
            found.append(entity)
            next = entity.parent
        }
        return found
    }

    /// The attribute that names an entity's records; nil where there is none.
    private static func identity(of name: String, _ evidence: Evidence) -> Entity.Attribute? {
        attributes(of: name, evidence).flatMap { identity(of: name, among: $0) }
    }

    /// The attributes of an entity, inherited ones included; nil where one that it inherits from is not known.
    private static func attributes(of name: String, _ evidence: Evidence) -> [Entity.Attribute]? {
        let lineage = lineage(of: name, evidence)
        return lineage.isEmpty ? nil : lineage.flatMap(\.attributes)
    }
}
