#if canImport(CoreData)
    import Foundation

    /// The files of the audit of a store: the shadow, how far the history was read, which store it is, and a token of this installation.
    ///
    /// The first store's are in the directory that the app names, and those of each other store in one below it.
    struct AuditDirectory: Sendable {
        private let url: URL

        init(_ url: URL) throws {
            self.url = url
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }

        var shadowPath: String { url.appending(path: "shadow.sqlite").path }

        private var tokenURL: URL { url.appending(path: "history-token") }

        /// How far the history was read; nil before the first time.
        var token: Data? { try? Data(contentsOf: tokenURL) }

        func keep(_ token: Data) throws { try token.write(to: tokenURL, options: .atomic) }

        private var storeURL: URL { url.appending(path: "store") }

        /// The identifier of the store that this was begun for; nil where that is not known.
        var store: String? {
            guard let identifier = try? String(contentsOf: storeURL, encoding: .utf8), !identifier.isEmpty else { return nil }
            return identifier
        }

        /// Keeps it, with the time at which it was last used.
        func keep(store identifier: String) throws { try identifier.write(to: storeURL, atomically: true, encoding: .utf8) }

        /// The directories of other stores than the first, those that were used last first.
        var others: [AuditDirectory] {
            get throws {
                // A device has no other store until it has.
                let folders = (try? FileManager.default.contentsOfDirectory(at: storesURL, includingPropertiesForKeys: nil)) ?? []
                let dates = folders.compactMap { folder -> (folder: URL, date: Date)? in
                    let store = folder.appending(path: "store")
                    let date = (try? store.resourceValues(forKeys: [.contentModificationDateKey]))?.contentModificationDate
                    return date.map { (folder, $0) }
                }
                return try dates.sorted { ($0.date, $1.folder.path) > ($1.date, $0.folder.path) }.map { try AuditDirectory($0.folder) }
                    .filter { $0.store != nil }
            }
        }

        /// A directory for another store, which was made for it.
        func other(for store: String) throws -> AuditDirectory {
            let directory = try AuditDirectory(storesURL.appending(path: UUID().uuidString))
            try directory.keep(store: store)
            return directory
        }

        private var storesURL: URL { url.appending(path: "stores") }

        /// A token that never travels in a backup, made where it is missing.
        func installation() throws -> String {
            var url = url.appending(path: "installation")
            if let token = try? String(contentsOf: url, encoding: .utf8), !token.isEmpty { return token }
            let token = UUID().uuidString
            try token.write(to: url, atomically: true, encoding: .utf8)
            try url.excludeFromBackup()
            return token
        }
    }
#endif
