import FileFormats
import SyncBytes

/// A specification for XcodeGen with all that it includes, as one list.
///
/// Offsets in it count on from file to file. An included file is one of the project's folder; what includes itself is included once.
struct XcodeGenSpecification {
    private(set) var list: PropertyList
    private(set) var notes: [Note] = []
    /// The files with the offset at which each begins.
    private var parts: [(start: Int, path: String, lines: LineTable)] = []
    private var length = 0
    private let files: ProjectFiles
    private let folder: String
    /// How many values may still be added to templates and targets.
    private var remainingValues = 2_000_000

    private static let maximumCount = 100
    /// How many bytes may be read before another file is included.
    private static let maximumLength = 10_000_000

    init(_ file: SourceFile, files: ProjectFiles) throws(FormatError) {
        self.files = files
        folder = RelativePath.folder(of: file.path)
        list = PropertyList(.string(""), at: 0)
        list = try read(file, [file.path])
    }

    /// Where a byte is.
    func location(at offset: Int) -> SourceLocation {
        let part = parts.last { $0.start <= offset }
        return part?.lines.location(at: offset - (part?.start ?? 0)) ?? SourceLocation(path: folder)
    }

    /// A list with the offsets of its own file, and the path of that.
    func own(_ list: PropertyList) -> (list: PropertyList, path: String) {
        let part = parts.last { $0.start <= list.offset }
        return (list.shifted(by: -(part?.start ?? 0)), part?.path ?? "")
    }

    private mutating func note(_ offset: Int, _ sentence: String) { notes.append(Note(location(at: offset), sentence)) }

    // MARK: Included files

    private mutating func read(_ file: SourceFile, _ around: [String]) throws(FormatError) -> PropertyList {
        var reader = YAMLReader(file.bytes)
        let start = length
        var list = try reader.parse()
        if start > 0 { list = list.shifted(by: start) }
        parts.append((start, file.path, LineTable(file)))
        length += file.bytes.count + 1
        for error in reader.notes { note(start + error.offset, error.sentence) }
        guard let include = list.entry("include") else { return list }
        let items = include.value.elements.isEmpty ? [include.value] : include.value.elements
        var merged: PropertyList?
        for item in items {
            guard let other = included(item, from: file.path, around) else { continue }
            merged = merged.map { other.merged(onto: $0) } ?? other
        }
        return merged.map { list.merged(onto: $0) } ?? list
    }

    private mutating func included(_ item: PropertyList, from path: String, _ around: [String]) -> PropertyList? {
        guard let text = item.scalarText ?? item["path"]?.scalarText, !text.isEmpty else {
            note(item.offset, "an included specification names no path")
            return nil
        }
        if item["enable"]?.bool == false { return nil }
        guard let full = files.joined(RelativePath.folder(of: path), text), !text.contains("${") else {
            note(item.offset, "the specification \(text.quoted) is outside of the project's folder, or named by a variable, and not read")
            return nil
        }
        guard !around.contains(full) else {
            note(item.offset, "the specification \(text.quoted) includes itself")
            return nil
        }
        guard parts.count < Self.maximumCount, length < Self.maximumLength else {
            note(item.offset, "more than \(Self.maximumCount) specifications that include each other; \(text.quoted) is not read")
            return nil
        }
        do throws(FormatError) {
            let list = try read(try files.read(full), around + [full])
            let isRelative = item["relativePaths"]?.bool ?? true
            let other = RelativePath.folder(of: full)
            let from = RelativePath.folder(of: path)
            return isRelative && other != from ? Relocation(RelativePath.relative(other, to: from)).specification(list) : list
        } catch {
            note(item.offset, "the specification \(text.quoted) is not read: \(error.sentence)")
            return nil
        }
    }

    // MARK: Templates

    /// A target with what its templates add.
    mutating func resolved(_ entry: PropertyList.Entry) -> PropertyList {
        guard let names = entry.value.entry("templates") else { return entry.value }
        var pending = 0
        guard let base = templates(names, depth: 0, &pending) else { return entry.value }
        let target = entry.value.merged(onto: base)
        var values = ["target_name": entry.key]
        for attribute in target["templateAttributes"]?.entries ?? [] { values[attribute.key] = attribute.value.scalarText }
        return target.replacing(values)
    }

    /// All that the templates of a list say, later ones over earlier ones.
    private mutating func templates(_ names: PropertyList.Entry, depth: Int, _ count: inout Int) -> PropertyList? {
        var merged: PropertyList?
        for name in names.value.scalarTexts {
            guard let template = list["targetTemplates"]?[name] else {
                note(names.keyOffset, "the template \(name.quoted) is not defined")
                continue
            }
            count += 1
            remainingValues -= template.valueCount
            guard depth < 16, count < Self.maximumCount, remainingValues > 0 else {
                note(names.keyOffset, "too many templates, or templates that name each other")
                break
            }
            var full = template
            if let inner = template.entry("templates"), let base = templates(inner, depth: depth + 1, &count) {
                full = template.merged(onto: base)
            }
            merged = merged.map { full.merged(onto: $0) } ?? full
        }
        return merged
    }
}

