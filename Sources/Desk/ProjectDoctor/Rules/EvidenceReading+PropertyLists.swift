import FileFormats
import SyncBytes

/// The property lists of a folder, each parsed once.
private struct ListTable {
    /// What was parsed, and what a specification holds; nil where it cannot be parsed.
    var lists: [String: PropertyList?]
    var files: [String: SourceFile] = [:]
}

extension EvidenceReading {
    /// Reads the entitlements and information property lists of apps and extensions.
    mutating func readLists(_ evidence: inout Evidence) {
        generated = evidence.project.generatedPropertyLists.mapValues(\.path)
        var table = ListTable(lists: evidence.project.generatedPropertyLists.mapValues { $0.list })
        let specifications = Set(generated.values)
        let entitlements = UnnamedLists("CODE_SIGN_ENTITLEMENTS", ".entitlements", files, evidence.project)
        let information = UnnamedLists("INFOPLIST_FILE", "info.plist", files, evidence.project)
        for target in evidence.project.targets where target.kind == .app || target.kind == .appExtension {
            let own = unnamed(entitlements, of: target, &table) { Self.isForCloudKit($0) }
            let ownInformation = unnamed(information, of: target, &table) {
                $0["UIBackgroundModes"]?.strings.contains("remote-notification") == true
            }
            for configuration in target.configurations {
                let named = Self.settings("CODE_SIGN_ENTITLEMENTS", of: configuration).map { list($0, of: target, &table) }
                for found in named.isEmpty ? own : named {
                    evidence.entitlements.append(
                        Entitlements(
                            target: target, configuration: found.file.map { configuration.assumed(target, $0.path) } ?? configuration,
                            file: found.file, list: found.list, isGenerated: found.file.map { specifications.contains($0.path) } ?? false,
                            isKnown: found.isKnown && (found.file != nil || !named.isEmpty || configuration.isComplete)))
                }
                let lists = Self.settings("INFOPLIST_FILE", of: configuration).prefix(1).map { list($0, of: target, &table) }
                for found in lists.isEmpty ? ownInformation : lists {
                    let isKnown = found.isKnown && (found.file != nil || !lists.isEmpty || configuration.isComplete)
                    evidence.information.append(
                        (target, InformationList(configuration: configuration, file: found.file, list: found.list, isKnown: isKnown)))
                }
            }
        }
        let taken = Set(evidence.entitlements.compactMap(\.file?.path))
        evidence.spareEntitlements = entitlements.paths.filter { path in
            !taken.contains(path) && list(path, &table).list.map(Self.isForCloudKit) == true
        }
    }

    /// A list that was looked for; of one that is not known nothing is to be said.
    private struct Found {
        var list: PropertyList?
        var file: SourceFile?
        var isKnown = true
    }

    /// The settings of a name, those for some systems alone included.
    private static func settings(_ name: String, of configuration: BuildConfiguration) -> [BuildSetting] {
        configuration.settingNames.filter { $0 == name || $0.hasPrefix(name + "[") }.compactMap { configuration[$0] }
    }

    private static func isForCloudKit(_ list: PropertyList) -> Bool {
        list[Entitlements.services]?.strings.contains { $0.hasPrefix("CloudKit") || $0 == "*" } == true
    }

    private mutating func list(_ setting: BuildSetting, of target: BuildTarget, _ table: inout ListTable) -> Found {
        guard !setting.text.isEmpty else { return Found() }
        guard setting.unresolved.isEmpty, let path = files.joined(target.folder, setting.text) else {
            notes.append(Note(setting.location, "the path \(setting.text) was not found: a variable in it is not known"))
            return Found(isKnown: false)
        }
        return list(path, &table)
    }

    private mutating func list(_ path: String, _ table: inout ListTable) -> Found {
        if let known = table.lists[path] {
            if table.files[path] == nil, let specification = generated[path] { table.files[path] = read(specification) }
            return Found(list: known, file: table.files[path], isKnown: known != nil)
        }
        guard let file = read(path) else {
            table.lists[path] = .some(nil)
            return Found(isKnown: false)
        }
        do throws(FormatError) {
            let list = try PropertyList.parse(file.bytes)
            (table.lists[path], table.files[path]) = (list, file)
            return Found(list: list, file: file)
        } catch {
            notes.append(Note(file.location(at: error.offset), error.sentence))
            table.lists[path] = .some(nil)
            return Found(isKnown: false)
        }
    }

    /// The lists that stand for one that no setting of a target names: the only file beside its sources, or those of a folder whose project
    /// is not known, of which the ones that are wanted come first.
    private mutating func unnamed(
        _ lists: UnnamedLists, of target: BuildTarget, _ table: inout ListTable, isWanted: (PropertyList) -> Bool
    ) -> [Found] {
        guard lists.needs(target) else { return [Found()] }
        let paths = lists.paths(for: target)
        guard !paths.isEmpty else { return [Found(isKnown: !target.isAssumed)] }
        let names = paths.prefix(3).map(\.quoted).joined(separator: ", ")
        guard target.isAssumed || paths.count == 1 else {
            if lists.isGenerated(for: target) { return [Found()] }
            let sentence = "\(lists.setting) is not set for \(target.name), and which of \(paths.count) files is meant is not known"
            notes.append(Note(target.location, "\(sentence): \(names)"))
            return [Found(isKnown: false)]
        }
        var found = paths.map { list($0, &table) }
        // That of an extension is none of the app's.
        if target.isAssumed, found.count > 1 { found.removeAll { $0.list?["NSExtension"] != nil } }
        let wanted = found.filter { $0.list.map(isWanted) ?? false }
        if !wanted.isEmpty { found = wanted }
        let taken = found.compactMap(\.file?.path).prefix(3).map(\.quoted).joined(separator: ", ")
        if !taken.isEmpty {
            let isOnly = target.isAssumed ? "" : ", the only such file beside its sources,"
            let verb = found.count == 1 ? "is" : "are"
            notes.append(Note(target.location, "\(lists.setting) is not set for \(target.name): \(taken)\(isOnly) \(verb) taken for it"))
        }
        return found.isEmpty ? [Found(isKnown: false)] : found
    }
}

extension BuildConfiguration {
    /// The configuration that a file is for by its name, where no project says it.
    fileprivate func assumed(_ target: BuildTarget, _ path: String) -> BuildConfiguration {
        guard target.isAssumed, RelativePath.name(of: path).lowercased().contains("debug") else { return self }
        var debug = BuildConfiguration(name: "Debug", isDebug: true, settings: [:])
        debug.isComplete = false
        return debug
    }
}
