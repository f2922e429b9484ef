import FileFormats
import SyncBytes
import SyncSystem

/// Reads a project's files into what rules look at.
struct EvidenceReading {
    let files: ProjectFiles
    var notes: [Note]
    /// How many files and targets all parts may look at together.
    private static let maximumParts = 200_000
    /// The specifications that hold property lists, by the paths of these.
    var generated: [String: String] = [:]

    init(_ files: ProjectFiles) {
        self.files = files
        notes = files.notes
    }

    mutating func evidence() -> Evidence {
        var evidence = Evidence(files: files)
        evidence.project = ProjectReader.read(files)
        notes += evidence.project.notes
        evidence.sources = sources(of: evidence.project)
        SchemaWrites.judge(&evidence.sources, files)
        evidence.coreDataModels = coreDataModels(of: evidence.project)
        evidence.entities = entities(evidence)
        evidence.earlier = versions(evidence)
        readLists(&evidence)
        evidence.settingsFiles = settingsFiles(of: evidence.project)
        evidence.schemas = schemas()
        evidence.scope = StoreFinder.scope(
            files, evidence.sources, evidence.entities, evidence.coreDataModels, isEntitled: entitled(evidence))
        evidence.foreignFiles = foreignFiles(evidence)
        return evidence
    }

    /// The evidence as far as it is that of each program, where two of them have models of one name that have nothing to do with each
    /// other.
    ///
    /// The name of a part is that of its target; of a project that needs no parts it is empty. Files that no program is known to hold are
    /// everyone's.
    ///
    /// - Parameter isSplit: Whether it is given in parts in any case.
    mutating func parts(of whole: Evidence, isSplit: Bool = false) -> [(name: String, evidence: Evidence)] {
        let programs = whole.project.targets.filter { $0.kind == .app || $0.kind == .appExtension }
        let libraries = whole.project.libraries
        var remaining = Project.maximumLinkedFiles
        let files = programs.map { whole.project.files(of: $0, with: libraries, remaining: &remaining) }
        guard remaining > 0, programs.count * (whole.sources.count + whole.project.targets.count) <= Self.maximumParts else {
            notes.append(Note(SourceLocation(path: ""), "the project has too many targets for each to be judged by itself"))
            return [("", whole)]
        }
        guard isSplit || programs.count > 1 && hasForeignNames(whole, files) else { return [("", whole)] }
        let held = files.reduce(into: Set<String>()) { $0.formUnion($1) }
        return zip(programs, files).map { program, files in
            var part = whole
            func isIn(_ path: String) -> Bool { files.contains(path) || !held.contains(path) }
            part.project.targets = whole.project.targets.filter {
                $0.location == program.location || $0.kind != .app && $0.kind != .appExtension
            }
            part.sources = whole.sources.filter { isIn($0.path) }
            part.coreDataModels = whole.coreDataModels.filter { isIn($0.path) }
            part.entitlements = whole.entitlements.filter { $0.target.location == program.location }
            part.information = whole.information.filter { $0.target.location == program.location }
            part.entities = entities(part)
            part.earlier = versions(part)
            part.scope = StoreFinder.scope(self.files, part.sources, part.entities, part.coreDataModels, isEntitled: entitled(part))
            part.otherNames = Set(whole.sources.flatMap(\.facts.models).map(\.name) + whole.coreDataModels.flatMap(\.entities).map(\.name))
            return (program.name, part)
        }
    }

    /// Whether two files declare models of one name, of which no program holds both.
    private func hasForeignNames(_ whole: Evidence, _ files: [Set<String>]) -> Bool {
        var paths: [String: Set<String>] = [:]
        for source in whole.productSources {
            for model in source.facts.models { paths[model.name, default: []].insert(source.path) }
        }
        for model in whole.coreDataModels {
            for entity in model.entities { paths[entity.name, default: []].insert(model.path) }
        }
        return paths.values.contains { paths in
            guard paths.count > 1 else { return false }
            let holders = paths.map { path in Set(files.indices.filter { files[$0].contains(path) }) }
            return holders.contains { first in !first.isEmpty && holders.contains { !$0.isEmpty && first.isDisjoint(with: $0) } }
        }
    }

    mutating func read(_ path: String) -> SourceFile? {
        do throws(FormatError) {
            return try files.read(path)
        } catch {
            notes.append(Note(SourceLocation(path: path), error.sentence))
            return nil
        }
    }

    // MARK: Sources

    private mutating func sources(of project: Project) -> [SwiftSource] {
        var isTest: [String: Bool] = [:]
        for target in project.targets {
            for path in target.files where path.hasSuffix(".swift") {
                isTest[path] = (isTest[path] ?? true) && target.kind == .tests
            }
        }
        let conditions = CompilationConditions(project)
        let read = inParallel(isTest.ordered { $0.key < $1.key }.map { Locked($0) }, count: isTest.count) { [files] entry, _ in
            Self.source(entry.key, of: files, isTest: entry.value, flags: conditions.flags(of: entry.key))
        }
        notes += read.flatMap(\.notes)
        return read.compactMap(\.source)
    }

    private static func source(
        _ path: String, of files: ProjectFiles, isTest: Bool, flags: [String: Bool]
    ) -> (source: SwiftSource?, notes: [Note]) {
        do throws(FormatError) {
            let file = try files.read(path)
            let facts = SwiftReader.read(file.bytes, flags: flags)
            return (
                SwiftSource(file: file, facts: facts, isTest: isTest, flags: flags),
                facts.problems.prefix(3).map { Note(file.location(at: $0.offset), $0.sentence) }
            )
        } catch {
            return (nil, [Note(SourceLocation(path: path), error.sentence)])
        }
    }

