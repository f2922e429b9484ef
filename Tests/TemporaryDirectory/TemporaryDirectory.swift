import Foundation

/// A directory that is removed with everything in it.
package final class TemporaryDirectory {
    /// Where it is.
    package let path: String

    /// Makes one.
    package init() throws {
        path = NSTemporaryDirectory() + "/syncaudit-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a name in it.
    package func file(_ name: String) -> String { path + "/" + name }

    /// Makes a file, and the directories above it; its path.
    @discardableResult package func create(_ name: String, _ content: String = "") throws -> String {
        let parent = (file(name) as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        try Data(content.utf8).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    /// What a file holds as text; nil where there is none.
    package func content(_ name: String) -> String? {
        FileManager.default.contents(atPath: file(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The names of everything in it, hidden files included.
    package var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}
