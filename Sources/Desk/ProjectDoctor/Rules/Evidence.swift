import SyncBytes

/// Everything that rules look at.
struct Evidence: Sendable {
    var files: ProjectFiles
    var project = Project() { didSet { holders = HolderTable(project) } }
    /// Which targets of the project hold which files.
    private(set) var holders = HolderTable(Project())
    /// The Swift files of all targets.
    var sources: [SwiftSource] = [] { didSet { findUses() } }
    /// The sources of the product: neither tests nor previews count.
    private(set) var productSources: [SwiftSource] = []
    private var knownUses: [SwiftFacts.Use.Kind: [(use: SwiftFacts.Use, location: SourceLocation)]] = [:]
    /// The model classes and entities by name; of two with one name the one that is live, the latest version of a schema.
    var entities: [String: Entity] = [:]
    var coreDataModels: [CoreDataModel] = []
    var scope = SyncScope()
    /// One for each target that has or needs entitlements, and each of its configurations.
    var entitlements: [Entitlements] = []
    /// Entitlements with CloudKit that no setting names and that stand for none: a script may merge them.
    var spareEntitlements: [String] = []
    /// The same of information property lists, by target.
    var information: [(target: BuildTarget, list: InformationList)] = []
    /// The files of build settings that configurations are based on.
    var settingsFiles: [String: SourceFile] = [:]
    /// The schemas exported from CloudKit.
    var schemas: [(file: SourceFile, schema: CloudKitSchema)] = []
    /// By the path of an exported schema the files of apps that it does not belong to.
    var foreignFiles: [String: Set<String>] = [:]
    /// The versions of the schema before, each with the one after it.
    var earlier: [EarlierSchema] = []
    /// What stores and logs show.
    var measurements: [Measurement] = []
    /// The names of all models of a project of which this is a part.
    var otherNames: Set<String> = []
    /// Whether attributes must be optional, and a default is not enough.
    var isStrict = false

    init(files: ProjectFiles) { self.files = files }

    /// The entities that are judged: those that are known to sync, in the order of their locations.
    var judged: [Entity] {
        entities.values.filter { scope.synced.contains($0.name) }.ordered { $0.location < $1.location }
    }

    /// What the product's code does with CloudKit, previews left out.
    func uses(_ kind: SwiftFacts.Use.Kind) -> [(use: SwiftFacts.Use, location: SourceLocation)] {
        knownUses[kind, default: []]
    }

    /// Sorts what the code does, once: many rules ask, each for little of it.
    private mutating func findUses() {
        productSources = sources.filter { !$0.isTest }
        knownUses = [:]
        for source in productSources {
            for use in source.facts.uses where !use.context.isPreview {
                knownUses[use.kind, default: []].append((use, source.location(use.context)))
            }
        }
    }

    /// Whether anything in the code syncs with CloudKit, as far as is known.
    var syncs: Bool {
        scope.stores.contains { $0.syncs == true } || !uses(.syncEngine).isEmpty || !uses(.recordType).isEmpty || !uses(.savePolicy).isEmpty
    }

    /// Whether code of the app's own speaks to CloudKit, be it to save records or not.
    var hasOwnCloudKit: Bool {
        let kinds: [SwiftFacts.Use.Kind] = [
            .zoneWrite, .droppedConflict, .serverRecord, .subscription, .share, .privateDatabase, .publicDatabase,
        ]
        return kinds.contains { !uses($0).isEmpty }
    }

    /// What code of the app's own does with CloudKit; records of the mirroring are none of its own.
    var ownCode: OwnCode? {
        let makesRecords = uses(.recordType).contains { $0.use.detail?.hasPrefix("CD_") != true && !$0.use.context.isDebugOnly }
        if makesRecords || !uses(.savePolicy).isEmpty || uses(.syncEngine).contains(where: { $0.use.detail == nil }) { return .sends }
        if !uses(.syncEngine).isEmpty { return .library }
        // Beside a store that is mirrored it is a part of its work, such as shares and accounts.
        return hasOwnCloudKit && scope.stores.isEmpty ? uses(.zoneWrite).isEmpty ? .asks : .sends : nil
    }

    /// The apps among the targets.
    var apps: [BuildTarget] { project.targets.filter { $0.kind == .app } }
}
