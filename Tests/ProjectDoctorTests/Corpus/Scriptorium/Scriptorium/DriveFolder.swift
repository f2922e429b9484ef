import Foundation

/// Where manuscripts are: iCloud Drive, or the device without an account.
struct DriveFolder {
    let url: URL

    init() {
        let drive = FileManager.default.url(forUbiquityContainerIdentifier: "iCloud.org.example.scriptorium")
        url = (drive ?? URL.documentsDirectory).appending(path: "Documents")
    }

    func remove(_ name: String) throws {
        let file = url.appending(path: name)
        var failure: NSError?
        NSFileCoordinator().coordinate(writingItemAt: file, options: .forDeleting, error: &failure) { target in
            try? FileManager.default.removeItem(at: target)
        }
        if let failure { throw failure }
    }

    func conflicts(of name: String) -> [NSFileVersion] {
        NSFileVersion.unresolvedConflictVersionsOfItem(at: url.appending(path: name)) ?? []
    }
}
