import FileFormats
import SyncBytes

/// A file of build settings, `.xcconfig`, parsed and not yet joined with what it includes.
package struct BuildSettingsFile: Sendable {
    package enum Item: Hashable, Sendable {
        case assignment(BuildAssignment)
        /// `#include "path"`, or `#include? "path"` where the file may be missing.
        case include(path: String, isOptional: Bool, location: SourceLocation)
    }

    /// The assignments and inclusions in the order of the file.
    package private(set) var items: [Item] = []
    /// Lines that have another form.
    package private(set) var notes: [Note] = []

    package init(_ file: SourceFile) {
        let bytes = file.bytes
        var start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        var line = 1
        while start < bytes.count {
            let end = bytes[start...].firstIndex { $0 == 0x0a || $0 == 0x0d } ?? bytes.count
            parse(bytes[start..<end], at: SourceLocation(path: file.path, line: line))
            start = end + 1
            if end + 1 < bytes.count, bytes[end] == 0x0d, bytes[end + 1] == 0x0a { start += 1 }
            line += 1
        }
    }

    private mutating func parse(_ line: ArraySlice<UInt8>, at location: SourceLocation) {
        var end = line.startIndex
        // A comment begins at any two slashes, in an address too: that is the format's rule.
        while end < line.endIndex, line[end] != UInt8(ascii: "/") || end + 1 == line.endIndex || line[end + 1] != UInt8(ascii: "/") {
            end += 1
        }
        let content = line[..<end]
        guard let first = content.firstIndex(where: { !isWhiteSpace($0) }) else { return }
        if content[first] == UInt8(ascii: "#") { return include(content[first...], at: location) }
        // The name's conditions hold equals signs of their own.
        var depth = 0
        let equals = content.firstIndex { byte in
            if byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: "]") { depth -= 1 }
            return byte == UInt8(ascii: "=") && depth == 0
        }
        let text = { (bytes: ArraySlice<UInt8>) in String(decoding: bytes, as: UTF8.self).trimmed }
        // Xcode takes a semicolon at the end, as project files have one.
        let valueEnd = 1 + (content.lastIndex { $0 != UInt8(ascii: ";") && !isWhiteSpace($0) } ?? content.startIndex - 1)
        guard let equals,
            let assignment = BuildAssignment(
                spelled: text(content[..<equals]), text: text(content[(equals + 1)..<max(equals + 1, valueEnd)]), location: location)
        else {
            notes.append(Note(location, "\(text(content).quoted) is neither a setting nor an inclusion"))
            return
        }
        items.append(.assignment(assignment))
    }

    private mutating func include(_ content: ArraySlice<UInt8>, at location: SourceLocation) {
        let text = String(decoding: content, as: UTF8.self).trimmed
        let isOptional = text.hasPrefix("#include?")
        let rest = text.dropFirst(isOptional ? 9 : 8)
        let path = String(rest).trimmed
        guard text.hasPrefix("#include"), path.utf8.count > 2, path.hasPrefix("\""), path.hasSuffix("\"") else {
            notes.append(Note(location, "\(text.quoted) is no inclusion of a file in quotes"))
            return
        }
        items.append(.include(path: String(path.dropFirst().dropLast()), isOptional: isOptional, location: location))
    }
}

/// The files of build settings of a project's folder, each parsed once.
package struct BuildSettingsFiles {
    private let files: ProjectFiles
    private var parsed: [String: BuildSettingsFile?] = [:]
    private var flattened: [String: [BuildAssignment]] = [:]
    /// What could not be parsed or found.
    package private(set) var notes: [Note] = []
    /// The files of which not all settings are known, as they or files that they include are missing or cannot be parsed.
    private var incomplete: Set<String> = []

    /// How many assignments one file may have with all that it includes.
    package static let maximumCount = 100_000
    /// How many assignments all files may have together, counted once for each file that includes them.
    private var remainingCount = 2_000_000
    /// How many files may be included, one in the other.
    package static let maximumDepth = 64

    package init(_ files: ProjectFiles) { self.files = files }

    /// Whether all settings of a file, and of those that it includes, were found.
    ///
    /// Those of a package manager, in folders that are not searched, have no settings that matter here.
    package func isComplete(_ path: String) -> Bool { !incomplete.contains(path) || !files.contains(path) && files.exists(path) }

    /// The assignments of a file, with those of the files that it includes where it includes them.
    ///
    /// - Complexity: O(*n*) in the assignments and inclusions, of which there are at most `maximumCount`.
    package mutating func assignments(of path: String, from location: SourceLocation) -> [BuildAssignment] {
        if let known = flattened[path] { return known }
        guard let root = file(path, from: location, isOptional: false) else {
            flattened[path] = []
            incomplete.insert(path)
            return []
        }
        var result: [BuildAssignment] = []
        var stack: [(path: String, items: [BuildSettingsFile.Item], next: Int)] = [(path, root.items, 0)]
        var count = 0
        if !root.notes.isEmpty { incomplete.insert(path) }
        while let top = stack.popLast() {
            guard top.next < top.items.count else { continue }
            stack.append((top.path, top.items, top.next + 1))
            count += 1
            remainingCount -= 1
            guard count <= Self.maximumCount, remainingCount > 0 else {
                notes.append(Note(SourceLocation(path: path), "more than \(Self.maximumCount) settings with those of included files"))
                break
            }
            switch top.items[top.next] {
            case .assignment(let assignment): result.append(assignment)
            case .include(let name, let isOptional, let location):
                guard let target = files.joined(RelativePath.folder(of: top.path), name) else {
                    notes.append(Note(location, "the included file \(name.quoted) is outside of the project's folder"))
                    incomplete.insert(path)
                    continue
                }
                guard !stack.contains(where: { $0.path == target }) else {
                    notes.append(Note(location, "the file \(name.quoted) includes itself"))
                    continue
                }
                guard stack.count < Self.maximumDepth else {
                    notes.append(Note(location, "more than \(Self.maximumDepth) files include each other in a row"))
                    continue
                }
                if let file = file(target, from: location, isOptional: isOptional) {
                    stack.append((target, file.items, 0))
                    if !file.notes.isEmpty { incomplete.insert(path) }
                } else if !isOptional, files.contains(target) || !files.exists(target) {
                    incomplete.insert(path)
                }
            }
        }
        flattened[path] = result
        return result
    }

    private mutating func file(_ path: String, from location: SourceLocation, isOptional: Bool) -> BuildSettingsFile? {
        if let known = parsed[path] { return known }
        guard files.contains(path) || !isOptional else { return nil }
        do throws(FormatError) {
            let file = BuildSettingsFile(try files.read(path))
            notes += file.notes
            parsed[path] = .some(file)
            return file
        } catch {
            notes.append(Note(location, error.sentence))
            parsed[path] = .some(nil)
            return nil
        }
    }
}
