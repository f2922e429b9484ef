extension SwiftWalker {
    /// Reads a known word at `index` that begins no declaration.
    mutating func readUse(_ word: SwiftWord) {
        let next = self[index + 1]
        switch word {
        // SwiftData.
        case .modelConfiguration, .modelContainerType, .schema: readCall(word)
        case .modelContainer:
            // An extension of `View` calls its own method without a dot.
            let isCall = self[index - 1].kind == .dot || next.kind == .openParenthesis && self[index - 1].word != .func
            if isCall { readCall(word) } else { readAction(word) }
        case .`init`:
            let base = self[index - 2].kind
            if base != .identifier && base != .closeParenthesis && base != .closeBracket || self[index - 1].hasSpaceBefore {
                readImplicitCall()
            }
        case .custom: if self[index - 1].kind == .dot { readCustomStage() }
        // Core Data.
        case .nsPersistentCloudKitContainer:
            guard next.kind != .dot || self[index + 2].word == .`init` else { return }
            addUse(.persistentCloudKitContainer, nil, at: index)
            readCall(word)
        case .loadPersistentStores: if self[index - 1].kind == .dot { readLoading() }
        case .shouldAddStoreAsynchronously: facts.loadsLater = true
        case .nsPersistentStoreDescription: if parenthesis(index) != nil { readDescription() }
        case .cloudKitContainerOptions, .configuration, .persistentStoreDescriptions: readStoreSetting(word)
        case .nsPersistentCloudKitContainerOptions: readIdentifier(.containerOptions, label: "containerIdentifier")
        case .initializeCloudKitSchema:
            if self[index - 1].word != .func, parenthesis(index) != nil { addUse(.initializeSchema, nil, at: index) }
        case .nsPersistentStoreRemoteChangeNotificationPostOptionKey: addUse(.remoteChangeOption, optionValue, at: index)
        case .nsPersistentHistoryTrackingKey: readHistory(index)
        case .forKey:
            // The keys by their strings, as in code from before the constants.
            guard next.kind == .colon, let key = literal(index + 2) else { return }
            if key == Self.remoteChangeKey { addUse(.remoteChangeOption, optionValue, at: index + 2) }
            if key == "NSPersistentHistoryTrackingKey" { readHistory(index + 2) }
        case .nsPersistentStoreRemoteChange, .eventChangedNotification:
            let before = self[index - 1].word
            if before != .let, before != .var, before != .func { addUse(.notification, word.rawValue, at: index) }
        // CloudKit.
        case .ckSyncEngine: if parenthesis(index) != nil { addUse(.syncEngine, nil, at: index) }
        case .ckSyncEngineDelegate: addUse(.syncEngine, nil, at: index)
        case .syncEngine:
            // SQLiteData, which was SharingGRDB, has one of its own over CKSyncEngine.
            let library = facts.imports.first { $0.module == "SQLiteData" || $0.module == "SharingGRDB" }?.module
            if let library, parenthesis(index) != nil { addUse(.syncEngine, library, at: index) }
        case .ckContainer: readContainer()
        case .ckRecord: readRecord()
        case .savePolicy: readSavePolicy()
        case .recordSavePolicy: readPolicyValue()
        case .serverRecordChanged: readConflict()
        case .databaseScope: readChoice(.databaseScope, ["public", "private", "shared"])
        case .setValue, .setObject: readKeyedValue()
        case .deleteRecord, .deleteRecordZone, .modifyRecords, .modifyRecordZones:
            // Other services delete records too.
            let isOfCloudKit = word != .deleteRecord || facts.imports.contains { $0.module == "CloudKit" }
            if next.kind == .openParenthesis, self[index - 1].word != .func, isOfCloudKit { addUse(.zoneWrite, nil, at: index) }
        case .recordIDsToDelete, .recordsToSave, .recordZoneIDsToDelete, .recordZonesToSave:
            if next.kind == .colon || next.word == .assign { addUse(.zoneWrite, nil, at: index) }
        case .withRecordID, .withRecordZoneID:
            if next.kind == .colon, spells(index - 2, "delete") { addUse(.zoneWrite, nil, at: index - 2) }
        case .encode, .archivedData:
            rememberEncodedName()
            if self[index - 1].kind == .dot { readEncoding() }
        case .decode: if self[index - 1].kind == .dot { readDecoding() }
        case .textEditor, .textField: readEditor(word)
        // Apps.
        case .scenePhase, .willEnterForeground, .willEnterForegroundNotification, .applicationWillEnterForeground,
            .sceneWillEnterForeground:
            addUse(.foreground, nil, at: index)
        case .coreDataAudit, .swiftDataAudit: if parenthesis(index) != nil { addUse(.observer, nil, at: index) }
        case .forSecurityApplicationGroupIdentifier:
            if next.kind == .colon { addUse(.appGroup, detailOf: argument(index + 2), at: index) }
        case .groupContainer: if next.kind == .colon { readGroupContainer() }
        default: readAction(word)
        }
    }

    // MARK: Details

    /// What `NSPersistentStoreRemoteChangeNotificationPostOptionKey` holds.
    static let remoteChangeKey = "NSPersistentStoreRemoteChangeNotificationOptionKey"

    mutating func addUse(_ kind: SwiftFacts.Use.Kind, _ detail: String?, at token: Int) {
        facts.uses.append(SwiftFacts.Use(kind: kind, detail: detail, context: context(token)))
    }

    /// Adds a use whose detail is a string literal, or a constant of the file that holds one.
    mutating func addUse(_ kind: SwiftFacts.Use.Kind, detailOf range: Range<Int>, at token: Int) {
        let literal = string(range)
        addUse(kind, literal, at: token)
        facts.uses[facts.uses.count - 1].isSpelled = literal != nil
        guard let last = lastName(range), range.allSatisfy({ self[$0].kind == .identifier || self[$0].kind == .dot }) else { return }
        if range.count == 1, isParameter(last) { return }
        unresolved.append((facts.uses.count - 1, last, range.count > 1))
    }

    /// Whether the function around `index` has a parameter of a name.
    private func isParameter(_ token: Int) -> Bool {
        guard let open = scopes.last?.parameters, self[open].kind == .openParenthesis else { return false }
        let end = min(Int(self[open].partner), open + 256)
        return (open..<end).contains { self[$0].kind == .identifier && self[$0 + 1].kind == .colon && name($0) == name(token) }
    }

    /// The tokens of the argument whose value begins at a token.
    private func argument(_ start: Int) -> Range<Int> {
        var end = start
        while end < start + 64, self[end].kind != .comma, self[end].kind != .end, !self[end].isClosing {
            end = self[end].isOpening ? Int(self[end].partner) + 1 : end + 1
        }
        return start..<max(start, end)
    }

    /// "false" where the option whose key is at `index` is switched off.
    private var optionValue: String? {
        for token in stride(from: index - 1, to: index - 14, by: -1) where self[token].word == .setOption {
            return (token..<index).contains { self[$0].word == .false } ? "false" : nil
        }
        return nil
    }

    /// Reads the option for history, which a store that does not sync may do without.
    private mutating func readHistory(_ key: Int) {
        let isOff = optionValue == "false"
        addUse(.historyOption, isOff && !isWithoutOptions(key) ? "false" : nil, at: key)
    }

    /// Whether the description whose option is set at a token loses its `cloudKitContainerOptions` in the same block.
    private func isWithoutOptions(_ key: Int) -> Bool {
        guard let call = stride(from: index - 1, to: index - 14, by: -1).first(where: { self[$0].word == .setOption }) else { return false }
        var open = call
        for _ in 0..<512 where self[open].kind != .openBrace && open > 0 {
            open = (self[open].isClosing ? Int(self[open].partner) : open) - 1
        }
        guard open > 0, self[open].kind == .openBrace else { return false }
        var token = open + 1
        for _ in 0..<512 where self[token].kind != .closeBrace && self[token].kind != .end {
            if self[token].word == .cloudKitContainerOptions, self[token + 1].word == .assign, spells(token + 2, "nil"),
                name(token - 2) == name(call - 2)
            {
                return true
            }
            token = self[token].isOpening ? max(token, Int(self[token].partner)) + 1 : token + 1
        }
        return false
    }

    // MARK: CloudKit

    private mutating func readContainer() {
        if self[index + 1].kind == .dot, self[index + 2].word == .default {
            addUse(.container, nil, at: index)
        } else {
            readIdentifier(.container, label: "identifier")
        }
    }

    /// Reads a call whose argument of a label is the detail.
    mutating func readIdentifier(_ kind: SwiftFacts.Use.Kind, label: String) {
        guard let open = parenthesis(index) else { return }
        guard let argument = arguments(open).first(where: { $0.label >= 0 && spells($0.label, label) }) else { return }
        addUse(kind, detailOf: argument.value, at: index)
    }

    /// Reads a setting or argument that is one of several cases.
    private mutating func readChoice(_ kind: SwiftFacts.Use.Kind, _ names: [String]) {
        var next = index + 1
        // An argument, a setting, or a parameter with its type and default value.
        for _ in 0..<2 {
            guard self[next].kind == .colon || self[next].word == .assign else { return }
            next += 1
            while self[next].kind == .dot || self[next].kind == .identifier && self[next + 1].kind == .dot, next < index + 24 { next += 1 }
            let found = name(next)
            if self[next].kind == .identifier, names.contains(found) {
                addUse(kind, found, at: index)
                return
            }
            next += 1
        }
    }

    private mutating func readGroupContainer() {
        let value = argument(index + 2)
        if let open = value.first(where: { self[$0].kind == .openParenthesis }) {
            addUse(.appGroup, detailOf: arguments(open).first?.value ?? value, at: index)
        } else if let last = lastName(value), name(last) != "none" {
            addUse(.appGroup, nil, at: index)
        }
    }
}
