import ChildProcess
import Foundation

/// The files of the package.
package enum Repository {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

    package static func path(_ name: String) -> String { root.appending(path: name).path }

    package static func text(_ name: String) throws -> String { try String(contentsOf: root.appending(path: name), encoding: .utf8) }

    /// A page in which every line break is a space, so that a sentence is found wherever its lines end.
    package static func prose(_ name: String) throws -> String { try text(name).replacing(/\s+/, with: " ") }

    /// The pages of the documentation: the README and every article, by their paths.
    package static func pages() throws -> [String] {
        var pages = ["README.md"]
        for target in try targets() {
            let catalog = "\(target.folder)/\(target.name).docc"
            guard FileManager.default.fileExists(atPath: path(catalog)) else { continue }
            let names = try FileManager.default.contentsOfDirectory(atPath: path(catalog)).sorted()
            pages += names.filter { $0.hasSuffix(".md") }.map { "\(catalog)/\($0)" }
        }
        return pages
    }

    /// The targets under `Sources`, each in the folder of those whom it serves, in the order of their names.
    private static func targets() throws -> [(name: String, folder: String)] {
        try FileManager.default.contentsOfDirectory(atPath: path("Sources")).flatMap { group in
            try FileManager.default.contentsOfDirectory(atPath: path("Sources/\(group)")).map { ($0, "Sources/\(group)/\($0)") }
        }.sorted { $0.0 < $1.0 }
    }

    /// The folder of a target under `Sources`.
    package static func folder(of target: String) throws -> String {
        guard let folder = try targets().first(where: { $0.name == target })?.folder else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSLocalizedDescriptionKey: "no folder below Sources is of the target \(target)"])
        }
        return folder
    }
}

/// The real history from which README and articles show what the command writes.
package enum RealTrace {
    package static let path = Repository.path("Samples/traces/languages-writes.jsonl.gz")

    /// Its lines.
    package static func text() throws -> String {
        let process = try ChildProcess(path: "/usr/bin/env", ["gzip", "-dc", path])
        process.closeInput()
        defer { _ = process.wait() }
        return String(decoding: process.readToEnd(), as: UTF8.self)
    }
}
