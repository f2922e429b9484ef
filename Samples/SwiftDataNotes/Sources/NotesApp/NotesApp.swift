import Foundation
import SwiftData
import SwiftDataNotes
import SwiftUI
import SyncAuditApple

@main
struct NotesApp: App {
    @State private var notebook = NotesApp.open()
    @Environment(\.scenePhase) private var scenePhase

    var body: some Scene {
        WindowGroup { NotesView(notebook: notebook) }
            .onChange(of: scenePhase, initial: true) { _, phase in notebook.refresh.isActive = phase == .active }
    }

    private static func open() -> Notebook {
        do {
            let support = try FileManager.default.url(
                for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
            let directory = support.appending(path: "Notes")
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            let log = try AuditLogWriter(directory: directory.appending(path: "log").path, name: "sync", source: "mine")
            let store = ModelConfiguration(
                url: directory.appending(path: "notes.store"), cloudKitDatabase: .private("iCloud.com.example.notes"))
            return try Notebook(device: "mine", store: store, log: log)
        } catch {
            fatalError("the notebook cannot be opened: \(error)")
        }
    }
}
