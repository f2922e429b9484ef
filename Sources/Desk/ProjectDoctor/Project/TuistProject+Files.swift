import FileFormats
import SyncBytes

extension TuistProject {
    /// The path of a file or folder from the project's folder: a string, or one in a call such as `.relativeToRoot("App")`.
    func path(_ expression: ManifestExpression) -> String? {
        if let text = expression.string { return files.joined(folder, text) }
        guard let argument = expression.arguments.first?.value else { return nil }
        if expression.name == "relativeToRoot" { return argument.string.flatMap { files.joined("", $0) } }
        return path(argument)
    }

    /// The files of a target, sorted: its sources, resources and data models.
    mutating func sources(of call: ManifestExpression, name: String) -> [String] {
        var paths: Set<String> = []
        for label in ["sources", "resources", "coreDataModels", "buildableFolders"] {
            guard let value = call[label] else { continue }
            for item in items(value) {
                guard let pattern = path(item) else {
                    note(item.offset, "\(label) of the target \(name.quoted) are not written out, and not read")
                    continue
                }
                let excluded = (item["excluding"].map { items($0) } ?? []).compactMap { path($0) }
                let left = Set(excluded.flatMap { matching($0, at: item.offset) })
                paths.formUnion(matching(pattern, at: item.offset).filter { !left.contains($0) })
            }
        }
        return Set(paths.map(RelativePath.dataModelOrSelf)).sorted()
    }

    /// The elements of a list, of the list in a call, or the one value.
    private func items(_ value: ManifestExpression) -> [ManifestExpression] {
        if !value.elements.isEmpty { return value.elements }
        if let inner = value.arguments.first?.value, !inner.elements.isEmpty { return inner.elements }
        if case .list = value.value { return [] }
        return value.name == "nil" ? [] : [value]
    }

    /// The files that a pattern allows; a folder's where it is one.
    private mutating func matching(_ pattern: String, at offset: Int) -> [String] {
        if files.contains(pattern) { return [pattern] }
        let parts = pattern.split(separator: "/")
        let plain = parts.prefix { !$0.contains("*") }
        let outer = files.spelled(plain.joined(separator: "/"))
        let found = files.paths(under: outer)
        remainingPaths -= found.count
        guard remainingPaths > 0 else {
            note(offset, "the targets have too many files or patterns together; \(pattern.quoted) is not read")
            return []
        }
        guard plain.count < parts.count else { return Array(found) }
        guard let rest = PathPattern(parts.dropFirst(plain.count).joined(separator: "/")) else {
            note(offset, "the pattern \(pattern.quoted) is not understood")
            return []
        }
        return found.filter { rest.matches(outer.isEmpty ? $0 : String($0.utf8.dropFirst(outer.utf8.count + 1)) ?? $0) }
    }

    // MARK: Property lists

    /// The settings that entitlements and information property list stand for; what is written out in the manifest is kept by the path of
    /// the file that Tuist makes of it.
    mutating func propertyLists(_ call: ManifestExpression, name: String) -> [BuildAssignment] {
        var result: [BuildAssignment] = []
        for (label, setting, file) in [
            ("entitlements", "CODE_SIGN_ENTITLEMENTS", "Derived/Entitlements/\(name).entitlements"),
            ("infoPlist", "INFOPLIST_FILE", "Derived/InfoPlists/\(name)-Info.plist"),
        ] {
            guard let value = call[label], value.name != "nil", value.name != "default" else { continue }
            var text = path(value).map { RelativePath.relative($0, to: folder) }
            if let list = value.name == "dictionary" ? value.arguments.first?.value : value["with"] {
                guard let full = files.joined(folder, file) else { continue }
                generatedPropertyLists[full] = .init((propertyList(list, depth: 0), path))
                text = file
            }
            // A path that is not known is one that is not found.
            let assignment = BuildAssignment(
                name: setting, text: text ?? "$(\(label) of \(name))", location: lines.location(at: value.offset))
            result.append(assignment)
        }
        return result
    }

    /// A dictionary of the manifest; what is not written out in it is left out.
    private func propertyList(_ expression: ManifestExpression, depth: Int) -> PropertyList {
        guard depth < 32 else { return PropertyList(.date(""), at: expression.offset) }
        let value: PropertyList.Value
        switch expression.value {
        case .string(let text): value = .string(text)
        case .list(let elements): value = .array(elements.map { propertyList($0, depth: depth + 1) })
        case .dictionary(let entries):
            value = .dictionary(
                entries.compactMap { key, value in
                    key.string.map {
                        PropertyList.Entry(key: $0, keyOffset: key.offset, value: propertyList(value, depth: depth + 1))
                    }
                })
        case .call("true", _), .call("false", _): value = .bool(expression.name == "true")
        // `.string("a")`, `.array([…])` and `.dictionary([…])`.
        case .call(_, let arguments) where arguments.count == 1: return propertyList(arguments[0].value, depth: depth + 1)
        case .call, .unknown: value = .date("")
        }
        return PropertyList(value, at: expression.offset)
    }
}
