import SwiftUI

@main
struct BulletinApp: App {
    @State private var wall = Wall()

    var body: some Scene {
        MenuBarExtra("Bulletin", systemImage: "pin") {
            ForEach(wall.notes, id: \.self) { Text($0) }
            Button("Refresh") { Task { try? await wall.refresh() } }
        }
    }
}
