import SwiftUI

@main
struct FieldnotesApp: App {
    @UIApplicationDelegateAdaptor(PushDelegate.self) private var delegate
    @StateObject private var library = Library()

    var body: some Scene {
        WindowGroup { ObservationList().environmentObject(library) }
    }
}
