import SwiftUI

@main
struct AgoraApp: App {
    @State private var board = Board()

    var body: some Scene {
        WindowGroup {
            List(board.posts) { Text($0.headline) }
                .task { try? await board.reload() }
        }
    }
}
