import FileFormats
import SyncBytes

extension XcodeGenProject {
    /// The files of a target's `sources`, sorted.
    mutating func sources(of target: PropertyList, _ name: String) -> [String] {
        guard let sources = target["sources"] else { return [] }
        let items = sources.scalarText != nil || !sources.entries.isEmpty ? [sources] : sources.elements
        var paths: Set<String> = []
        var missing: [(text: String, offset: Int)] = []
        for item in items {
            guard let text = item.scalarText ?? item["path"]?.scalarText else {
                note(item.offset, "a source of the target \(name.quoted) names no path")
                continue
            }
            // Files in no build phase are in the project and not in the target.
            if item["buildPhase"]?.scalarText == "none" { continue }
            guard let path = files.joined(folder, text) else {
                note(item.offset, "the source \(text.quoted) is outside of the project's folder and not read")
                continue
            }
            if files.contains(path) {
                paths.insert(RelativePath.dataModelOrSelf(path))
                continue
            }
            let found = files.paths(under: path)
            if found.isEmpty, !files.exists(path), item["optional"]?.bool != true {
                missing.append((text, item.offset))
            }
            let (excludes, includes) = (patterns(item["excludes"]), item["includes"].map { patterns($0) })
            remainingPaths -= found.count * (1 + excludes.count + (includes?.count ?? 0))
            guard remainingPaths > 0 else {
                note(item.offset, "the targets have too many files or patterns together; the source \(text.quoted) is not read")
                continue
            }
            for file in found {
                let inner = path.isEmpty ? file : String(file.utf8.dropFirst(path.utf8.count + 1)) ?? file
                if excludes.contains(where: { $0.matches(inner) }) { continue }
                if let includes, !includes.contains(where: { $0.matches(inner) }) { continue }
                paths.insert(RelativePath.dataModelOrSelf(file))
            }
        }
        if let first = missing.first {
            let others = missing.count > 1 ? ", and \(missing.count - 1) more do not either" : ""
            note(first.offset, "the source \(first.text.quoted) of the target \(name.quoted) does not exist\(others)")
        }
        return paths.sorted()
    }

    private mutating func patterns(_ list: PropertyList?) -> [PathPattern] {
        var result: [PathPattern] = []
        for element in list?.elements ?? [] {
            guard let text = element.scalarText else { continue }
            if let pattern = PathPattern(text), result.count < 1000 {
                result.append(pattern)
            } else {
                note(element.offset, "the pattern \(text.quoted) is not understood")
            }
        }
        return result
    }
}
