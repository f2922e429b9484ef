import SyncBytes

extension EvidenceReading {
    /// An app that may have an exported schema, with all apps of its containers.
    private struct Owner {
        var names: Set<String> = []
        var containers: Set<String> = []
        /// The folders of its project and of its own files, with those around them.
        var folders: Set<String> = []
        /// The files of the apps and of what they are linked with.
        var files: Set<String> = []
    }

    /// By the path of an exported schema the files of apps that it does not belong to.
    ///
    /// A schema is of one container: of that which it is named for, or else of the app whose folder is nearest, or of the only one with
    /// classes or entities that it has. Of several such only what they share is held against it.
    mutating func foreignFiles(_ evidence: Evidence) -> [String: Set<String>] {
        let owners = owners(evidence)
        guard owners.count > 1, !evidence.schemas.isEmpty else { return [:] }
        let all = owners.reduce(into: Set<String>()) { $0.formUnion($1.files) }
        var result: [String: Set<String>] = [:]
        for (file, schema) in evidence.schemas {
            let chosen = chosen(owners, for: file.path, schema, evidence)
            guard let first = chosen.first else { continue }
            result[file.path] = all.subtracting(chosen.dropFirst().reduce(first.files) { $0.intersection($1.files) })
            guard chosen.count > 1 else { continue }
            let names = chosen.map { $0.names.sorted().joined(separator: ", ") }.sorted().joined(separator: " or ")
            notes.append(
                Note(
                    SourceLocation(path: file.path),
                    "which app's schema it is, that of \(names), is not known: name it for its container, or put it into the app's folder"))
        }
        return result
    }

    /// The apps that sync, those that name the same containers as one.
    private func owners(_ evidence: Evidence) -> [Owner] {
        let libraries = evidence.project.libraries
        var remaining = Project.maximumLinkedFiles
        let entitlements = Dictionary(grouping: evidence.entitlements.filter(\.hasCloudKit)) { $0.target.location }
        let users = evidence.syncingSourcesByTarget
        var owners: [Set<String>: Owner] = [:]
        for app in evidence.project.targets where app.kind == .app {
            guard entitlements[app.location] != nil || users[app.location] != nil else { continue }
            let own = entitlements[app.location] ?? []
            // An app without a container is one by itself.
            let named = Set(own.flatMap { $0.strings(Entitlements.containers) })
            let containers = named.isEmpty ? ["\(app.location.path):\(app.location.line):\(app.location.column)"] : named
            var owner = owners[containers] ?? Owner()
            owner.names.insert(app.name)
            owner.containers = containers
            for path in app.files + [app.folder.isEmpty ? "" : app.folder + "/"] {
                var folder = RelativePath.folder(of: path)
                while owner.folders.insert(folder).inserted, !folder.isEmpty { folder = RelativePath.folder(of: folder) }
            }
            owner.files.formUnion(evidence.project.files(of: app, with: libraries, remaining: &remaining))
            owners[containers] = owner
        }
        return owners.ordered { $0.key.sorted().lexicographicallyPrecedes($1.key.sorted()) }.map(\.value)
    }

    private func chosen(_ owners: [Owner], for path: String, _ schema: CloudKitSchema, _ evidence: Evidence) -> [Owner] {
        let stem = RelativePath.stem(of: path).lowercased()
        let parts = Set(path.lowercased().split(separator: "/").map(String.init) + [stem])
        let named = owners.filter { owner in owner.containers.contains { parts.contains($0.lowercased()) } }
        if named.count == 1 { return named }
        let depths = owners.map { owner in
            var folder = RelativePath.folder(of: path)
            while !owner.folders.contains(folder), !folder.isEmpty { folder = RelativePath.folder(of: folder) }
            return folder.utf8.count
        }
        let nearest = zip(owners, depths).filter { $1 == depths.max() }.map(\.0)
        if nearest.count == 1 { return nearest }
        let called = nearest.filter { owner in owner.names.contains { stem.contains($0.lowercased()) } }
        if called.count == 1 { return called }
        let types = Set(schema.recordTypes.keys.filter { $0.hasPrefix("CD_") }.map { String($0.dropFirst(3)) })
        let sources = evidence.productSources.filter { $0.facts.models.contains { types.contains($0.name) } }.map(\.path)
        let paths = sources + evidence.coreDataModels.filter { $0.entities.contains { types.contains($0.name) } }.map(\.path)
        let known = nearest.filter { owner in paths.contains { owner.files.contains($0) } }
        return known.isEmpty ? nearest : known
    }
}

extension Evidence {
    /// Whether a schema is one of another app than that which has a file.
    func isForeign(_ schema: SourceFile, to path: String) -> Bool {
        foreignFiles[schema.path]?.contains(RelativePath.dataModelOrSelf(path)) ?? false
    }
}
