import CoreDataAdapter
import Foundation
import Testing

/// The size of a store's files.
@Suite struct StoreFilesTests {
    @Test func theDatabaseWhatIsWrittenAheadAndLargeValuesCount() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "files-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = folder.appending(path: "My.Notes.store")
        #expect(StoreFiles(store).bytes == nil, "there is none")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        func write(_ count: Int, to url: URL) throws { try Data(count: count).write(to: url) }
        try write(100, to: store)
        #expect(StoreFiles(store).bytes == 100)
        try write(20, to: folder.appending(path: "My.Notes.store-wal"))
        try write(7, to: folder.appending(path: "My.Notes.store-shm"))
        try write(7, to: folder.appending(path: "Other.store"))
        let values = folder.appending(path: ".My.Notes_SUPPORT").appending(path: "_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: values, withIntermediateDirectories: true)
        try write(3000, to: values.appending(path: UUID().uuidString))
        try write(4000, to: values.appending(path: UUID().uuidString))
        #expect(StoreFiles(store).bytes == 7120)
    }
}
