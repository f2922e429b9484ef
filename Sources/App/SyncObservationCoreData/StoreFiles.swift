#if canImport(CoreData)
    package import Foundation

    /// The files of a store of SQLite: its database, what has been written ahead, and the folder of large values beside it.
    package struct StoreFiles: Sendable {
        private let url: URL

        /// The files of a store.
        ///
        /// - Parameter url: That of its database.
        package init(_ url: URL) { self.url = url }

        /// How large they are together, in bytes; nil where there is no database.
        ///
        /// - Complexity: O(*n*) in the files of the folder.
        package var bytes: Int64? {
            guard let database = Self.size(url) else { return nil }
            return ([URL(fileURLWithPath: url.path + "-wal")] + largeValues).reduce(database) { sum, file in
                let (total, overflows) = sum.addingReportingOverflow(Self.size(file) ?? 0)
                return overflows ? .max : total
            }
        }

        private var largeValues: [URL] {
            let name = ".\(url.deletingPathExtension().lastPathComponent)_SUPPORT"
            let folder = url.deletingLastPathComponent().appendingPathComponent(name).appendingPathComponent("_EXTERNAL_DATA")
            return (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.fileSizeKey])) ?? []
        }

        private static func size(_ file: URL) -> Int64? {
            var file = file
            // A URL that is kept remembers what it was asked before.
            file.removeAllCachedResourceValues()
            return (try? file.resourceValues(forKeys: [.fileSizeKey]))?.fileSize.map { Int64($0) }
        }
    }
#endif