    /// The current version of each data model that a target has.
    private mutating func coreDataModels(of project: Project) -> [CoreDataModel] {
        let paths = Set(project.targets.filter { $0.kind != .tests }.flatMap(\.files).map(RelativePath.dataModelOrSelf))
        return paths.filter { $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".xcdatamodel") }.sorted().compactMap { path in
            guard let contents = contents(of: path), let file = read(contents) else { return nil }
            do throws(FormatError) {
                return try CoreDataModel(file, path: path)
            } catch {
                notes.append(Note(file.location(at: error.offset), error.sentence))
                return nil
            }
        }
    }

    /// The path of the `contents` of a model's current version.
    private mutating func contents(of path: String) -> String? {
        if path.hasSuffix(".xcdatamodel") { return path + "/contents" }
        let versions = Set(files.paths(under: path).compactMap { RelativePath.folder(of: $0) }).filter { $0.hasSuffix(".xcdatamodel") }
        if files.contains(path + "/.xccurrentversion"), let file = read(path + "/.xccurrentversion") {
            do throws(FormatError) {
                let name = try PropertyList.parse(file.bytes)["_XCCurrentVersionName"]?.string
                if let name, versions.contains(path + "/" + name) { return path + "/" + name + "/contents" }
            } catch {
                notes.append(Note(file.location(at: error.offset), error.sentence))
            }
        }
        if versions.count == 1, let only = versions.first { return only + "/contents" }
        notes.append(Note(SourceLocation(path: path), "which of the model's \(versions.count) versions is current is not said"))
        return nil
    }

    // MARK: Entities

    private func entities(_ evidence: Evidence) -> [String: Entity] {
        let product = evidence.sources.filter { !$0.isTest }
        let names = ModelNames(product.flatMap(\.facts.models))
        let types = SwiftTypes(product)
        let versions = SchemaVersions(product)
        var entities: [String: Entity] = [:]
        var depths: [String: Int] = [:]
        for source in product {
            for model in source.facts.models where !model.context.isPreview && !model.context.isDebugOnly && versions.isLive(model) {
                // Of a name that is left twice, such as one of another namespace, the class that is nested least.
                if let depth = depths[model.name], depth <= model.context.types.count, !versions.isInVersion(model) { continue }
                depths[model.name] = model.context.types.count
                entities[model.name] = SwiftDataEntities.entity(model, in: source, models: names, types: types)
            }
        }
        for model in evidence.coreDataModels {
            for var entity in model.entities where entities[entity.name] == nil {
                for index in entity.attributes.indices where entity.attributes[index].content == nil {
                    entity.attributes[index].content = types.content(of: entity.attributes[index], in: entity.name, declared: nil)
                }
                entities[entity.name] = entity
            }
        }
        return entities
    }

    /// The versioned schemas that declare their models themselves, in order, but for the latest.
    private func versions(_ evidence: Evidence) -> [EarlierSchema] {
        let product = evidence.sources.filter { !$0.isTest }
        let types = SwiftTypes(product)
        let schemas = SchemaVersions(product)
        let classes = product.flatMap { source in source.facts.models.map { (model: $0, source: source) } }
        let models = ModelNames(classes.map(\.model))
        return schemas.members(of: classes.map(\.model)).flatMap { order -> [EarlierSchema] in
            let versions = order.map { name, members in
                let own = members.map { classes[$0] }
                let entities = own.map { SwiftDataEntities.entity($0.model, in: $0.source, models: models, types: types) }
                return (name: name, entities: Dictionary(entities.map { ($0.name, $0) }) { first, _ in first })
            }.filter { !$0.entities.isEmpty }
            return zip(versions, versions.dropFirst()).map { EarlierSchema(name: $0.name, entities: $0.entities, next: $1.entities) }
        }
    }

    /// Whether the entitlements of the apps and extensions that hold a file name a CloudKit container, or of any app where only libraries
    /// hold it.
    ///
    /// Nil where no target has settings that would tell.
    private func entitled(_ evidence: Evidence) -> (String?) -> Bool? {
        func isEntitled(_ entitlements: [Entitlements]) -> Bool? {
            if entitlements.contains(where: { $0.hasCloudKit && !$0.strings(Entitlements.containers).isEmpty }) { return true }
            return entitlements.isEmpty || !entitlements.allSatisfy(\.isKnown) ? nil : false
        }
        let all = isEntitled(evidence.entitlements.filter { $0.target.kind == .app })
        let byTarget = Dictionary(grouping: evidence.entitlements) { $0.target.location }.mapValues(isEntitled)
        var holders: [String: Set<Bool?>] = [:]
        for target in evidence.project.targets where target.kind == .app || target.kind == .appExtension {
            for path in target.files where path.hasSuffix(".swift") {
                holders[path, default: []].insert(byTarget[target.location] ?? nil)
            }
        }
        return { path in
            guard let answers = path.flatMap({ holders[$0] }) else { return all }
            return answers.contains(true) ? true : answers.contains(nil) ? nil : false
        }
    }

    /// The `.xcconfig` files that configurations are based on.
    private func settingsFiles(of project: Project) -> [String: SourceFile] {
        let paths = Set(project.targets.flatMap(\.configurations).compactMap(\.settingsFile))
        return Dictionary(uniqueKeysWithValues: paths.compactMap { path in (try? files.read(path)).map { (path, $0) } })
    }

    // MARK: Schemas

    private mutating func schemas() -> [(file: SourceFile, schema: CloudKitSchema)] {
        files.paths.filter { $0.hasSuffix(".ckdb") }.compactMap { path in
            guard let file = read(path) else { return nil }
            do throws(FormatError) {
                return (file, try CloudKitSchema(file.bytes))
            } catch {
                notes.append(Note(file.location(at: error.offset), error.sentence))
                return nil
            }
        }
    }
}
