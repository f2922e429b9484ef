extension ChecklistItem {
    /// The points that code or the project's documents answer, where they do.
    static func answers(_ evidence: Evidence) -> [ChecklistItem] {
        let documents = ProjectDocuments(evidence.files)
        return [
            ChecklistItem(title: "A context is refreshed, edits kept", contextRefresh(evidence)),
            ChecklistItem(
                title: "Coming to the front refreshes",
                evidence.uses(.foreground).isEmpty ? (.no, "nothing uses scenePhase") : (.yes, "scenePhase or its like is used")),
            ChecklistItem(title: "Screens follow a remote reload", reload(evidence)),
            ChecklistItem(title: "Two devices pass the batch test", documents.batchTest),
            ChecklistItem(title: "CloudKit Console is in the README", documents.console),
            ChecklistItem(title: "Production schema is checked (.ckdb)", schema(evidence)),
        ]
    }

    private init(title: String, _ answer: (state: State, detail: String)) {
        self.init(title: title, state: answer.state, detail: answer.detail)
    }

    private static func contextRefresh(_ evidence: Evidence) -> (State, String) {
        let listeners = Set(evidence.uses(.notification).map(\.location.path))
        let asking = evidence.uses(.pendingEdits).filter { listeners.contains($0.location.path) || $0.use.context.types.isEmpty }
        if let first = asking.first { return (.yes, "unsaved edits are looked for (\(first.location.brief))") }
        if let first = evidence.uses(.automaticMerge).first { return (.yes, "contexts merge (\(first.location.brief))") }
        if let first = evidence.uses(.contextReset).first(where: { listeners.contains($0.location.path) }) {
            return (.no, "unsaved edits are dropped (\(first.location.brief))")
        }
        return (.unknown, "does it wait for unsaved edits?")
    }

    private static func reload(_ evidence: Evidence) -> (State, String) {
        let syncing = evidence.scope.stores.filter { $0.syncs == true }
        let isMirrored = !syncing.isEmpty
        if let first = evidence.uses(.liveQuery).first {
            // A query of Core Data shows what its context is told of.
            let isCoreData = isMirrored && syncing.allSatisfy { $0.framework == .coreData }
            if isCoreData, evidence.uses(.automaticMerge).isEmpty, evidence.uses(.notification).isEmpty, evidence.uses(.observer).isEmpty {
                return (.unknown, "does the context of \(first.location.brief) merge?")
            }
            return (.yes, "a query keeps them current (\(first.location.brief))")
        }
        if isMirrored, evidence.uses(.notification).isEmpty, evidence.uses(.observer).isEmpty {
            return (.no, "no @Query, and nothing listens")
        }
        return (.unknown, "while another device edits")
    }

    private static func schema(_ evidence: Evidence) -> (State, String) {
        if let first = evidence.schemas.first {
            let name = RelativePath.name(of: first.file.path)
            let lacking = evidence.scope.stores.first { store in
                store.syncs == true && evidence.schemas.allSatisfy { evidence.isForeign($0.file, to: store.location.path) }
            }
            return lacking.map { (.no, "\(name), but none for \($0.location.brief)") } ?? (.yes, name)
        }
        return evidence.isSchemaUnchecked
            ? (.no, "none: xcrun cktool export-schema") : (.unknown, "nothing is known to sync")
    }
}

extension SourceLocation {
    /// The file's own name and the line.
    fileprivate var brief: String { "\(RelativePath.name(of: path)):\(line)" }
}

/// What a project's README and other documents say of its sync.
struct ProjectDocuments {
    let console: (ChecklistItem.State, String)
    let batchTest: (ChecklistItem.State, String)

    private static let consoles = ["cloudkit console", "cloudkit dashboard", "icloud.developer.apple.com"]
    private static let devices = ["two devices", "2 devices", "both devices", "second device", "two physical devices", "two iphones"]
    private static let testing = ["test", "tests", "tested", "testing", "batch", "check", "checked", "verify", "verified", "verifies"]
    private static let documentLimit = 64
    private static let sizeLimit = 1 << 20

    /// Reads the documents at the top of a folder and in its folders for them.
    ///
    /// - Complexity: O(*n*) in the bytes of at most 64 documents of at most a megabyte.
    init(_ files: ProjectFiles) {
        var console: String?
        var test: (location: String, isOpen: Bool)?
        let paths = files.paths.lazy.filter(Self.isDocument).prefix(Self.documentLimit)
        for path in paths {
            guard let bytes = try? files.read(path).bytes, bytes.count <= Self.sizeLimit else { continue }
            let isPlan = ["roadmap", "todo", "changelog", "plan"].contains { RelativePath.name(of: path).lowercased().hasPrefix($0) }
            for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
                let words = String(decoding: line, as: UTF8.self).lowercased()
                let location = "\(RelativePath.name(of: path)):\(index + 1)"
                if console == nil, Self.consoles.contains(where: words.contains) { console = location }
                let isTest = Self.devices.contains(where: words.contains) && Self.isOfTests(words)
                if test == nil, !isPlan, isTest { test = (location, words.contains("[ ]")) }
            }
        }
        self.console = console.map { (.yes, $0) } ?? (.no, paths.isEmpty ? "there is no README" : "how to see what was exported")
        batchTest =
            test.map { $0.isOpen ? (.no, "\($0.location) has it open") : (.yes, "by \($0.location)") }
            ?? (.unknown, "edit many records, watch the other")
    }

    /// Whether a line speaks of a test; TestFlight is none.
    private static func isOfTests(_ text: String) -> Bool {
        text.split { !$0.isLetter }.contains { testing.contains(String($0)) }
    }

    private static func isDocument(_ path: String) -> Bool {
        let name = RelativePath.name(of: path).lowercased()
        guard name.hasSuffix(".md") || name.hasSuffix(".txt") || name.hasSuffix(".rst") || name == "readme" else { return false }
        let folder = RelativePath.folder(of: path).lowercased()
        return name.hasPrefix("readme") || folder.isEmpty || ["docs", "doc", "documentation"].contains(folder)
    }
}
