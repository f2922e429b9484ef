/// Paths from the project's folder, parts joined by slashes.
package enum RelativePath {
    /// A path seen from a folder, with `.` and `..` taken out.
    ///
    /// - Returns: Nil where the path is absolute or leads out of the project's folder.
    package static func joined(_ folder: String, _ path: String) -> String? {
        guard path.utf8.first != UInt8(ascii: "/") else { return nil }
        var parts: [Substring] = []
        for part in [folder, path].joined(separator: "/").split(separator: "/") where part != "." {
            if part == ".." {
                guard parts.popLast() != nil else { return nil }
            } else {
                parts.append(part)
            }
        }
        return parts.joined(separator: "/")
    }

    /// A folder seen from another one, both from the project's folder.
    static func relative(_ folder: String, to other: String) -> String {
        let (parts, base) = (folder.split(separator: "/"), other.split(separator: "/"))
        let common = zip(parts, base).prefix { $0 == $1 }.count
        return ([Substring](repeating: "..", count: base.count - common) + parts.dropFirst(common)).joined(separator: "/")
    }

    /// The folder that holds a file; empty for the project's folder itself.
    package static func folder(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
    }

    /// The last part of a path.
    package static func name(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    /// The last part of a path without what follows its last period.
    package static func stem(of path: String) -> String {
        let name = name(of: path)
        return name.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(name[..<$0]) } ?? name
    }

    /// The folder of a data model that a file is part of, such as `Data/Model.xcdatamodeld`; the path itself for other files.
    package static func dataModelOrSelf(_ path: String) -> String {
        guard path.contains(".xcdatamodel") else { return path }
        var end = path.utf8.startIndex
        for part in path.utf8.split(separator: UInt8(ascii: "/")) {
            end = part.endIndex
            let text = Substring(part)
            if text.hasSuffix(".xcdatamodeld") || text.hasSuffix(".xcdatamodel") { return String(path[..<end]) }
        }
        return path
    }
}
