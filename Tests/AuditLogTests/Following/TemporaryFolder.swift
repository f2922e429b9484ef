import Foundation

/// A folder that is removed with everything in it.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "follow-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: URL(filePath: file(name))) }

    func append(_ text: String, to name: String) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: file(name)))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    func truncate(_ name: String, to length: UInt64 = 0) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: file(name)))
        try handle.truncate(atOffset: length)
        try handle.close()
    }

    func move(_ name: String, to other: String) throws { try FileManager.default.moveItem(atPath: file(name), toPath: file(other)) }

    func copy(_ name: String, to other: String) throws { try FileManager.default.copyItem(atPath: file(name), toPath: file(other)) }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: file(name)) }
}