/// Changes the paths of an included specification into those seen from the folder of the one that includes it.
private struct Relocation {
    private let prefix: String

    init(_ prefix: String) { self.prefix = prefix }

    func specification(_ list: PropertyList) -> PropertyList {
        list.mapping { key, value in
            switch key {
            case "configFiles": value.mapping { _, path in self.path(path) }
            case "targets", "targetTemplates": value.mapping { _, target in self.target(target) }
            default: value
            }
        }
    }

    private func target(_ list: PropertyList) -> PropertyList {
        list.mapping { key, value in
            switch key {
            case "configFiles": value.mapping { _, path in self.path(path) }
            case "sources":
                switch value.value {
                case .array(let elements): PropertyList(.array(elements.map(source)), at: value.offset)
                default: source(value)
                }
            case "entitlements", "info": source(value)
            default: value
            }
        }
    }

    private func source(_ value: PropertyList) -> PropertyList {
        value.scalarText != nil ? path(value) : value.mapping { key, value in key == "path" ? path(value) : value }
    }

    private func path(_ value: PropertyList) -> PropertyList {
        guard let text = value.scalarText, !text.hasPrefix("/") else { return value }
        return PropertyList(.string(prefix + "/" + text), at: value.offset)
    }
}

extension PropertyList {
    /// The list over another one: dictionaries are joined, arrays follow each other, and of other values this one stays.
    ///
    /// - Complexity: O(*n*) in the values of both.
    fileprivate func merged(onto other: PropertyList) -> PropertyList {
        switch (value, other.value) {
        case (.array(let mine), .array(let others)): return PropertyList(.array(others + mine), at: offset)
        case (.dictionary(let mine), .dictionary(let others)):
            var entries = others
            var slots = Dictionary(others.enumerated().map { ($1.key, $0) }) { first, _ in first }
            for entry in mine {
                let isReplacing = entry.key.hasSuffix(":REPLACE")
                let key = isReplacing ? String(entry.key.dropLast(8)) : entry.key
                if let slot = slots[key] {
                    let value = isReplacing ? entry.value : entry.value.merged(onto: entries[slot].value)
                    entries[slot] = Entry(key: key, keyOffset: entry.keyOffset, value: value)
                } else {
                    slots[key] = entries.count
                    entries.append(Entry(key: key, keyOffset: entry.keyOffset, value: entry.value))
                }
            }
            return PropertyList(.dictionary(entries), at: offset)
        default: return self
        }
    }

    /// A dictionary with other values; other lists stay.
    fileprivate func mapping(_ body: (String, PropertyList) -> PropertyList) -> PropertyList {
        guard case .dictionary(let entries) = value else { return self }
        let mapped = entries.map { Entry(key: $0.key, keyOffset: $0.keyOffset, value: body($0.key, $0.value)) }
        return PropertyList(.dictionary(mapped), at: offset)
    }

    fileprivate func shifted(by distance: Int) -> PropertyList {
        switch value {
        case .array(let elements): PropertyList(.array(elements.map { $0.shifted(by: distance) }), at: offset + distance)
        case .dictionary(let entries):
            PropertyList(
                .dictionary(
                    entries.map { Entry(key: $0.key, keyOffset: $0.keyOffset + distance, value: $0.value.shifted(by: distance)) }),
                at: offset + distance)
        default: PropertyList(value, at: offset + distance)
        }
    }

    /// The list with each `${name}` replaced that has a value.
    fileprivate func replacing(_ values: [String: String]) -> PropertyList {
        switch value {
        case .string(let text): PropertyList(.string(text.replacing(values)), at: offset)
        case .array(let elements): PropertyList(.array(elements.map { $0.replacing(values) }), at: offset)
        case .dictionary(let entries):
            PropertyList(
                .dictionary(
                    entries.map { Entry(key: $0.key.replacing(values), keyOffset: $0.keyOffset, value: $0.value.replacing(values)) }),
                at: offset)
        default: self
        }
    }

    /// How many values it holds, itself included.
    fileprivate var valueCount: Int {
        switch value {
        case .array(let elements): elements.reduce(1) { $0 + $1.valueCount }
        case .dictionary(let entries): entries.reduce(1) { $0 + $1.value.valueCount }
        default: 1
        }
    }
}

extension String {
    /// - Complexity: O(*n*): no name is longer than the longest that has a value.
    fileprivate func replacing(_ values: [String: String]) -> String {
        guard utf8.contains(UInt8(ascii: "$")) else { return self }
        let text = Array(utf8)
        let longest = values.keys.reduce(0) { max($0, $1.utf8.count) }
        var result: [UInt8] = []
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "$"), index + 1 < text.count, text[index + 1] == UInt8(ascii: "{"),
                let close = text[(index + 2)..<min(text.count, index + 3 + longest)].firstIndex(of: UInt8(ascii: "}")),
                let value = values[String(decoding: text[(index + 2)..<close], as: UTF8.self)]
            {
                result += value.utf8
                index = close + 1
            } else {
                result.append(text[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
