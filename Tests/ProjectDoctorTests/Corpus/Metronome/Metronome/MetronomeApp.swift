import SwiftUI

@main
struct MetronomeApp: App {
    @State private var settings = SyncedSettings()

    var body: some Scene {
        WindowGroup {
            Stepper("\(settings.tempo)", value: $settings.tempo, in: 40...220)
        }
    }
}
