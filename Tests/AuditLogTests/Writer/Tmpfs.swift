import ChildProcess
import Testing

/// A small disk in memory; only the super-user of a Linux system can have one.
struct Tmpfs {
    private let path: String

    /// Mounts it on a directory.
    init(_ path: String, bytes: Int) throws {
        self.path = path
        try #require(Self.run("mount", "-t", "tmpfs", "-o", "size=\(bytes)", "tmpfs", path))
    }

    /// Takes it off again, whatever is open on it.
    func unmount() { _ = Self.run("umount", "-l", path) }

    /// Whether it can be had here.
    static let isPermitted: Bool = {
        guard let directory = try? LogDirectory(), run("mount", "-t", "tmpfs", "-o", "size=65536", "tmpfs", directory.path) else {
            return false
        }
        return run("umount", directory.path)
    }()

    private static func run(_ command: String...) -> Bool {
        ChildProcess.run(command).status == 0
    }
}
