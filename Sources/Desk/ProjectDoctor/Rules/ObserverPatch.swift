/// The lines that let SyncAudit observe a store, as changes of the files where that can only be meant in one way.
struct ObserverPatch {
    /// What to add, as a sentence without its full stop.
    private(set) var advice: String
    /// The changes; empty where the container is made in another way than as a statement, or several processes make it.
    private(set) var edits: [TextEdit] = []

    static let stamp = "auditStamp"

    init(_ store: SyncScope.Store, _ evidence: Evidence) {
        let article = "see the article \"Audit SwiftData and CloudKit\""
        let isSwiftData = store.framework == .swiftData
        guard let edits = isSwiftData ? Self.edits(store, evidence) : Self.coreDataEdits(store, evidence) else {
            advice =
                isSwiftData
                ? "add the package SyncAudit and three lines: let audit = try SwiftDataAudit(device:models:directory:sink:) before the "
                    + "container is made, and try audit.start(container) after; a stamp is var \(Self.stamp): String? in each model; \(article)"
                : "add the package SyncAudit and three lines: let audit = try CoreDataAudit(device:entities:directory:sink:) and "
                    + "CoreDataAudit.prepare(container) before the stores are loaded, and try audit.start(container) after; a stamp is an "
                    + "optional string attribute \(Self.stamp) of each entity, in a new version of the model; \(article)"
            return
        }
        self.edits = edits
        let isStamped = edits.contains { $0.text.contains(Self.stamp) }
        advice =
            "add the package SyncAudit; 'syncaudit doctor --rule reporting.observer --fix --dry-run' prints the lines around the container"
            + (isStamped ? ", and the stamp of each \(isSwiftData ? "model" : "entity")," : "") + " as a patch"
            + (isStamped ? "; CD_\(Self.stamp) is new in the schema, which is to be deployed before the app" : "") + "; \(article)"
    }

    private static func edits(_ store: SyncScope.Store, _ evidence: Evidence) -> [TextEdit]? {
        // Another container, or another store of this one, would need a choice.
        let stores = evidence.scope.stores.filter { $0.container == store.container || $0.syncs != false }
        let calls = evidence.productSources.flatMap { source in
            source.facts.containers.filter { source.location($0) == store.container }.map { (call: $0, source: source) }
        }
        guard stores.count == 1, calls.count == 1, let (call, source) = calls.first, let statement = call.statement,
            call.context.conditions.isEmpty, !call.context.isDebugOnly, evidence.holders(of: source.path).count == 1,
            let models = models(of: store, beside: source, evidence),
            var edits = additions(to: source, .swiftData, models.map(\.text))
        else { return nil }
        let line = source.lineBreak
        func insertion(_ offset: Int, _ text: String) -> TextEdit { TextEdit(path: source.path, range: offset..<offset, text: text) }
        let before = "_ = SyncAuditing.audit  // Before the container, so that no export begins unseen.\(line)\(statement.indent)"
        let after = "\(line)\(statement.indent)SyncAuditing.start("
        if let variable = statement.variable {
            edits.append(insertion(statement.start, before))
            edits.append(insertion(statement.end, after + variable + ")"))
        } else {
            let space = statement.keyword.isEmpty ? " " : ""
            edits.append(TextEdit(path: source.path, range: statement.keyword, text: before + "let auditedContainer =" + space))
            edits.append(insertion(statement.end, after + "auditedContainer)\(line)\(statement.indent)return auditedContainer"))
        }
        return edits + models.compactMap(\.stamp)
    }

    // MARK: Models

    private struct Model {
        /// The expression that names the class and its attributes.
        let text: String
        let stamp: TextEdit?
    }

    /// The classes of a store; nil where one of them is declared where the container's file does not see it by its name alone.
    private static func models(of store: SyncScope.Store, beside source: SwiftSource, _ evidence: Evidence) -> [Model]? {
        var found: [Model] = []
        for name in store.entities.sorted() {
            let declared = evidence.productSources.flatMap { source in
                source.facts.models.filter { $0.name == name }.map { (model: $0, source: source) }
            }
            guard declared.count == 1, let (model, file) = declared.first, model.context.types.isEmpty, model.context.conditions.isEmpty,
                let entity = evidence.entities[name], entity.parent == nil,
                evidence.project.targets.contains(where: { $0.files.contains(file.path) && $0.files.contains(source.path) })
            else { return nil }
            found.append(Self.model(model, entity, file))
        }
        return found
    }

