import ProjectDoctor

/// Swift sources as they are in apps.
enum SwiftFixtures {
    static func facts(_ source: String) -> SwiftFacts { SwiftReader.read(Array(source.utf8)) }

    /// The string from an offset on.
    static func string(_ source: String, from offset: Int) -> String {
        String(decoding: Array(source.utf8).dropFirst(offset), as: UTF8.self)
    }

    static let library = #"""
        #!/usr/bin/env swift
        import Foundation
        import SwiftData

        /// @Model class Ghost { var never = 0 }
        enum Genre: String, Codable, CaseIterable { case novel, essay }

        struct Address: Codable, Hashable { var street = ""; var city = "" }

        @Model
        public final class Book: Identifiable {
            #Unique<Book>([\.isbn], [\.title, \Book.author.name])
            #Index<Book>([\.title])

            @Attribute(.unique, originalName: "code") public private(set) var isbn: String = ""
            @Attribute(.externalStorage)
            @Attribute(.allowsCloudEncryption)
            var cover: Data?
            var title: String = "untitled: @Model class Title { }"
            var added: Date = Date.now, read: Date?
            var id = UUID()
            let shelf: String
            var tags: [String] = []
            var pages: [String: [Int]] = [:]
            var genre: Genre = Genre.novel
            var address: Optional<Address>
            var note: String! { didSet { revision += 1 } }
            var revision: Int = 0 {
                willSet { print(newValue) }
                didSet { history.append(oldValue) }
            }
            var history: [Int] = {
                var list: [Int] = []
                list.append(0)
                return list
            }()
            var callback: (@Sendable (Int, String) async throws -> Void)? = nil
            @Attribute(.transformable(by: ColorTransformer.self)) var color: Color?
            @Attribute(.transformable(by: "NSSecureUnarchiveFromData"), hashModifier: "v2") var blob: [String: Any]?
            @Attribute(.ephemeral) var isSelected: Bool = false
            @Transient var cache: [String: Int] = [:]
            @Transient
            lazy var expensive = compute()
            lazy var other: Int = 1
            static let maximum = 10
            class var kind: String { "book" }
            var isRead: Bool { read != nil }
            var summary: String {
                get { title }
                set { title = newValue }
            }
            @Relationship(deleteRule: .nullify, inverse: \Author.books) var author: Author?
            @Relationship(
                deleteRule: .cascade, minimumModelCount: 0, maximumModelCount: 1_000, originalName: "remarks", inverse: \Library.Note.book)
            var notes: [Note]? = []
            #if os(iOS)
                @Attribute(.preserveValueOnDeletion) var device: String?
            #endif

            init(title: String, shelf: String = "A") {
                self.title = title
                self.shelf = shelf
                var local = 0
                local += 1
            }

            func open() {
                var visits = 0
                visits += 1
                revision = revision + 1
            }
        }

        @SwiftData.Model @MainActor final class Author: Person, Codable {
            var name = ""
            @Relationship var books: [Book]?
            @Relationship(inverse: nil) var friend: Author?
        }

        extension Library {
            @Model class Note {
                var text: String
                var book: Book?
                init(text: String) { self.text = text }
                struct Mark: Codable { var range: [Int] = [] }
            }
        }
        """#

    static let app = #"""
        import CloudKit
        import SwiftData
        import SwiftUI

        enum Constants { static let containerID = "iCloud.com.example.books" }

        @main
        struct BooksApp: App {
            @Environment(\.scenePhase) private var scenePhase
            var container: ModelContainer = {
                let schema = Schema([Book.self, Author.self])
                let configuration = ModelConfiguration(
                    "Books", schema: schema, isStoredInMemoryOnly: false, cloudKitDatabase: .private(Constants.containerID))
                do {
                    return try ModelContainer(for: schema, migrationPlan: Plan.self, configurations: [configuration])
                } catch {
                    let fallback = ModelConfiguration(schema: schema, isStoredInMemoryOnly: true)
                    return try! ModelContainer(for: schema, configurations: fallback)
                }
            }()

            var body: some Scene {
                WindowGroup { ContentView() }
                    .modelContainer(container)
                Window("Debug", id: "debug") { DebugView() }
                    .modelContainer(for: [Book.self, Author.self], inMemory: true, isAutosaveEnabled: false)
            }
        }

        final class Syncer: CKSyncEngineDelegate {
            private static let recordType = "Book"
            let cloud = CKContainer(identifier: Constants.containerID)
            var engine: CKSyncEngine?

            func start() { engine = CKSyncEngine(configuration) }

            func save(_ book: Book) async throws {
                let item = CKRecord(recordType: Self.recordType, recordID: book.recordID)
                item["title"] = book.title
                item.encryptedValues["secret"] = book.secret
                item.setValue(book.pages, forKey: "pages")
                other["nothing"] = 1
                let operation = CKModifyRecordsOperation(recordsToSave: [item], recordIDsToDelete: nil)
                operation.savePolicy = .changedKeys
            }
        }

        #Preview("Books", traits: .sizeThatFitsLayout) {
            ContentView().modelContainer(for: Book.self, inMemory: true)
        }
        """#
}
