#if canImport(CoreData)
    import Foundation

    extension URL {
        /// Keeps a file out of backups, where there are any.
        mutating func excludeFromBackup() throws {
            #if canImport(Darwin)
                var values = URLResourceValues()
                values.isExcludedFromBackup = true
                try setResourceValues(values)
            #endif
        }
    }
#endif
