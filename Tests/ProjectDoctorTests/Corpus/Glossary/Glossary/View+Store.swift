import SwiftData
import SwiftUI

extension View {
    func withStore() -> some View {
        modelContainer(for: [Term.self, Topic.self])
    }
}