    private static func model(_ model: SwiftFacts.ModelClass, _ entity: Entity, _ source: SwiftSource) -> Model {
        let readable = Set(model.properties.filter { !$0.isPrivate }.map(\.name))
        let attributes = entity.attributes.filter { readable.contains($0.name) && isCompared($0.type) }
        let identity = identity(of: entity.name, among: attributes)
        // A record that no attribute names has no stamp that another device could read.
        guard let identity, attributes.count > 1, let beginning = model.beginning, !entity.attributes.contains(where: { $0.name == stamp })
        else { return Model(text: "AuditedModel(\(entity.name).self)", stamp: nil) }
        let list = attributes.map { "\"\($0.name)\": \\.\($0.name)" }.joined(separator: ", ")
        let named = identity.name == "id" ? "" : " identifiedBy: \"\(identity.name)\","
        let text = "AuditedModel(\(entity.name).self,\(named) attributes: [\(list)], recordStamp: (\"\(stamp)\", \\.\(stamp)))"
        let comment = "/// Filled in by the audit before every save; the app leaves it alone."
        let line = beginning.indent.map { source.lineBreak + $0 }
        let property = (line.map { $0 + comment + $0 } ?? " ") + "var \(stamp): String?" + (line == nil ? ";" : "")
        return Model(text: text, stamp: TextEdit(path: source.path, range: beginning.offset..<beginning.offset, text: property))
    }

    /// The attribute that names a record on every device, by its name and type.
    static func identity(of entity: String, among attributes: [Entity.Attribute]) -> Entity.Attribute? {
        let names = ["id", "uuid", "identifier", entity.lowercased() + "id"]
        return attributes.first { names.contains($0.name.lowercased()) && [.uuid, .string, .integer].contains($0.type) }
    }

    private static func isCompared(_ type: AttributeType) -> Bool {
        [.string, .integer, .boolean, .double, .date, .uuid, .url].contains(type)
    }

    // MARK: Lines

    /// The names that the lines use of a framework.
    struct Names {
        let audit: String
        let list: String
        let container: String
        let module: String
        /// What is done before the stores are loaded.
        let preparing: String

        static let swiftData = Names(
            audit: "SwiftDataAudit", list: "models", container: "ModelContainer", module: "SyncObservationSwiftData", preparing: "")
        static let coreData = Names(
            audit: "CoreDataAudit", list: "entities", container: "NSPersistentContainer", module: "SyncObservationCoreData",
            preparing: """

                    /// Before the stores are loaded, so that no export begins unseen.
                    static func prepare(_ container: NSPersistentContainer) {
                        if audit != nil { CoreDataAudit.prepare(container) }
                    }

                """)
    }

    /// What a file gets beside the lines around the container: imports, and at its end what these lines call; nil where it imports nothing.
    static func additions(to source: SwiftSource, _ names: Names, _ list: [String]) -> [TextEdit]? {
        guard let lastImport = source.facts.imports.last else { return nil }
        let modules = ["AuditLog", "Foundation", "SyncModel", names.module].filter { module in
            !source.facts.imports.contains { $0.module == module }
        }
        let line = source.lineBreak
        let imports = modules.map { "\(line)import \($0)" }.joined()
        return [
            TextEdit(path: source.path, range: lastImport.end..<lastImport.end, text: imports),
            TextEdit(
                path: source.path, range: source.contentCount..<source.contentCount,
                text: auditing(names, list).map { line + $0 }.joined()),
        ]
    }

    private static func auditing(_ names: Names, _ list: [String]) -> [String] {
        """

        /// Finds the edits that sync overwrites: `syncaudit audit` reads its log.
        enum SyncAuditing {
            static let audit: \(names.audit)? = {
                do {
                    let support = try FileManager.default.url(
                        for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
                    let directory = support.appending(path: "SyncAudit")
                    // Short, and each device's own.
                    let device = UserDefaults.standard.string(forKey: "SyncAuditDevice") ?? String(UUID().uuidString.prefix(4))
                    UserDefaults.standard.set(device, forKey: "SyncAuditDevice")
                    let log = try AuditLogWriter(directory: directory.path, name: "sync", source: DeviceID(device))
                    let \(names.list) = [
        \(list.map { "                " + $0 + "," }.joined(separator: "\n"))
                    ]
                    return try \(names.audit)(device: DeviceID(device), \(names.list): \(names.list), directory: directory, sink: log)
                } catch {
                    print("Sync is not audited: \\(error)")
                    return nil
                }
            }()
        \(names.preparing)
            static func start(_ container: \(names.container)) {
                do { try audit?.start(container) } catch { print("Sync is not audited: \\(error)") }
            }
        }
        """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
