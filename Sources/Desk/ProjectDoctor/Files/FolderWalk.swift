import SyncBytes
import SyncSystem

/// One walk through a folder, without recursion.
struct FolderWalk {
    private let folder: String
    private(set) var files: [String] = []
    private(set) var notes: [Note] = []
    private(set) var skipped: Set<String> = []
    private var pending: [(path: String, depth: Int)] = [("", 0)]
    private var links: [String] = []
    private var unreadable: [String] = []
    private var entryCount = 0

    /// Folders that hold products, packages of others, or the history.
    static let skippedNames: Set<String> = [
        ".git", ".build", "build", "DerivedData", "Pods", "Carthage", "node_modules", ".swiftpm", "SourcePackages",
    ]

    init(folder: String) { self.folder = folder }

    /// Fills `files`, `skipped` and `notes`.
    mutating func run() {
        let root = realPath(folder)
        while let (path, depth) = pending.popLast() {
            let names: [String]
            do throws(Errno) {
                names = try namesInDirectory(path.isEmpty ? folder : folder + "/" + path)
            } catch {
                notes.append(Note(SourceLocation(path: path), "the folder cannot be listed: \(error.sentence)"))
                continue
            }
            for name in names.ordered(by: { $0.utf8Precedes($1) }) where name != "." && name != ".." {
                entryCount += 1
                guard files.count < ProjectFiles.maximumFiles, entryCount < 4 * ProjectFiles.maximumFiles else {
                    note("the folder holds more than \(ProjectFiles.maximumFiles) files; the others are not looked at", path)
                    pending.removeAll()
                    break
                }
                visit(path.isEmpty ? name : path + "/" + name, name: name, depth: depth, root: root)
            }
        }
        if let first = links.first {
            note("\(links.count) symbolic links are not followed, such as \(first.quoted): they lead to folders or out of the project", "")
        }
        if let first = unreadable.first { note("\(unreadable.count) names cannot be looked at, such as \(first.quoted)", "") }
    }

    private mutating func visit(_ path: String, name: String, depth: Int, root: String?) {
        let full = folder + "/" + path
        guard let status = try? FileStatus(path: full, followsLink: false) else {
            unreadable.append(path)
            return
        }
        if status.isDirectory {
            if Self.skippedNames.contains(name) || name.hasSuffix(".xcassets") {
                skipped.insert(path)
            } else if depth + 1 >= ProjectFiles.maximumDepth {
                skipped.insert(path)
                note("folders deeper than \(ProjectFiles.maximumDepth) levels are not looked at", path)
            } else {
                pending.append((path, depth + 1))
            }
        } else if status.isRegular {
            files.append(path)
        } else if let target = try? FileStatus(path: full), !Self.skippedNames.contains(name) {
            // A link, as the first look was at neither a file nor a directory; devices and pipes are no files of a project.
            if target.isRegular, let root, let real = realPath(full), real.hasPrefix(root + "/") {
                files.append(path)
            } else if target.isRegular || target.isDirectory {
                links.append(path)
            }
        }
    }

    private mutating func note(_ sentence: String, _ path: String) {
        notes.append(Note(SourceLocation(path: path), sentence))
    }
}

/// The absolute path without links; nil where nothing is there.
func realPath(_ path: String) -> String? {
    guard let text = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(text) }
    return unsafe String(cString: text)
}
