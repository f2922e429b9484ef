extension SwiftWalker {
    /// Reads a word at `index` that tells of what an app does with stores, accounts and pushes.
    mutating func readAction(_ word: SwiftWord) {
        let next = self[index + 1]
        let isCall = next.kind == .openParenthesis
        let isMember = self[index - 1].kind == .dot
        switch word {
        // Stores.
        case .deleteAllData, .erase, .destroyPersistentStore, .replacePersistentStore, .modelContainer:
            if self[index - 1].word == .func { return addUse(.ownMethod, name(index), at: index) }
            let isContainer = word != .erase || baseName.contains("container") || baseName.contains("store")
            guard isMember, isCall, isContainer, word != .modelContainer, !isNamedLocal(baseName) else { return }
            // A store is copied to where none is, as when it moves to the folder of a group.
            if word == .replacePersistentStore, movesStore(index + 1) { return addUse(.storeCopy, nil, at: index) }
            addUse(.storeDeletion, word.rawValue, at: index)
            // A method of that name of one's own is called on something else.
            facts.uses[facts.uses.count - 1].isSpelled = baseName.contains("container")
        case .removeItem:
            if isMember, isCall, keeps(until: Int(next.partner)), namesStore(index + 1) { addUse(.storeDeletion, word.rawValue, at: index) }
        case .copyItem, .moveItem, .replaceItemAt, .migratePersistentStore: if isMember { addUse(.storeCopy, nil, at: index) }
        case .nsInMemoryStoreType: addUse(.inMemoryStore, nil, at: index)
        case .inMemory: if isMember { addUse(.inMemoryStore, nil, at: index) }
        case .save:
            let isOfCloudKit = facts.imports.contains { $0.module == "CloudKit" }
            if isMember, isCall, self[index + 2].kind != .closeParenthesis, isOfCloudKit, isDatabase(baseName) {
                addUse(.zoneWrite, nil, at: index)
            }
        // Pushes.
        case .ckDatabaseSubscription, .ckRecordZoneSubscription, .ckQuerySubscription, .ckSubscription:
            if parenthesis(index) != nil { addUse(.subscription, nil, at: index) }
        case .shouldSendContentAvailable:
            if next.word == .assign || next.kind == .colon, self[index + 2].word == .true { addUse(.subscription, "silent", at: index) }
        case .didReceiveRemoteNotification: addUse(.pushReceipt, nil, at: index)
        // iCloud.
        case .nsUbiquitousKeyValueStore:
            if parenthesis(index) != nil || next.kind == .dot && self[index + 2].word == .default { addUse(.keyValueStore, nil, at: index) }
        case .accountStatus, .accountChange, .ckAccountChanged, .ubiquityIdentityToken, .nsUbiquityIdentityDidChange, .notAuthenticated:
            addUse(.accountCheck, nil, at: index)
        case .publicCloudDatabase: addUse(.publicDatabase, nil, at: index)
        case .privateCloudDatabase, .sharedCloudDatabase: addUse(.privateDatabase, nil, at: index)
        case .ckShare: if parenthesis(index) != nil { addUse(.share, nil, at: index) }
        case .userDidAcceptCloudKitShareWith: if next.kind != .closeParenthesis { addUse(.shareAcceptance, nil, at: index) }
        case .acceptShareInvitations: if isMember, isCall { addUse(.shareAcceptance, nil, at: index) }
        case .ckAcceptSharesOperation: if parenthesis(index) != nil { addUse(.shareAcceptance, nil, at: index) }
        case .ckAsset: if parenthesis(index) != nil { addUse(.asset, nil, at: index) }
        // Screens.
        case .serverRecord: if isMember { addUse(.serverRecord, nil, at: index) }
        case .ckRecordChangedErrorServerRecordKey: addUse(.serverRecord, nil, at: index)
        case .hasChanges: if isMember { addUse(.pendingEdits, nil, at: index) }
        case .modelContextRefresh: addUse(.pendingEdits, nil, at: index)
        case .automaticallyMergesChangesFromParent:
            if next.word == .assign, self[index + 2].word == .true { addUse(.automaticMerge, nil, at: index) }
        case .reset, .rollback, .refreshAllObjects:
            if isMember, isCall, baseName.contains("context") { addUse(.contextReset, nil, at: index) }
        case .query, .fetchRequest: if self[index - 1].kind == .at { addUse(.liveQuery, nil, at: index) }
        case .nsFetchedResultsController: addUse(.liveQuery, nil, at: index)
        // Timers.
        case .scheduledTimer: if isMember, isCall { readTimer(index + 1) }
        case .publish: if isMember, isCall, spells(index - 2, "Timer") { readTimer(index + 1) }
        case .while: readLoop()
        default: break
        }
    }

    /// Whether the literal at `index` is only held against something.
    var isCompared: Bool {
        func isComparison(_ token: Int) -> Bool { self[token].kind == .symbol && (spells(token, "==") || spells(token, "!=")) }
        return isComparison(index - 1) || isComparison(index + 1) || self[index - 1].word == .case
    }

    /// The name before the dot before `index`, in lower case; empty where there is none.
    private var baseName: String {
        var base = index - 2
        if self[base].word == .question || self[base].word == .exclamation { base -= 1 }
        // A call such as `container()`.
        if self[base].kind == .closeParenthesis { base = max(1, Int(self[base].partner)) - 1 }
        return self[index - 1].kind == .dot && self[base].kind == .identifier ? name(base).lowercased() : ""
    }

    /// Whether a store is one that does not sync, by its name.
    private func isNamedLocal(_ name: String) -> Bool { ["local", "memory", "preview"].contains { name.contains($0) } }

    private func isDatabase(_ name: String) -> Bool { name.contains("database") || name == "db" || name.hasSuffix("db") }

    /// Whether a store goes to a new file, by the names of the arguments or of the function.
    private func movesStore(_ open: Int) -> Bool {
        let words = arguments(open).prefix(2).map { argument in
            lastName(argument.value).map { name($0).lowercased() } ?? ""
        }
        guard words.count == 2 else { return false }
        let isNew = ["new", "group", "shared", "destination", "target"].contains { words[0].contains($0) }
        let isOld = ["old", "legacy", "default", "source", "original", "previous"].contains { words[1].contains($0) }
        return isNew || isOld || member.lowercased().contains("migrat") || member.lowercased().contains("move")
    }

    /// The name of the function around `index`; empty where there is none.
    private var member: String { context(index).member ?? "" }

    /// Whether the arguments of a call name the file of a store.
    private func namesStore(_ open: Int) -> Bool {
        let all = open + 1..<min(Int(self[open].partner), open + 48)
        return all.contains { token in
            guard self[token].kind == .identifier || self[token].kind == .string, self[token].range.count <= 128 else { return false }
            let text = name(token).lowercased()
            if self[token].kind == .string { return text.contains(".store") || text.contains(".sqlite") }
            if text.contains("storeurl") || text.contains("sqliteurl") || text.contains("storefile") || text.contains("storepath") {
                return true
            }
            // `configuration.url`, `store.url`, `description.url`.
            let isURL = self[token + 1].kind == .dot && spells(token + 2, "url")
            return isURL && ["config", "description", "store"].contains { text.contains($0) }
        }
    }

    // MARK: Timers

    /// Reads a timer whose parenthesis is a token: what its closure calls.
    private mutating func readTimer(_ open: Int) {
        let close = Int(self[open].partner)
        let isOnce = arguments(open).contains { $0.label >= 0 && spells($0.label, "repeats") && self[$0.value.lowerBound].word == .false }
        if isOnce { return }
        var brace = close + 1
        // `.autoconnect().sink { … }`.
        while brace < close + 24, self[brace].kind != .openBrace {
            guard self[brace].kind == .dot || self[brace].kind == .identifier || self[brace].kind == .openParenthesis else { break }
            brace = self[brace].kind == .openParenthesis ? Int(self[brace].partner) + 1 : brace + 1
        }
        let body = self[brace].kind == .openBrace ? brace + 1..<Int(self[brace].partner) : open + 1..<close
        guard keeps(until: body.upperBound) else { return }
        if let call = syncCall(body) { addUse(.polling, call, at: index) }
    }

    /// Reads the loop whose `while` is at `index`: one that sleeps and calls.
    private mutating func readLoop() {
        var brace = index + 1
        while brace < index + 32, self[brace].kind != .openBrace, self[brace].kind != .end {
            // What is tried again ends.
            if self[brace].kind == .identifier, isAttempt(name(brace).lowercased()) { return }
            brace = self[brace].kind == .openParenthesis ? Int(self[brace].partner) + 1 : brace + 1
        }
        guard self[brace].kind == .openBrace, keeps(until: Int(self[brace].partner)) else { return }
        let body = brace + 1..<min(Int(self[brace].partner), brace + 256)
        guard body.contains(where: { self[$0].word == .sleep }), let call = syncCall(body) else { return }
        addUse(.polling, call, at: index)
    }

    func isAttempt(_ name: String) -> Bool { name.contains("attempt") || name.contains("retr") || name.contains("tries") }

    /// The name of a function for sync that is called among some tokens.
    private func syncCall(_ range: Range<Int>) -> String? {
        let isOfCloudKit = facts.imports.contains { $0.module == "CloudKit" }
        let isOfStore = facts.imports.contains { $0.module == "CoreData" || $0.module == "SwiftData" }
        return range.prefix(256).first { token in
            guard self[token].kind == .identifier, self[token + 1].kind == .openParenthesis else { return false }
            let text = name(token).lowercased()
            if text.contains("async") || text.hasPrefix("has") || text.hasPrefix("is") { return false }
            if text.contains("cloudkit") || text.contains("fromcloud") || text.contains("icloud") { return true }
            // Much else is synced than records, such as accounts with a bank.
            guard isOfCloudKit || isOfStore else { return false }
            return text.hasPrefix("sync") || text.hasSuffix("sync") || text.hasPrefix("fetchchanges") || text.hasPrefix("pullchanges")
                || text == "pull" || text.hasPrefix("fetchremote")
                || isOfCloudKit && (text.hasPrefix("fetch") || text.hasPrefix("poll"))
        }.map { name($0) }
    }
}
