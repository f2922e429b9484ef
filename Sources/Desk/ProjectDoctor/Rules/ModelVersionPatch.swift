import FileFormats
import SyncBytes

/// A new version of a Core Data model, as changes of a project's files: stores that the version before has made are migrated to it.
///
/// To change a version that stores were made by would keep them from being opened.
enum ModelVersionPatch {
    /// The changes that make a version whose entities have one more optional string; nil where they cannot be made for certain.
    ///
    /// - Parameters:
    ///   - path: The `.xcdatamodeld`.
    ///   - attribute: The attribute's name.
    ///   - entities: The entities by name.
    static func edits(ofModel path: String, adding attribute: String, to entities: Set<String>, _ files: ProjectFiles) -> [TextEdit]? {
        // No other characters mean anything in the files of a project.
        guard path.hasSuffix(".xcdatamodeld"), !path.contains(where: { "\"\\*".contains($0) }) else { return nil }
        let versions = Set(files.paths(under: path).map { RelativePath.folder(of: $0) }.filter { $0.hasSuffix(".xcdatamodel") })
        let list = path + "/.xccurrentversion"
        let current: String
        var edits: [TextEdit] = []
        let name = newName(after: versions, in: path)
        if files.contains(list) {
            guard let file = try? files.read(list), let value = try? PropertyList.parse(file.bytes)["_XCCurrentVersionName"],
                let text = value.string, versions.contains(path + "/" + text),
                let range = file.range(of: text.escaped(for: .markup), from: value.offset)
            else { return nil }
            current = path + "/" + text
            edits.append(TextEdit(path: list, range: range, text: name.escaped(for: .markup)))
        } else {
            guard versions.count == 1, let only = versions.first else { return nil }
            current = only
            edits.append(TextEdit(path: list, range: 0..<0, text: currentVersion(name)))
        }
        guard versions.contains(current), let contents = try? files.read(current + "/contents"),
            let changed = adding(attribute, to: entities, contents)
        else { return nil }
        edits.append(TextEdit(path: "\(path)/\(name)/contents", range: 0..<0, text: changed))
        for project in files.paths where project.hasSuffix(".xcodeproj/project.pbxproj") {
            guard let file = try? files.read(project), let more = listing(name, after: current, file) else { return nil }
            edits += more
        }
        return edits
    }

    private static func newName(after versions: Set<String>, in path: String) -> String {
        let stem = String(RelativePath.name(of: path).dropLast(".xcdatamodeld".count))
        var number = versions.count + 1
        while versions.contains("\(path)/\(stem) \(number).xcdatamodel") { number += 1 }
        return "\(stem) \(number).xcdatamodel"
    }

    private static func currentVersion(_ name: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>_XCCurrentVersionName</key>
        \t<string>\(name.escaped(for: .markup))</string>
        </dict>
        </plist>

        """
    }

    /// A model's contents with the attribute before the first one of each entity; nil where one has none of its own.
    private static func adding(_ attribute: String, to entities: Set<String>, _ file: SourceFile) -> String? {
        var reader = XMLReader(file.bytes)
        var missing = entities
        var text: [UInt8] = []
        var copied = 0
        var entity: String?
        while let event = try? reader.next() {
            switch event {
            case .start("entity", let tag, _): entity = tag.first { $0.name == "name" }?.value
            case .start("attribute", _, let offset):
                guard let name = entity, missing.remove(name) != nil else { continue }
                let space = file.bytes[..<offset].reversed().prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.reversed()
                text += file.bytes[copied..<offset]
                text += "<attribute name=\"\(attribute)\" optional=\"YES\" attributeType=\"String\"/>\n".utf8
                text += space
                copied = offset
            default: break
            }
        }
        text += file.bytes[copied...]
        return missing.isEmpty ? text.span.validText : nil
    }

    /// What lists the version in a project that lists the model's versions; none where it does not, nil where it does so in another way
    /// than Xcode.
    private static func listing(_ name: String, after current: String, _ file: SourceFile) -> [TextEdit]? {
        let model = RelativePath.name(of: RelativePath.folder(of: current))
        guard let objects = try? PropertyList.parse(file.bytes)["objects"]?.entries else { return nil }
        let groups = objects.filter {
            $0.value["isa"]?.string == "XCVersionGroup" && $0.value["path"]?.string.map { RelativePath.name(of: $0) } == model
        }
        guard groups.count < 2 else { return nil }
        guard let group = groups.first?.value else { return [] }
        guard let first = group["children"]?.elements.first,
            let references = group["children"]?.strings,
            let old = objects.first(where: { object in
                references.contains(object.key) && object.value["path"]?.string == RelativePath.name(of: current)
            })
        else { return nil }
        var hash = FNV1a()
        hash.combine(current)
        hash.combine(name)
        let digits = String(hash.value, radix: 16, uppercase: true)
        let id = String(repeating: "0", count: 24 - digits.count) + digits
        guard !objects.contains(where: { $0.key == id }) else { return nil }
        func insertion(_ offset: Int, _ text: String) -> TextEdit {
            let indent = String(decoding: file.bytes[..<offset].reversed().prefix { $0 == UInt8(ascii: "\t") }, as: UTF8.self)
            return TextEdit(path: file.path, range: offset..<offset, text: text + (indent.isEmpty ? " " : "\n" + indent))
        }
        let comment = "/* \(name) */"
        var edits = [
            insertion(first.offset, "\(id) \(comment),"),
            insertion(
                old.keyOffset,
                "\(id) \(comment) = {isa = PBXFileReference; lastKnownFileType = wrapper.xcdatamodel; path = \"\(name)\"; sourceTree = "
                    + "\"<group>\"; };"),
        ]
        if let version = group["currentVersion"] {
            guard let end = file.bytes[version.offset...].firstIndex(of: UInt8(ascii: ";")),
                !file.bytes[version.offset..<end].contains(UInt8(ascii: "\n"))
            else { return nil }
            edits.append(TextEdit(path: file.path, range: version.offset..<end, text: "\(id) \(comment)"))
        }
        return edits
    }
}

extension Escaping {
    /// As content of an XML element.
    fileprivate static let markup = Escaping(replacing: { ["&": "&amp;", "<": "&lt;", ">": "&gt;"][$0] })
}

extension SourceFile {
    /// Where a string is, from a byte on.
    func range(of text: String, from offset: Int) -> Range<Int>? {
        bytes[offset...].firstRange(ofBytes: text.utf8)
    }
}
