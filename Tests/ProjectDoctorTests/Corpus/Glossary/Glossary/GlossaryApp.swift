import SwiftUI

@main
struct GlossaryApp: App {
    var body: some Scene {
        WindowGroup {
            TermList().withStore()
        }
    }
}
