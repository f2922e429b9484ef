#if canImport(CoreData)
    import Foundation

    /// The files of an audit: the shadow, how far the history was read, and a token of this installation.
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
